// The rows of bars over the source words (score, alignment, weights), and the Gaussian as a curve.

import { areWeightsUnused } from "../core/looks.js";
import { bell } from "../../engine/vectors.js";
import { fixed, short } from "../core/numbers.js";
import { fontOf, number, numberSize } from "./text.js";

/**
 * @import { Display, Geometry, Parts, Pen, Picture, PlacedRow, Span } from "../core/types.d.ts"
 *
 * @typedef {{ zero: number, unit: number }} Axis the y coordinate of 0, and the height of one unit in pixels
 * @typedef {{ value: number, text: string, x: number, y: number }} Label a number over a bar
 */

const LOWEST_SCORES = 6; // height of their bars where they have numbers, in sixteenths of the font size
const UNUSED = 0.3; // opacity of weights whose context vector was set by hand
const GAP = 0.3; // of the font size, between two numbers
/** @type {((value: number) => string)[]} */
// From the longest form
const WEIGHT = [short, (value) => value.toFixed(2), (value) => value.toFixed(2).replace(/^0/, "")];
/** @type {((value: number) => string)[]} */
const SCORE = [(value) => fixed(value, 2), (value) => fixed(value, 1)];
const SMALL = 0.004; // a weight whose longest form has three decimals

/**
 * How the numbers of a row are written: in the longest form in which the widest ones fit their columns.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {((value: number) => string)[]} forms
 * @param {number[]} widest
 * @returns {{ form: (value: number) => string, fits: boolean }} `fits`: whether even the shortest form does
 */
function formOf(pen, g, forms, widest) {
  pen.ctx.font = fontOf(pen, numberSize(g), 500);
  const fits = (/** @type {(value: number) => string} */ form) =>
    widest.every((value) => pen.ctx.measureText(form(value)).width + GAP * numberSize(g) <= g.col);
  const form = forms.find(fits);
  return { form: form ?? forms[forms.length - 1], fits: Boolean(form) };
}

/** The height of a number over or under its bar. @param {Geometry} g */
const numberRoom = (g) => numberSize(g) * 1.15;

/**
 * Whether scores have numbers: their columns and, beside the numbers, their bars have room for them.
 * @param {PlacedRow} row
 * @param {Geometry} g
 * @param {Display["range"]} range
 */
export const areScoresNumbered = ({ h }, g, { low, high }) =>
  g.numbers && h - (Number(high > 0) + Number(low < 0)) * numberRoom(g) >= LOWEST_SCORES * g.u;

/**
 * The axis of a row, with room for the numbers beyond the bars.
 * @param {PlacedRow} row
 * @param {Geometry} g
 * @param {Pick<Display, "scale" | "range">} display
 * @returns {Axis}
 */
export function axisOf(row, g, display) {
  const room = row.key === "scores" && !areScoresNumbered(row, g, display.range) ? 0 : numberRoom(g);
  if (row.key !== "scores") {
    const most = row.key === "gaussian" ? 1 : display.scale;
    return { zero: row.y + row.h, unit: (row.h - (row.key === "gaussian" ? 4 * g.u : room)) / most };
  }
  const { low, high } = display.range;
  const unit = (row.h - (high > 0 ? room : 0) - (low < 0 ? room : 0)) / (high - low);
  return { zero: row.y + (high > 0 ? room : 0) + high * unit, unit };
}

/**
 * The weight that a bar up to `y` has where weights are set by hand: their scale ends at 1.
 * @param {Geometry} g
 * @param {PlacedRow} row
 * @param {number} y
 */
export function weightAt(g, row, y) {
  const { zero, unit } = axisOf(row, g, { scale: 1, range: { low: 0, high: 1 } });
  return Math.min(Math.max((zero - y) / unit, 0), 1);
}

/**
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Axis} axis
 */
export function drawBase({ ctx, colors }, g, { zero }) {
  const y = Math.round(zero) + 0.5;
  ctx.strokeStyle = colors.line;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(g.left(0), y);
  ctx.lineTo(g.left(g.n), y);
  ctx.stroke();
}

/**
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {PlacedRow} row
 * @param {Axis} axis
 * @param {Picture} picture
 * @param {Display} display
 */
