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
 * @import { Geometry, Paint, Row, Theme, View } from "../core/types.d.ts"
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
  const widths = new Map();
  /** @type {Theme | null} */
  let theme = null;
  /** @type {Paint} */
  let pen;
  /** @type {unknown[]} what the heatmap was last drawn from */
  let mapped = [];

  /** @param {Theme} wanted */
  function prepare(wanted) {
    const style = getComputedStyle(ui.frame);
    if (theme !== wanted || pen.family !== style.fontFamily) {
      theme = wanted;
      widths.clear();
      pen = penOf(style, theme);
    }
    return unitOf(style);
  }

  /**
   * @param {string} text
   * @param {number} size
   * @returns {number}
   */
  function measure(text, size) {
    if (!widths.has(text)) {
      bars.font = `700 100px ${pen.family}`;
      widths.set(text, bars.measureText(text).width / 100);
    }
    return widths.get(text) * size;
  }

  /**
   * Draw one picture. `view`: trace, rows, look (see core/view.js); `row` and `at` may be interpolated between two steps.
   * @param {View} view
   * @param {Row | null} row
   * @param {number} at
   * @returns {Geometry | null}
   */
  function paint(view, row, at) {
    const u = prepare(view.theme);
    if (!row) return paintVector(view, u);
    const { targets, look } = view;
    const g = geometryOf(view, u);
    const beside = Boolean(g.map.words);
    fitCanvas(ui.gutter, gutter, g.gutter, g.height);
    drawNames({ ...pen, ctx: gutter }, g, row, look);
    fitCanvas(ui.bars, bars, g.content, beside ? g.height : g.split);
    drawStage({ ...pen, ctx: bars }, g, row, look);
    if (view.map) drawTargets({ ...pen, ctx: beside ? bars : gutter }, g, targets, look, at);
    paintMap(view, g, u);
    Object.assign(ui.row.style, {
      width: `${g.map.col * g.n + 4}px`, height: `${g.map.rowHeight + 2}px`,
      transform: `translate(${g.map.left(0) - 2}px, ${g.map.y - 1 + at * g.map.rowHeight}px)`,
    });
    return g;
  }

  /**
   * The heatmap is below the bars, in their columns; beside them if it does not fit below, and in presenter view, smaller
   * if need be. If a long sentence leaves no room for it in presenter view, only the bars and words fit, and it is below.
   * @param {View} view
   * @param {number} u
   */
  function geometryOf({ source, targets, look, map }, u) {
    const [width, height] = [ui.plots.clientWidth, roomFor(ui.plots, ui.root)];
    const rows = barRows({ bell: look.bell, mode: look.mode, hard: look.hard, mean: look.mean, paint: look.paint, edited: look.edited });
    const v = Math.min(Math.max(window.innerHeight / (1000 * u), 0.74), 1.1);
    const given = { width, u, source, gloss: look.gloss, rows, farthest: look.farthest ?? 0, measure };
    if (!map) return layOut({ ...given, v, targets: 0 });
    const large = presents(ui.root) && width >= NARROW;
    const sizes = large ? Array.from({ length: SIZES }, (_, i) => SMALLER ** i * u) : [];
    for (const size of sizes) {
      const g = layOutBeside({ ...given, u: size, height, target: targets, large, least: NUMBER * u });
      if (g && g.height <= height) return g;
    }
    for (const size of sizes) {
      const g = layOut({ ...given, u: size, v, targets: targets.length, least: NUMBER * u });
      if (g.split <= height || size === sizes[SIZES - 1]) return g;
    }
    const below = layOut({ ...given, v, targets: targets.length });
    return below.height > height && layOutBeside({ ...given, height, target: targets }) || below;
  }

  /**
   * The heatmap is not redrawn while the bars above it move from step to step.
   * @param {View} view
   * @param {Geometry} g
   * @param {number} u
   */
  function paintMap({ rows, targets, look }, g, u) {
    const { step, heat: shown, scale, cell, local } = look;
    const now = [rows, targets.length, step, shown, scale, cell, local, theme, u, g.content, g.map.left(0), g.height, window.devicePixelRatio];
    if (now.every((value, i) => value === mapped[i])) return;
    mapped = now;
    const [x, y, width] = g.map.words ? [g.map.left(0), g.map.y, g.map.col * g.n] : [0, g.split, g.content];
    fitCanvas(ui.map, map, width, g.height - y);
    map.translate(-x, -y);
    ui.map.style.translate = g.map.words ? `${x}px ${y}px` : "";
    ui.map.classList.toggle("ap-beside", Boolean(g.map.words));
    if (g.map.rows) drawMap({ ...pen, ctx: map }, g, rows.slice(0, targets.length), look);
  }

  /**
   * @param {View} view
   * @param {number} u
   */
  function paintVector(view, u) {
    const width = ui.plots.clientWidth;
    const tall = Math.max(view.source.length, view.targets.length);
    const height = Math.round(Math.max(Math.min(tall * 34 * u, 600 * u, roomFor(ui.bars, ui.root)), 280 * u));
    fitCanvas(ui.bars, bars, width, height);
    drawFunnel({ ...pen, ctx: bars }, width, height, u, {
      source: view.source, unknown: view.look.unknown, target: view.targets, step: view.look.step,
    });
    return null;
  }

  return { paint };
}
