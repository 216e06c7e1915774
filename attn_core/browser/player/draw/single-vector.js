// A step of a model without attention: one vector is all that the decoder gets of the source words.

import { t, tn } from "../core/messages.js";
import { drawStates } from "./flow.js";
import { drawBeside, drawFeeding, drawOutput } from "./output.js";
import { drawArrow, drawStrip, STRIP } from "./strip.js";
import { fit, fontOf, setFont } from "./text.js";
import { drawWords } from "./words.js";

/** @import { Display, Geometry, Pen, Strip, Vectors } from "../core/types.d.ts" */

const [TOP, TALL] = [0.36, 0.46]; // of the vectors, relative to the height of the flow
const APART = 154; // from the vector that the decoder starts with to its state, in sixteenths of the font size

/**
 * The words, their encoder states, and the one vector: it enters the output layer at each step, or the decoder started
 * with it.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Vectors | null} vectors
 * @param {Display} display
 */
export function drawSingleVector(pen, g, vectors, display) {
  const { flow, zone, u, n } = g;
  if (!flow) return;
  const { step } = display;
  pen.ctx.textBaseline = "middle";
  drawWords(pen, g, Array(n).fill(0), { lo: 0, hi: n - 1 }, display);
  if (vectors) drawStates(pen, g, vectors, null, display);
  const start = vectors?.start && !vectors.context ? vectors.start : null;
  const edge = g.narrow ? 12 : start ? 34 : -20; // left of the names of what enters beside it
  const box = { x: zone.left + edge * u, y: flow.y + TOP * flow.h, w: STRIP * u, h: TALL * flow.h };
  const middle = box.y + box.h / 2;
  const single = start ? { ...box, x: Math.max(box.x - (g.narrow ? 104 : APART) * u, g.left(0) + 20 * u) } : box;
  drawThreads(pen, g, single);
  // The state before the first step is what the encoder gave; later ones have passed through every step since.
  drawStrip(
    pen,
    single,
    start ? start.vectors[0] : (vectors?.context?.vectors[step] ?? null),
    (start ?? vectors?.context)?.scale ?? 1,
  );
  drawName(pen, g, t("one vector"), single, single.y + single.h + 11 * u);
  if (start) drawStart(pen, g, { from: single.x + single.w / 2, to: box.x - box.w / 2, y: middle }, step);
  const state = start ? vectors?.beside[0] : null;
  if (state) drawState(pen, g, state, box, step);
  else
    drawBeside(pen, g, vectors?.beside ?? [], null, {
      step,
      top: flow.y - flow.h / 2,
      bottom: middle - 36 * u,
      middle,
    });
  drawOutput(pen, g, { x: box.x + box.w / 2, y: middle }, g.narrow || start ? 24 : 78);
  if (vectors?.feeding)
    drawFeeding(pen, g, vectors.feeding, null, { step, middle, target: { x: box.x, y: box.y + box.h + 2 * u } });
}

/**
 * All encoder states run into the vector, each as much as the others.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {{ x: number, y: number, w: number }} into
 */
function drawThreads({ ctx, colors }, { n, x: xOf, states, words, u }, { x, y, w }) {
  const top = states ? states.y + states.h : words.y + words.h + 4 * u;
  const half = (y + top) / 2;
  ctx.strokeStyle = colors.alignment;
  ctx.lineWidth = 1.5 * u;
  ctx.globalAlpha = 0.8;
  for (let s = 0; s < n; s++) {
    const end = x + ((s + 0.5) / n - 0.5) * w * 0.8;
    ctx.beginPath();
    ctx.moveTo(xOf(s), top);
    ctx.bezierCurveTo(xOf(s), half + (y - half) * 0.6, end, half, end, y);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}

/**
 * The way from the vector to the state: directly at the first step, else through all steps since.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {{ from: number, to: number, y: number }} way
 * @param {number} step
 */
function drawStart(pen, { u, narrow }, { from, to, y }, step) {
  const { ctx, colors } = pen;
  drawArrow(
    pen,
    [
      [from + 3 * u, y],
      [to, y],
    ],
    u,
    { isDashed: step > 0 },
  );
  ctx.font = fontOf(pen, Math.max((narrow ? 12.5 : 14) * u, narrow ? 12 : 0));
  ctx.fillStyle = colors.dim;
  ctx.textAlign = "center";
  const short = step ? tn("{n} step ago", "{n} steps ago", step) : t("start");
  const text = narrow
    ? short
    : step
      ? tn("started {n} step ago", "started {n} steps ago", step)
      : t("starts the decoder");
  ctx.fillText(fit(ctx, text, to - from - 4 * u), (from + to) / 2, y - 11 * u);
}

/**
 * The state that enters the output layer, with its name over it.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Strip} state
 * @param {{ x: number, y: number, w: number, h: number }} box
 * @param {number} step
 */
function drawState(pen, g, { name, vectors, scale }, box, step) {
  drawStrip(pen, box, vectors[step], scale);
  if (!g.narrow) drawName(pen, g, name, box, box.y - 12 * g.u);
}

/** @param {Pen} pen @param {Geometry} g @param {string} name @param {{ x: number }} strip @param {number} y */
function drawName(pen, { u, zone, narrow }, name, { x }, y) {
  const { ctx, colors } = pen;
  const room = Math.min(2 * (zone.right - x), 140 * u);
  setFont(pen, name, room, { size: (narrow ? 13 : 14.5) * u, weight: 650, least: (narrow ? 11 : 14) * u });
  ctx.fillStyle = colors.ink;
  ctx.textAlign = "center";
  ctx.fillText(fit(ctx, name, room), x, y);
}
