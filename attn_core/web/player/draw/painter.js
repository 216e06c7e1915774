// The canvases of the stage, sharp at any pixel density and redrawn only on request.

import { layOutBeside } from "../core/beside.js";
import { barRows, layOut, NARROW } from "../core/layout.js";
import { presents, roomFor } from "../dom/room.js";
import { drawFunnel } from "./funnel.js";
import { drawMap, drawTargets } from "./heatmap.js";
import { drawNames } from "./names.js";
import { context2d, fitCanvas, penOf, unitOf } from "./pen.js";
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
 * @property {HTMLCanvasElement} map
 * @property {HTMLElement} row the frame around the step in the heatmap
 */

const [SIZES, SMALLER] = [15, 0.96]; // presenter view tries 15 sizes, each 4% smaller than the last, and takes the first that fits
const NUMBER = 12.5; // font size of its numbers, in sixteenths of that size before the rest is made smaller

/**
 * Draws on the canvases of `ui`.
 * @param {Canvases} ui
 */
export function makePainter(ui) {
  const bars = context2d(ui.bars);
  const map = context2d(ui.map);
  const gutter = context2d(ui.gutter);
  /** @type {{ theme: Theme, pen: Paint, measure: Measure } | null} of the last picture */
  let styled = null;
  /** @type {unknown[]} what the heatmap was last drawn from */
  let mapped = [];

  /** @param {Theme} theme */
  function styleIn(theme) {
    const style = getComputedStyle(ui.frame);
    if (styled?.theme !== theme || styled.pen.family !== style.fontFamily) {
      styled = { theme, pen: penOf(style, theme), measure: measureIn(bars, style.fontFamily) };
    }
    return { ...styled, u: unitOf(style) };
  }

  /**
   * Draw one picture. `view`: trace, rows, look (see core/view.js); `row` and `at` may be interpolated between two steps.
   * @param {View} view
   * @param {Row | null} row
   * @param {number} at
   * @returns {Geometry | null}
   */
  function paint(view, row, at) {
    const { pen, measure, u } = styleIn(view.theme);
    const room = { width: ui.plots.clientWidth, height: roomFor(row ? ui.plots : ui.bars, ui.root) };
    if (!row) {
      paintVector(ui.bars, { ...pen, ctx: bars }, view, room, u);
      return null;
    }
    const { rows, targets, look } = view;
    const g = geometryOf(view, { ...room, screen: window.innerHeight, presented: presents(ui.root) }, u, measure);
    const beside = Boolean(g.map.words);
    fitCanvas(ui.gutter, gutter, g.gutter, g.height);
    drawNames({ ...pen, ctx: gutter }, g, row, look);
    fitCanvas(ui.bars, bars, g.content, beside ? g.height : g.split);
    drawStage({ ...pen, ctx: bars }, g, row, look);
    if (view.map) drawTargets({ ...pen, ctx: beside ? bars : gutter }, g, targets, look, at);
    const { step, heat, scale, cell, local } = look;
    const now = [rows, targets.length, step, heat, scale, cell, local, pen, u, g.content, g.map.left(0), g.height, window.devicePixelRatio];
    if (now.some((value, i) => value !== mapped[i])) paintMap(ui.map, { ...pen, ctx: map }, view, g);
    mapped = now; // the heatmap is not redrawn while the bars above it move from step to step
    Object.assign(ui.row.style, {
      width: `${g.map.col * g.n + 4}px`, height: `${g.map.rowHeight + 2}px`,
      transform: `translate(${g.map.left(0) - 2}px, ${g.map.y - 1 + at * g.map.rowHeight}px)`,
    });
    return g;
  }

  return { paint };
}

/** Measures bold texts, each only once. @param {CanvasRenderingContext2D} ctx @param {string} family @returns {Measure} */
function measureIn(ctx, family) {
  /** @type {Map<string, number>} at a font size of 1 */
  const widths = new Map();
  return (text, size) => {
    let width = widths.get(text);
    if (width === undefined) {
      ctx.font = `700 100px ${family}`;
      width = ctx.measureText(text).width / 100;
      widths.set(text, width);
    }
    return width * size;
  };
}

/**
 * The heatmap is below the bars, in their columns; beside them if it does not fit below, and in presenter view, smaller
 * if need be. If a long sentence leaves no room for it in presenter view, only the bars and words fit, and it is below.
 * @param {View} view
 * @param {{ width: number, height: number, screen: number, presented: boolean }} room `screen`: the height of the window
 * @param {number} u
 * @param {Measure} measure
 */
function geometryOf({ source, targets, look, map }, { width, height, screen, presented }, u, measure) {
  const rows = barRows({ bell: look.bell, mode: look.mode, hard: look.hard, mean: look.mean, paint: look.paint, edited: look.edited });
  const v = Math.min(Math.max(screen / (1000 * u), 0.74), 1.1);
  const options = { width, u, source, gloss: look.gloss, rows, farthest: look.farthest ?? 0, measure };
  if (!map) return layOut({ ...options, v, targets: 0 });
  const large = presented && width >= NARROW;
  const sizes = large ? Array.from({ length: SIZES }, (_, i) => SMALLER ** i * u) : [];
  for (const size of sizes) {
    const g = layOutBeside({ ...options, u: size, height, target: targets, large, least: NUMBER * u });
    if (g && g.height <= height) return g;
  }
  for (const size of sizes) {
    const g = layOut({ ...options, u: size, v, targets: targets.length, least: NUMBER * u });
    if (g.split <= height || size === sizes[SIZES - 1]) return g;
  }
  const below = layOut({ ...options, v, targets: targets.length });
  return below.height > height && layOutBeside({ ...options, height, target: targets }) || below;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Pen} pen
 * @param {View} view
 * @param {Geometry} g
 */
function paintMap(canvas, pen, { rows, targets, look }, g) {
  const [x, y, width] = g.map.words ? [g.map.left(0), g.map.y, g.map.col * g.n] : [0, g.split, g.content];
  fitCanvas(canvas, pen.ctx, width, g.height - y);
  pen.ctx.translate(-x, -y);
  canvas.style.translate = g.map.words ? `${x}px ${y}px` : "";
  canvas.classList.toggle("ap-beside", Boolean(g.map.words));
  if (g.map.rows) drawMap(pen, g, rows.slice(0, targets.length), look);
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
