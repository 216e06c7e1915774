// What a window can reach: one step of several models under forced decoding of the same sentence, a row for each model.

import { softmaxInside } from "../kit/windowing.js";
import { layOut } from "../../../attn_core/browser/player/core/layout.js";
import { massOutside } from "../../../attn_core/browser/player/core/measures.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { short } from "../../../attn_core/browser/player/core/numbers.js";
import { recorded } from "../../../attn_core/browser/player/core/rows.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { fillSteps, markStep } from "../../../attn_core/browser/player/dom/steps.js";
import { rounded } from "../../../attn_core/browser/player/draw/bars.js";
import { context2d, fitCanvas, penOf, unitOf } from "../../../attn_core/browser/player/draw/pen.js";
import { hatch } from "../../../attn_core/browser/player/draw/stage.js";
import { fit, fontOf, number } from "../../../attn_core/browser/player/draw/text.js";
import { drawWords } from "../../../attn_core/browser/player/draw/words.js";
import { mounted } from "../kit/mount.js";
import { onPage } from "../../shell/onpage.js";

/** @import { Geometry, Pen, PlacedRow, Trace } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Stage } from "../../shell/types.d.ts" */
/** @import { ReachData, Reached } from "./types.d.ts" */

const NAMED = 34; // the narrowest column with a number above its bar

/**
 * @param {HTMLElement} host
 * @param {ReachData} data
 * @returns {Stage}
 */
export function createReach(host, data) {
  const ui = buildReachLab(host);
  const page = onPage(ui.root, draw);
  let step = 0;

  /** @param {number} to */
  function jump(to) {
    step = Math.min(Math.max(to, 0), data.target.length - 1);
    page.ask();
  }

  function draw() {
    if (!ui.plots.clientWidth) return;
    const { source, needed } = data;
    const style = getComputedStyle(ui.frame);
    const pen = penOf(style, page.theme());
    const u = unitOf(style);
    const ctx = context2d(ui.bars);
    const gutter = context2d(ui.gutter);
    const measure = (/** @type {string} */ text, /** @type {number} */ size) => {
      ctx.font = `700 ${size}px ${pen.family}`;
      return ctx.measureText(text).width;
    };
    const rows = data.runs.map(({ label }, i) => ({ key: String(i), name: label, height: 104 }));
    const g = layOut({ width: ui.plots.clientWidth, u, v: 1, source, rows, farthest: 0, measure });
    const attentions = data.runs.map(({ trace }) => attentionAt(trace, step, needed.source));
    fitCanvas(ui.gutter, gutter, g.gutter, g.height);
    fitCanvas(ui.bars, ctx, g.content, g.height);
    g.bars.forEach((row, i) => {
      drawLabel({ ...pen, ctx: gutter }, g, row, attentions[i]);
      drawReach({ ...pen, ctx }, g, row, attentions[i]);
    });
    drawPlaces({ ...pen, ctx }, g, needed.source);
    const marked = source.map((_, s) => (s === needed.source ? 1 : 0));
    const all = { lo: 0, hi: source.length - 1 };
    const plain = { scale: 1, unknown: new Set(data.runs[0].trace.unknown), source };
    drawWords({ ...pen, ctx }, g, marked, all, plain);
    ui.scroll.scrollLeft = g.x(needed.source) - ui.scroll.clientWidth / 2;
    markStep(ui.words, step, (button, i) => button.classList.toggle("rl-needed", i === needed.target));
    describeStep(attentions);
  }

  /** @param {Reached[]} attentions */
  function describeStep(attentions) {
    const { source, target, needed, runs } = data;
    ui.side.replaceChildren(
      ...runs.map((run, i) => {
        const best = run.trace.steps[step].top.slice(0, 3);
        const words = best.map(([word, p]) =>
          el(
            "span",
            { class: word === target[step] ? "rl-next rl-right" : "rl-next" },
            el("b", { text: word }),
            ` ${short(Math.exp(p))}`,
          ),
        );
        return el(
          "section",
          { class: "ap-section rl-run", "data-model": run.model },
          el("h3", { class: "ap-title", text: run.label }),
          el("p", { class: "rl-fact" }, el("span", { text: t("next word") }), el("span", {}, ...words)),
          el(
            "p",
            { class: "rl-fact" },
            el("span", { text: t("weight on “{source}”", { source: source[needed.source] }) }),
            el("b", {
              text: attentions[i].seen ? short(attentions[i].weights[needed.source]) : t("0: outside the window"),
            }),
          ),
          el(
            "p",
            { class: "rl-fact" },
            el("span", { text: t("softmax weight outside the window") }),
            el("b", { "data-name": "outside", text: short(attentions[i].outside) }),
          ),
          el("p", { class: "rl-said" }, t("own translation:"), " ", el("q", { text: run.said })),
        );
      }),
    );
    const words = runs
      .map((run, i) => `${run.label}: ${attentions[i].seen ? t("in the window") : t("outside the window")}`)
      .join("; ");
    ui.plot.setAttribute(
      "aria-label",
      t("Step {n}, {word}. “{source}”: {words}", {
        n: step + 1,
        word: target[step],
        source: source[needed.source],
        words,
      }),
    );
  }

  fillSteps(ui, data.target, jump);
  jump(data.needed.target);
  page.watch(ui.plots);

  return { update: page.restyle, destroy: page.stop };
}