export function drawBars(pen, g, row, { zero, unit }, picture, display) {
  const { ctx, colors } = pen;
  const width = Math.min(g.col * 0.62, 64 * g.u);
  const values = row.key in picture ? picture[/** @type {keyof Parts} */ (row.key)] : (picture.others?.[row.key] ?? []);
  const labelled =
    picture.goal && row.key in picture.goal ? picture.goal[/** @type {keyof Parts} */ (row.key)] : values;
  const score = row.key === "scores";
  if (display.paint && row.key === "weights") drawTracks(pen, g, { zero, unit }, width, values.length);
  const ghosts =
    row.key === "weights" && display.bell && display.mode === "after_softmax" && !display.hard && !display.edited;
  const unused = row.key === "weights" && areWeightsUnused(display);
  const numbered = areScoresNumbered(row, g, display.range);
  const { form, fits } = score
    ? formOf(pen, g, SCORE, [display.range.low, display.range.high])
    : formOf(pen, g, WEIGHT, [SMALL]);
  // Where they do not fit, small weights have none, so they displace no larger one
  const smallest = fits ? 0.005 : 0.05;
  /** @type {Label[]} */
  const labels = [];
  for (let s = 0; s < values.length; s++) {
    ctx.globalAlpha = unused ? UNUSED : 1;
    const byHand = display.edited === "weights" && row.key === "weights" && values[s] > 0; // also outside the window
    const inside = byHand || (picture.span && s >= picture.span.lo - 0.5 && s <= picture.span.hi + 0.5);
    const x = g.x(s) - width / 2;
    const height = values[s] * unit;
    if (ghosts && inside) drawLost(pen, x, width, zero - picture.alignment[s] * unit, zero - height);
    if (score && !inside) {
      ctx.strokeStyle = colors.score;
      ctx.lineWidth = 1;
      ctx.strokeRect(x + 0.5, Math.min(zero, zero - height) + 0.5, width - 1, Math.max(Math.abs(height) - 1, 0));
    } else if (score || inside) {
      ctx.fillStyle = score ? colors.score : row.key === "alignment" ? colors.alignment : colors.weight;
      rounded(ctx, x, zero - height, width, height, 3 * g.u);
    }
    ctx.globalAlpha = 1;
    if (score ? !numbered : !inside || values[s] < smallest) continue;
    // Often the number fits between the weight and the removed mass; otherwise it goes above both.
    const lost = ghosts ? picture.alignment[s] * unit - height : 0;
    const end = zero - height - (lost < numberSize(g) * 1.25 ? lost : 0);
    labels.push({
      value: labelled[s],
      text: form(labelled[s]),
      x: g.x(s),
      y: height < 0 ? end + numberSize(g) * 0.66 : end - numberSize(g) * 0.6,
    });
  }
  for (const { text, x, y } of g.numbers ? labels : apart(pen, g, labels))
    number(pen, g, text, x, y, score ? colors.dim : colors.ink);
}

/**
 * The numbers of a row that do not touch each other: of two that would, the smaller one is higher or, where there is no
 * room, left out.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Label[]} labels
 */
function apart(pen, g, labels) {
  pen.ctx.font = fontOf(pen, numberSize(g), 500);
  /** @type {(Label & { half: number })[]} */
  const kept = [];
  for (const label of labels.toSorted((one, other) => other.value - one.value)) {
    const half = pen.ctx.measureText(label.text).width / 2;
    const isFree = (/** @type {number} */ y) =>
      kept.every(
        (other) =>
          Math.abs(other.x - label.x) >= other.half + half + GAP * numberSize(g) ||
          Math.abs(other.y - y) >= numberSize(g),
      );
    const y = [0, 1].map((lines) => label.y - lines * numberSize(g) * 1.05).find(isFree);
    if (y !== undefined) kept.push({ ...label, y, half });
  }
  return kept;
}

/**
 * Up to where the bars can be dragged.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Axis} axis
 * @param {number} width
 * @param {number} n
 */
function drawTracks({ ctx, colors }, g, { zero, unit }, width, n) {
  ctx.fillStyle = colors.outside;
  for (let s = 0; s < n; s++) rounded(ctx, g.x(s) - width / 2, zero - unit, width, unit, 3 * g.u);
}

/**
 * The mass that the Gaussian removed from one word: from the top of its alignment bar down to its weight.
 * @param {Pen} pen
 * @param {number} x
 * @param {number} width
 * @param {number} top
 * @param {number} bottom
 */
function drawLost({ ctx, colors }, x, width, top, bottom) {
  if (bottom - top < 1) return;
  ctx.fillStyle = colors.lost;
  ctx.fillRect(x, top, width, bottom - top);
  ctx.strokeStyle = colors.window;
  ctx.lineWidth = 1;
  ctx.setLineDash([3, 2]);
  ctx.strokeRect(x + 0.5, top + 0.5, width - 1, bottom - top - 1);
  ctx.setLineDash([]);
}

