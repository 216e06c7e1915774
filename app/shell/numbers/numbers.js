// The panel in which a number of the page is taken apart, down to the embeddings of words; each number in it opens
// another.

import { valueIn } from "../../../attn_core/browser/engine/lookup.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { significant } from "../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { activeElementAround } from "../../../attn_core/browser/player/dom/focus.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { hasModifier, isComposing } from "../../../attn_core/browser/player/dom/typing.js";
import { useLayoutEffect, useMemo, useRef } from "../../../attn_core/browser/vendor/hooks.js";
import { Fragment, render } from "../../../attn_core/browser/vendor/preact.js";
import { Equation } from "../../../attn_core/browser/player/dom/mathml.js";
import { Breakdown, OfVector } from "./breakdown.js";
import { said, shownWord } from "./names.js";
import { useOpened } from "./opened.js";
import { typeset } from "./spelling.js";

/**
 * @import { NumberAsked, NumberRef, Origin } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { Around } from "./names.js"
 * @import { Opened } from "./opened.js"
 *
 * @typedef {import("./opened.js").Source} Source
 *
 * @typedef {object} NumbersProps
 * @property {NumberAsked | null} asked the number of the page that was opened; another object opens its number anew
 * @property {Source | null} source the translation on show; null: none whose numbers can be opened
 * @property {number} step of the player: the opened numbers become those of another step or translation, as far as it
 * has them
 * @property {() => void} onClose the panel has closed
 * @property {(step: number) => void} [onStep] asks for another step, by the arrow keys
 */

const LECTURE_KEYS = ["PageUp", "PageDown", "f", "F", "q", "Q", "n", "N"]; // of the page, which it goes on having
/** The keys of the player that work in the panel, with the steps that they go. @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** @param {NumbersProps} props */
export function Numbers({ asked, source, step, onClose, onStep }) {
  const panel = useRef(/** @type {HTMLElement | null} */ (null));
  const body = useRef(/** @type {HTMLElement | null} */ (null));
  const focus = usePanelFocus(panel);
  const { opened, isBusy, open, back, close } = useOpened({ asked, source, step, onClose, focus });
  const { path, problem } = opened;
  const visible = Boolean(path.length || problem);
  useShown(panel, visible);
  useLayoutEffect(() => {
    if (!visible) return;
    focus.keep();
    if (body.current) body.current.scrollTop = 0;
    panel.current?.querySelector(".no-crumbs > :last-child")?.scrollIntoView({ block: "nearest", inline: "end" });
  }, [opened]);
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (isComposing(event)) return;
    if (!LECTURE_KEYS.includes(event.key)) event.stopPropagation(); // the keys of the player
    if (event.key === "Escape") close();
    if (event.key === "Backspace" && path.length > 1) back(path.length - 2);
    const by = valueIn(STEPS, event.key);
    if (!by || !onStep || !opened.source || hasModifier(event) || scrolls(event.target)) return;
    event.preventDefault(); // the panel must not scroll
    onStep(Math.min(Math.max(step + by, 0), opened.source.trace.target.length - 1));
  };
  const content = useMemo(
    () => html`
    <nav class="no-head" aria-label=${t("Numbers opened so far")}>
      <ol class="no-crumbs">${path.map(
        ({ origin }, i) =>
          html`<${Crumb} origin=${origin} around=${opened.source} last=${i === path.length - 1} back=${() =>
            back(i)} />`,
      )}</ol>
      <button type="button" class="no-close" aria-label=${t("Close")} onClick=${close}>×</button>
    </nav>
    <div class="no-body" aria-live="polite" ref=${body}>
      <${Content} key=${opened.turn} opened=${opened} open=${open} />
    </div>`,
    [opened],
  );
  return html`
    <div style="display: contents">
      <section class="no" aria-label=${t("Where a number comes from")} aria-busy=${isBusy} tabindex="-1"
        popover="manual" hidden=${!visible} ref=${panel} onKeyDown=${press}>${content}</section>
    </div>`;
}

/**
 * Whether an element, such as a long equation, has more to show to the left or right.
 * @param {EventTarget | null} target
 */
const scrolls = (target) =>
  target instanceof HTMLElement && target.matches(".no-equation") && target.scrollWidth > target.clientWidth;

