// The canvases of the stage, sharp at any pixel density and redrawn only on request.

import { barRows, layOut, NARROW } from "../core/layout.js";
import { presents, roomFor } from "../dom/room.js";
import { drawFunnel } from "./funnel.js";
import { drawNames } from "./names.js";
import { context2d, fitCanvas, measureIn, penOf, unitOf } from "./pen.js";
import { drawStage } from "./stage.js";

/**
 * @import { Geometry, Measure, Paint, Pen, Row, Theme, View } from "../core/types.d.ts"
 *
 * @typedef {object} Canvases a player's canvases, and the elements around them
 * @property {HTMLElement} root
 * @property {HTMLElement} frame has the font and the colours
 * @property {HTMLElement} plots has the width
 * @property {HTMLCanvasElement} gutter
 * @property {HTMLCanvasElement} bars
 */

const [SIZES, SMALLER] = [15, 0.96]; // presenter view tries 15 sizes, each 4% smaller than the last, and takes the first that fits
const NUMBER = 12.5; // font size of its numbers, in sixteenths of that size before the rest is made smaller
const [LOWEST, HIGHEST] = [0.62, 1.5]; // by which the bars are taller than usual

/**
 * Draws on the canvases of `ui`.
 * @param {Canvases} ui
 */
export function makePainter(ui) {
  const bars = context2d(ui.bars);
  const gutter = context2d(ui.gutter);
  /** @type {{ theme: Theme, pen: Paint, measure: Measure } | null} of the last picture */
  let styled = null;

  /** @param {Theme} theme */
  function styleIn(theme) {
    const style = getComputedStyle(ui.frame);
    if (styled?.theme !== theme || styled.pen.family !== style.fontFamily) {
      styled = { theme, pen: penOf(style, theme), measure: measureIn(bars, style.fontFamily) };
    }
    return { ...styled, u: unitOf(style) };
  }

  /**
   * Draw one picture. `view`: trace, rows, look (see core/view.js); `row` may be interpolated between two steps.
   * @param {View} view
   * @param {Row | null} row
   * @returns {Geometry | null}
   */
  function paint(view, row) {
    const { pen, measure, u } = styleIn(view.theme);
    const room = { width: ui.plots.clientWidth, height: roomFor(row ? ui.plots : ui.bars, ui.root) };
    if (!row) {
      paintVector(ui.bars, { ...pen, ctx: bars }, view, room, u);
      return null;
    }
    const g = geometryOf(view, { ...room, presented: presents(ui.root) }, u, measure);
    fitCanvas(ui.gutter, gutter, g.gutter, g.height);
    drawNames({ ...pen, ctx: gutter }, g, row, view.look, view.vectors);
    fitCanvas(ui.bars, bars, g.content, g.height);
    drawStage({ ...pen, ctx: bars }, g, row, view.look, view.vectors);
    return g;
  }

  return { paint };
}

/**
 * The bars are as tall as the room allows, within limits; in presenter view everything is smaller if need be.
 * @param {View} view
 * @param {{ width: number, height: number, presented: boolean }} room
 * @param {number} u
 * @param {Measure} measure
 */
function geometryOf({ source, look, vectors }, { width, height, presented }, u, measure) {
  const rows = barRows({ bell: look.bell, mode: look.mode, hard: look.hard, mean: look.mean, paint: look.paint, edited: look.edited });
  const options = { width, source, gloss: look.gloss, rows, farthest: look.farthest ?? 0, measure, vectors: vectors !== null, flow: true };
  const large = presented && width >= NARROW;
  const sizes = large ? Array.from({ length: SIZES }, (_, i) => SMALLER ** i * u) : [u];
  for (const size of sizes) {
    const least = large ? NUMBER * u : 0;
    const [lowest, usual] = [LOWEST, 1].map((v) => layOut({ ...options, u: size, v, least }).height);
    if (lowest > height && size !== sizes[sizes.length - 1]) continue;
    const v = LOWEST + ((height - lowest - rows.length) / (usual - lowest)) * (1 - LOWEST);
    return layOut({ ...options, u: size, v: Math.min(Math.max(v, LOWEST), HIGHEST), least });
  }
  return layOut({ ...options, u, v: 1 });
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Pen} pen
 * @param {View} view
 * @param {{ width: number, height: number }} room
 * @param {number} u
 */
function paintVector(canvas, pen, { source, targets, look: { unknown, step } }, room, u) {
  const tall = Math.max(source.length, targets.length);
  const height = Math.round(Math.max(Math.min(tall * 34 * u, 600 * u, room.height), 280 * u));
  fitCanvas(canvas, pen.ctx, room.width, height);
  drawFunnel(pen, room.width, height, u, { source, unknown, target: targets, step });
}
