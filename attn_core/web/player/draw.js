// The upper stage on a canvas: score, align, Gaussian and weights as rows of bars over the source words.

import { bell, sum } from "./arithmetic.js";
import { shade } from "./colors.js";
import { SLANT } from "./layout.js";
import { short } from "./rows.js";

const NUMBERED = 36; // the narrowest column with a number over its bar

/** Font of the canvas: `size` in pixels. */
export function fontOf(pen, size, weight = 400) {
  return `${weight} ${size}px ${pen.family}`;
}

const cuts = new Map();

/** `text` cut so that it fits into `room` pixels in the current font. */
export function fit(ctx, text, room) {
  const key = `${ctx.font}|${Math.round(room)}|${text}`;
  if (!cuts.has(key)) {
    if (cuts.size > 2000) cuts.clear(); // sizes that a window had while it was resized
    cuts.set(key, cut(ctx, text, room));
  }
  return cuts.get(key);
}

function cut(ctx, text, room) {
  if (ctx.measureText(text).width <= room) return text;
  const letters = Array.from(text);
  while (letters.length > 1 && ctx.measureText(`${letters.join("")}…`).width > room) letters.pop();
  return `${letters.join("")}…`;
}

/** The bar rows, the ruler and the source words of one picture (a row of the trace, or one on its way to the next). */
export function drawStage(pen, g, picture, look) {
  const { ctx, colors } = pen;
  ctx.textBaseline = "middle";
  if (look.local) drawOutside(pen, g, picture);
  const center = look.local && picture.center !== null ? picture.center : null;
  if (center !== null) drawPlumb(pen, g, center);
  for (const row of g.bars) {
    const axis = axisOf(row, g, look);
    drawBase(pen, g, axis);
    if (row.key === "gaussian") drawBell(pen, g, axis, picture, look);
    else drawBars(pen, g, row, axis, picture, look);
  }
  drawRuler(pen, g, picture, look);
  if (center !== null) drawTag(pen, g, Number.isInteger(center) ? String(center) : center.toFixed(2), g.x(center), look.index);
  drawWords(pen, g, picture, look);
  if (look.hover !== null) {
    ctx.strokeStyle = colors.ink;
    ctx.globalAlpha = 0.35;
    ctx.lineWidth = 1;
    ctx.strokeRect(Math.round(g.left(look.hover)) + 0.5, 2.5, Math.round(g.col) - 1, g.words.y + g.words.h - 4);
    ctx.globalAlpha = 1;
  }
}

/** Where 0 lies in a row and how many pixels one unit takes, with room left for the numbers beyond the bars. */
function axisOf(row, g, look) {
  const room = numberSize(g) * 1.15;
  if (row.key !== "scores") {
    const most = row.key === "gaussian" ? 1 : look.scale;
    return { zero: row.y + row.h, unit: (row.h - (row.key === "gaussian" ? 4 * g.u : room)) / most };
  }
  const { low, high } = look.range;
  const unit = (row.h - (high > 0 ? room : 0) - (low < 0 ? room : 0)) / (high - low);
  return { zero: row.y + (high > 0 ? room : 0) + high * unit, unit };
}

function numberSize(g) {
  return (g.col > 64 * g.u ? 14 : 12.5) * g.u;
}

/** What the window hides: hatched, from the alignment down to the words; the scores above are known all the same. */
function drawOutside(pen, g, { span }) {
  const rows = g.bars.filter((row) => row.key !== "scores");
  if (!rows.length) return;
  const top = rows[0].y - 4;
  const bottom = g.ruler.y;
  const [from, to] = span ? [g.left(span.lo), g.left(span.hi + 1)] : [g.left(g.n), g.left(g.n)];
  hatch(pen, g, from, to, top, bottom);
}

