// The Score lab: a query and keys to drag in the plane, with the scores of every registered score function. The engine
// computes all numbers in the browser at every move, from the graphs that Python has exported of the classes.

import { dice } from "../../../attn_core/browser/engine/dice.js";
import { heat } from "../../../attn_core/browser/player/core/heat.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { context2d, fitCanvas, penOf, unitOf } from "../../../attn_core/browser/player/draw/pen.js";
import { readFromAddress, keepInAddress } from "../../shell/address.js";
import { withFormulas } from "../../shell/equation.js";
import { mountNumbers } from "../../shell/numbers/numbers.js";
import { onPage } from "../../shell/onpage.js";
import { mounted } from "../kit/mount.js";
import { drawPlane, GRID, REACH } from "./plane/drawing.js";
import { buildHandles, listenToHandle, placeHandles, pointOf } from "./plane/handles.js";
import { sourceOf } from "./scores/breakdown.js";
import { buildDetail, showDetail } from "./scores/detail.js";
import { buildTable, showTable, two } from "./scores/table.js";
import { ATTENTION_TYPES, bestOf } from "./state/context.js";
import { linkOf, stateOf } from "./state/link.js";
import { openScores, withNumber } from "./state/scores.js";
import { resultsOf, startState, withDraws, withPoint } from "./state/state.js";

/**
 * @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts"
 * @import { Stage } from "../../shell/types.d.ts"
 * @import { PlanePen, PlaneView, Results, RunnableScore, ScoreLabData } from "./types.d.ts"
 * @import { ScoreLabState, ScoreLabUi, Vector } from "./types.d.ts"
 */

const SEED = 7; // of the draws of sampled attention
let stageCount = 0;

/** @implements {Stage} */
export class ScoreLab {
  /**
   * @param {HTMLElement} host
   * @param {ScoreLabData} data
   * @param {boolean} [opening] whether the address has settings
   */
  constructor(host, data, opening = false) {
    const id = `al${++stageCount}`;
    this.data = data;
    this.scores = openScores(data);
    this.start = startState(data.start, this.scores);
    const names = this.scores.map(({ name }) => name);
    this.state = opening ? stateOf(this.start, readFromAddress, names, REACH) : this.start;
    this.results = resultsOf(this.state, this.scores);
    this.address = keepInAddress();
    this.table = buildTable(id, this.scores, this.state.keys.length, {
      select: (name) => this.setState({ score: name }),
      choose: (s) => this.setState({ chosen: s }, { keepDraws: true }),
    });
    this.ui = buildScoreLab(id, this.state, this.table.root, problemsIn(data));
    host.append(this.ui.root);
    this.numbers = mountNumbers(this.ui.root);
    this.page = onPage(this.ui.root, () => this.draw());
    this.pen = /** @type {PlanePen} */ ({ ctx: context2d(this.ui.canvas) });
    this.random = dice(SEED);

    this.listen();
    this.setState({});
    this.page.watch(this.ui.square);
  }

  listen() {
    const { ui } = this;
    for (const handle of ui.handles) {
      listenToHandle(handle, ui.square, {
        point: () => pointOf(this.state, handle),
        move: (point) => this.setState(withPoint(this.state, handle, point, REACH - 0.1)),
        release: () => {
          ui.live.textContent = spokenResult(this.results, this.selectedScore());
        },
      });
    }
    ui.types.addEventListener("change", (event) =>
      this.setState({ attention_type: /** @type {HTMLInputElement} */ (event.target).value }),
    );
    ui.apart.addEventListener("change", () => this.setState({ apart: ui.apart.checked }));
    ui.drawOne.addEventListener("click", () => this.drawKeys(1));
    ui.drawHundred.addEventListener("click", () => this.drawKeys(100));
    ui.reset.addEventListener("click", () => this.reset());
  }

  selectedScore() {
    return /** @type {RunnableScore} */ (this.scores.find(({ name }) => name === this.state.score));
  }

