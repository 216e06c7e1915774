// The panel that takes a number of the page apart, down to the embeddings of words. Each number in it can be opened.

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
import { Breakdown, OwnVector } from "./breakdown.js";
import { describeNumber, readableWord } from "./names.js";
import { useOpenNumbers } from "./open-numbers.js";
import { typeset } from "./spelling.js";

/**
 * @import { NumberAsked, NumberRef, Origin } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { NumberContext } from "./names.js"
 * @import { Opened } from "./open-numbers.js"
 *
 * @typedef {import("./open-numbers.js").Source} Source
 *
 * @typedef {object} NumbersProps
 * @property {NumberAsked | null} asked the number of the page that was opened; another object opens its number anew
 * @property {Source | null} source the translation on show; null: none whose numbers can be opened
 * @property {number} step of the player. When the step or the translation changes, the panel shows the same numbers of
 * the new one, if it has them
 * @property {() => void} onClose called when the panel has closed
 * @property {(step: number) => void} [onStep] called when the arrow keys ask for another step
 */

const LECTURE_KEYS = ["PageUp", "PageDown", "f", "F", "q", "Q", "n", "N"]; // the panel leaves them to the page
/** The keys of the player that work in the panel, with the number of steps. @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** @param {NumbersProps} props */
export function Numbers({ asked, source, step, onClose, onStep }) {
  const panel = useRef(/** @type {HTMLElement | null} */ (null));
  const body = useRef(/** @type {HTMLElement | null} */ (null));
  const focus = usePanelFocus(panel);
  const { opened, isBusy, open, back, close } = useOpenNumbers({ asked, source, step, onClose, focus });
  const { path, problem } = opened;
  const isVisible = Boolean(path.length || problem);
  usePopover(panel, isVisible);
  useLayoutEffect(() => {
    if (!isVisible) return;
    focus.keep();
    if (body.current) body.current.scrollTop = 0;
    panel.current?.querySelector(".no-crumbs > :last-child")?.scrollIntoView({ block: "nearest", inline: "end" });
  }, [opened]);
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (isComposing(event)) return;
    if (!LECTURE_KEYS.includes(event.key)) event.stopPropagation(); // the player must not get it
    if (event.key === "Escape") close();
    if (event.key === "Backspace" && path.length > 1) back(path.length - 2);
    const change = valueIn(STEPS, event.key);
    if (!change || !onStep || !opened.source || hasModifier(event) || canScroll(event.target)) return;
    event.preventDefault(); // the panel must not scroll
    onStep(Math.min(Math.max(step + change, 0), opened.source.trace.target.length - 1));
  };
  const content = useMemo(
    () => html`
    <nav class="no-head" aria-label=${t("Numbers opened so far")}>
      <ol class="no-crumbs">${path.map(
        ({ origin }, i) =>
          html`<${Crumb} origin=${origin} context=${/** @type {Source} */ (opened.source)}
            isLast=${i === path.length - 1} back=${() => back(i)} />`,
      )}</ol>
      <button type="button" class="no-close" aria-label=${t("Close")} onClick=${close}>×</button>
    </nav>
    <div class="no-body" aria-live="polite" ref=${body}>
      <${Content} key=${opened.version} opened=${opened} open=${open} />
    </div>`,
    [opened],
  );
  return html`
    <div style="display: contents">
      <section class="no" aria-label=${t("Where a number comes from")} aria-busy=${isBusy} tabindex="-1"
        popover="manual" hidden=${!isVisible} ref=${panel} onKeyDown=${press}>${content}</section>
    </div>`;
}

/**
 * Whether an element is a long equation, which the arrow keys scroll.
 * @param {EventTarget | null} target
 */
const canScroll = (target) =>
  target instanceof HTMLElement && target.matches(".no-equation") && target.scrollWidth > target.clientWidth;

