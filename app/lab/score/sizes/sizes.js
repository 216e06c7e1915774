// How softmax saturates with the number of dimensions: dot and scaled dot of random vectors.
//
// data: sizes [d]; rows, for each of two score functions: scores (of one draw), spread and entropy (means over all
// draws); keys, draws: their numbers. All computed by attn_core (saturation.py).

import { entropyOf } from "../../../../attn_core/browser/engine/measures.js";
import { t } from "../../../../attn_core/browser/player/core/messages.js";
import { short } from "../../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../../attn_core/browser/player/dom/elements.js";
import { isPresented, roomFor } from "../../../../attn_core/browser/player/dom/room.js";
import { context2d, fitCanvas, penOf, unitOf } from "../../../../attn_core/browser/player/draw/pen.js";
import { fontOf, setFont } from "../../../../attn_core/browser/player/draw/text.js";
import { mounted } from "../../kit/mount.js";
import { onPage } from "../../../shell/onpage.js";
import { softmax } from "../../../../attn_core/browser/engine/vectors.js";

/** @import { Theme } from "../../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Stage } from "../../../shell/types.d.ts" */
/** @import { SizesData, SizesPen, SizesUi } from "../types.d.ts" */

const COLORS = ["weight", "window"]; // of the score functions, in turn
const HEIGHT = 190; // of the pictures; in lecture layout they fill the window
const LEAST = 10; // font size of numbers in narrow columns

/**
 * @param {HTMLElement} host
 * @param {SizesData} data
 * @returns {Stage}
 */
export function createSizes(host, data) {
  const { sizes } = data;
  const ui = buildSizes(data);
  host.append(ui.root);
  const onHost = onPage(ui.root, paint);

  function paint() {
    const theme = onHost.theme();
    const style = getComputedStyle(ui.frame);
    const at = Number(ui.slider.value);
    const d = sizes[at];
    ui.value.textContent = `d = ${d}`;
    ui.slider.setAttribute("aria-valuetext", `d = ${d}`);
    const height = heightOf(ui);
    for (const { kind, row, color } of kindsOf(data)) {
      const panel = ui.panels[kind];
      const weights = softmax(row.scores[at]);
      const pen = ready(panel.canvas, style, theme, height);
      if (pen) drawWeights(pen, weights, color);
      const [spread, now, mean] = [row.spread[at], entropyOf(weights), row.entropy[at]];
      panel.text.textContent = t(
        "standard deviation of the scores {spread}; entropy {now} nats for this draw, {mean} on average over " +
          "{draws} draws",
        { spread: spread.toFixed(2), now: now.toFixed(2), mean: mean.toFixed(2), draws: data.draws },
      );
    }
    const pen = ready(ui.curves, style, theme, height);
    if (pen) drawCurves(pen, data, at);
  }

  ui.slider.addEventListener("input", onHost.ask);
  onHost.watchRoom(ui.frame);
  return { update: onHost.restyle, destroy: onHost.stop };
}

/**
 * @param {SizesData} data
 * @returns {SizesUi}
 */
function buildSizes(data) {
  const { sizes, keys } = data;
  const ui = /** @type {SizesUi} */ ({});
  ui.root = el("div", { class: "ap-root" });
  ui.panels = {};
  const begin = sizes.findIndex((d) => d >= 64);
  ui.slider = el("input", {
    type: "range",
    "aria-label": t("Dimensions d"),
    min: 0,
    max: sizes.length - 1,
    step: 1,
    value: begin,
  });
  ui.value = el("output");
  const panels = kindsOf(data).map(({ kind, label }) => {
    const panel = (ui.panels[kind] = { canvas: el("canvas", { "aria-hidden": "true" }), text: el("p") });
    return el(
      "div",
      {},
      el("h4", { text: t("{label}: weights of {keys} random keys", { label, keys }) }),
      panel.canvas,
      panel.text,
    );
  });
  const about = t("Entropy of the weights against d: it falls for dot and is constant for scaled dot");
  ui.curves = el("canvas", { role: "img", "aria-label": about });
  panels.push(el("div", {}, el("h4", { text: t("Entropy (nats) against d") }), ui.curves));
  ui.frame = el(
    "div",
    { class: "ap al-sizes" },
    el("label", { class: "al-size" }, ui.value, ui.slider),
    el("div", { class: "al-panels" }, ...panels),
  );
  ui.root.append(ui.frame);
  return ui;
}

