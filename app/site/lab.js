// A lab page of the site: starts the stages, which are components of the dashboard too, and runs the quiz.

import { t, tn } from "../../attn_core/browser/player/core/messages.js";
import { el } from "../../attn_core/browser/player/dom/elements.js";
import { enter } from "../shell/address.js";
import { copied } from "../shell/copied.js";
import { startLecture } from "../shell/lecture-page.js";
import { onTurn } from "../shell/layout.js";
import { createNotes, notesIn } from "../shell/notes.js";
import { takeLeft } from "../shell/tabstore.js";
import { keepOffline } from "./offline.js";

/**
 * @import { Notes } from "../shell/types.d.ts"
 * @typedef {{ stages: { name: string, data: any }[], notes: Notes | null }} Page
 * @typedef {{ default: (given: { data: any, parentElement: HTMLElement }) => unknown }} Module of a stage
 */

const SHOWN = 2500; // ms that a button says what it has done

/** @type {Page} */
const page = JSON.parse(document.getElementById("page")?.textContent ?? "null");
const showsNotes = Boolean(page.notes) && notesIn(new URLSearchParams(location.search));
if (page.notes && showsNotes) {
  const host = el("main");
  createNotes(host, page.notes);
  document.querySelector("main")?.replaceWith(host);
  page.stages = [];
}
const started = Promise.all(page.stages.map(({ name, data }) => start(name, data)));

/** @type {Map<string, HTMLElement>} */
const cards = new Map([...document.querySelectorAll("article")].map((card) => [card.id, card]));
const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".claims a")]);
/** @type {Map<string, boolean>} */
const answered = new Map(); // whether the first answer to a card was right

showCurrentPage();
for (const button of document.querySelectorAll(".copy")) {
  const code = button.parentElement?.nextElementSibling?.textContent ?? "";
  const label = button.textContent;
  button.addEventListener("click", async () => {
    button.textContent = (await copied(code, /** @type {HTMLElement} */ (button)))
      ? t("Copied")
      : t("Select the code and copy it");
    setTimeout(() => {
      button.textContent = label;
    }, SHOWN);
  });
}
for (const link of links) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // another tab
    event.preventDefault();
    go(slugOf(link));
  });
}
for (const [slug, card] of cards) {
  const buttons = /** @type {HTMLButtonElement[]} */ ([...card.querySelectorAll(".answers button")]);
  for (const button of buttons) button.addEventListener("click", () => answer(slug, button));
  card.querySelector(".again")?.addEventListener("click", () => reset(card));
  card.querySelector(".next")?.addEventListener("click", () => go(after(slug)));
}
const present = /** @type {HTMLElement | null} */ (document.querySelector("button.present"));
if (present && !showsNotes) startLecture(present, document.body, document.querySelectorAll(".part").length);
if (!page.stages.length) onTurn(turnCard);
addEventListener("popstate", open);
if (!showsNotes) open();
if (!page.stages.length && takeLeft("touring", "quiz")) focusCard(document.querySelector("article:not([hidden])"));
keepOffline();
if (page.stages.length && cards.has(asked())) {
  // it is below the stages, and they have a height when they are drawn
  started.then(() => requestAnimationFrame(() => document.querySelector(".deck")?.scrollIntoView()));
}

/** Scroll the menu, which is one line on phones, to the name of this page. */
function showCurrentPage() {
  const menu = document.querySelector("body > header > nav");
  const current = menu?.querySelector("[aria-current]");
  if (!menu || !current) return;
  const [outer, inner] = [menu, current].map((one) => one.getBoundingClientRect());
  menu.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
}

/** @param {string} name @param {any} data */
async function start(name, data) {
  const host = /** @type {HTMLElement} */ (document.getElementById(name));
  try {
    const stage = await imported(name).catch(() => imported(name, `?again=${Date.now()}`)); // perhaps half of it came
    stage.default({ data, parentElement: host });
  } catch (error) {
    const reason = /** @type {Error} */ (error).message;
    host.textContent = t("This part of the page could not be loaded ({reason}). Reload the page.", { reason });
  }
}

