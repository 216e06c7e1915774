// The Pointer page's square on a canvas: the inputs as discs sized by weight, the choices so far, and the answer.

import { shade } from "../../../attn_core/browser/player/core/heat.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { fontOf } from "../../../attn_core/browser/player/draw/text.js";

/** @import { Input, LineStyle, MapGeometry, PointerPen, PointingView, Spot, Choice } from "./types.d.ts" */

const EDGE = 0.07; // of the square, around the unit square
const FOOT = 52; // px in text units below it, for the end

/**
 * The pixel position of input i, and back: points by their coordinates, numbers as heights side by side.
 * @param {Input} input
 * @param {number} i
 * @param {number} n
 * @param {number} size
 * @returns {Spot}
 */
export function toSpot(input, i, n, size) {
  const inside = size * (1 - 2 * EDGE);
  const across = input.length === 1 ? (i + 0.5) / n : input[0];
  return [size * EDGE + across * inside, size * EDGE + (1 - input[input.length - 1]) * inside];
}

/**
 * The input at pixels x and y: `sides` numbers from 0 to 1 with three decimals.
 * @param {Spot} spot
 * @param {number} sides
 * @param {number} size
 * @returns {Input}
 */
export function fromSpot([x, y], sides, size) {
  const inside = size * (1 - 2 * EDGE);
  const kept = (/** @type {number} */ value) => Math.round(Math.min(Math.max(value, 0), 1) * 1000) / 1000;
  const up = kept(1 - (y - size * EDGE) / inside);
  return sides === 1 ? [up] : [kept((x - size * EDGE) / inside), up];
}

/**
 * @param {number} size
 * @param {number} u
 */
export const heightOf = (size, u) => size + FOOT * u;

/**
 * `view`: inputs, weights (the end first), step, places (of all steps), answer (indices, or null to hide it).
 * @param {PointerPen} pen
 * @param {number} size
 * @param {PointingView} view
 */
export function drawPointing(pen, size, view) {
  const { ctx, colors, u } = pen;
  const { inputs, weights, step, places, answer } = view;
  const spots = inputs.map((input, i) => toSpot(input, i, inputs.length, size));
  /** @type {Spot} */
  const end = [size * EDGE + 14 * u, size + (FOOT / 2 - 4) * u];
  drawFrame(pen, size, inputs[0]?.length === 1 ? spots : []);
  const closed = inputs[0]?.length > 1;
  if (answer) {
    drawLine(
      ctx,
      answer.map((i) => spots[i]),
      { color: colors.ink, width: 9 * u, alpha: 0.22, closed },
    );
  }
  drawWalk(pen, spots, places, step, closed);
  spots.forEach((spot, i) => drawDisc(pen, spot, weights[i + 1] ?? 0, places[step] === i + 1, String(i + 1)));
  if (inputs.length) drawDisc(pen, end, weights[0] ?? 0, places[step] === 0, t("end"), true);
}

/**
 * @param {PointerPen} pointerPen
 * @param {number} size
 * @param {Spot[]} stems
 */
function drawFrame({ ctx, colors, u }, size, stems) {
  const inside = size * (1 - 2 * EDGE);
  ctx.strokeStyle = colors.line;
  ctx.lineWidth = 1;
  ctx.strokeRect(Math.round(size * EDGE) + 0.5, Math.round(size * EDGE) + 0.5, Math.round(inside), Math.round(inside));
  for (const [x, y] of stems)
    drawLine(
      ctx,
      [
        [x, size * (1 - EDGE)],
        [x, y],
      ],
      { color: colors.score, width: 2 * u, alpha: 0.6 },
    );
}

/**
 * Draw the choices: bold up to the step with an arrow on each edge, thin after it; the end closes a polygon (`closed`).
 * @param {PointerPen} pen
 * @param {Spot[]} spots
 * @param {number[]} places
 * @param {number} step
 * @param {boolean} closed
 */
function drawWalk(pen, spots, places, step, closed) {
  const { ctx, colors, u } = pen;
  const walk = places.filter((place) => place !== 0).map((place) => spots[place - 1]);
  const edges = walk.slice(1).map((to, i) => [walk[i], to]);
  if (closed && places.at(-1) === 0 && walk.length > 2) edges.push([walk[walk.length - 1], walk[0]]);
  edges.forEach(([from, to], i) => {
    const done = i + 1 <= step;
    drawLine(ctx, [from, to], {
      color: colors.weight,
      width: (done ? 2.5 : 1) * u,
      alpha: done ? 1 : 0.35,
      dash: done ? [] : [3, 5],
    });
    if (done) arrowHead(pen, from, to, i + 1 === step);
  });
}

