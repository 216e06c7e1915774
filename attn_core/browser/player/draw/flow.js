// What flows through a step with attention: the encoder states, the query that is compared with them, and the weighted
// states that are added up into the context vector, of each head in a lane of its own.

import { areWeightsUnused } from "../core/looks.js";
import { t } from "../core/messages.js";
import { drawBeside, drawFeeding, drawOutput } from "./output.js";
import { drawArrow, drawStrip, STRIP } from "./strip.js";
import { fit, setFont } from "./text.js";

/** @import { Display, Geometry, Pen, Picture, Vectors } from "../core/types.d.ts" */

const THICK = 30; // of a flow with weight 1, in sixteenths of the font size
const SMALLEST = 0.004; // a weight whose flow is drawn
const OTHERS = 0.05; // the same in the lane of a head that is not on show
const FEW = 4; // lanes with room for more units of each head's context vector

/** The middle of the query. @param {Geometry} g */
const queryX = (g) => g.left(0) - (g.narrow ? 9 : 14) * g.u;

/**
 * The encoder states, one under each word, and the lines along which the query, if there is one, is compared with them.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Vectors} vectors
 * @param {Picture | null} picture
 * @param {Display} display
 */
export function drawStates(pen, g, { value: { states, scale }, query }, picture, display) {
  const { ctx, colors } = pen;
  const { states: row, query: compared, u } = g;
  if (!row) return;
  const w = Math.min(STRIP * u, g.col * 0.62);
  const current = compared && query?.vectors[display.step];
  if (compared)
    drawComparison(
      pen,
      g,
      { from: row.y + row.h, to: compared.y + compared.h, y: Math.round(compared.y + compared.h / 2) + 0.5 },
      Boolean(current),
    );
  states.forEach((vector, s) => drawStrip(pen, { x: g.x(s), y: row.y, w, h: row.h }, vector, scale));
  if (!current) return;
  ctx.fillStyle = colors.dim;
  states.forEach((_, s) => {
    ctx.beginPath();
    ctx.arc(g.x(s), compared.y + compared.h / 2, 3 * u, 0, 7);
    ctx.fill();
  });
  drawStrip(pen, { x: queryX(g), y: compared.y, w: (g.narrow ? 12 : STRIP) * u, h: compared.h }, current, query.scale, {
    shown: picture?.changed?.query,
  });
}

/**
 * The lines from the states down to their scores, and that of the query across them.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {{ from: number, to: number, y: number }} line
 * @param {boolean} isCrossed
 */
function drawComparison({ ctx, colors }, g, { from, to, y }, isCrossed) {
  ctx.strokeStyle = colors.dim;
  ctx.lineWidth = 1;
  ctx.globalAlpha = 0.55;
  ctx.beginPath();
  if (isCrossed) {
    ctx.moveTo(queryX(g), y);
    ctx.lineTo(g.x(g.n - 1), y);
  }
  ctx.stroke();
  ctx.setLineDash([2, 3]);
  ctx.beginPath();
  for (let s = 0; s < g.n; s++) {
    const x = Math.round(g.x(s)) + 0.5;
    ctx.moveTo(x, from);
    ctx.lineTo(x, to + 6 * g.u);
  }
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.globalAlpha = 1;
}

/**
 * The weighted states that are added up into the context vector, and its way to the next word.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Picture} picture
 * @param {Vectors | null} vectors
 * @param {Display} display
 */
