// The canvases of the stage, sharp at any pixel density and redrawn only on request.

import { barRows, layOut } from "../core/layout.js";
import { drawFunnel } from "./funnel.js";
import { drawMap, drawTargets } from "./heatmap.js";
import { drawNames } from "./names.js";
import { context2d, fitCanvas, penOf, unitOf } from "./pen.js";
import { drawStage } from "./stage.js";

/** @import { Geometry, Paint, Row, Theme, View } from "../core/types.d.ts" */
/** @import { Ui } from "../dom/types.d.ts" */

/**
 * Draws on the canvases of `ui`.
 * @param {Ui} ui
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
   * @param {number} width
   * @returns {Geometry | null}
   */
  function paint(view, row, at, width) {
    const u = prepare(view.theme);
    if (!row) return paintVector(view, width, u);
    const { source, targets, look } = view;
    const kind = { bell: look.bell, mode: look.mode, hard: look.hard, mean: look.mean };
    const v = Math.min(Math.max(window.innerHeight / (1000 * u), 0.74), 1.1);
    const g = layOut({ width, u, v, source, targets: targets.length, rows: barRows(kind), farthest: look.farthest ?? 0, measure });
    fitCanvas(ui.gutter, gutter, g.gutter, g.height);
    drawNames({ ...pen, ctx: gutter }, g, row, look);
    drawTargets({ ...pen, ctx: gutter }, g, targets, look, at);
    fitCanvas(ui.bars, bars, g.content, g.split);
    drawStage({ ...pen, ctx: bars }, g, row, look);
    paintMap(view, g, u);
    Object.assign(ui.row.style, {
      width: `${g.col * g.n + 4}px`, height: `${g.map.rowHeight + 2}px`,
      transform: `translate(${g.left(0) - 2}px, ${g.map.y - 1 + at * g.map.rowHeight}px)`,
    });
    return g;
  }

  /**
   * The heatmap is not redrawn while the bars above it move from step to step.
   * @param {View} view
   * @param {Geometry} g
   * @param {number} u
   */
  function paintMap({ rows, targets, look }, g, u) {
    const { step, heat: shown, scale, cell, local } = look;
    const now = [rows, targets.length, step, shown, scale, cell, local, theme, u, g.content, g.height, window.devicePixelRatio];
    if (now.every((value, i) => value === mapped[i])) return;
    mapped = now;
    fitCanvas(ui.map, map, g.content, g.height - g.split);
    map.translate(0, -g.split);
    drawMap({ ...pen, ctx: map }, g, rows.slice(0, targets.length), look);
  }

  /**
   * @param {View} view
   * @param {number} width
   * @param {number} u
   */
  function paintVector(view, width, u) {
    const tall = Math.max(view.source.length, view.targets.length);
    const height = Math.round(Math.min(Math.max(tall * 34, 280), 600) * u);
    fitCanvas(ui.bars, bars, width, height);
    drawFunnel({ ...pen, ctx: bars }, width, height, u, {
      source: view.source, unknown: view.look.unknown, target: view.targets, step: view.look.step,
    });
    return null;
  }

  return { paint };
}
