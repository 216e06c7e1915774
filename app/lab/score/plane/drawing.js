// The plane of the Score lab on a canvas: the shade is the score of a key at that point.

import { shade } from "../../../../attn_core/browser/player/core/heat.js";
import { context2d } from "../../../../attn_core/browser/player/draw/pen.js";
import { fontOf } from "../../../../attn_core/browser/player/draw/text.js";

/** @import { PlanePen, PlaneView, Vector } from "../types.d.ts" */
/** @import { Point } from "../../kit/types.d.ts" */

export const REACH = 2.4; // the plane shows -REACH .. REACH both ways
const CELLS = 72; // of the shade in each direction; smoothed when drawn

/** @type {Record<string, number[][]>} the colours of a theme's heat map as numbers */
const paints = {};

/**
 * From the plane to pixels of a square of `size`, and back.
 * @param {Vector} vector
 * @param {number} size
 * @returns {Point}
 */
export const toPixels = ([x, y], size) => [((x + REACH) / (2 * REACH)) * size, ((REACH - y) / (2 * REACH)) * size];
/**
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @returns {Point}
 */
export const toPlane = (x, y, size) => [(x / size) * 2 * REACH - REACH, REACH - (y / size) * 2 * REACH];

/** The keys whose scores are the shade, row by row from the top. @type {Vector[]} */
export const GRID = Array.from({ length: CELLS * CELLS }, (_, n) =>
  toPlane((n % CELLS) + 0.5, Math.floor(n / CELLS) + 0.5, CELLS),
);

/**
 * @param {PlanePen} pen
 * @param {number} size
 * @param {PlaneView} view
 */
export function drawPlane(pen, size, view) {
  const { ctx, colors } = pen;
  if (view.field) drawField(pen, size, view.field);
  drawGrid(pen, size);
  if (view.apart) {
    view.keys.forEach((key, s) =>
      line(ctx, toPixels(key, size), toPixels(view.values[s], size), colors.dim, 1, [3, 4]),
    );
  }
  const middle = toPixels(view.context, size);
  view.values.forEach((value, s) => {
    if (view.share[s] > 0) line(ctx, toPixels(value, size), middle, colors.weight, 1 + 6 * view.share[s], [], 0.45);
  });
  view.keys.forEach((key, s) => drawKey(pen, toPixels(key, size), s, view));
  if (view.apart) view.values.forEach((value, s) => drawValue(pen, toPixels(value, size), s, view));
  arrow(pen, toPixels([0, 0], size), toPixels(view.query, size));
  if (view.mean) drawDiamond(pen, toPixels(view.mean, size), 7 * pen.u, false);
  drawDiamond(pen, middle, 9 * pen.u, true);
  label(pen, "c", middle, 16, colors.ink, size);
  label(pen, "h_t", toPixels(view.query, size), 16, colors.ink, size);
  view.keys.forEach((key, s) => label(pen, `h̄_${s}`, toPixels(key, size), radius(pen, view, s) + 9, colors.ink, size));
  if (view.apart) view.values.forEach((value, s) => label(pen, `v_${s}`, toPixels(value, size), 15, colors.ink, size));
}

/**
 * @param {PlanePen} pen
 * @param {number} size
 * @param {number[]} scores of the keys of GRID
 */
function drawField(pen, size, scores) {
  const low = Math.min(...scores);
  const high = Math.max(...scores);
  pen.field ??= Object.assign(document.createElement("canvas"), { width: CELLS, height: CELLS });
  const ctx = context2d(pen.field);
  const image = ctx.createImageData(CELLS, CELLS);
  const colors = (paints[pen.theme] ??= pen.heat.fill.map((fill) => (fill.match(/\d+/g) ?? []).map(Number)));
  scores.forEach((score, n) => {
    const rgb = colors[shade((score - low) * 0.62, high - low > 1e-9 ? high - low : 1)];
    image.data.set([...rgb, 255], 4 * n);
  });
  ctx.putImageData(image, 0, 0);
  pen.ctx.drawImage(pen.field, 0, 0, size, size);
}

/**
 * @param {PlanePen} pen
 * @param {number} size
 */
function drawGrid(pen, size) {
  const { ctx, colors, u } = pen;
  for (let n = -2; n <= 2; n++) {
    const [x] = toPixels([n, 0], size);
    const width = n === 0 ? 1.5 : 1;
    line(ctx, [x, 0], [x, size], colors.dim, width, [], n === 0 ? 0.55 : 0.16);
    line(ctx, [0, x], [size, x], colors.dim, width, [], n === 0 ? 0.55 : 0.16);
    if (!n) continue;
    ctx.fillStyle = colors.dim;
    ctx.font = fontOf(pen, 14 * u);
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    ctx.fillText(String(n), x, size / 2 + 4 * u);
  }
}

