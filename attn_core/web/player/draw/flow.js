// What flows through a step: the encoder states, the query that is compared with them, and the weighted states that are added
// up into the context vector.

import { t } from "../core/messages.js";
import { UNITS } from "../core/state-vectors.js";
import { fit, fontOf, setFont } from "./text.js";

/** @import { Geometry, Pen, Picture, Shown, Vectors } from "../core/types.d.ts" */

const THICK = 30; // of a flow with weight 1, in sixteenths of the font size
const SMALLEST = 0.004; // a weight whose flow is drawn
const ROOMY = 80; // the height of a flow with room for what enters the output layer too
const OUTPUT = 42; // the height of the output layer's box
const LINE = 15; // of text
const STRIP = 18; // the width of a strip

/**
 * A vector as a strip of its first units: blue if positive, red if negative, stronger if larger.
 * @param {Pen} pen
 * @param {{ x: number, y: number, w: number, h: number }} box `x`: its middle
 * @param {Float32Array | null} vector null: its numbers are not known
 * @param {number} scale the value of the strongest colour
 * @param {number} [shown] how far its colours are there, from 0 to 1
 */
function drawStrip({ ctx, colors }, { x, y, w, h }, vector, scale, shown = 1) {
  const units = Math.min(vector?.length ?? 0, UNITS);
  const left = Math.round(x - w / 2);
  ctx.fillStyle = colors.surface;
  ctx.fillRect(left, y, w, h);
  for (let k = 0; k < units; k++) {
    const [from, to] = [y + (h * k) / units, y + (h * (k + 1)) / units];
    const value = vector?.[k] ?? 0;
    ctx.globalAlpha = Math.min(Math.abs(value) / scale, 1) ** 0.7 * shown;
    ctx.fillStyle = value < 0 ? colors.negative : colors.weight;
    ctx.fillRect(left, from, w, to - from);
  }
  ctx.globalAlpha = 1;
  ctx.strokeStyle = colors.line;
  ctx.lineWidth = 1;
  ctx.strokeRect(left + 0.5, y + 0.5, w - 1, h - 1);
}

/**
 * The encoder states, one under each word, and the lines along which the query is compared with them.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Vectors} vectors
 * @param {Picture} picture
 * @param {Shown} look
 */
export function drawStates(pen, g, { states, queries, scales }, { changed }, look) {
  const { ctx, colors } = pen;
  const { states: row, query } = g;
  if (!row || !query) return;
  const w = Math.min(STRIP * g.u, g.col * 0.62);
  const middle = Math.round(query.y + query.h / 2) + 0.5;
  const current = queries[look.step];
  ctx.strokeStyle = colors.dim;
  ctx.lineWidth = 1;
  ctx.globalAlpha = 0.55;
  if (current) {
    ctx.beginPath();
    ctx.moveTo(g.left(0) - 12 * g.u, middle);
    ctx.lineTo(g.x(states.length - 1), middle);
    ctx.stroke();
  }
  states.forEach((_, s) => {
    const x = Math.round(g.x(s)) + 0.5;
    ctx.setLineDash([2, 3]);
    ctx.beginPath();
    ctx.moveTo(x, row.y + row.h);
    ctx.lineTo(x, query.y + query.h + 6 * g.u);
    ctx.stroke();
    ctx.setLineDash([]);
  });
  ctx.globalAlpha = 1;
  states.forEach((vector, s) => {
    drawStrip(pen, { x: g.x(s), y: row.y, w, h: row.h }, vector, scales.value);
    if (!current) return;
    ctx.fillStyle = colors.dim;
    ctx.beginPath();
    ctx.arc(g.x(s), middle, 3 * g.u, 0, 7);
    ctx.fill();
  });
  if (current) drawStrip(pen, { x: g.left(0) - (g.narrow ? 9 : 14) * g.u, y: query.y, w: (g.narrow ? 12 : STRIP) * g.u, h: query.h }, current, scales.query, changed?.query);
}

/**
 * The weighted states, as wide as their weights, that are added up into the context vector, and its way to the next word.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Picture} picture
 * @param {Vectors | null} vectors
 * @param {Shown} look
 */