/** Everything between two heights is hatched, but for what lies between `from` and `to`. */
export function hatch({ ctx, colors }, g, from, to, top, bottom) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(g.left(0), top, Math.max(from - g.left(0), 0), bottom - top);
  ctx.rect(to, top, Math.max(g.left(g.n) - to, 0), bottom - top);
  ctx.clip();
  ctx.strokeStyle = colors.hatch;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let x = g.left(0) - (bottom - top); x < g.left(g.n); x += 9 * g.u) {
    ctx.moveTo(x, bottom);
    ctx.lineTo(x + (bottom - top), top);
  }
  ctx.stroke();
  ctx.restore();
}

function drawBase({ ctx, colors }, g, { zero }) {
  const y = Math.round(zero) + 0.5;
  ctx.strokeStyle = colors.line;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(g.left(0), y);
  ctx.lineTo(g.left(g.n), y);
  ctx.stroke();
}

function drawBars(pen, g, row, { zero, unit }, picture, look) {
  const { ctx, colors } = pen;
  const width = Math.min(g.col * 0.62, 64 * g.u);
  const values = picture[row.key];
  const score = row.key === "scores";
  const ghosts = row.key === "weights" && look.bell && look.mode === "after_softmax" && !look.hard;
  for (let s = 0; s < values.length; s++) {
    const inside = picture.span && s >= picture.span.lo - 0.5 && s <= picture.span.hi + 0.5;
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
    if (g.col <= NUMBERED * g.u || (!score && (!inside || values[s] < 0.005))) continue;
    const text = score ? values[s].toFixed(g.col > 52 * g.u ? 2 : 1) : short(values[s]);
    // Between the weight and what the Gaussian took there is often room; if not, the number goes above both.
    const lost = ghosts ? picture.alignment[s] * unit - height : 0;
    const end = zero - height - (lost < numberSize(g) * 1.25 ? lost : 0);
    number(pen, g, text, g.x(s), height < 0 ? end + numberSize(g) * 0.66 : end - numberSize(g) * 0.6, score ? colors.dim : colors.ink);
  }
}

/** A number over whatever lies there, kept legible by a rim in the colour of the ground. */
export function number(pen, g, text, x, y, color) {
  const { ctx, colors } = pen;
  ctx.font = fontOf(pen, numberSize(g), 500);
  ctx.textAlign = "center";
  ctx.strokeStyle = colors.surface;
  ctx.lineWidth = 3 * g.u;
  ctx.lineJoin = "round";
  ctx.globalAlpha = 0.85;
  ctx.strokeText(text, x, y);
  ctx.globalAlpha = 1;
  ctx.fillStyle = color;
  ctx.fillText(text, x, y);
}

/** The mass that the Gaussian took from one word: from the top of its alignment down to its weight. */
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

/** A bar from its base, its far end rounded; negative heights hang down. */
export function rounded(ctx, x, y, width, height, radius) {
  const r = Math.min(radius, Math.abs(height), width / 2);
  ctx.beginPath();
  ctx.roundRect(x, height < 0 ? y + height : y, width, Math.abs(height), height < 0 ? [0, 0, r, r] : [r, r, 0, 0]);
  ctx.fill();
}

