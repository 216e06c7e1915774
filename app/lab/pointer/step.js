// One step of a pointer network as a picture: the encoder states of its inputs, the decoder state that is compared with
// them, scores, and weights, which are the output: from the largest, an arrow leads to the choice.

import { barRows, layOut } from "../../../attn_core/browser/player/core/layout.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { short } from "../../../attn_core/browser/player/core/numbers.js";
import { scoreRange } from "../../../attn_core/browser/player/core/rows.js";
import { vectorsOf } from "../../../attn_core/browser/player/core/state-vectors.js";
import { drawNames } from "../../../attn_core/browser/player/draw/names.js";

import { drawPicture } from "../../../attn_core/browser/player/draw/picture.js";
import { drawArrow } from "../../../attn_core/browser/player/draw/strip.js";
import { fit, fontOf, setFont } from "../../../attn_core/browser/player/draw/text.js";

/**
 * @import { QuantityFacts } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { Display, Geometry, Pen, Row } from "../../../attn_core/browser/player/core/types.d.ts"
 * @import { Trace, Vectors } from "../../../attn_core/browser/player/core/types.d.ts"
 * @import { RowPlot } from "../kit/row-plot.js"
 * @import { Choice } from "./types.d.ts"
 *
 * @typedef {{ rows: Row[], vectors: Vectors | null, display: Display, names: string[], places: number[] }} StepView
 */

const OUTPUT = 52; // the height of the arrow to the choice, in sixteenths of the font size
const TALL = 0.86; // relative to the bars of a translation

/**
 * What the picture of a step shows.
 * @param {{ names: string[], steps: Choice[], step: number, quantities: Record<string, QuantityFacts>, hover: number |
 * null }} given `names`: of the positions
 * @returns {StepView}
 */
export function stepView({ names, steps, step, quantities, hover }) {
  const rows = steps.map(({ scores, weights }) => ({
    center: null,
    span: { lo: 0, hi: names.length - 1 },
    scores,
    alignment: weights,
    gaussian: weights.map(() => 1),
    weights,
  }));
  const trace = /** @type {Trace} */ (
    /** @type {unknown} */ ({
      source: names,
      steps: steps.map(({ vectors }) => ({ looks: [{ layer: 0, head: 0 }], vectors })),
    })
  );
  const vectors = vectorsOf(trace, { quantities }, null);
  return {
    rows,
    names,
    places: steps.map(({ place }) => place),
    vectors: vectors && { ...vectors, value: { ...vectors.value, aside: t("one for each input") } },
    display: {
      step,
      hover,
      source: names,
      local: false,
      bell: false,
      mode: "after_softmax",
      sigma: null,
      heat: "weights",
      scale: 1,
      range: scoreRange(rows),
      unknown: new Set(),
    },
  };
}

/**
 * Draw a step.
 * @param {RowPlot} plot
 * @param {StepView} view
 * @param {ReturnType<RowPlot["styleOf"]>} style
 * @returns {Geometry}
 */
export function drawStep(plot, { rows, vectors, display, names, places }, { pen, u, measure }) {
  const g = layOut({
    width: plot.width,
    u,
    v: TALL,
    source: names,
    rows: barRows(display),
    farthest: 0,
    measure,
    vectors: vectors !== null,
  });
  const row = rows[display.step];
  const gutterPen = plot.clear(pen, g, g.height + OUTPUT * u);
  drawNames(gutterPen, g, row, display, vectors);
  drawPicture(pen, g, row, display, vectors);
  const place = places[display.step];
  drawChoice({ gutter: gutterPen, bars: pen }, g, { place, text: `${names[place]}: p = ${short(row.weights[place])}` });
  return g;
}

/**
 * The arrow from the weight of the choice to its name, under its column.
 * @param {{ gutter: Pen, bars: Pen }} pens
 * @param {Geometry} g
 * @param {{ place: number, text: string }} choice
 */
function drawChoice({ gutter, bars }, g, { place, text }) {
  const { u } = g;
  const [from, to] = [g.height + 2 * u, g.height + 24 * u];
  const middle = to + 13 * u;
  const { ctx, colors } = bars;
  drawArrow(
    bars,
    [
      [g.x(place), from],
      [g.x(place), to],
    ],
    u,
  );
  ctx.font = fontOf(bars, 16 * u, 700);
  const half = ctx.measureText(text).width / 2;
  ctx.fillStyle = colors.ink;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(text, Math.min(Math.max(g.x(place), half + 2), g.content - half - 2), middle);
  const right = g.gutter - 12 * u;
  const name = t("choice");
  gutter.ctx.textAlign = "right";
  gutter.ctx.fillStyle = colors.ink;
  setFont(gutter, name, right - 2, { size: (g.narrow ? 13 : 16) * u, weight: 650, least: 11 * u });
  gutter.ctx.fillText(name, right, middle - 16 * u);
  gutter.ctx.font = fontOf(gutter, 12.5 * u);
  gutter.ctx.fillStyle = colors.dim;
  gutter.ctx.fillText(
    fit(gutter.ctx, g.narrow ? t("largest") : t("the largest weight"), right - 2),
    right,
    middle + 3 * u,
  );
}
