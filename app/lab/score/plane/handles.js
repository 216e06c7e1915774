// The points of the plane as buttons: they are dragged, or moved with the arrow keys.

import { t } from "../../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../../attn_core/browser/player/dom/elements.js";
import { hasModifier, onKey } from "../../../../attn_core/browser/player/dom/typing.js";
import { toPixels, toPlane } from "./drawing.js";

/** @import { Handle, ScoreLabState, Vector } from "../types.d.ts" */

const STEP = 0.1; // for an arrow key; ten times as much with shift
/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * The handles of the query, of `n` keys and of their values.
 * @param {number} n
 * @returns {Handle[]}
 */
export function buildHandles(n) {
  const positions = Array.from({ length: n }, (_, s) => s);
  return [
    buildHandle("query", 0, t("query h_t")),
    ...positions.flatMap((s) => [
      buildHandle("keys", s, t("key {s}", { s })),
      buildHandle("values", s, t("value {s}", { s })),
    ]),
  ];
}

/**
 * @param {Handle["kind"]} kind
 * @param {number} s
 * @param {string} name
 * @returns {Handle}
 */
function buildHandle(kind, s, name) {
  const button = el("button", { type: "button", class: `al-grip al-${kind}`, "aria-roledescription": t("point") });
  return { kind, s, name, button };
}

/**
 * The point of a handle.
 * @param {ScoreLabState} state
 * @param {Handle} handle
 * @returns {Vector}
 */
export const pointOf = (state, { kind, s }) => (kind === "query" ? state.query : state[kind][s]);

/**
 * Show the handles at their points.
 * @param {Handle[]} handles
 * @param {ScoreLabState} state
 * @param {number} size of the plane in pixels
 */
export function placeHandles(handles, state, size) {
  for (const handle of handles) {
    const point = pointOf(state, handle);
    const [x, y] = toPixels(point, size);
    handle.button.hidden = handle.kind === "values" && !state.apart;
    handle.button.style.transform = `translate(${x}px, ${y}px)`;
    handle.button.setAttribute("aria-label", `${handle.name}: ${point.map((v) => v.toFixed(2)).join(", ")}`);
  }
}

/**
 * Report what the reader does with a handle.
 * @param {Handle} handle
 * @param {HTMLElement} square the plane
 * @param {{ point: () => Vector, move: (point: Vector) => void, release: () => void }} on `point`: where the handle is
 */
export function listenToHandle({ button }, square, { point, move, release }) {
  /** From the pointer to the point. @type {[number, number] | null} */
  let offset = null;
  const pixels = (/** @type {PointerEvent} */ event) => {
    const box = square.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  button.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    button.setPointerCapture(event.pointerId);
    const [x, y] = pixels(event);
    const [px, py] = toPixels(point(), square.clientWidth);
    offset = [px - x, py - y];
  });
  button.addEventListener("pointermove", (event) => {
    if (!offset) return;
    const [x, y] = pixels(event);
    move(toPlane(x + offset[0], y + offset[1], square.clientWidth));
  });
  for (const end of ["pointerup", "pointercancel"])
    button.addEventListener(end, () => {
      offset = null;
      release();
    });
  onKey(button, (event) => {
    const direction = DIRECTIONS[event.key];
    if (!direction || hasModifier(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const distance = event.shiftKey ? 10 * STEP : STEP;
    move(point().map((x, i) => x + distance * direction[i]));
  });
  button.addEventListener("keyup", (event) => {
    if (event.key.startsWith("Arrow")) release();
  });
}
