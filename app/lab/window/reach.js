// What a window can reach: one step of several models under forced decoding of the same sentence, a row for each model.

import { softmax } from "../../../attn_core/browser/engine/vectors.js";
import { layOut } from "../../../attn_core/browser/player/core/layout.js";
import { massOutside } from "../../../attn_core/browser/engine/measures.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { short } from "../../../attn_core/browser/player/core/numbers.js";
import { recordedRows } from "../../../attn_core/browser/player/core/rows.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { fillSteps, markStep } from "../../../attn_core/browser/player/dom/steps.js";
import { rounded } from "../../../attn_core/browser/player/draw/bars.js";

import { hatch } from "../../../attn_core/browser/player/draw/picture.js";
import { fit, fontOf, number } from "../../../attn_core/browser/player/draw/text.js";
import { drawWords } from "../../../attn_core/browser/player/draw/words.js";
import { mounted } from "../kit/mount.js";
import { RowPlot } from "../kit/row-plot.js";
import { onPage } from "../../shell/onpage.js";

/** @import { Geometry, Pen, PlacedRow, Trace } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Stage } from "../../shell/types.d.ts" */
/** @import { ReachData, Reached } from "./types.d.ts" */

const NARROWEST_NUMBERED = 34; // width of the narrowest column with a number above its bar

/** @implements {Stage} */
export class ReachLab {
  /** @param {HTMLElement} host @param {ReachData} data */
  constructor(host, data) {
    this.data = data;
    this.ui = buildReachLab();
    host.append(this.ui.root);
    this.page = onPage(this.ui.root, () => this.draw());
    this.step = 0;
    fillSteps(this.ui, data.target, (to) => this.jump(to));
    this.jump(data.needed.target);
    this.page.watch(this.ui.rowPlot.root);
  }

  /** @param {number} to */
  jump(to) {
    this.step = Math.min(Math.max(to, 0), this.data.target.length - 1);
    this.page.ask();
  }

  draw() {
    const { ui, data, step } = this;
    if (!ui.rowPlot.width) return;
    const attentions = data.runs.map(({ trace }) => attentionAt(trace, step, data.needed.source));
    this.drawPicture(attentions);
    markStep(ui.words, step, (button, i) => button.classList.toggle("rl-needed", i === data.needed.target));
    ui.side.replaceChildren(...data.runs.map((run, i) => runSection(data, run, step, attentions[i])));
    ui.rowPlot.plot.setAttribute("aria-label", spokenStep(data, step, attentions));
  }

  /** @param {Reached[]} attentions */
  drawPicture(attentions) {
    const { rowPlot, frame } = this.ui;
    const { source, needed, runs } = this.data;
    const { pen, u, measure } = rowPlot.styleOf(frame, this.page.theme());
    const rows = runs.map(({ label }, i) => ({ key: String(i), name: label, height: 104 }));
    const g = layOut({ width: rowPlot.width, u, v: 1, source, rows, farthest: 0, measure });
    const gutterPen = rowPlot.clear(pen, g);
    g.bars.forEach((row, i) => {
      drawLabel(gutterPen, g, row, attentions[i]);
      drawReach(pen, g, row, attentions[i]);
    });
    drawPositions(pen, g, needed.source);
    const marked = source.map((_, s) => (s === needed.source ? 1 : 0));
    const everyWord = { lo: 0, hi: source.length - 1 };
    drawWords(pen, g, marked, everyWord, { scale: 1, unknown: new Set(runs[0].trace.unknown), source });
    rowPlot.scrollTo(g.x(needed.source));
  }

  update() {
    this.page.restyle();
  }

  destroy() {
    this.page.stop();
  }
}

