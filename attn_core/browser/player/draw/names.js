// The names of the parts of a step, in the gutter.

import { sum } from "../../engine/vectors.js";
import { areWeightsUnused, meanName } from "../core/looks.js";
import { t } from "../core/messages.js";
import { fit, fontOf, setFont } from "./text.js";

const LINES = 34; // the height of both lines of a name, in sixteenths of the font size

/** @import { Display, Geometry, Pen, Picture, PlacedRow, Vectors } from "../core/types.d.ts" */

/**
 * The names of the parts, in the gutter, each with how it is computed.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {Picture | null} picture null without attention
 * @param {Display} display
 * @param {Vectors | null} [vectors]
 */
export function drawNames(pen, g, picture, display, vectors = null) {
  const { ctx, colors } = pen;
  const right = g.gutter - 12 * g.u;
  const least = g.least ?? 0; // of the numbers under the names
  const u = Math.max(g.u, least / 14);
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  for (const row of [...partsOf(g, picture, vectors, display), ...g.bars]) {
    const middle = row.y + row.h / 2;
    const name = (g.narrow && row.short) || row.name;
    const size = Math.max((g.narrow ? 13 : 16) * g.u, 0.85 * least);
    const below = row.h < LINES * u ? "" : textBelow(pen, g, row, right - 2, picture, display);
    setFont(pen, name, right - 2, { size, weight: 650, least: least ? 0.85 * least : (g.narrow ? 11 : 14) * g.u });
    ctx.fillStyle = row.key === "gaussian" ? colors.windowText : colors.ink;
    ctx.fillText(fit(ctx, name, right - 2), right, middle - (below ? 9 * u : 0));
    if (!below) continue;
    ctx.font = fontOf(pen, Math.max((g.narrow ? 12.5 : 14) * g.u, least));
    ctx.fillStyle = colors.dim;
    ctx.fillText(fit(ctx, below, right - 2), right, middle + 10 * u);
  }
}

/**
 * The text under a name, in the form for which there is room; "" if that of a part without bars has none.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {PlacedRow} row
 * @param {number} room
 * @param {Picture | null} picture
 * @param {Display} display
 */
function textBelow(pen, g, row, room, picture, display) {
  const { ctx } = pen;
  ctx.font = fontOf(pen, Math.max((g.narrow ? 12.5 : 14) * g.u, g.least ?? 0));
  const fits = (/** @type {string} */ text) => ctx.measureText(text).width <= room;
  const [long, short] =
    row.aside !== undefined || !picture
      ? [row.aside ?? "", ""]
      : [g.narrow, true].map((narrow) => aside(row.key, picture, display, narrow));
  return fits(long) ? long : short;
}

/**
 * The parts that have no bars.
 * @param {Geometry} g
 * @param {Picture | null} picture
 * @param {Vectors | null} vectors
 * @param {Display} display
 * @returns {PlacedRow[]}
 */
function partsOf({ states, query, feeding, flow }, picture, vectors, display) {
  const short = t("states");
  const ofPieces = Boolean(display.words);
  const aside = areWeightsUnused(display) ? t("not used") : picture?.lanes ? t("one lane per head") : t("add them up");
  const sum = { key: "context", name: t("weight × state"), short: t("× state"), aside: aside };
  const single = {
    key: "context",
    name: t("one vector"),
    aside: vectors?.context ? t("same at each step") : t("for all words"),
  };
  return [
    ...(states && vectors
      ? [
          {
            ...states,
            key: "value",
            name: vectors.value.name,
            short,
            aside: vectors.value.aside ?? (ofPieces ? t("one for each piece") : t("one for each word")),
          },
        ]
      : []),
    ...(query && vectors?.query
      ? [{ ...query, key: "query", name: vectors.query.name, short: t("query"), aside: t("compared with each") }]
      : []),
    ...(feeding ? [{ ...feeding, key: "feeding", name: t("input feeding"), short: t("feeding"), aside: "" }] : []),
    ...(flow ? [{ ...flow, ...(picture ? sum : single) }] : []),
  ];
}

/** The score function of a model, in words. @param {string | null} [score] */
export const scoreName = (score) => (score ?? "").replaceAll("_", " ");

/**
 * The text under a row's name: how the row is computed.
 * @param {string} key
 * @param {Picture} picture
 * @param {Display} display
 * @param {boolean} narrow
 */
function aside(key, picture, display, narrow) {
  const normalizer = display.normalizer ?? "softmax";
  if (display.edited && key === "weights") return byHand(display.edited, narrow);
  if (display.mean) return narrow ? t("mean") : meanName(display.mean);
  if (key === "scores") return scoreName(display.score);
  if (key === "alignment") return display.local && !narrow ? t("{normalizer} in window", { normalizer }) : normalizer;
  if (key === "gaussian") return display.sigma ? `σ = ${Number(display.sigma.toFixed(2))}` : "";
  const kept = sum((picture.goal ?? picture).weights);
  const total = kept.toFixed(2);
  if (display.hard) return kept ? t("one word") : t("no word");
  if (display.bell && display.mode === "renorm") return t("÷ sum → {total}", { total });
  if (display.bell && display.mode === "on_scores")
    return narrow ? normalizer : t("{normalizer}(score × G)", { normalizer });
  return display.bell || narrow ? t("sum {total}", { total }) : t("{normalizer}, sum {total}", { normalizer, total });
}

/**
 * What was set by hand, under the name of the weights.
 * @param {NonNullable<Display["edited"]>} edited
 * @param {boolean} narrow
 */
function byHand(edited, narrow) {
  if (edited === "weights") return narrow ? t("by hand") : t("set by hand");
  if (narrow) return t("not used");
  return edited === "off" ? t("not used: head off") : t("not used: context set");
}
