// A lab page of the site: starts the stages, which are components of the dashboard too, and runs the quiz.

import { t, tn } from "../../attn_core/browser/player/core/messages.js";
import { el } from "../../attn_core/browser/player/dom/elements.js";
import { pushEntry } from "../shell/address.js";
import { copyText } from "../shell/clipboard.js";
import { startLecture } from "../shell/lecture-page.js";
import { onStepAsked } from "../shell/layout.js";
import { createNotes, opensNotes } from "../shell/notes.js";
import { takeFromTab } from "../shell/tab-storage.js";
import { keepOffline } from "./offline.js";

/**
 * @import { Notes } from "../shell/types.d.ts"
 * @typedef {{ stages: { name: string, data: any }[], notes: Notes | null }} Page
 * @typedef {{ default: (component: { data: any, parentElement: HTMLElement }) => unknown }} Module of a stage
 */

const REPORTED = 2500; // ms for which a button says what it has done

/** @type {Page} */
const page = JSON.parse(document.getElementById("page")?.textContent ?? "null");
const showsNotes = Boolean(page.notes) && opensNotes(new URLSearchParams(location.search));
if (page.notes && showsNotes) {
  const host = el("main");
  createNotes(host, page.notes);
  document.querySelector("main")?.replaceWith(host);
  page.stages = [];
}
const allStarted = Promise.all(page.stages.map(({ name, data }) => startStage(name, data)));

/** @type {Map<string, HTMLElement>} */
const cards = new Map([...document.querySelectorAll("article")].map((card) => [card.id, card]));
const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".claims a")]);
/** @type {Map<string, boolean>} */
const firstAnswers = new Map(); // whether the first answer to a card was right

scrollMenu();
for (const button of document.querySelectorAll(".copy")) {
  const code = button.parentElement?.nextElementSibling?.textContent ?? "";
  const label = button.textContent;
  button.addEventListener("click", async () => {
    button.textContent = (await copyText(code, /** @type {HTMLElement} */ (button)))
      ? t("Copied")
      : t("Select the code and copy it");
    setTimeout(() => {
      button.textContent = label;
    }, REPORTED);
  });
}
for (const link of links) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // the browser opens a new tab or window
    event.preventDefault();
    openCard(slugOf(link));
  });
}
for (const [slug, card] of cards) {
  const buttons = /** @type {HTMLButtonElement[]} */ ([...card.querySelectorAll(".answers button")]);
  for (const button of buttons) button.addEventListener("click", () => answer(slug, button));
  card.querySelector(".again")?.addEventListener("click", () => reset(card));
  card.querySelector(".next")?.addEventListener("click", () => openCard(slugAfter(slug)));
}
const presentButton = /** @type {HTMLElement | null} */ (document.querySelector("button.present"));
if (presentButton && !showsNotes) startLecture(presentButton, document.body, document.querySelectorAll(".part").length);
if (!page.stages.length) onStepAsked(turnCard);
addEventListener("popstate", showLinkedCard);
if (!showsNotes) showLinkedCard();
if (!page.stages.length && takeFromTab("touring", "quiz")) focusCard(document.querySelector("article:not([hidden])"));
keepOffline();
if (page.stages.length && cards.has(linkedSlug())) {
  // The cards are below the stages, which have a height only once they are drawn
  allStarted.then(() => requestAnimationFrame(() => document.querySelector(".deck")?.scrollIntoView()));
}

/** Scroll the menu, which is one line on phones, to the name of this page. */
function scrollMenu() {
  const menu = document.querySelector("body > header > nav");
  const current = menu?.querySelector("[aria-current]");
  if (!menu || !current) return;
  const [outer, inner] = [menu, current].map((element) => element.getBoundingClientRect());
  menu.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
}

/** @param {string} name @param {any} data */
async function startStage(name, data) {
  const host = /** @type {HTMLElement} */ (document.getElementById(name));
  try {
    // Perhaps only half of the file arrived
    const stage = await importStage(name).catch(() => importStage(name, `?again=${Date.now()}`));
    stage.default({ data, parentElement: host });
  } catch (error) {
    const reason = /** @type {Error} */ (error).message;
    host.textContent = t("This part of the page could not be loaded ({reason}). Reload the page.", { reason });
  }
}

