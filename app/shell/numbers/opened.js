// The numbers that a reader has opened, one from the other, at the step and in the translation on show.

import { useLayoutEffect, useMemo, useRef, useState } from "../../../attn_core/browser/vendor/hooks.js";
import { isStep } from "./names.js";

/**
 * @import { NumberAsked, NumberRef, Origin } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { Around } from "./names.js"
 *
 * @typedef {Around & { ask: (number: NumberAsked) => Promise<Origin> }} Source a translation whose numbers can be
 * opened
 * @typedef {{ asked: NumberAsked, origin: Origin }} Entry
 *
 * @typedef {object} Opened
 * @property {Entry[]} path from the number of the page down to the one on show; empty: closed
 * @property {Source | null} source their translation
 * @property {number} step of the player to which they belong
 * @property {string} problem why the number that was asked for last cannot be taken apart
 * @property {number} turn counts what was shown
 *
 * What is to be shown; while it is fetched, another step may be asked for.
 * @typedef {{ path: NumberAsked[], source: Source, step: number }} Wanted
 *
 * @typedef {{ begin(): void, enter(): void, note(): void, leave(): void }} Focus of the panel
 *
 * @typedef {object} Panel
 * @property {(opened: Opened) => void} show
 * @property {(isBusy: boolean) => void} setBusy whether the numbers on show are those of another step or translation
 * @property {Focus} focus
 * @property {() => void} onClose
 */

/** @type {Opened} */
const CLOSED = { path: [], source: null, step: 0, problem: "", turn: 0 };

/**
 * The opened numbers, and functions to open another one, to go back to one, and to close them all.
 * @param {{ asked: NumberAsked | null, source: Source | null, step: number, onClose: () => void, focus: Focus }} props
 * as of Numbers
 */
export function useOpened({ asked, source, step, onClose, focus }) {
  const [opened, show] = useState(CLOSED);
  const [isBusy, setBusy] = useState(false);
  const closed = useRef(onClose);
  closed.current = onClose;
  const opening = useMemo(() => new Opening({ show, setBusy, focus, onClose: () => closed.current() }), []);
  useLayoutEffect(() => opening.follow(asked, source, step), [asked, source, step]);
  return {
    opened,
    isBusy,
    open: (/** @type {NumberRef} */ ref) => opening.open(ref),
    back: (/** @type {number} */ place) => opening.back(place),
    close: () => opening.close(),
  };
}

/**
 * Fetches the numbers that a panel shows. An answer is shown only if it is still wanted: those that arrive late, of
 * another step, another translation, or another number, are dropped.
 */
export class Opening {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    this.opened = CLOSED;
    /** @type {Wanted | null} */
    this.wanted = null;
    /** @type {NumberAsked | null} the number of the page that was opened */
    this.first = null;
    this.enters = false; // whether the number is new, so that the panel gets the focus
    this.turn = 0;
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
      this.enters = true;
      this.panel.focus.begin();
      this.fetchNumbers({ path: [asked], source, step }, false);
    } else if (wanted?.path.length) {
      const next = Math.min(step, source.trace.target.length - 1);
      const by = next - wanted.step;
      this.fetchNumbers({ path: wanted.path.map((number) => moved(number, by)), source, step: next }, true);
    }
  }

  /** Open a number of the one on show. @param {NumberRef} ref */
  open(ref) {
    if (!this.wanted) return;
    const by = this.wanted.step - this.opened.step; // the reader may have gone to another step meanwhile
    const path = [...this.opened.path.map(placed), ref].map((number) => (by ? moved(number, by) : number));
    this.fetchNumbers({ ...this.wanted, path }, false);
  }

  /** Go back to a number of the path. @param {number} place */
  back(place) {
    if (this.wanted) this.fetchNumbers({ ...this.wanted, path: this.wanted.path.slice(0, place + 1) }, false);
  }

  close() {
    this.reset();
    this.panel.onClose();
  }

  /**
   * Fetch numbers and show them.
   * @param {Wanted} next
   * @param {boolean} isMove whether they are those on show, at another step
   */
  async fetchNumbers(next, isMove) {
    this.wanted = next;
    const turn = ++this.turn;
    this.panel.setBusy(true);
    const { path, problem } = await fetched(next, this.opened, isMove);
    if (turn !== this.turn) return;
    this.wanted = { ...next, path: path.map(({ asked }) => asked) };
    if (isMove && !path.length) this.close();
    else if (problem && !isMove) this.draw({ problem });
    else this.draw({ path, source: next.source, step: next.step });
  }

  /** @param {Partial<Opened>} change */
  draw(change) {
    const { show, setBusy, focus } = this.panel;
    if (this.enters) focus.enter();
    else focus.note();
    this.enters = false;
    this.opened = { ...this.opened, problem: "", ...change, turn: ++this.turn };
    setBusy(false);
    show(this.opened);
  }

  reset() {
    const { show, setBusy, focus } = this.panel;
    this.turn += 1;
    this.enters = false;
    [this.opened, this.wanted, this.first] = [CLOSED, null, null];
    focus.leave();
    setBusy(false);
    show(CLOSED);
  }
}

/**
 * The numbers of a path, as far as there are such, and why the next one cannot be taken apart.
 * @param {Wanted} wanted @param {Opened} opened what is on show, of which the same numbers are not fetched again
 * @param {boolean} isMove whether the path is that on show, at another step
 * @returns {Promise<{ path: Entry[], problem: string }>}
 */
async function fetched({ path: numbers, source, step }, opened, isMove) {
  /** @type {Entry[]} */
  const path = [];
  const isSame = source === opened.source && step === opened.step;
  try {
    for (const [i, asked] of numbers.entries()) {
      const shown = opened.path[i];
      const origin = isSame && shown && isEqual(asked, placed(shown)) ? shown.origin : await source.ask(asked);
      if (isMove && i && shown && !isAlike(origin, shown.origin)) break; // the graph of this step is another one
      path.push({ asked, origin });
    }
  } catch (problem) {
    return { path, problem: /** @type {Error} */ (problem).message };
  }
  return { path, problem: "" };
}

/**
 * The number of an entry by its place: below the largest weight of a step stand the parts of that weight.
 * @param {Entry} entry
 * @returns {NumberAsked}
 */
function placed({
  asked,
  origin: {
    number: { ref },
  },
}) {
  if (!("rank" in asked)) return asked;
  return { step: asked.step, output: asked.output ?? "log_probs", place: Number(ref.index.at(-1)) };
}

/** @param {NumberAsked} one @param {NumberAsked} other */
const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Whether two numbers were computed in the same way. @param {Origin} one @param {Origin} other */
const isAlike = (one, other) =>
  one.kind === other.kind && one.number.op === other.number.op && one.number.weight === other.number.weight;

/**
 * The same number, some steps later.
 * @template {NumberAsked} Asked @param {Asked} asked @param {number} by @returns {Asked}
 */
function moved(asked, by) {
  if ("step" in asked) return { ...asked, step: asked.step + by };
  const [kind, place] = "weight" in asked ? [] : asked.frame.split(".");
  return kind && isStep(kind) ? { ...asked, frame: `${kind}.${Number(place) + by}` } : asked;
}