/**
 * @param {string} name
 * @param {string} [query] another one is fetched past the browser's cache
 * @returns {Promise<Module>}
 */
function imported(name, query = "") {
  return import(`./${name}.js${query}`);
}

/** The name of a card in the address. */
function asked() {
  return new URLSearchParams(location.search).get("card") ?? "";
}

/** Show the card of the address; the first one, if it names none. */
function open() {
  const open = cards.has(asked()) ? asked() : slugOf(links[0]);
  for (const [slug, card] of cards) card.hidden = slug !== open;
  for (const link of links) {
    if (slugOf(link) === open) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** @param {string} slug */
function go(slug) {
  const url = new URL(location.href);
  url.searchParams.set("card", slug);
  enter(url);
  open();
  focusCard(cards.get(slug)); // also scrolls to it
}

/** The next press of the Tab key leads to the card's answers. @param {Element | null | undefined} card */
function focusCard(card) {
  /** @type {HTMLElement} */ (card?.querySelector(".claim")).focus();
}

/** @param {HTMLAnchorElement} link */
function slugOf(link) {
  return new URL(link.href).searchParams.get("card") ?? "";
}

/** The card after or before the open one, if there is one. @param {1 | -1} way @param {Event} event */
function turnCard(way, event) {
  const slugs = [...cards.keys()];
  const slug = slugs[slugs.findIndex((name) => !cards.get(name)?.hidden) + way];
  if (!slug) return;
  event.preventDefault();
  go(slug);
}

/** @param {string} slug */
function after(slug) {
  const slugs = [...cards.keys()];
  return slugs[(slugs.indexOf(slug) + 1) % slugs.length];
}

/** @param {string} slug @param {HTMLButtonElement} chosen */
function answer(slug, chosen) {
  const card = /** @type {HTMLElement} */ (cards.get(slug));
  const right = chosen.dataset.right === "1";
  if (!answered.has(slug)) answered.set(slug, right);
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (card.querySelectorAll(".answers button"))) {
    button.disabled = true;
    button.dataset.mark = button.dataset.right === "1" ? "✓" : button === chosen ? "✗" : "";
  }
  for (const verdict of /** @type {NodeListOf<HTMLElement>} */ (card.querySelectorAll(".verdict")))
    verdict.hidden = verdict.dataset.right !== chosen.dataset.right;
  show(card, true);
  // The button cannot keep the focus.
  /** @type {HTMLElement | null} */ (card.querySelector(".verdict:not([hidden])"))?.focus({ preventScroll: true });
  links.find((link) => slugOf(link) === slug)?.setAttribute("data-mark", answered.get(slug) ? "✓" : "✗");
  showScore();
}

/** Show the score, also of each level of which all cards are answered. */
function showScore() {
  const rightOf = (/** @type {string[]} */ slugs) => slugs.filter((slug) => answered.get(slug)).length;
  const n = rightOf([...answered.keys()]);
  const levels = [...document.querySelectorAll(".claims h3")].flatMap((title) => {
    const slugs = links.filter((link) => link.closest("ul") === title.nextElementSibling).map(slugOf);
    if (!slugs.every((slug) => answered.has(slug))) return [];
    return [t("{level}: {n} of {all}", { level: title.textContent ?? "", n: rightOf(slugs), all: slugs.length })];
  });
  const score = /** @type {HTMLElement} */ (document.querySelector(".score"));
  score.textContent = [
    tn("{n} of {all} answered correctly", "{n} of {all} answered correctly", n, { all: answered.size }),
    ...levels,
  ].join(" · ");
}

/** @param {HTMLElement} card */
function reset(card) {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (card.querySelectorAll(".answers button"))) {
    button.disabled = false;
    delete button.dataset.mark;
  }
  show(card, false);
  /** @type {HTMLElement | null} */ (card.querySelector(".answers button"))?.focus({ preventScroll: true });
}

/** Show or hide what follows an answer. @param {HTMLElement} card @param {boolean} told */
function show(card, told) {
  /** @type {HTMLElement} */ (card.querySelector(".told")).hidden = !told;
  /** @type {HTMLElement} */ (card.querySelector(".again")).hidden = !told;
}