  /**
   * Change the state; a change of the weights discards the draws so far.
   * @param {Partial<ScoreLabState>} change
   * @param {{ keepDraws?: boolean }} [options]
   */
  setState(change, { keepDraws = false } = {}) {
    this.state = { ...this.state, ...change };
    if (!keepDraws) this.state = { ...this.state, draws: this.state.keys.map(() => 0), drawn: null };
    if (this.state.attention_type === "hard-sample" && this.state.drawn === null) this.state = this.withKeysDrawn(1);
    this.address.keep(linkOf(this.state, this.start));
    this.page.ask();
  }

  /** The state after drawing keys from the weights of the selected score. @param {number} times */
  withKeysDrawn(times) {
    const { weights } = resultsOf(this.state, [this.selectedScore()]).rows[this.state.score];
    return withDraws(this.state, weights, this.random, times);
  }

  /** @param {number} times */
  drawKeys(times) {
    this.setState(this.withKeysDrawn(times), { keepDraws: true });
  }

  /** Go back to the start, with the same score function. */
  reset() {
    this.random = dice(SEED);
    this.setState({ ...startState(this.data.start, this.scores), score: this.state.score });
    this.ui.apart.checked = false;
    for (const radio of this.ui.types.querySelectorAll("input")) radio.checked = radio.value === "soft";
  }

  draw() {
    const { ui, state, scores } = this;
    const theme = this.page.theme();
    const score = this.selectedScore();
    const results = (this.results = resultsOf(state, scores));
    showPlane(ui, this.pen, theme, state, () => planeView(state, results, score));
    showTable(this.table, scores, state, results, heat(theme));
    const source = sourceOf(score, state);
    showDetail(ui.detail, score, state, source, {
      setParameter: (name, index, value) =>
        this.setState({ parameters: withNumber(score, this.state.parameters, name, index, value) }),
      open: (ref) => this.numbers.open(ref, source),
    });
    this.numbers.update(source);
    showContext(ui, state, results, score, theme);
  }

  update() {
    this.page.restyle();
  }

  destroy() {
    this.address.stop();
    this.numbers.destroy();
    this.page.stop();
  }
}

/** Why score functions are not shown. @param {ScoreLabData} data @returns {string[]} */
function problemsIn({ functions }) {
  return functions.flatMap((facts) =>
    "problem" in facts ? [t("{name} cannot be shown: {problem}", { name: facts.name, problem: facts.problem })] : [],
  );
}

/**
 * @param {string} id of the stage, in the names of its fields
 * @param {ScoreLabState} state
 * @param {HTMLElement} table
 * @param {string[]} problems
 * @returns {ScoreLabUi}
 */
function buildScoreLab(id, state, table, problems) {
  const canvas = el("canvas", { "aria-hidden": "true" });
  const handles = buildHandles(state.keys.length);
  const about = t("Plane: drag a point or use the arrow keys");
  const square = el(
    "div",
    { class: "al-square", role: "group", "aria-label": about },
    canvas,
    ...handles.map(({ button }) => button),
  );
  const [shade, context] = [el("p", { class: "al-note" }), el("p", { class: "al-read" })];
  const types = el(
    "div",
    { class: "ap-choices", role: "radiogroup", "aria-label": t("Attention type") },
    ...ATTENTION_TYPES.map(([value, text]) =>
      el(
        "label",
        { class: "ap-choice" },
        el("input", { type: "radio", name: `${id}-type`, value, checked: value === state.attention_type }),
        el("span", { text }),
      ),
    ),
  );
  const apart = el("input", { type: "checkbox", checked: state.apart });
  const [drawOne, drawHundred, reset] = [t("Draw"), t("Draw 100"), t("Reset")].map((text) =>
    el("button", { type: "button", class: "ap-button", text }),
  );
  const controls = el(
    "div",
    { class: "al-controls" },
    types,
    drawOne,
    drawHundred,
    el("label", { class: "ap-check" }, apart, el("span", { text: t("separate values and keys") })),
    reset,
  );
  const detail = buildDetail();
  const live = el("div", { class: "ap-hidden", "aria-live": "polite" });
  const notes = problems.map((text) => el("p", { class: "al-note", text }));
  const frame = el(
    "div",
    { class: "ap al" },
    el("div", { class: "al-left" }, square, shade, controls, context),
    el("div", { class: "al-right" }, table, ...notes, detail.root),
    live,
  );
  const root = el("div", { class: "ap-root" }, frame);
  return {
    root,
    frame,
    canvas,
    square,
    handles,
    shade,
    types,
    apart,
    drawOne,
    drawHundred,
    reset,
    context,
    detail,
    live,
  };
}