/**
 * @param {string} name
 * @param {string} [query] a new one bypasses the browser's cache
 * @returns {Promise<Module>}
 */
function importStage(name, query = "") {
  return import(`./${name}.js${query}`);
}

/** The card that the address names; "" if it names none. */
function linkedSlug() {
  return new URLSearchParams(location.search).get("card") ?? "";
}

/** Show the card that the address names or, if it names none, the first one. */
function showLinkedCard() {
  const current = cards.has(linkedSlug()) ? linkedSlug() : slugOf(links[0]);
  for (const [slug, card] of cards) card.hidden = slug !== current;
  for (const link of links) {
    if (slugOf(link) === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** @param {string} slug */
function openCard(slug) {
  const url = new URL(location.href);
  url.searchParams.set("card", slug);
  pushEntry(url);
  showLinkedCard();
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

/** Open the card after or before the open one, if there is one. @param {1 | -1} direction @param {Event} event */
function turnCard(direction, event) {
  const slugs = [...cards.keys()];
  const slug = slugs[slugs.findIndex((name) => !cards.get(name)?.hidden) + direction];
  if (!slug) return;
  event.preventDefault();
  openCard(slug);
}

/** The card after another one; after the last, the first. @param {string} slug */
function slugAfter(slug) {
  const slugs = [...cards.keys()];
  return slugs[(slugs.indexOf(slug) + 1) % slugs.length];
}

/** @param {string} slug @param {HTMLButtonElement} chosen */
function answer(slug, chosen) {
  const card = /** @type {HTMLElement} */ (cards.get(slug));
  if (!firstAnswers.has(slug)) firstAnswers.set(slug, chosen.dataset.right === "1");
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (card.querySelectorAll(".answers button"))) {
    button.disabled = true;
    button.dataset.mark = button.dataset.right === "1" ? "✓" : button === chosen ? "✗" : "";
  }
  for (const verdict of /** @type {NodeListOf<HTMLElement>} */ (card.querySelectorAll(".verdict")))
    verdict.hidden = verdict.dataset.right !== chosen.dataset.right;
  showAnswer(card, true);
  // The button cannot keep the focus, since it is disabled
  /** @type {HTMLElement | null} */ (card.querySelector(".verdict:not([hidden])"))?.focus({ preventScroll: true });
  links.find((link) => slugOf(link) === slug)?.setAttribute("data-mark", firstAnswers.get(slug) ? "✓" : "✗");
  showScore();
}

/** Show the score, and that of each level whose cards are all answered. */
function showScore() {
  const rightOf = (/** @type {string[]} */ slugs) => slugs.filter((slug) => firstAnswers.get(slug)).length;
  const n = rightOf([...firstAnswers.keys()]);
  const levels = [...document.querySelectorAll(".claims h3")].flatMap((title) => {
    const slugs = links.filter((link) => link.closest("ul") === title.nextElementSibling).map(slugOf);
    if (!slugs.every((slug) => firstAnswers.has(slug))) return [];
    return [t("{level}: {n} of {all}", { level: title.textContent ?? "", n: rightOf(slugs), all: slugs.length })];
  });
  const score = /** @type {HTMLElement} */ (document.querySelector(".score"));
  score.textContent = [
    tn("{n} of {all} answered correctly", "{n} of {all} answered correctly", n, { all: firstAnswers.size }),
    ...levels,
  ].join(" · ");
}

/** @param {HTMLElement} card */
function reset(card) {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (card.querySelectorAll(".answers button"))) {
    button.disabled = false;
    delete button.dataset.mark;
  }
  showAnswer(card, false);
  /** @type {HTMLElement | null} */ (card.querySelector(".answers button"))?.focus({ preventScroll: true });
}

/** Show or hide what follows an answer. @param {HTMLElement} card @param {boolean} isAnswered */
function showAnswer(card, isAnswered) {
  /** @type {HTMLElement} */ (card.querySelector(".told")).hidden = !isAnswered;
  /** @type {HTMLElement} */ (card.querySelector(".again")).hidden = !isAnswered;
}
