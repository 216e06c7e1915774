// The position of a tooltip beside the column that it explains.

/** @import { PointedColumn } from "../core/types.d.ts" */

const GAP = 8; // CSS pixels between column and tip
const EDGE = 4; // CSS pixels between the tip and the edge of the frame
const BAR = 56; // CSS pixels at the top of a window that a host's bar may cover

/**
 * Place a tip beside its column, to the right if there is room; if the frame has room on neither side, above the
 * pointer or below it.
 * @param {HTMLElement} tip
 * @param {PointedColumn} pointed in the element around the tip
 */
export function placeTip(tip, { left, right, top, x, y }) {
  const around = /** @type {HTMLElement} */ (tip.parentElement).getBoundingClientRect();
  const frame = (tip.closest(".ap") ?? document.documentElement).getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tip;
  const leftmost = frame.left - around.left + EDGE;
  const rightmost = Math.max(frame.right - around.left - width - EDGE, leftmost);
  const highest = BAR - around.top;
  const lowest = Math.min(window.innerHeight, frame.bottom) - around.top - height - EDGE;
  const beside = [right + GAP, left - GAP - width].find((edge) => edge >= leftmost && edge <= rightmost);
  const above = y - height - 10;
  const [tipLeft, tipTop] =
    beside === undefined
      ? [Math.min(Math.max(x - width / 2, leftmost), rightmost), above < highest ? y + 18 : above]
      : [beside, Math.max(Math.min(y - height / 2, lowest), top, highest)];
  tip.style.left = `${tipLeft}px`;
  tip.style.top = `${tipTop}px`;
}
