// The picture of the Series page: a strip with the attention weights over the past, and below it the series.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { fixed } from "../../../attn_core/browser/player/core/numbers.js";
import { svg } from "../kit/svg.js";

/** @import { Forecast } from "./types.d.ts" */

const [LEFT, RIGHT, STRIP, TOP, HEIGHT, BOTTOM] = [34, 8, 30, 62, 250, 26];

/**
 * Where days and values are in a picture of this width.
 * @param {number} width
 * @param {number} days
 * @param {number} least
 * @param {number} most
 */
export function scaleOf(width, days, least, most) {
  const day = (width - LEFT - RIGHT) / days;
  const unit = HEIGHT / (most - least);
  return {
    width,
    day,
    least,
    most,
    x: (/** @type {number} */ at) => LEFT + (at + 0.5) * day,
    y: (/** @type {number} */ value) => TOP + (most - value) * unit,
    dayAt: (/** @type {number} */ x) => Math.floor((x - LEFT) / day),
    valueAt: (/** @type {number} */ y) => most - (y - TOP) / unit,
  };
}

/** @typedef {ReturnType<typeof scaleOf>} Scale */

/**
 * The picture at a forecast day.
 * @param {Scale} scale
 * @param {{ past: number[], truth: number[], last: number[], forecast: Forecast, step: number, chosenDay: number,
 * holidays: number[] }} shown
 */
export function drawSeries(scale, { past, truth, last, forecast, step, chosenDay, holidays }) {
  const { width, x, y } = scale;
  const n = past.length;
  const high = TOP + HEIGHT;
  const root = svg("svg", { width, height: high + BOTTOM, "aria-hidden": "true" });
  const add = (
    /** @type {keyof SVGElementTagNameMap} */ tag,
    /** @type {Record<string, string | number>} */ attributes,
    text = "",
  ) => {
    root.append(svg(tag, attributes, text));
  };
  const line = (/** @type {string} */ name, /** @type {number[]} */ values, /** @type {number} */ from) => {
    add("polyline", { class: name, points: values.map((value, i) => `${x(from + i)},${y(value)}`).join(" ") });
  };
  const row = forecast.weights[step] ?? [];
  add("text", { x: LEFT, y: 14, class: "sr-name" }, t("attention weights of the marked day"));
  row.forEach((weight, s) => {
    add("rect", {
      class: "sr-well",
      x: x(s) - scale.day / 2 + 0.5,
      y: 22,
      width: Math.max(scale.day - 1, 1),
      height: STRIP,
    });
    const tall = weight * STRIP;
    add("rect", {
      class: "sr-weight",
      x: x(s) - scale.day / 2 + 0.5,
      y: 22 + STRIP - tall,
      width: Math.max(scale.day - 1, 1),
      height: tall,
    });
    if (weight > 0.02)
      add("line", {
        class: "sr-link",
        x1: x(s),
        x2: x(s),
        y1: 22 + STRIP,
        y2: y(past[s]),
        "stroke-opacity": 0.25 + 0.75 * weight,
      });
  });
  for (let value = Math.ceil(scale.least); value <= scale.most; value += 2) {
    add("line", { class: "sr-grid", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) });
    add("text", { class: "sr-tick", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, fixed(value, 0));
  }
  add("rect", { class: "sr-now", x: x(n + step) - scale.day / 2, y: TOP, width: scale.day, height: HEIGHT });
  add("line", { class: "sr-edge", x1: x(n) - scale.day / 2, x2: x(n) - scale.day / 2, y1: TOP, y2: high });
  for (const at of holidays) add("text", { class: "sr-tick", x: x(at), y: high - 4, "text-anchor": "middle" }, "▾");
  for (let at = 0; at < n + truth.length; at += 7)
    add("text", { class: "sr-tick", x: x(at), y: high + 16, "text-anchor": "middle" }, String(at));
  line("sr-last", last, n);
  line("sr-past", past, 0);
  line("sr-truth", truth, n);
  line("sr-forecast", forecast.values, n);
  past.forEach((value, s) =>
    add("circle", {
      class: s === chosenDay ? "sr-dot sr-chosen" : "sr-dot",
      cx: x(s),
      cy: y(value),
      r: s === chosenDay ? 6 : 3.2,
    }),
  );
  if (forecast.values.length) add("circle", { class: "sr-made", cx: x(n + step), cy: y(forecast.values[step]), r: 6 });
  return root;
}