/**
 * Draw the plane with its handles.
 * @param {ScoreLabUi} ui
 * @param {PlanePen} pen
 * @param {Theme} theme
 * @param {ScoreLabState} state
 * @param {() => PlaneView} view
 */
function showPlane({ frame, square, canvas, handles }, pen, theme, state, view) {
  const size = square.clientWidth; // 0 while the stage is not on screen
  if (size) {
    const style = getComputedStyle(frame);
    Object.assign(pen, penOf(style, theme), { theme, u: unitOf(style) });
    fitCanvas(canvas, pen.ctx, size, size);
    drawPlane(pen, size, view());
  }
  placeHandles(handles, state, size);
}

/**
 * What is drawn in the plane.
 * @param {ScoreLabState} state
 * @param {Results} results
 * @param {RunnableScore} score the selected one
 * @returns {PlaneView}
 */
function planeView(state, { rows, values, taken, context, mean }, { compares, engine }) {
  const { weights } = rows[state.score];
  const share = taken === null ? weights : weights.map((_, s) => Number(s === taken));
  return {
    ...state,
    values,
    weights,
    share,
    taken,
    context,
    mean,
    field: compares ? engine.scores(state.query, GRID) : null,
  };
}

/**
 * Below the plane: what its shade is, and how the attention type makes the context vector.
 * @param {ScoreLabUi} ui
 * @param {ScoreLabState} state
 * @param {Results} results
 * @param {RunnableScore} score the selected one
 * @param {string} theme
 */
function showContext(ui, state, results, { label, compares }, theme) {
  ui.shade.textContent = !compares
    ? t("No shading: the {label} score does not depend on the keys.", { label })
    : theme === "dark"
      ? t("Lighter: a key at this point has a higher score.")
      : t("Darker: a key at this point has a higher score.");
  const sampled = state.attention_type === "hard-sample";
  ui.drawOne.hidden = ui.drawHundred.hidden = !sampled;
  const name = `$${state.apart ? "v" : "\\bar h"}_${results.taken ?? 0}$`;
  const context = coordinates(results.context);
  const sum = state.apart ? t("weight · value") : t("weight · key");
  /** @type {Record<string, string>} */
  const texts = {
    soft: `c = Σ ${sum} = ${context}: ${t("the weighted mean.")}`,
    "hard-argmax": `c = ${name} = ${context}: ${t("the one with the largest weight. The choice has no gradient.")}`,
    "hard-sample": `c = ${name} = ${context}, ${drawsText(state, results)}`,
  };
  ui.context.replaceChildren(...withFormulas(texts[state.attention_type]));
}

/** @param {Vector} point */
const coordinates = (point) => `(${point.map(two).join(", ")})`;

/** @param {ScoreLabState} state @param {Results} results */
function drawsText({ draws }, { total, mean, soft }) {
  return t(
    "drawn from the weights. Draws so far: {draws} ({n}); their mean is {mean} and converges to the context " +
      "vector of soft attention, {soft}.",
    { draws: draws.join(" · "), n: total, mean: mean ? coordinates(mean) : "", soft: coordinates(soft) },
  );
}

/** What a screen reader says after a move. @param {Results} results @param {RunnableScore} score the selected one */
function spokenResult({ rows }, { name, label }) {
  const { weights } = rows[name];
  const best = bestOf(weights);
  return t("{label}: largest weight on key {best}, {weight}", { label, best, weight: weights[best].toFixed(2) });
}

export default mounted((host, /** @type {ScoreLabData} */ data, opening) => new ScoreLab(host, data, opening));
