// The two canvases of the stage: sharp on every screen, drawn again only when asked.

import { heat } from "./colors.js";
import { drawNames, drawStage } from "./draw.js";
import { drawMap, drawTargets } from "./heatmap.js";
import { layOut } from "./layout.js";
import { drawFunnel } from "./vector.js";

const COLORS = [
  "ink", "dim", "line", "surface", "hatch", "outside", "score", "align", "weight",
  "window", "windowSoft", "windowText", "onWindow", "lost",
];

/** Draws on the canvases of `ui`. */
export function makePainter(ui) {
  const plot = ui.plot.getContext("2d");
  const gutter = ui.gutter.getContext("2d");
  const widths = new Map();
  let theme = null;
  let pen = null;

  function prepare(wanted) {
    const style = getComputedStyle(ui.frame);
    if (theme !== wanted || pen.family !== style.fontFamily) {
      theme = wanted;
      widths.clear();
      const colors = Object.fromEntries(COLORS.map((name) => [name, style.getPropertyValue(variable(name)).trim()]));
      pen = { colors, family: style.fontFamily, heat: heat(theme) };
    }
    return Number.parseFloat(style.fontSize) / 16;
  }

  function measure(text, size) {
    if (!widths.has(text)) {
      plot.font = `700 100px ${pen.family}`;
      widths.set(text, plot.measureText(text).width / 100);
    }
    return widths.get(text) * size;
  }

  /** One picture. `view`: trace, rows, look (see player.js); `row` and `at` may be on their way between two steps. */
  function paint(view, row, at, width) {
    const u = prepare(view.theme);
    if (!view.rows.length) return paintVector(view, width, u);
    const { source, targets, look } = view;
    const kind = { bell: look.bell, mode: look.mode };
    const v = Math.min(Math.max(window.innerHeight / (1000 * u), 0.74), 1.1);
    const g = layOut({ width, u, v, source, targets: targets.length, kind, farthest: look.farthest, measure });
    size(ui.gutter, gutter, g.gutter, g.height);
    size(ui.plot, plot, g.content, g.height);
    drawNames({ ...pen, ctx: gutter }, g, row, look);
    drawTargets({ ...pen, ctx: gutter }, g, targets, look, at);
    drawStage({ ...pen, ctx: plot }, g, row, look);
    drawMap({ ...pen, ctx: plot }, g, view.rows.slice(0, targets.length), look, at);
    return g;
  }

  function paintVector(view, width, u) {
    const tall = Math.max(view.source.length, view.targets.length);
    const height = Math.round(Math.min(Math.max(tall * 34, 260), 520) * u);
    size(ui.plot, plot, width, height);
    drawFunnel({ ...pen, ctx: plot }, width, height, u, {
      source: view.source, unknown: view.look.unknown, target: view.targets, step: view.look.step,
    });
    return null;
  }

  return { paint };
}

function variable(name) {
  return `--ap-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Fit a canvas to CSS pixels and wipe it. */
function size(canvas, ctx, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.max(Math.round(width * ratio), 1), Math.max(Math.round(height * ratio), 1)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
}
