// Set the weights of the current step by hand: drag a bar, drag across cells of the heatmap, or click on a source word or
// a cell, which then has all the weight.

import { hit } from "../core/layout.js";
import { weightAt } from "../draw/bars.js";
import { inRow, within } from "./places.js";

/** @import { Gesture, Point, Shown } from "./gestures.js" */

/** @param {() => Shown} shown @returns {Gesture} */
export function painting(shown) {
  /** @type {number | null} the word whose bar is held */
  let held = null;
  /** @type {number[] | null} the cells that a drag across the current step has touched, in their order */
  let brushed = null;
  let dragged = false; // the click at the end opens nothing

  /** The cells up to a column are touched too. @param {number | null} column */
  function brush(column) {
    if (column === null || !brushed || column === brushed.at(-1)) return;
    brushed = extended(brushed, column);
    shown().onPaint({ place: column, weight: null, places: brushed, phase: dragged ? "move" : "start" });
    dragged = true;
  }

  return {
    down(event, plot) {
      const [bar, cell] = [barAt(shown(), event, plot), cellAt(shown(), event, plot)];
      dragged = false; // a finger's drag ends without a click
      if (event.button !== 0) return;
      if (bar?.near) {
        held = bar.place;
        dragged = true;
        shown().onHover(null);
        shown().onPaint({ place: bar.place, weight: bar.weight, phase: "start" });
      } else if (cell !== null) brushed = [cell];
      if (bar?.near || cell !== null) plot.setPointerCapture(event.pointerId);
    },
    move(event, plot) {
      const bar = barAt(shown(), event, plot);
      plot.classList.toggle("ap-plot-paint", held !== null || Boolean(bar?.near));
      plot.classList.toggle("ap-plot-brush", brushed !== null || cellAt(shown(), event, plot) !== null);
      if (brushed) brush(columnAt(shown(), event, plot));
      if (held !== null && bar) shown().onPaint({ place: held, weight: bar.weight, phase: "move" });
      return brushed !== null || held !== null;
    },
    up({ type, pointerType }) {
      const place = held ?? (dragged ? brushed?.at(-1) : undefined);
      const tapped = type === "pointerup" && brushed && !dragged && pointerType === "touch" ? brushed[0] : null; // no click follows
      held = brushed = null;
      if (place !== undefined) shown().onPaint({ place, weight: 0, phase: "end" });
      if (tapped !== null) shown().onPaint({ place: tapped, weight: null, phase: "end" });
    },
    click(event, plot) {
      const place = dragged ? null : wordAt(shown(), event, plot);
      const ended = dragged;
      dragged = false;
      if (place !== null) shown().onPaint({ place, weight: null, phase: "end" });
      return ended || place !== null;
    },
    touch: (finger, plot) => Boolean(barAt(shown(), finger, plot)?.near) || cellAt(shown(), finger, plot) !== null,
  };
}

/** The layout, where weights can be set. @param {Shown} shown */
const layoutOf = ({ geometry, paint, map }) => (paint && map ? geometry : null);

/** The word at a point of the bars, and the weight that a bar up to there has. @param {Shown} shown @param {Point} point @param {HTMLElement} plot */
function barAt(shown, point, plot) {
  const g = layoutOf(shown);
  const row = g?.bars.find(({ key }) => key === "weights");
  if (!g || !row) return null;
  const [x, y] = within(plot, point);
  const place = Math.round(g.place(x));
  return { near: place >= 0 && place < g.n && inRow(g, "weights", y), place, weight: weightAt(g, row, y) };
}

/** The column of a cell of the current step at a point; null elsewhere. @param {Shown} shown @param {Point} point @param {HTMLElement} plot */
function cellAt(shown, point, plot) {
  const g = layoutOf(shown);
  const spot = g && hit(g, ...within(plot, point));
  return spot?.part === "map" && spot.row === shown.step ? spot.column : null;
}

/** The column of the heatmap closest to a point, wherever it is above or below. @param {Shown} shown @param {Point} point @param {HTMLElement} plot */
function columnAt(shown, point, plot) {
  const g = layoutOf(shown);
  return g && Math.min(Math.max(Math.floor((within(plot, point)[0] - g.map.left(0)) / g.map.col), 0), g.n - 1);
}

/** The word of a click on a source word or on a cell of the current step. @param {Shown} shown @param {Point} point @param {HTMLElement} plot */
function wordAt(shown, point, plot) {
  const g = layoutOf(shown);
  if (!g) return null;
  const [x, y] = within(plot, point);
  const spot = hit(g, x, y);
  if (spot?.part === "map") return cellAt(shown, point, plot);
  return spot?.part === "column" && y >= g.words.y && y <= g.words.y + g.words.h ? spot.column : null;
}

/** The touched cells in their order, after a drag on to `column`: a cell that is touched again is the last. @param {number[]} cells @param {number} column */
function extended(cells, column) {
  const last = cells[cells.length - 1];
  const towards = Math.sign(column - last);
  const passed = Array.from({ length: Math.abs(column - last) }, (_, i) => last + (i + 1) * towards);
  return [...cells.filter((cell) => !passed.includes(cell)), ...passed];
}