function buildReachLab() {
  const words = el("div", { class: "ap-sentence rl-words", role: "group", "aria-label": t("The forced translation") });
  const rowPlot = new RowPlot();
  const legend = el("p", {
    class: "rl-legend",
    text: t("Filled: attention weights. Outlined: a softmax of the same scores over all words, without the window."),
  });
  const side = el("div", { class: "ap-side" });
  const body = el("div", { class: "ap-body" }, el("div", { class: "ap-picture" }, rowPlot.root, legend), side);
  const frame = el("div", { class: "ap rl" }, el("div", { class: "ap-head" }, words), body);
  const root = el("div", { class: "ap-root rl-root" }, frame);
  return { root, words, rowPlot, side, frame };
}

/**
 * One model's next word, and its weights on the needed word and outside its window.
 * @param {ReachData} data
 * @param {ReachData["runs"][number]} run
 * @param {number} step
 * @param {Reached} attention of the model at the step
 */
function runSection({ source, target, needed }, { model, label, said, trace }, step, { seen, weights, outside }) {
  const candidates = trace.steps[step].top.slice(0, 3).map(([word, logProb]) => {
    const isRight = word === target[step];
    const probability = ` ${short(Math.exp(logProb))}`;
    return el("span", { class: isRight ? "rl-next rl-right" : "rl-next" }, el("b", { text: word }), probability);
  });
  const neededWeight = seen ? short(weights[needed.source]) : t("0: outside the window");
  return el(
    "section",
    { class: "ap-section rl-run", "data-model": model },
    el("h3", { class: "ap-title", text: label }),
    fact(t("next word"), el("span", {}, ...candidates)),
    fact(t("weight on “{source}”", { source: source[needed.source] }), el("b", { text: neededWeight })),
    fact(t("softmax weight outside the window"), el("b", { "data-name": "outside", text: short(outside) })),
    el("p", { class: "rl-said" }, t("own translation:"), " ", el("q", { text: said })),
  );
}

/** @param {string} name @param {HTMLElement} value */
const fact = (name, value) => el("p", { class: "rl-fact" }, el("span", { text: name }), value);

/**
 * The step in one sentence, for screen readers.
 * @param {ReachData} data
 * @param {number} step
 * @param {Reached[]} attentions
 */
function spokenStep({ source, target, needed, runs }, step, attentions) {
  const words = runs
    .map(({ label }, i) => `${label}: ${attentions[i].seen ? t("in the window") : t("outside the window")}`)
    .join("; ");
  const names = { n: step + 1, word: target[step], source: source[needed.source], words };
  return t("Step {n}, {word}. “{source}”: {words}", names);
}

/**
 * One model's attention at a step, with and without its window.
 * @param {Trace} trace
 * @param {number} step
 * @param {number} needed
 * @returns {Reached}
 */
function attentionAt(trace, step, needed) {
  const row = recordedRows(trace, 0)[step];
  return {
    ...row,
    everywhere: softmax(row.scores),
    outside: massOutside(row.scores, row.span),
    seen: row.span !== null && needed >= row.span.lo && needed <= row.span.hi,
    local: trace.settings.window !== "global",
    halfWidth: trace.settings.half_width,
  };
}

/**
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {PlacedRow} row
 * @param {Reached} attention
 */
function drawLabel(pen, g, row, attention) {
  const { ctx, colors } = pen;
  const right = g.gutter - 12 * g.u;
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  ctx.font = fontOf(pen, 16 * g.u, 650);
  ctx.fillStyle = colors.ink;
  ctx.fillText(fit(ctx, row.name, right - 2), right, row.y + row.h / 2 - 9 * g.u);
  ctx.font = fontOf(pen, 14 * g.u);
  ctx.fillStyle = colors.dim;
  ctx.fillText(attention.local ? `D = ${attention.halfWidth}` : t("all words"), right, row.y + row.h / 2 + 10 * g.u);
}

/**
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {PlacedRow} placedRow
 * @param {Reached} reached
 */
