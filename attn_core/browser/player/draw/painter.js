// The canvases of a step's picture, sharp at any pixel density and redrawn only on request.

import { barRows, layOut, NARROW } from "../core/layout.js";
import { isPresented, roomFor } from "../dom/room.js";
import { drawNames } from "./names.js";
import { context2d, fitCanvas, styleReader } from "./pen.js";
import { drawSingleVector } from "./single-vector.js";
import { drawPicture } from "./picture.js";

/**
 * @import { Geometry, Measure, Row, View } from "../core/types.d.ts"
 *
 * @typedef {object} Canvases a player's canvases, and the elements around them
 * @property {HTMLElement} root
 * @property {HTMLElement} frame has the font and the colours
 * @property {HTMLElement} plots has the width
 * @property {HTMLCanvasElement} gutter
 * @property {HTMLCanvasElement} bars
 */

// Lecture layout tries sizes from the usual one down to that of a font of 15.5 px, in which words have 13.6 px; each is
// 4% smaller than the last, and the first that fits is taken
const [SMALLER, SMALLEST] = [0.96, 0.97];
const NUMBER = 12.5; // font size of its numbers, in sixteenths of that size before the rest is made smaller
// By which the bars are taller than usual; the least in lecture layout, while the smallest size fits
const [LOWEST, PRESENTED, HIGHEST] = [0.3, 0.62, 1.5];

/**
 * Draws on the canvases of `ui`.
 * @param {Canvases} ui
 */
export function makePainter(ui) {
  const gutter = context2d(ui.gutter);
  const styleOf = styleReader(context2d(ui.bars));
  /** @type {Geometry | null} of the last picture */
  let last = null;

  /**
   * Draw one picture of a view (see core/view.js); `row` may be between two steps, and is null without attention. While
   * a transition `continues`, the layout stays.
   * @param {View} view
   * @param {Row | null} row
   * @param {boolean} [continues]
   * @returns {Geometry}
   */
  function paint(view, row, continues = false) {
    const { pen, measure, u } = styleOf(ui.frame, view.theme);
    const room = () => ({
      width: ui.plots.clientWidth,
      height: roomFor(ui.plots, ui.root),
      presented: isPresented(ui.root),
    });
    const g = continues && last ? last : geometryOf(view, room(), u, measure);
    if (g !== last) {
      // names stay while a transition goes on
      fitCanvas(ui.gutter, gutter, g.gutter, g.height);
      drawNames({ ...pen, ctx: gutter }, g, row, view.display, view.vectors);
    }
    fitCanvas(ui.bars, pen.ctx, g.content, g.height);
    if (row) drawPicture(pen, g, row, view.display, view.vectors);
    else drawSingleVector(pen, g, view.vectors, view.display);
    last = g;
    return g;
  }

  return { paint };
}

/**
 * The bars are as tall as the room allows, within limits; in lecture layout everything is smaller if need be.
 * @param {View} view
 * @param {{ width: number, height: number, presented: boolean }} room
 * @param {number} u
 * @param {Measure} measure
 */
function geometryOf({ source, display, vectors, rows: steps }, { width, height, presented }, u, measure) {
  const rows = !steps.length
    ? []
    : barRows({
        bell: display.bell,
        mode: display.mode,
        hard: display.hard,
        mean: display.mean,
        paint: display.paint,
        edited: display.edited,
      });
  const large = presented && width >= NARROW;
  const options = {
    width,
    source,
    gloss: display.gloss,
    words: display.byPieces ? null : display.words,
    rows,
    farthest: display.farthest ?? 0,
    measure,
    vectors: vectors !== null,
    flow: true,
    feeding: Boolean(vectors?.feeding),
    least: large ? NUMBER * u : 0,
  };
  const heightAt = (/** @type {number} */ size, /** @type {number} */ v) => layOut({ ...options, u: size, v }).height;
  const count = large && u > SMALLEST ? 1 + Math.floor(Math.log(SMALLEST / u) / Math.log(SMALLER)) : 1;
  const sizes = Array.from({ length: count }, (_, i) => SMALLER ** i * u);
  const fitting = sizes.find((candidate) => heightAt(candidate, PRESENTED) <= height);
  const [size, least] = large && fitting ? [fitting, PRESENTED] : [sizes[sizes.length - 1], LOWEST];
  const [lowest, usual] = [heightAt(size, least), heightAt(size, 1)];
  const v = least + ((height - rows.length - lowest) / (usual - lowest)) * (1 - least); // each row may be rounded up
  return layOut({ ...options, u: size, v: Math.min(Math.max(v, least), HIGHEST) });
}