/** The Gaussian as a curve over real positions: solid in the window, dotted where the hard edge has cut it off. */
function drawBell(pen, g, { zero: base, unit: height }, { center, span, gaussian }, look) {
  const { ctx, colors } = pen;
  if (center === null || !span) return;
  const at = (s) => base - (look.sigma ? bell(s - center, look.sigma) : 1) * height;
  const from = Math.max(span.lo - 0.5, -0.5);
  const to = Math.min(span.hi + 0.5, g.n - 0.5);
  const trace = (a, b) => {
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
  if (look.sigma) {
    ctx.setLineDash([2, 4]);
    ctx.lineWidth = 1.2 * g.u;
    for (const [a, b] of [[-0.5, from], [to, g.n - 0.5]]) {
      if (b <= a) continue;
      ctx.beginPath();
      trace(a, b);
      ctx.stroke();
    }
    ctx.setLineDash([]);
  }
  for (let s = Math.ceil(span.lo); s <= span.hi; s++) {
    ctx.fillStyle = colors.window;
    ctx.beginPath();
    ctx.arc(g.x(s), base - gaussian[s] * height, 3.4 * g.u, 0, 7);
    ctx.fill();
    if (g.col <= NUMBERED * g.u) continue;
    // Below the dot where there is room, so that the text stays off the curve.
    const y = base - gaussian[s] * height;
    number(pen, g, short(gaussian[s]), g.x(s), base - y > 24 * g.u ? y + 13 * g.u : y - 11 * g.u, colors.ink);
  }
}

/** Positions 0, 1, 2 ... with the window as a bracket over them and p_t at its real place. */
function drawRuler(pen, g, { span }, look) {
  const { ctx, colors } = pen;
  const y = g.ruler.y + g.ruler.h - 9 * g.u;
  ctx.font = fontOf(pen, 12.5 * g.u);
  ctx.textAlign = "center";
  const every = g.col < 15 * g.u ? 5 : 1;
  for (let s = 0; s < g.n; s += every) {
    const inside = span && s >= span.lo - 0.5 && s <= span.hi + 0.5;
    ctx.fillStyle = look.local && inside ? colors.window : colors.dim;
    ctx.globalAlpha = look.local && !inside ? 0.6 : 1;
    ctx.fillText(String(s), g.x(s), y);
  }
  ctx.globalAlpha = 1;
  if (!look.local || !span) return;
  const top = Math.round(g.ruler.y + 2 * g.u) + 0.5;
  ctx.strokeStyle = colors.window;
  ctx.lineWidth = 2 * g.u;
  const from = g.left(span.lo) + 2;
  const to = g.left(span.hi + 1) - 2;
  ctx.beginPath();
  ctx.moveTo(from, top + 7 * g.u);
  ctx.lineTo(from, top);
  ctx.lineTo(to, top);
  ctx.lineTo(to, top + 7 * g.u);
  ctx.stroke();
}

/** p_t: a plumb line from the Gaussian down to the bracket, ending at the real place. */
function drawPlumb({ ctx, colors }, g, center) {
  const bracket = Math.round(g.ruler.y + 2 * g.u) + 0.5;
  const x = g.x(center);
  ctx.strokeStyle = ctx.fillStyle = colors.window;
  ctx.lineWidth = 1.5 * g.u;
  ctx.beginPath();
  ctx.moveTo(x, tagRow(g).y);
  ctx.lineTo(x, bracket);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x - 6 * g.u, bracket - 1);
  ctx.lineTo(x + 6 * g.u, bracket - 1);
  ctx.lineTo(x, bracket + 8 * g.u);
  ctx.fill();
}

function tagRow(g) {
  return g.bars.find((bar) => bar.key === "gaussian") ?? g.bars[g.bars.length - 1];
}

/** The value of p_t on a tag, with t, or the order's other letter, as the `index` it is. */
function drawTag(pen, g, value, x, index = "t") {
  const { ctx, colors } = pen;
  const y = tagRow(g).y - 11 * g.u;
  ctx.fillStyle = colors.window;
  const size = 13 * g.u;
  const parts = [["p", size, 0], [index, size * 0.72, 3 * g.u], [` = ${value}`, size, 0]];
  const widths = parts.map(([text, height]) => {
    ctx.font = fontOf(pen, height, 700);
    return ctx.measureText(text).width;
  });
  const width = widths[0] + widths[1] + widths[2] + 14 * g.u;
  const left = Math.min(Math.max(x - width / 2, 1), g.content - width - 1);
  ctx.beginPath();
  ctx.roundRect(left, y, width, 20 * g.u, 10 * g.u);
  ctx.fill();
  ctx.fillStyle = colors.onWindow;
  ctx.textAlign = "left";
  let place = left + 7 * g.u;
  parts.forEach(([text, height, drop], i) => {
    ctx.font = fontOf(pen, height, 700);
    ctx.fillText(text, place, y + 10.5 * g.u + drop);
    place += widths[i];
  });
}

