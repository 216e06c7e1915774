// The numbers that a reader has opened, one from the other, at the step and in the translation on show.

import { useLayoutEffect, useRef, useState } from "../../../attn_core/web/vendor/hooks.js";
import { isStep } from "./names.js";

/**
 * @import { NumberAsked, NumberRef, Origin } from "../../../attn_core/web/engine/types.d.ts"
 * @import { Around } from "./names.js"
 *
 * @typedef {Around & { ask: (number: NumberAsked) => Promise<Origin> }} Source a translation whose numbers can be opened
 *
 * @typedef {object} Opened
 * @property {{ asked: NumberAsked, origin: Origin }[]} path from the number of the page down to the one on show; empty: closed
 * @property {Source | null} source their translation
 * @property {number} step of the player to which they belong
 * @property {string} problem why the number that was asked for last cannot be taken apart
 * @property {number} turn counts what was shown
 *
 * @typedef {{ begin(): void, enter(): void, note(): void, leave(): void }} Focus of the panel
 */

/** @type {Opened} */
const CLOSED = { path: [], source: null, step: 0, problem: "", turn: 0 };

/**
 * The opened numbers, and functions to open another one, to go back to one, and to close them all.
 * @param {{ asked: NumberAsked | null, source: Source | null, step: number, onClose: () => void, focus: Focus }} props as of Numbers
 */
export function useOpened({ asked, source, step, onClose, focus }) {
  const [opened, setOpened] = useState(CLOSED);
  const latest = useRef({ opened, source, step, onClose, turn: 0 });
  Object.assign(latest.current, { opened, source, step, onClose });

  /** @param {Partial<Opened>} change */
  const show = (change) => setOpened({ ...latest.current.opened, problem: "", ...change, turn: ++latest.current.turn });

  /** Open a number below those of `kept`; one of the page has none above it. @param {NumberAsked} number @param {Opened["path"]} kept */
  async function open(number, kept) {
    const { opened: { step: before }, source: translation, step: now } = latest.current;
    if (!translation) return;
    const turn = ++latest.current.turn;
    const change = await below(kept, number, translation, kept.length ? before : now);
    if (turn !== latest.current.turn) return;
    const passed = latest.current.step - now;
    if (passed && !kept.length) return open(moved(number, passed), kept); // the reader has gone to another step meanwhile
    if (kept.length) focus.note();
    else focus.enter();
    show(change);
  }

  /** The same numbers at another step or in another translation, as far as there are such. @param {Source} translation @param {number} next */
  async function renew(translation, next) {
    const { path, step: before } = latest.current.opened;
    if (!path.length) return;
    const turn = ++latest.current.turn;
    const renewed = await later(path, next - before, translation);
    if (turn !== latest.current.turn) return;
    focus.note();
    if (renewed.length) show({ path: renewed, source: translation, step: next });
    else close();
  }

  function shut() {
    latest.current.turn += 1;
    focus.leave();
    setOpened(CLOSED);
  }

  function close() {
    shut();
    latest.current.onClose();
  }

  const last = useRef(/** @type {NumberAsked | null} */ (null));
  useLayoutEffect(() => {
    const before = last.current;
    last.current = asked;
    if (!asked) {
      if (before) shut();
    } else if (!source) close();
    else if (asked === before) renew(source, Math.min(step, source.trace.target.length - 1));
    else {
      focus.begin();
      open(asked, []);
    }
  }, [asked, source, step]);

  return {
    opened,
    close,
    open: (/** @type {NumberRef} */ ref) => open(ref, latest.current.opened.path),
    back(/** @type {number} */ place) {
      focus.note();
      show({ path: latest.current.opened.path.slice(0, place + 1) });
    },
  };
}

/**
 * The opened numbers `above` with another one below them, at a step of a translation; or why it cannot be taken apart.
 * @param {Opened["path"]} above @param {NumberAsked} asked @param {Source} source @param {number} step
 * @returns {Promise<Partial<Opened>>}
 */
async function below(above, asked, source, step) {
  try {
    return { path: [...above, { asked, origin: await source.ask(asked) }], source, step };
  } catch (problem) {
    return { problem: /** @type {Error} */ (problem).message };
  }
}

/** The numbers of a path some steps later in a translation, as far as there are such. @param {Opened["path"]} path @param {number} by @param {Source} source */
async function later(path, by, source) {
  /** @type {Opened["path"]} */
  const numbers = [];
  try {
    for (const { asked } of path) {
      const there = moved(asked, by);
      numbers.push({ asked: there, origin: await source.ask(there) });
    }
  } catch {
    // there is no such number: before the first step, or in another graph
  }
  return numbers;
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
