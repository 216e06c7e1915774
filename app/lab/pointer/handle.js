// An input as a handle on the square, moved by dragging or by arrow keys.

import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { hasModifier, onKey } from "../../../attn_core/browser/player/dom/typing.js";
import { fromSpot, toSpot } from "./plane.js";

/** @import { Input, Spot } from "./types.d.ts" */

/**
 * @typedef {object} HandleActions
 * @property {() => Input[]} inputs all of them
 * @property {() => void} startDrag
 * @property {(input: Input) => void} move
 * @property {() => void} endDrag the handle was dragged to another position
 * @property {() => void} pressKey an arrow key has moved the handle
 * @property {() => void} choose
 * @property {() => void} remove
 */

const STEP = 0.02; // for an arrow key; five times as much with shift
/** @type {Record<string, [right: number, up: number]>} by key */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * The handle of input `i`, in the square.
 * @param {HTMLElement} square
 * @param {number} i
 * @param {HandleActions} actions
 */
export function buildHandle(square, i, actions) {
  const button = el("button", {
    type: "button",
    class: "pt-grip",
    "aria-keyshortcuts": `${Object.keys(DIRECTIONS).join(" ")} Delete`,
  });
  listenToPointer(button, square, i, actions);
  button.addEventListener("focus", actions.choose);
  button.addEventListener("click", (event) => event.stopPropagation());
  button.addEventListener("dblclick", actions.remove);
  onKey(button, (event) => {
    if (hasModifier(event)) return;
    const direction = DIRECTIONS[event.key];
    if (direction) {
      actions.move(stepped(actions.inputs()[i], direction, (event.shiftKey ? 5 : 1) * STEP));
      actions.pressKey();
    } else if (event.key === "Delete" || event.key === "Backspace") actions.remove();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return button;
}

/**
 * @param {HTMLElement} button
 * @param {HTMLElement} square
 * @param {number} i
 * @param {HandleActions} actions
 */
function listenToPointer(button, square, i, actions) {
  /**
   * @type {{ offset: Spot, inputs: Input[] } | null} `offset`: from the pointer to the input; `inputs`: at the start
   */
  let drag = null;
  const spotOf = (/** @type {PointerEvent} */ event) => {
    const { left, top } = square.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  button.addEventListener("pointerdown", (event) => {
    if (event.button) return; // not the main one
    button.setPointerCapture(event.pointerId);
    const inputs = actions.inputs();
    const [pointerX, pointerY] = spotOf(event);
    const [x, y] = toSpot(inputs[i], i, inputs.length, square.clientWidth);
    drag = { offset: [x - pointerX, y - pointerY], inputs };
    actions.startDrag();
  });
  button.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [x, y] = spotOf(event);
    const sides = drag.inputs[i].length;
    actions.move(fromSpot([x + drag.offset[0], y + drag.offset[1]], sides, square.clientWidth));
  });
  for (const name of ["pointerup", "pointercancel"]) {
    button.addEventListener(name, () => {
      if (drag && drag.inputs !== actions.inputs()) actions.endDrag();
      drag = null;
    });
  }
}

/**
 * An input one step further, inside the unit square; a number goes up to the right, too.
 * @param {Input} input
 * @param {[right: number, up: number]} direction
 * @param {number} distance
 * @returns {Input}
 */
function stepped(input, [right, up], distance) {
  const steps = input.length === 1 ? [right + up] : [right, up];
  return input.map((value, k) => Math.round(Math.min(Math.max(value + distance * steps[k], 0), 1) * 1000) / 1000);
}
