// From the pointer to the parts of a plot.

/** @import { Geometry, PointedColumn, Spot } from "../core/types.d.ts" */

const ABOVE = 8; // CSS pixels around a row of bars, with the numbers over them

/**
 * A point of the window relative to an element.
 * @param {HTMLElement} plot
 * @param {{ clientX: number, clientY: number }} point
 * @returns {[x: number, y: number]}
 */
export function pointInPlot(plot, { clientX, clientY }) {
  const { left, top } = plot.getBoundingClientRect();
  return [clientX - left, clientY - top];
}

/** The column at `x` pixels of the plot; null beside all columns. @param {Geometry} g @param {number} x */
export function columnAt(g, x) {
  const column = Math.floor((x - g.left(0)) / g.col);
  return column >= 0 && column < g.n ? column : null;
}

/**
 * The edges of a spot's column and the height at which its words end, in CSS pixels of the plot. A target word is
 * beside all columns, so both edges are 0.
 * @param {{ left: (column: number) => number } | null} g
 * @param {Spot} spot
 * @param {number} top
 */
export function columnBox(g, spot, top) {
  const column = g && spot.part !== "target" ? spot.column : null;
  return column === null || !g ? { left: 0, right: 0, top } : { left: g.left(column), right: g.left(column + 1), top };
}

/**
 * A column and the pointer, relative to the element around their tooltip.
 * @param {MouseEvent} event
 * @param {HTMLElement} plot
 * @param {HTMLElement} tipParent the element around the tooltip
 * @param {ReturnType<typeof columnBox>} box the column, relative to the plot
 * @returns {PointedColumn}
 */
export function pointedColumn(event, plot, tipParent, { left, right, top }) {
  const [inPlot, [x, y]] = [pointInPlot(plot, event), pointInPlot(tipParent, event)];
  const [across, down] = [x - inPlot[0], y - inPlot[1]]; // from the plot to the element around the tooltip
  return { x, y, left: left + across, right: right + across, top: top + down };
}

/**
 * Whether a height is that of a row of bars.
 * @param {Geometry} g
 * @param {string} key of the row
 * @param {number} y
 */
export function isInRow(g, key, y) {
  const row = g.bars.find((bar) => bar.key === key);
  return row !== undefined && y >= row.y - ABOVE && y < row.y + row.h + ABOVE;
}