/** @param {{ origin: Origin, around: Around, last: boolean, back: () => void }} props */
function Crumb({ origin, around, last, back }) {
  const { name, value } = headed(origin, around);
  return html`<li><button type="button" class="no-crumb" aria-current=${last ? "step" : undefined} title=${name}
    onClick=${back}><span class="no-crumb-name">${typeset(name)}</span> ${significant(value)}</button></li>`;
}

/** The number that was opened last. @param {{ opened: Opened, open: (ref: NumberRef) => void }} props */
function Content({ opened: { path, problem, source }, open }) {
  const origin = path.at(-1)?.origin;
  if (problem)
    return html`<p class="no-line">${t("This number cannot be taken apart: {reason}", { reason: problem })}</p>`;
  if (!origin || !source) return null;
  const { name, symbol, lines = [], where, value } = headed(origin, source);
  return html`
    <h2 class="no-title">${symbol && html`<${Fragment}><${Equation} equation=${symbol} />${" "}<//>`}
      ${typeset(name)}</h2>
    <p class="no-where">${where}</p>
    <p class="no-main">${significant(value)}</p>
    <${OfVector} origin=${origin} open=${open} />
    ${lines.map((equation) => html`<p class="no-equation" tabindex="0"><${Equation} equation=${equation} /></p>`)}
    <${Breakdown} origin=${origin} around=${source} open=${open} />`;
}

/**
 * How a number is presented: a log probability as the probability of its word.
 * @param {Origin} origin @param {Around} around
 */
function headed({ number, kind, word }, around) {
  const named = { ...said(number, around), value: number.value };
  if (kind !== "log_softmax") return named;
  return {
    ...named,
    name: t("probability of “{word}”", { word: shownWord(String(word)) }),
    where: named.where.split(" · ")[0],
    value: Math.exp(number.value),
  };
}

/**
 * The focus of the panel: where it comes from and goes back to, and that it stays inside when the button that has it
 * goes.
 * @param {import("../../../attn_core/browser/vendor/preact.js").RefObject<HTMLElement | null>} panel
 */
function usePanelFocus(panel) {
  const state = useRef({ before: /** @type {HTMLElement | null} */ (null), inside: false });
  const inside = () => Boolean(panel.current?.contains(activeElementAround(panel.current)));
  return {
    /** The focus is where the reader opened a number. */
    begin: () => {
      state.current.before = panel.current && /** @type {HTMLElement | null} */ (activeElementAround(panel.current));
    },
    /** Another number is drawn next. */
    note: () => {
      state.current.inside = inside();
    },
    keep: () => {
      if (state.current.inside && !inside()) panel.current?.focus({ preventScroll: true });
      state.current.inside = false;
    },
    /** The panel with a number that was just opened gets the focus. */
    enter: () => {
      state.current.inside = true;
    },
    /** A reader who types elsewhere goes on typing. */
    leave: () => {
      if (inside()) state.current.before?.focus({ preventScroll: true });
      state.current.before = null;
    },
  };
}

/**
 * Shows the panel over the bars of the page, which makes room for it.
 * @param {import("../../../attn_core/browser/vendor/preact.js").RefObject<HTMLElement | null>} panel
 * @param {boolean} visible
 */
function useShown(panel, visible) {
  useLayoutEffect(() => {
    if (!visible) return undefined;
    const root = /** @type {HTMLElement} */ (panel.current);
    const page = root.closest(".ap-root");
    root.showPopover?.();
    page?.classList.add("no-beside");
    return () => {
      root.hidePopover?.();
      page?.classList.remove("no-beside");
    };
  }, [visible]);
}

/**
 * The panel for a page without other components, where it follows no step.
 * @param {HTMLElement} host the page, which the panel is in
 */
export function mountNumbers(host) {
  const root = el("div");
  host.append(root);
  /** @type {NumberAsked | null} */
  let opened = null;
  const draw = (/** @type {NumberAsked | null} */ asked, /** @type {Source | null} */ source) => {
    opened = asked;
    render(html`<${Numbers} asked=${asked} source=${source} step=${0} onClose=${close} />`, root);
  };
  const close = () => draw(null, null);
  close();
  return {
    /** Open a number of a translation. @param {NumberAsked} asked @param {Source} source */
    open: (asked, source) => draw({ ...asked }, source),
    /** The numbers that are open become those of another computation. @param {Source} source */
    update: (source) => {
      if (opened) draw(opened, source);
    },
    close,
    destroy: () => render(null, root),
  };
}
