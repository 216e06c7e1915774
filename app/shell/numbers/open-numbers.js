// The numbers that a reader has opened, each from the one before, at the step and in the translation on show.

import { useLayoutEffect, useMemo, useRef, useState } from "../../../attn_core/browser/vendor/hooks.js";
import { isStep } from "./names.js";

/**
 * @import { NumberAsked, NumberRef, Origin } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { NumberContext } from "./names.js"
 *
 * @typedef {NumberContext & { ask: (number: NumberAsked) => Promise<Origin> }} Source a translation whose numbers can
 * be opened
 * @typedef {{ asked: NumberAsked, origin: Origin }} Entry
 *
 * @typedef {object} Opened
 * @property {Entry[]} path from the number of the page down to the one on show; empty: the panel is closed
 * @property {Source | null} source their translation
 * @property {number} step the step of the player to which they belong
 * @property {string} problem the reason why the number that was opened last cannot be taken apart
 * @property {number} version another one for each content of the panel
 *
 * What the panel should show. While it is fetched, another step may be asked for.
 * @typedef {{ path: NumberAsked[], source: Source, step: number }} Wanted
 *
 * @typedef {{ rememberOpener(): void, enter(): void, noteInside(): void, leave(): void }} Focus of the panel
 *
 * @typedef {object} Panel
 * @property {(opened: Opened) => void} show
 * @property {(isBusy: boolean) => void} setBusy whether the numbers on show are those of another step or translation
 * @property {Focus} focus
 * @property {() => void} onClose
 */

/** @type {Opened} */
const CLOSED = { path: [], source: null, step: 0, problem: "", version: 0 };

/**
 * The opened numbers, and functions to open another one, to go back to one, and to close them all.
 * @param {{ asked: NumberAsked | null, source: Source | null, step: number, onClose: () => void, focus: Focus }} props
 * as of Numbers
 */
export function useOpenNumbers({ asked, source, step, onClose, focus }) {
  const [opened, show] = useState(CLOSED);
  const [isBusy, setBusy] = useState(false);
  const latestOnClose = useRef(onClose);
  latestOnClose.current = onClose;
  const numbers = useMemo(() => new OpenNumbers({ show, setBusy, focus, onClose: () => latestOnClose.current() }), []);
  useLayoutEffect(() => numbers.follow(asked, source, step), [asked, source, step]);
  return {
    opened,
    isBusy,
    open: (/** @type {NumberRef} */ ref) => numbers.open(ref),
    back: (/** @type {number} */ index) => numbers.back(index),
    close: () => numbers.close(),
  };
}

/**
 * Fetches the numbers that a panel shows. An answer that arrives when another step, translation or number is wanted is
 * dropped.
 */
