// The names of the bar rows, in the gutter.

import { sum } from "../core/arithmetic.js";
import { fit, fontOf } from "./text.js";

/** @import { Geometry, Pen, Picture, Shown } from "../core/types.d.ts" */

/**
 * The names of the bar rows, in the gutter.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Picture} picture
 * @param {Shown} look
 */
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

/**
 * @param {string} key
 * @param {Picture} picture
 * @param {Shown} look
 * @param {boolean} narrow
 */
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