/**
 * The height of the pictures. In lecture layout all that is left of the window beside what is below them.
 * @param {SizesUi} ui
 */
function heightOf({ root, frame, curves }) {
  if (!isPresented(root)) return HEIGHT;
  const below = frame.getBoundingClientRect().bottom - curves.getBoundingClientRect().bottom;
  return Math.max(roomFor(curves, root) - below, HEIGHT);
}

/**
 * A pen for the canvas at the width of its container; null while it is not on screen.
 * @param {HTMLCanvasElement} canvas
 * @param {CSSStyleDeclaration} style
 * @param {Theme} theme
 * @param {number} height
 * @returns {SizesPen | null}
 */
function ready(canvas, style, theme, height) {
  const width = canvas.parentElement?.clientWidth;
  if (!width) return null;
  const ctx = context2d(canvas);
  fitCanvas(canvas, ctx, width, height);
  return { ...penOf(style, theme), ctx, width, height, u: unitOf(style) };
}

/**
 * @param {SizesPen} pen
 * @param {number[]} weights
 * @param {string} color
 */
function drawWeights(pen, weights, color) {
  const { ctx, colors, width, height, u } = pen;
  const top = 22 * u;
  const col = width / weights.length;
  ctx.textAlign = "center";
  ctx.textBaseline = "bottom";
  weights.forEach((weight, s) => {
    const h = (height - top - 2) * weight;
    ctx.fillStyle = colors[color];
    ctx.fillRect(s * col + col * 0.14, height - 1 - h, col * 0.72, h);
    ctx.fillStyle = colors.ink;
    setFont(pen, short(weight), col * 0.92, { size: 14 * u, weight: 550, least: LEAST });
    ctx.fillText(short(weight), (s + 0.5) * col, height - 3 - h);
  });
  ctx.fillStyle = colors.dim;
  ctx.fillRect(0, height - 1, width, 1);
}

/**
 * @param {SizesPen} pen
 * @param {SizesData} data
 * @param {number} at
 */
function drawCurves(pen, data, at) {
  const { ctx, colors, width, height, u } = pen;
  const box = { left: 34 * u, right: width - 10 * u, top: 12 * u, bottom: height - 24 * u };
  const most = Math.log(data.keys);
  const last = Math.log2(data.sizes[data.sizes.length - 1]);
  const x = (/** @type {number} */ d) => box.left + ((box.right - box.left) * Math.log2(d)) / last;
  const y = (/** @type {number} */ nats) => box.bottom - ((box.bottom - box.top) * nats) / (most * 1.08);
  ctx.font = fontOf(pen, 14 * u);
  ctx.fillStyle = ctx.strokeStyle = colors.dim;
  ctx.lineWidth = 1;
  ctx.textBaseline = "middle";
  ctx.textAlign = "right";
  for (const nats of [0, most]) {
    ctx.fillText(nats ? `ln ${data.keys}` : "0", box.left - 5 * u, y(nats));
    ctx.fillRect(box.left, Math.round(y(nats)), box.right - box.left, 1);
  }
  ctx.textAlign = "center";
  ctx.textBaseline = "top";
  for (const d of [1, 4, 16, 64, 512]) ctx.fillText(String(d), Math.min(x(d), width - 14 * u), box.bottom + 6 * u);
  ctx.fillStyle = colors.ink;
  ctx.fillRect(x(data.sizes[at]) - 0.5, box.top, 1.5, box.bottom - box.top);
  for (const { row, label, color } of kindsOf(data)) {
    ctx.beginPath();
    data.sizes.forEach((d, i) => ctx.lineTo(x(d), y(row.entropy[i])));
    ctx.strokeStyle = colors[color];
    ctx.lineWidth = 2.5 * u;
    ctx.stroke();
    ctx.beginPath();
    ctx.arc(x(data.sizes[at]), y(row.entropy[at]), 4.5 * u, 0, 2 * Math.PI);
    ctx.fillStyle = colors[color];
    ctx.fill();
    const named = Math.round(data.sizes.length * 0.72);
    ctx.font = fontOf(pen, 14 * u, 600);
    ctx.textBaseline = "bottom";
    ctx.fillText(label, x(data.sizes[named]), y(row.entropy[named]) - 6 * u);
  }
}

/** The score functions that are compared. @param {SizesData} data */
function kindsOf({ rows, words }) {
  return Object.entries(rows).map(([kind, row], i) => ({ kind, row, label: words[kind].label, color: COLORS[i] }));
}

export default mounted(createSizes);