/** @param {{ origin: Origin, context: NumberContext, isLast: boolean, back: () => void }} props */
function Crumb({ origin, context, isLast, back }) {
  const { name, value } = headingOf(origin, context);
  return html`<li><button type="button" class="no-crumb" aria-current=${isLast ? "step" : undefined} title=${name}
    onClick=${back}><span class="no-crumb-name">${typeset(name)}</span> ${significant(value)}</button></li>`;
}

/** The number that was opened last. @param {{ opened: Opened, open: (ref: NumberRef) => void }} props */
function Content({ opened: { path, problem, source }, open }) {
  const origin = path.at(-1)?.origin;
  if (problem)
    return html`<p class="no-line">${t("This number cannot be taken apart: {reason}", { reason: problem })}</p>`;
  if (!origin || !source) return null;
  const { name, symbol, lines = [], where, value } = headingOf(origin, source);
  return html`
    <h2 class="no-title">${symbol && html`<${Fragment}><${Equation} equation=${symbol} />${" "}<//>`}
      ${typeset(name)}</h2>
    <p class="no-where">${where}</p>
    <p class="no-main">${significant(value)}</p>
    <${OwnVector} origin=${origin} open=${open} />
    ${lines.map((equation) => html`<p class="no-equation" tabindex="0"><${Equation} equation=${equation} /></p>`)}
    <${Breakdown} origin=${origin} context=${source} open=${open} />`;
}

/**
 * The description and the value above a number's breakdown. A log probability is shown as the probability of its word.
 * @param {Origin} origin @param {NumberContext} context
 */
function headingOf({ number, kind, word }, context) {
  const heading = { ...describeNumber(number, context), value: number.value };
  if (kind !== "log_softmax") return heading;
  return {
    ...heading,
    name: t("probability of “{word}”", { word: readableWord(String(word)) }),
    where: heading.where.split(" · ")[0],
    value: Math.exp(number.value),
  };
}

/**
 * The focus of the panel. The panel gets it with a number that was just opened, keeps it when the button that has it is
 * gone, and returns it when it closes.
 * @param {import("../../../attn_core/browser/vendor/preact.js").RefObject<HTMLElement | null>} panel
 */
function usePanelFocus(panel) {
  const state = useRef({ opener: /** @type {HTMLElement | null} */ (null), wasInside: false });
  const isInside = () => Boolean(panel.current?.contains(activeElementAround(panel.current)));
  return {
    /** Remember the element with the focus, by which the reader opened a number. */
    rememberOpener: () => {
      state.current.opener = panel.current && /** @type {HTMLElement | null} */ (activeElementAround(panel.current));
    },
    /** Before another number is drawn: the focus stays in the panel if it is there. */
    noteInside: () => {
      state.current.wasInside = isInside();
    },
    /** Before a number that was just opened is drawn: the panel gets the focus. */
    enter: () => {
      state.current.wasInside = true;
    },
    /** After a number has been drawn. */
    keep: () => {
      if (state.current.wasInside && !isInside()) panel.current?.focus({ preventScroll: true });
      state.current.wasInside = false;
    },
    /** Return the focus, unless the reader has moved it elsewhere. */
    leave: () => {
      if (isInside()) state.current.opener?.focus({ preventScroll: true });
      state.current.opener = null;
    },
  };
}

/**
 * Show the panel above the bars of the page, which makes room for it.
 * @param {import("../../../attn_core/browser/vendor/preact.js").RefObject<HTMLElement | null>} panel
 * @param {boolean} isVisible
 */
function usePopover(panel, isVisible) {
  useLayoutEffect(() => {
    if (!isVisible) return undefined;
    const root = /** @type {HTMLElement} */ (panel.current);
    const page = root.closest(".ap-root");
    root.showPopover?.();
    page?.classList.add("no-beside");
    return () => {
      root.hidePopover?.();
      page?.classList.remove("no-beside");
    };
  }, [isVisible]);
}

/**
 * Add the panel to a page that has no player whose steps it could follow.
 * @param {HTMLElement} host the element of the page that gets the panel
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
    /** Show the same numbers of another computation. @param {Source} source */
    update: (source) => {
      if (opened) draw(opened, source);
    },
    close,
    destroy: () => render(null, root),
  };
}