function drawReach(pen, g, { y, h }, { span, weights, everywhere, local, center }) {
  const { ctx, colors } = pen;
  const ground = y + h;
  const unit = h - 18 * g.u;
  const width = Math.min(g.col * 0.62, 64 * g.u);
  ctx.textBaseline = "middle";
  if (local) hatch(pen, g, span ? g.left(span.lo) : g.left(g.n), span ? g.left(span.hi + 1) : g.left(g.n), y, ground);
  weights.forEach((weight, s) => {
    const x = g.x(s) - width / 2;
    ctx.fillStyle = colors.weight;
    if (weight > 0) rounded(ctx, x, ground - weight * unit, width, weight * unit, 3 * g.u);
    const free = everywhere[s] * unit;
    if (local && free > 1.5) {
      ctx.strokeStyle = colors.dim;
      ctx.lineWidth = 1.5 * g.u;
      ctx.strokeRect(x + 0.5, ground - free + 0.5, width - 1, free - 1);
    }
    const most = Math.max(weight, local ? everywhere[s] : 0);
    if (g.col > NARROWEST_NUMBERED * g.u && most >= 0.01)
      number(pen, g, short(most), g.x(s), ground - most * unit - 8 * g.u, weight < most ? colors.dim : colors.ink);
  });
  ctx.strokeStyle = colors.line;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(g.left(0), ground + 0.5);
  ctx.lineTo(g.left(g.n), ground + 0.5);
  ctx.stroke();
  if (!local || !span) return;
  ctx.strokeStyle = ctx.fillStyle = colors.window;
  ctx.lineWidth = 2.5 * g.u;
  ctx.beginPath();
  ctx.moveTo(g.left(span.lo) + 2, ground - 6 * g.u);
  ctx.lineTo(g.left(span.lo) + 2, ground + 1);
  ctx.lineTo(g.left(span.hi + 1) - 2, ground + 1);
  ctx.lineTo(g.left(span.hi + 1) - 2, ground - 6 * g.u);
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(g.x(center ?? 0), ground + 1, 4.5 * g.u, 0, 7);
  ctx.fill();
}

/**
 * Draw the positions under the rows and outline the column of the needed word.
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {number} needed
 */
function drawPositions(pen, g, needed) {
  const { ctx, colors } = pen;
  ctx.font = fontOf(pen, 14 * g.u);
  ctx.fillStyle = colors.dim;
  ctx.textAlign = "center";
  const every = g.col < 21 * g.u ? 5 : 1;
  for (let s = 0; s < g.n; s += every) ctx.fillText(String(s), g.x(s), g.ruler.y + g.ruler.h - 9 * g.u);
  ctx.strokeStyle = colors.ink;
  ctx.globalAlpha = 0.4;
  ctx.lineWidth = 1.5;
  const { y, h, bar, angle } = g.words;
  const top = angle ? y + h - bar - 4 : 2; // a slanted word leaves its column
  ctx.strokeRect(Math.round(g.left(needed)) + 0.5, top + 0.5, Math.round(g.col) - 1, y + h + 2 - top);
  ctx.globalAlpha = 1;
}

/**
 * A choice of sentences above the lab of the chosen one.
 * @param {HTMLElement} host
 * @param {{ sentences: (ReachData & { text: string })[] }} data
 * @returns {Stage}
 */
function createReachChoice(host, { sentences }) {
  const select = el(
    "select",
    { "aria-label": t("Sentence") },
    ...sentences.map(({ text }, i) => el("option", { value: i, text })),
  );
  const root = el("div", { class: "ap-root live" }, select);
  const page = onPage(root, () => {});
  const stageHost = el("div");
  host.append(root, stageHost);
  let stage = new ReachLab(stageHost, sentences[0]);
  select.addEventListener("change", () => {
    stage.destroy();
    stage = new ReachLab(stageHost, sentences[Number(select.value)]);
  });
  return {
    update() {
      page.restyle();
      stage.update();
    },
    destroy() {
      stage.destroy();
      page.stop();
      stageHost.remove();
    },
  };
}

export default mounted(createReachChoice);