export function drawFlow(pen, g, { weights, changed }, vectors, look) {
  const { ctx, colors } = pen;
  const { flow, zone, u } = g;
  if (!flow) return;
  const strip = { x: zone.left + (g.narrow ? 12 : 34) * u, w: STRIP * u, y: flow.y, h: flow.h };
  const end = strip.x - strip.w / 2;
  const middle = flow.y + flow.h / 2;
  const total = weights.reduce((all, weight) => all + weight, 0);
  let y = middle - (total * THICK * u) / 2;
  ctx.strokeStyle = colors.weight;
  weights.forEach((weight, s) => {
    const width = weight * THICK * u;
    y += width / 2;
    if (weight >= SMALLEST) {
      const x = g.x(s);
      ctx.globalAlpha = look.hover === s ? 1 : 0.5;
      ctx.lineWidth = Math.max(width, 0.75);
      ctx.beginPath();
      ctx.moveTo(x, flow.y - 2 * u);
      ctx.bezierCurveTo(x, middle, x + (end - x) * 0.3, y, end, y);
      ctx.stroke();
    }
    y += width / 2;
  });
  ctx.globalAlpha = 1;
  drawStrip(pen, strip, vectors?.contexts[look.step] ?? null, vectors?.scales.context ?? 1, changed?.context);
  drawOutput(pen, g, { x: strip.x + strip.w / 2, y: middle }, { x: zone.left + 8 * u, y: strip.y - 13 * u, text: vectors?.names.context || t("context vector") }, vectors?.beside ?? [], flow.h);
}

/**
 * The name of the context vector, and the way from it over the output layer to the next word, at the right edge.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {{ x: number, y: number }} from
 * @param {{ x: number, y: number, text: string }} name
 * @param {string[]} beside what enters the output layer beside it, written where there is room below
 * @param {number} height of the flow
 */
function drawOutput(pen, { u, zone, narrow }, { x, y: middle }, name, beside, height) {
  const { ctx, colors } = pen;
  const lines = height >= ROOMY * u ? beside : [];
  const half = OUTPUT / 2; // above the middle, if the lines below it need the room
  const from = { x, y: Math.max(Math.min(middle, middle + height / 2 - (half + LINE * lines.length + 4) * u), middle - height / 2 + half * u) };
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillStyle = colors.ink;
  if (!narrow) setFont(pen, name.text, zone.right - name.x, { size: 14.5 * u, weight: 650, least: 14 * u });
  if (!narrow) ctx.fillText(fit(ctx, name.text, zone.right - name.x), name.x, name.y);
  ctx.textAlign = "center";
  const box = narrow ? null : { left: from.x + 24 * u, right: zone.right - 20 * u, h: OUTPUT * u };
  arrow(pen, from.x + 3 * u, box?.left ?? zone.right - 1, from.y, u);
  if (!box) return;
  ctx.strokeStyle = colors.dim;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.roundRect(box.left, from.y - box.h / 2, box.right - box.left, box.h, 8 * u);
  ctx.stroke();
  ctx.font = fontOf(pen, 14 * u);
  ctx.fillStyle = colors.ink;
  const words = t("output layer").split(" ");
  words.forEach((word, i) => ctx.fillText(fit(ctx, word, box.right - box.left - 6 * u), (box.left + box.right) / 2, from.y + (i - (words.length - 1) / 2) * LINE * u));
  ctx.font = fontOf(pen, 14 * u);
  ctx.fillStyle = colors.dim;
  ctx.textAlign = "left";
  const left = from.x + 5 * u;
  lines.forEach((text, i) => ctx.fillText(fit(ctx, `+ ${text}`, zone.right - left), left, from.y + box.h / 2 + (11 + LINE * i) * u));
  arrow(pen, box.right, zone.right - 1, from.y, u);
}

/** @param {Pen} pen @param {number} from @param {number} to @param {number} y @param {number} u */
function arrow({ ctx, colors }, from, to, y, u) {
  ctx.strokeStyle = ctx.fillStyle = colors.ink;
  ctx.lineWidth = 1.5 * u;
  ctx.beginPath();
  ctx.moveTo(from, y);
  ctx.lineTo(to - 5 * u, y);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(to - 8 * u, y - 5 * u);
  ctx.lineTo(to, y);
  ctx.lineTo(to - 8 * u, y + 5 * u);
  ctx.fill();
}