/**
 * @param {PointerPen} pointerPen
 * @param {Spot} from
 * @param {Spot} to
 * @param {boolean} now
 */
function arrowHead({ ctx, colors, u }, from, to, now) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const [x, y] = [(from[0] + 2 * to[0]) / 3, (from[1] + 2 * to[1]) / 3];
  const long = (now ? 15 : 11) * u;
  ctx.beginPath();
  ctx.moveTo(x + (long / 2) * Math.cos(angle), y + (long / 2) * Math.sin(angle));
  for (const side of [2.6, -2.6])
    ctx.lineTo(x + long * Math.cos(angle + side) * 0.8, y + long * Math.sin(angle + side) * 0.8);
  ctx.closePath();
  ctx.fillStyle = colors.weight;
  ctx.fill();
}

/**
 * @param {number} weight
 * @param {number} u
 */
const discRadius = (weight, u) => (9 + 17 * Math.sqrt(weight)) * u;

/**
 * @param {PointerPen} pen
 * @param {Spot} spot
 * @param {number} weight
 * @param {boolean} chosen
 * @param {string} name
 * @param {boolean} [boxed]
 */
function drawDisc(pen, [x, y], weight, chosen, name, boxed = false) {
  const { ctx, colors, heat, u } = pen;
  const radius = discRadius(boxed ? weight * 0.2 : weight, u);
  const tone = shade(weight, 1);
  ctx.beginPath();
  if (boxed)
    ctx.roundRect(
      x - 18 * u - (radius - 9 * u),
      y - radius - 4 * u,
      2 * (18 * u + radius - 9 * u),
      2 * (radius + 4 * u),
      6 * u,
    );
  else ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fillStyle = heat.fill[tone];
  ctx.fill();
  ctx.lineWidth = (chosen ? 3.5 : 1.5) * u;
  ctx.strokeStyle = chosen ? colors.ink : colors.score;
  ctx.stroke();
  ctx.font = fontOf(pen, 14 * u, 650);
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillStyle = heat.ink[tone];
  ctx.fillText(name, x, y + 0.5 * u);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Spot[]} points
 * @param {LineStyle} lineStyle
 */
function drawLine(ctx, points, { color, width, alpha = 1, dash = [], closed = false }) {
  if (points.length < 2) return;
  ctx.save();
  Object.assign(ctx, { strokeStyle: color, lineWidth: width, globalAlpha: alpha, lineJoin: "round", lineCap: "round" });
  ctx.setLineDash(dash);
  ctx.beginPath();
  points.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
  if (closed) ctx.closePath();
  ctx.stroke();
  ctx.restore();
}

/**
 * Draw all steps as a map: one row each, a column for the end and for each input; the chosen cell is outlined.
 * @param {PointerPen} pen
 * @param {MapGeometry} g
 * @param {Choice[]} steps
 * @param {number} step
 */
export function drawSteps(pen, g, steps, step) {
  const { ctx, colors, heat, u } = pen;
  ctx.textBaseline = "middle";
  ctx.textAlign = "center";
  ctx.font = fontOf(pen, 14 * u);
  ctx.fillStyle = colors.dim;
  g.names.forEach((name, s) => ctx.fillText(name, g.left + (s + 0.5) * g.cell, g.top / 2));
  steps.forEach(({ weights, place }, t) => {
    const y = g.top + t * g.row;
    weights.forEach((weight, s) => {
      ctx.fillStyle = heat.fill[shade(weight, 1)];
      ctx.fillRect(g.left + s * g.cell + 0.5, y + 0.5, g.cell - 1, g.row - 1);
    });
    ctx.lineWidth = 2 * u;
    ctx.strokeStyle = colors.ink;
    ctx.strokeRect(g.left + place * g.cell + 1.5, y + 1.5, g.cell - 3, g.row - 3);
    ctx.fillStyle = t === step ? colors.ink : colors.dim;
    ctx.font = fontOf(pen, 14 * u, t === step ? 700 : 400);
    ctx.fillText(String(t + 1), g.left / 2, y + g.row / 2);
  });
  ctx.lineWidth = 2.5 * u;
  ctx.strokeStyle = colors.ink;
  ctx.strokeRect(g.left - 1, g.top + step * g.row - 0.5, g.names.length * g.cell + 2, g.row + 1);
}