/** The source words on their heat; leaning, with the heat as a strip below, when the columns are too narrow for them. */
export function drawWords(pen, g, picture, look) {
  const { ctx, colors, heat } = pen;
  const { y, h, slant, font, bar, most } = g.words;
  const values = picture[look.heat];
  for (let s = 0; s < g.n; s++) {
    const inside = picture.span && s >= picture.span.lo - 0.5 && s <= picture.span.hi + 0.5;
    const tone = shade(values[s], look.scale);
    const left = g.left(s) + 1;
    const width = g.col - 2;
    const top = slant ? y + h - bar : y;
    ctx.fillStyle = inside ? heat.fill[tone] : colors.outside;
    ctx.beginPath();
    ctx.roundRect(left, top, width, slant ? bar : h, 5 * g.u);
    ctx.fill();
    const strong = inside && values[s] === Math.max(...values);
    ctx.font = fontOf(pen, font, strong ? 700 : 500);
    ctx.fillStyle = slant ? (inside ? colors.ink : colors.dim) : inside ? heat.ink[tone] : colors.dim;
    const unknown = look.unknown.has(s);
    if (slant) {
      ctx.save();
      ctx.translate(g.x(s) - 2 * g.u, top - 9 * g.u);
      ctx.rotate(-SLANT);
      ctx.textAlign = "left";
      word(ctx, fit(ctx, look.source[s], most), 0, 0, unknown, font, "left");
      ctx.restore();
    } else {
      ctx.textAlign = "center";
      word(ctx, fit(ctx, look.source[s], width - 4 * g.u), g.x(s), y + h / 2, unknown, font, "center");
    }
  }
}

/** A word; one that the model does not know gets a wavy line, as a spelling checker would give it. */
function word(ctx, text, x, y, unknown, font, align) {
  ctx.fillText(text, x, y);
  if (!unknown) return;
  const width = ctx.measureText(text).width;
  const left = align === "center" ? x - width / 2 : x;
  ctx.strokeStyle = ctx.fillStyle;
  ctx.lineWidth = 1.4;
  ctx.beginPath();
  for (let i = 0; i <= width; i += 3) ctx.lineTo(left + i, y + font * 0.62 + (i % 6 ? 1.6 : -1.6));
  ctx.stroke();
}

/** The names of the bar rows, in the gutter. */
export function drawNames(pen, g, picture, look) {
  const { ctx, colors } = pen;
  const right = g.gutter - 12 * g.u;
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  for (const row of g.bars) {
    const middle = row.y + row.h / 2;
    ctx.font = fontOf(pen, (g.narrow ? 14 : 16) * g.u, 650);
    ctx.fillStyle = row.key === "gaussian" ? colors.windowText : colors.ink;
    ctx.fillText(fit(ctx, g.narrow ? row.name.replace("Gaussian", "Gauss") : row.name, right - 2), right, middle - 9 * g.u);
    ctx.font = fontOf(pen, 12.5 * g.u);
    ctx.fillStyle = colors.dim;
    const said = row.aside ?? aside(row.key, picture, look, g.narrow).replace("softmax", look.normalizer ?? "softmax");
    ctx.fillText(fit(ctx, said, right - 2), right, middle + 10 * g.u);
  }
}

function aside(key, picture, look, narrow) {
  if (look.mean) return narrow ? "mean" : `mean of ${look.mean} looks`; // not the softmax of the row above
  if (key === "scores") return narrow ? "raw" : "before softmax";
  if (key === "alignment") return look.local && !narrow ? "softmax in window" : "softmax";
  if (key === "gaussian") return look.sigma ? `σ = ${Number(look.sigma.toFixed(2))}` : "σ = 0: one word";
  const total = `sum ${sum(picture.weights).toFixed(2)}`;
  if (look.hard) return narrow ? "one word" : sum(picture.weights) ? "one word alone" : "nothing in view";
  if (look.bell && look.mode === "renorm") return `÷ sum → ${sum(picture.weights).toFixed(2)}`;
  if (look.bell && look.mode === "on_scores") return narrow ? "softmax" : "softmax(score × G)";
  return look.bell || narrow ? total : `softmax, ${total}`;
}