/**
 * A bar from its base, its far end rounded; negative heights hang down.
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} radius
 */
export function rounded(ctx, x, y, width, height, radius) {
  const r = Math.min(radius, Math.abs(height), width / 2);
  ctx.beginPath();
  ctx.roundRect(x, height < 0 ? y + height : y, width, Math.abs(height), height < 0 ? [0, 0, r, r] : [r, r, 0, 0]);
  ctx.fill();
}

/**
 * The Gaussian as a curve over real positions: solid inside the window, dotted outside.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Axis} axis
 * @param {Picture} picture
 * @param {Display} display
 * @param {{ left: number, width: number, top: number, height: number } | null} tag the label that is drawn over it
 */
export function drawBell(pen, g, { zero: base, unit: height }, { center, span, gaussian, goal }, display, tag) {
  const { ctx, colors } = pen;
  if (center === null || !span) return;
  const { sigma } = display;
  const at = (/** @type {number} */ s) => base - (sigma ? bell(s - center, sigma) : joined(gaussian, span, s)) * height;
  const from = Math.max(span.lo - 0.5, -0.5);
  const to = Math.min(span.hi + 0.5, g.n - 0.5);
  const trace = (/** @type {number} */ a, /** @type {number} */ b) => {
    const pieces = Math.max(Math.ceil(((b - a) * g.col) / 3), 1);
    for (let i = 0; i <= pieces; i++) {
      const s = a + ((b - a) * i) / pieces;
      ctx.lineTo(g.x(s), at(s));
    }
  };
  ctx.beginPath();
  ctx.moveTo(g.x(from), base);
  trace(from, to);
  ctx.lineTo(g.x(to), base);
  ctx.closePath();
  ctx.fillStyle = colors.windowSoft;
  ctx.fill();
  ctx.strokeStyle = colors.window;
  ctx.lineWidth = 2 * g.u;
  ctx.beginPath();
  trace(from, to);
  ctx.stroke();
  if (sigma) {
    ctx.setLineDash([2, 4]);
    ctx.lineWidth = 1.2 * g.u;
    for (const [a, b] of [
      [-0.5, from],
      [to, g.n - 0.5],
    ]) {
      if (b <= a) continue;
      ctx.beginPath();
      trace(a, b);
      ctx.stroke();
    }
    ctx.setLineDash([]);
  }
  const { form } = formOf(pen, g, WEIGHT, [SMALL]);
  for (let s = Math.ceil(span.lo); s <= span.hi; s++) {
    ctx.fillStyle = colors.window;
    ctx.beginPath();
    ctx.arc(g.x(s), base - gaussian[s] * height, 3.4 * g.u, 0, 7);
    ctx.fill();
    if (!g.numbers) continue;
    const text = form((goal?.gaussian ?? gaussian)[s]);
    const y = bellNumberAt(pen, g, text, g.x(s), base - gaussian[s] * height, base, tag);
    if (y !== null) number(pen, g, text, g.x(s), y, colors.ink);
  }
}

/**
 * The height of the number of a dot on the Gaussian: below the dot if there is room, so that the text does not cover
 * the curve, else above it; null: the label covers it there.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {string} text
 * @param {number} x of the dot
 * @param {number} y of the dot
 * @param {number} base of the curve
 * @param {{ left: number, width: number, top: number, height: number } | null} tag
 */
export function bellNumberAt(pen, g, text, x, y, base, tag) {
  const [size, room] = [numberSize(g), base - y];
  if (room > 30 * g.u) return y + 16 * g.u; // clear of the handle of the Window lab
  if (room > 24 * g.u) return y + 13 * g.u;
  pen.ctx.font = fontOf(pen, size, 500);
  const half = pen.ctx.measureText(text).width / 2;
  const above = y - 11 * g.u;
  const isCovered =
    tag &&
    x + half > tag.left &&
    x - half < tag.left + tag.width &&
    above + size / 2 > tag.top &&
    above - size / 2 < tag.top + tag.height;
  if (!isCovered) return above;
  return room > 18 * g.u ? y + 11 * g.u : null;
}

/**
 * A value between recorded ones, on the line that joins them.
 * @param {number[]} values
 * @param {Span} span
 * @param {number} at
 */
function joined(values, { lo, hi }, at) {
  const s = Math.min(Math.max(at, lo), hi);
  const before = Math.floor(s);
  return values[before] + (values[Math.ceil(s)] - values[before]) * (s - before);
}