/**
 * @param {HTMLElement} host
 */
function buildReachLab(host) {
  const root = el("div", { class: "ap-root rl-root" });
  const words = el("div", { class: "ap-sentence rl-words", role: "group", "aria-label": t("The forced translation") });
  const gutter = el("canvas", { class: "ap-gutter", "aria-hidden": "true" });
  const bars = el("canvas", { class: "ap-bars" });
  const plot = el("div", { class: "ap-plot", role: "img" }, bars);
  const scroll = el("div", { class: "ap-scroll" }, plot);
  const plots = el("div", { class: "ap-plots" }, gutter, scroll);
  const side = el("div", { class: "ap-side" });
  const frame = el(
    "div",
    { class: "ap rl" },
    el("div", { class: "ap-head" }, words),
    el(
      "div",
      { class: "ap-body" },
      el(
        "div",
        { class: "ap-stage" },
        plots,
        el("p", {
          class: "rl-legend",
          text: t(
            "Filled: attention weights. Outlined: a softmax of the same scores over all words, without the window.",
          ),
        }),
      ),
      side,
    ),
  );
  root.append(frame);
  host.append(root);
  return { root, words, gutter, bars, plot, scroll, plots, side, frame };
}

/** @typedef {ReturnType<typeof buildReachLab>} ReachUi */

/**
 * One model's attention at a step, with and without its window.
 * @param {Trace} trace
 * @param {number} step
 * @param {number} needed
 * @returns {Reached}
 */
function attentionAt(trace, step, needed) {
  const row = recorded(trace, 0)[step];
  const everywhere = softmaxInside(row.scores, { lo: 0, hi: row.scores.length - 1 });
  const seen = row.span !== null && needed >= row.span.lo && needed <= row.span.hi;
  const local = trace.settings.window !== "global";
  return {
    ...row,
    everywhere,
    outside: massOutside(row.scores, row.span),
    seen,
    local,
    halfWidth: trace.settings.half_width,
  };
}

/**
 * @param {Pen} pen
 * @param {Geometry} g
 * @param {PlacedRow} row
 * @param {Reached} look
 */
function drawLabel(pen, g, row, look) {
  const { ctx, colors } = pen;
  const right = g.gutter - 12 * g.u;
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  ctx.font = fontOf(pen, 16 * g.u, 650);
  ctx.fillStyle = colors.ink;
  ctx.fillText(fit(ctx, row.name, right - 2), right, row.y + row.h / 2 - 9 * g.u);
  ctx.font = fontOf(pen, 14 * g.u);
  ctx.fillStyle = colors.dim;
  ctx.fillText(look.local ? `D = ${look.halfWidth}` : t("all words"), right, row.y + row.h / 2 + 10 * g.u);
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
    if (g.col > NAMED * g.u && most >= 0.01)
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
function drawPlaces(pen, g, needed) {
  const { ctx, colors } = pen;
  ctx.font = fontOf(pen, 14 * g.u);
  ctx.fillStyle = colors.dim;
  ctx.textAlign = "center";
  const every = g.col < 21 * g.u ? 5 : 1;
  for (let s = 0; s < g.n; s += every) ctx.fillText(String(s), g.x(s), g.ruler.y + g.ruler.h - 9 * g.u);
  ctx.strokeStyle = colors.ink;
  ctx.globalAlpha = 0.4;
  ctx.lineWidth = 1.5;
  ctx.strokeRect(Math.round(g.left(needed)) + 0.5, 2.5, Math.round(g.col) - 1, g.words.y + g.words.h - 4);
  ctx.globalAlpha = 1;
}

/**
 * One of several sentences, which the reader chooses.
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
  let stage = createReach(stageHost, sentences[0]);
  select.addEventListener("change", () => {
    stage.destroy();
    stage = createReach(stageHost, sentences[Number(select.value)]);
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