export class OpenNumbers {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    this.opened = CLOSED;
    /** @type {Wanted | null} */
    this.wanted = null;
    /** @type {NumberAsked | null} the number of the page that was opened */
    this.first = null;
    this.isNew = false; // whether the number was just opened, so that the panel gets the focus
    this.version = 0;
  }

  /**
   * Follow the number of the page that is opened, its translation, and the step on show.
   * @param {NumberAsked | null} asked
   * @param {Source | null} source
   * @param {number} step
   */
  follow(asked, source, step) {
    const { first, wanted } = this;
    if (!asked) {
      if (first) this.reset();
    } else if (!source) this.close();
    else if (asked !== first) {
      this.first = asked;
      this.isNew = true;
      this.panel.focus.rememberOpener();
      this.fetchNumbers({ path: [asked], source, step }, false);
    } else if (wanted?.path.length) {
      const next = Math.min(step, source.trace.target.length - 1);
      const change = next - wanted.step;
      this.fetchNumbers({ path: wanted.path.map((number) => atLaterStep(number, change)), source, step: next }, true);
    }
  }

  /** Open a number of the one on show. @param {NumberRef} ref */
  open(ref) {
    if (!this.wanted) return;
    const change = this.wanted.step - this.opened.step; // the reader may have gone to another step meanwhile
    const path = [...this.opened.path.map(withIndex), ref].map((number) =>
      change ? atLaterStep(number, change) : number,
    );
    this.fetchNumbers({ ...this.wanted, path }, false);
  }

  /** Go back to a number of the path. @param {number} index */
  back(index) {
    if (this.wanted) this.fetchNumbers({ ...this.wanted, path: this.wanted.path.slice(0, index + 1) }, false);
  }

  close() {
    this.reset();
    this.panel.onClose();
  }

  /**
   * Fetch numbers and show them.
   * @param {Wanted} next
   * @param {boolean} isMove whether they are the numbers on show, at another step
   */
  async fetchNumbers(next, isMove) {
    this.wanted = next;
    const version = ++this.version;
    this.panel.setBusy(true);
    const { path, problem } = await fetchPath(next, this.opened, isMove);
    if (version !== this.version) return;
    this.wanted = { ...next, path: path.map(({ asked }) => asked) };
    if (isMove && !path.length) this.close();
    else if (problem && !isMove) this.draw({ problem });
    else this.draw({ path, source: next.source, step: next.step });
  }

  /** @param {Partial<Opened>} change */
  draw(change) {
    const { show, setBusy, focus } = this.panel;
    if (this.isNew) focus.enter();
    else focus.noteInside();
    this.isNew = false;
    this.opened = { ...this.opened, problem: "", ...change, version: ++this.version };
    setBusy(false);
    show(this.opened);
  }

  reset() {
    const { show, setBusy, focus } = this.panel;
    this.version += 1;
    this.isNew = false;
    [this.opened, this.wanted, this.first] = [CLOSED, null, null];
    focus.leave();
    setBusy(false);
    show(CLOSED);
  }
}

/**
 * Fetch the numbers of a path, up to the first that does not exist or cannot be taken apart; `problem`: the reason.
 * @param {Wanted} wanted @param {Opened} opened what is on show; the same numbers are not fetched again
 * @param {boolean} isMove whether the path is that on show, at another step
 * @returns {Promise<{ path: Entry[], problem: string }>}
 */
async function fetchPath({ path: numbers, source, step }, opened, isMove) {
  /** @type {Entry[]} */
  const path = [];
  const isSame = source === opened.source && step === opened.step;
  try {
    for (const [i, asked] of numbers.entries()) {
      const shown = opened.path[i];
      const origin = isSame && shown && isEqual(asked, withIndex(shown)) ? shown.origin : await source.ask(asked);
      if (isMove && i && shown && !isAlike(origin, shown.origin)) break; // the graph of this step is another one
      path.push({ asked, origin });
    }
  } catch (problem) {
    return { path, problem: /** @type {Error} */ (problem).message };
  }
  return { path, problem: "" };
}

/**
 * The number of an entry by its index instead of its rank: the parts that a reader opened are those of this number,
 * even if another one has its rank at another step.
 * @param {Entry} entry
 * @returns {NumberAsked}
 */
function withIndex({
  asked,
  origin: {
    number: { ref },
  },
}) {
  if (!("rank" in asked)) return asked;
  return { step: asked.step, output: asked.output ?? "log_probs", place: Number(ref.index.at(-1)) };
}

/** @param {NumberAsked} a @param {NumberAsked} b */
const isEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Whether two numbers were computed in the same way. @param {Origin} a @param {Origin} b */
const isAlike = (a, b) => a.kind === b.kind && a.number.op === b.number.op && a.number.weight === b.number.weight;

/**
 * The same number, some steps later or earlier.
 * @template {NumberAsked} Asked @param {Asked} asked @param {number} change @returns {Asked}
 */
function atLaterStep(asked, change) {
  if ("step" in asked) return { ...asked, step: asked.step + change };
  const [kind, step] = "weight" in asked ? [] : asked.frame.split(".");
  return kind && isStep(kind) ? { ...asked, frame: `${kind}.${Number(step) + change}` } : asked;
}