/**
 * @param {PlanePen} pen
 * @param {PlaneView} view
 * @param {number} s
 */
const radius = (pen, view, s) => (7 + 15 * Math.sqrt(view.weights[s])) * pen.u;

/**
 * @param {PlanePen} pen
 * @param {Point} point
 * @param {number} s
 * @param {PlaneView} view
 */
function drawKey(pen, [x, y], s, view) {
  const { ctx, colors } = pen;
  ctx.beginPath();
  ctx.arc(x, y, radius(pen, view, s), 0, 2 * Math.PI);
  ctx.fillStyle = colors.weight;
  ctx.globalAlpha = view.taken === null || view.taken === s ? 1 : 0.4;
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.lineWidth = (view.chosen === s ? 3.5 : 1.5) * pen.u;
  ctx.strokeStyle = view.chosen === s ? colors.ink : colors.surface;
  ctx.stroke();
}

/**
 * @param {PlanePen} planePen
 * @param {Point} point
 * @param {number} s
 * @param {PlaneView} view
 */
function drawValue({ ctx, colors, u }, [x, y], s, view) {
  const half = 7 * u;
  ctx.fillStyle = colors.alignment;
  ctx.strokeStyle = view.chosen === s ? colors.ink : colors.surface;
  ctx.lineWidth = (view.chosen === s ? 3 : 1.5) * u;
  ctx.fillRect(x - half, y - half, 2 * half, 2 * half);
  ctx.strokeRect(x - half, y - half, 2 * half, 2 * half);
}

/**
 * @param {PlanePen} planePen
 * @param {Point} point
 * @param {number} half
 * @param {boolean} full
 */
function drawDiamond({ ctx, colors }, [x, y], half, full) {
  ctx.beginPath();
  ctx.moveTo(x, y - half);
  ctx.lineTo(x + half, y);
  ctx.lineTo(x, y + half);
  ctx.lineTo(x - half, y);
  ctx.closePath();
  ctx.fillStyle = full ? colors.ink : colors.surface;
  ctx.fill();
  ctx.strokeStyle = full ? colors.surface : colors.ink;
  ctx.lineWidth = 2;
  ctx.stroke();
}

/**
 * @param {PlanePen} planePen
 * @param {Point} from
 * @param {Point} to
 */
function arrow({ ctx, colors, u }, from, to) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  line(ctx, from, to, colors.ink, 3 * u);
  ctx.beginPath();
  ctx.moveTo(...to);
  for (const turn of [-0.42, 0.42])
    ctx.lineTo(to[0] - 15 * u * Math.cos(angle + turn), to[1] - 15 * u * Math.sin(angle + turn));
  ctx.closePath();
  ctx.fillStyle = colors.ink;
  ctx.fill();
}

/**
 * A label beside a point, kept inside the square; what follows "_" is a subscript.
 * @param {PlanePen} pen
 * @param {string} name
 * @param {Point} point
 * @param {number} away
 * @param {string} color
 * @param {number} size
 */
function label(pen, name, [x, y], away, color, size) {
  const { ctx, colors, u } = pen;
  const [base, index] = name.split("_");
  const [big, small] = [fontOf(pen, 16 * u, 650), fontOf(pen, 12.5 * u, 650)];
  ctx.font = big;
  const width = ctx.measureText(base).width + (index ? 9 * u : 0);
  const left = x + away * 0.75 + width > size ? x - away * 0.75 - width : x + away * 0.75;
  const top = Math.min(Math.max(y - away * 0.75, 12 * u), size - 8 * u);
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  ctx.lineWidth = 4;
  ctx.strokeStyle = colors.surface;
  for (const draw of /** @type {("strokeText" | "fillText")[]} */ (["strokeText", "fillText"])) {
    ctx.fillStyle = color;
    ctx.font = big;
    ctx[draw](base, left, top);
    if (!index) continue;
    ctx.font = small;
    ctx[draw](index, left + width - 8 * u, top + 5 * u);
  }
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Point} from
 * @param {Point} to
 * @param {string} color
 * @param {number} width
 * @param {number[]} [dash]
 * @param {number} [alpha]
 */
function line(ctx, from, to, color, width, dash = [], alpha = 1) {
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.globalAlpha = alpha;
  ctx.setLineDash(dash);
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.globalAlpha = 1;
}