export function drawFlow(pen, g, picture, vectors, display) {
  const { ctx, colors } = pen;
  const { flow, zone, u } = g;
  if (!flow) return;
  const isSeveral = Boolean(picture.lanes);
  const strip = { x: zone.left + (g.narrow ? 12 : isSeveral ? 46 : 34) * u, w: STRIP * u, y: flow.y, h: flow.h };
  const middle = flow.y + flow.h / 2;
  const { step } = display;
  if (picture.lanes) drawLanes(pen, g, picture.lanes, picture, vectors, display);
  else if (!areWeightsUnused(display))
    drawLane(
      pen,
      g,
      picture.weights,
      { end: strip.x - strip.w / 2, y: middle, thick: THICK * u, least: SMALLEST },
      display,
    );
  if (!isSeveral || !g.narrow)
    drawStrip(pen, strip, vectors?.context?.vectors[step] ?? null, vectors?.context?.scale ?? 1, {
      shown: picture.changed?.context,
    });
  const name = vectors?.context?.name || t("context vector");
  const left = zone.left + 8 * u;
  ctx.textAlign = "left";
  ctx.fillStyle = colors.ink;
  if (!g.narrow) setFont(pen, name, zone.right - 40 * u - left, { size: 14.5 * u, weight: 650, least: 14 * u });
  if (!g.narrow) ctx.fillText(fit(ctx, name, zone.right - 40 * u - left), left, strip.y - 13 * u);
  const top = (g.feeding ?? g.query ?? g.words).y + 34 * u;
  if (vectors) drawBeside(pen, g, vectors.beside, picture, { step, top, bottom: flow.y - 22 * u, middle });
  drawOutput(pen, g, { x: strip.x + strip.w / 2, y: middle }, isSeveral ? 14 : 24);
  if (vectors?.feeding && g.query)
    drawFeeding(pen, g, vectors.feeding, picture, { step, middle, target: { x: queryX(g), y: g.query.y + g.query.h } });
}

/**
 * The states with the weights of one head, as wide as these, that flow into its context vector.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {number[]} weights
 * @param {{ end: number, y: number, thick: number, least: number, isFaint?: boolean }} lane `thick`: the width of a
 * weight of 1
 * @param {Display} display
 */
function drawLane({ ctx, colors }, g, weights, { end, y: middle, thick, least, isFaint }, display) {
  const { flow, u } = g;
  if (!flow) return;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let y = middle - (total * thick) / 2;
  ctx.strokeStyle = isFaint ? colors.score : colors.weight;
  weights.forEach((weight, s) => {
    const width = weight * thick;
    y += width / 2;
    if (weight >= least) {
      const x = g.x(s);
      ctx.globalAlpha = display.hover === s ? 1 : isFaint ? 0.4 : 0.5;
      ctx.lineWidth = Math.max(width, 0.75);
      ctx.beginPath();
      ctx.moveTo(x, flow.y - 2 * u);
      ctx.bezierCurveTo(x, middle, x + (end - x) * 0.3, y, end, y);
      ctx.stroke();
    }
    y += width / 2;
  });
  ctx.globalAlpha = 1;
}

/**
 * A lane for each head of the layer, each into its part of what becomes the context vector; that of the head on show is
 * in front.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {number[][]} lanes
 * @param {Picture} picture
 * @param {Vectors | null} vectors
 * @param {Display} display
 */
function drawLanes(pen, g, lanes, { lane: shown = 0, changed }, vectors, display) {
  const { ctx, colors } = pen;
  const { flow, zone, u } = g;
  if (!flow) return;
  const [w, h] = [STRIP * u, flow.h / lanes.length];
  const x = zone.left + (g.narrow ? 12 : 14) * u;
  const placeOf = (/** @type {number} */ lane) => ({
    end: x - w / 2,
    y: flow.y + (lane + 0.5) * h,
    thick: Math.min(h * 0.85, THICK * u),
  });
  lanes.forEach((weights, lane) => {
    if (lane !== shown) drawLane(pen, g, weights, { ...placeOf(lane), least: OTHERS, isFaint: true }, display);
  });
  if (!areWeightsUnused(display)) drawLane(pen, g, lanes[shown], { ...placeOf(shown), least: SMALLEST }, display);
  lanes.forEach((_, lane) => {
    const part = { x, y: flow.y + lane * h, w, h: h - (lanes.length > FEW ? 1 : 2) };
    drawStrip(pen, part, vectors?.heads?.parts[display.step]?.[lane] ?? null, vectors?.heads?.scale ?? 1, {
      shown: changed?.context,
      most: lanes.length > FEW ? 3 : 6,
    });
  });
  ctx.strokeStyle = colors.ink;
  ctx.lineWidth = 2 * u;
  ctx.strokeRect(x - w / 2, flow.y + shown * h, w, h - 1);
  if (!g.narrow)
    drawArrow(
      pen,
      [
        [x + w / 2 + 2 * u, flow.y + flow.h / 2],
        [zone.left + 36 * u, flow.y + flow.h / 2],
      ],
      u,
    );
}
