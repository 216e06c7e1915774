// The panel in which a number of the page is taken apart, down to the embeddings of words; each number in it opens another.

import { t } from "../../../attn_core/web/player/core/messages.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { equationElement } from "../mathml.js";
import { digits, isStep, said, shownWord } from "./names.js";
import { breakdown, ofVector } from "./breakdown.js";
import { onKey } from "../../../attn_core/web/player/dom/typing.js";

/**
 * @import { NumberAsked, Origin } from "../../../attn_core/web/engine/types.d.ts"
 * @import { Around } from "./names.js"
 *
 * @typedef {Around & { ask: (number: NumberAsked) => Promise<Origin> }} Source a translation whose numbers can be opened
 */

export function buildNumbers() {
  const crumbs = el("ol", { class: "no-crumbs" });
  const body = el("div", { class: "no-body", "aria-live": "polite" });
  const close = el("button", { type: "button", class: "no-close", "aria-label": t("Close"), text: "×" });
  const root = el(
    "section", { class: "no", "aria-label": t("Where a number comes from"), tabindex: "-1", popover: "manual", hidden: true },
    el("nav", { class: "no-head", "aria-label": t("Numbers opened so far") }, crumbs, close), body,
  );
  /** @type {{ asked: NumberAsked, origin: Origin }[]} from the number of the page down to the one on show */
  let path = [];
  /** @type {Source | null} */
  let source = null;
  /** @type {HTMLElement | null} where the focus was */
  let before = null;
  /** @type {HTMLElement | null} */
  let home = null;
  let turn = 0;
  let step = 0; // of the player
  let from = 0; // the player's step when the numbers of `path` were asked for

  /** Where the panel belongs: in a player in full screen, outside of which no click arrives. */
  const settle = () => {
    const place = home?.querySelector(":fullscreen") ?? home;
    if (root.parentElement === place) return;
    place?.append(root);
    if (!root.hidden) root.showPopover?.();
  };
  close.addEventListener("click", shut);
  document.addEventListener("fullscreenchange", settle);
  onKey(root, (event) => {
    event.stopPropagation(); // the keys of the player
    if (event.key === "Escape") shut();
    if (event.key === "Backspace" && path.length > 1) back(path.length - 2);
  });

  /** Open a number below those of `kept`. @param {NumberAsked} asked @param {typeof path} kept */
  async function open(asked, kept) {
    if (!source) return;
    const now = ++turn;
    /** @type {Origin} */
    let origin;
    try {
      origin = await source.ask(asked);
    } catch (problem) {
      if (now !== turn) return;
      show(true);
      body.replaceChildren(el("p", { class: "no-line", text: t("This number cannot be taken apart: {reason}", { reason: /** @type {Error} */ (problem).message }) }));
      return;
    }
    if (now !== turn) return;
    path = [...kept, { asked, origin }];
    if (!kept.length) from = step;
    draw();
  }

  /** @param {boolean} yes */
  function show(yes) {
    if (root.hidden !== yes) return;
    home ??= root.parentElement;
    settle();
    root.hidden = !yes;
    if (yes) root.showPopover?.(); // over the bars of the page
    else root.hidePopover?.();
    home?.classList.toggle("no-beside", yes); // makes room for the panel
  }

  /** @param {number} place */
  function back(place) {
    path = path.slice(0, place + 1);
    draw();
  }

  /** Whether the focus is in the panel. */
  const inside = () => root.contains(/** @type {Document | ShadowRoot} */ (root.getRootNode()).activeElement);

  function draw() {
    const last = path.at(-1);
    show(Boolean(last));
    if (!last || !source) return;
    const around = source;
    const focused = inside();
    crumbs.replaceChildren(...path.map(({ origin }, i) => {
      const { name, value } = headed(origin, around);
      const button = el("button", { type: "button", class: "no-crumb", "aria-current": i === path.length - 1 ? "step" : null, text: `${name} ${digits(value)}` });
      button.addEventListener("click", () => back(i));
      return el("li", {}, button);
    }));
    const { name, symbol, lines = [], where, value } = headed(last.origin, around);
    body.replaceChildren(
      el("h2", { class: "no-title" }, ...(symbol ? [equationElement(symbol), " "] : []), name),
      el("p", { class: "no-where", text: where }), el("p", { class: "no-main", text: digits(value) }),
      ...ofVector(last.origin, (ref) => open(ref, path)), ...lines.map((line) => el("p", { class: "no-equation", tabindex: "0" }, equationElement(line))),
      ...breakdown(last.origin, around, (ref) => open(ref, path)),
    );
    body.scrollTop = 0;
    if (focused && !inside()) root.focus({ preventScroll: true }); // the button that was pressed is gone
    crumbs.lastElementChild?.scrollIntoView({ block: "nearest", inline: "end" });
  }

  /** Numbers opened so far at another step, as far as it has them. @param {number} next */
  async function again(next) {
    const asked = path.map((one) => moved(one.asked, next - from));
    const now = ++turn;
    /** @type {typeof path} */
    const found = [];
    try {
      for (const one of asked) found.push({ asked: one, origin: await /** @type {Source} */ (source).ask(one) });
    } catch {
      // there is no such number: before the first step, or in another graph
    }
    if (now !== turn) return;
    path = found;
    from = next;
    if (path.length) draw();
    else shut();
  }

  function shut() {
    turn += 1;
    path = [];
    const focused = inside();
    show(false);
    if (focused) before?.focus({ preventScroll: true }); // a reader who types elsewhere goes on typing
    before = null;
  }

  return {
    root,
    /**
     * Open a number of the page.
     * @param {NumberAsked} asked @param {Source} given
     */
    async open(asked, given) {
      source = given;
      before = /** @type {HTMLElement | null} */ (/** @type {Document | ShadowRoot} */ (root.getRootNode()).activeElement);
      await open(asked, []);
      root.focus({ preventScroll: true });
    },
    close: shut,
    destroy: () => document.removeEventListener("fullscreenchange", settle),
    /** Another translation: the same numbers of it, as far as it has them. @param {Source | null} given */
    renew(given) {
      source = given;
      if (path.length && given) again(Math.min(step, given.trace.target.length - 1));
      else if (path.length) shut();
    },
    /** The player is at another step: the same numbers there. @param {number} now */
    at(now) {
      step = now;
      if (path.length && source && now < source.trace.target.length) again(now);
    },
  };
}

/**
 * The same number, some steps later.
 * @template {NumberAsked} Asked @param {Asked} asked @param {number} by @returns {Asked}
 */
function moved(asked, by) {
  if ("step" in asked) return { ...asked, step: asked.step + by };
  const [kind, place] = "weight" in asked ? [] : asked.frame.split(".");
  return kind && isStep(kind) ? { ...asked, frame: `${kind}.${Number(place) + by}` } : asked;
}

/**
 * How a number is presented: a log probability as the probability of its word.
 * @param {Origin} origin @param {Around} around
 */
function headed({ number, kind, word }, around) {
  const found = { ...said(number, around), value: number.value };
  if (kind !== "log_softmax") return found;
  return { ...found, name: t("probability of “{word}”", { word: shownWord(String(word)) }), where: found.where.split(" · ")[0], value: Math.exp(number.value) };
}
