// The Score lab: a query and keys to drag in the plane, with the scores of every registered score function. The engine
// computes all numbers in the browser at every move, from the graphs that Python has exported of the classes.

import { dice } from "../../../attn_core/browser/engine/dice.js";
import { heat } from "../../../attn_core/browser/player/core/heat.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { context2d, fitCanvas, penOf, unitOf } from "../../../attn_core/browser/player/draw/pen.js";
import { fromAddress, inAddress } from "../../shell/address.js";
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
let stages = 0;

/**
 * @param {HTMLElement} host
 * @param {ScoreLabData} data
 * @param {boolean} [opening] whether the page takes its settings from the address
 * @returns {Stage}
 */
export function createScoreLab(host, data, opening = false) {
  const scores = openScores(data);
  const first = startState(data.start, scores);
  let state = opening
    ? stateOf(
        first,
        fromAddress,
        scores.map(({ name }) => name),
        REACH,
      )
    : first;
  let results = resultsOf(state, scores);
  const address = inAddress();
  const table = buildTable(`al${++stages}`, scores, state.keys.length, {
    select: (name) => set({ score: name }),
    choose: (s) => set({ chosen: s }, { keepDraws: true }),
  });
  const ui = buildScoreLab(`al${stages}`, state, table.root, problemsIn(data));
  host.append(ui.root);
  const numbers = mountNumbers(ui.root);
  const onHost = onPage(ui.root, paint);
  const pen = /** @type {PlanePen} */ ({ ctx: context2d(ui.canvas) });
  const uniform = { next: dice(SEED) };
  const selected = () => /** @type {RunnableScore} */ (scores.find(({ name }) => name === state.score));

  /**
   * Change the state; a change of the weights discards the draws so far.
   * @param {Partial<ScoreLabState>} change
   * @param {{ keepDraws?: boolean }} [options]
   */
  function set(change, { keepDraws = false } = {}) {
    state = { ...state, ...change };
    if (!keepDraws) state = { ...state, draws: state.keys.map(() => 0), drawn: null };
    if (state.attention_type === "hard-sample" && state.drawn === null) draw();
    address.keep(linkOf(state, first));
    onHost.ask();
  }

  /** Draw keys from the weights of the selected score. @param {number} [times] */
  function draw(times = 1) {
    state = withDraws(state, resultsOf(state, [selected()]).rows[state.score].weights, uniform.next, times);
  }

  function paint() {
    const theme = onHost.theme();
    results = resultsOf(state, scores);
    const score = selected();
    showPlane(ui, pen, theme, state, () => planeView(state, results, score));
    showTable(table, scores, state, results, heat(theme));
    const source = sourceOf(score, state);
    showDetail(ui.detail, score, state, source, {
      setParameter: (name, index, value) =>
        set({ parameters: withNumber(score, state.parameters, name, index, value) }),
      open: (ref) => numbers.open(ref, source),
    });
    numbers.update(source);
    showContext(ui, state, results, score, theme);
  }

  for (const handle of ui.handles) {
    listenToHandle(handle, ui.square, {
      point: () => pointOf(state, handle),
      move: (point) => set(withPoint(state, handle, point, REACH - 0.1)),
      release: () => {
        ui.live.textContent = spoken(results, selected());
      },
    });
  }
  listenToControls(ui, {
    set,
    draw: (times) => {
      draw(times);
      set({}, { keepDraws: true });
    },
    reset() {
      uniform.next = dice(SEED);
      set({ ...startState(data.start, scores), score: state.score });
    },
  });
  set({});
  onHost.watch(ui.square);
  return {
    update: onHost.restyle,
    destroy() {
      address.stop();
      numbers.destroy();
      onHost.stop();
    },
  };
}

/**
 * Report what the reader does with the controls below the plane.
 * @param {ScoreLabUi} ui
 * @param {{ set: (change: Partial<ScoreLabState>) => void, draw: (times: number) => void, reset: () => void }} on
 */
function listenToControls({ types, apart, again, hundred, reset }, on) {
  types.addEventListener("change", (event) =>
    on.set({ attention_type: /** @type {HTMLInputElement} */ (event.target).value }),
  );
  apart.addEventListener("change", () => on.set({ apart: apart.checked }));
  again.addEventListener("click", () => on.draw(1));
  hundred.addEventListener("click", () => on.draw(100));
  reset.addEventListener("click", () => {
    on.reset();
    apart.checked = false;
    for (const radio of types.querySelectorAll("input")) radio.checked = radio.value === "soft";
  });
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
  const [again, hundred, reset] = [t("Draw"), t("Draw 100"), t("Reset")].map((text) =>
    el("button", { type: "button", class: "ap-button", text }),
  );
  const controls = el(
    "div",
    { class: "al-controls" },
    types,
    again,
    hundred,
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
  return { root, frame, canvas, square, handles, shade, types, apart, again, hundred, reset, context, detail, live };
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
  const numbers = (/** @type {Vector} */ point) => `(${point.map(two).join(", ")})`;
  ui.shade.textContent = !compares
    ? t("No shading: the {label} score does not depend on the keys.", { label })
    : theme === "dark"
      ? t("Lighter: a key at this point has a higher score.")
      : t("Darker: a key at this point has a higher score.");
  const sampled = state.attention_type === "hard-sample";
  ui.again.hidden = ui.hundred.hidden = !sampled;
  const name = `$${state.apart ? "v" : "\\bar h"}_${results.taken ?? 0}$`;
  /** @type {Record<string, string>} */
  const parts = {
    soft: `c = Σ ${
      state.apart ? t("weight · value") : t("weight · key")
    } = ${numbers(results.context)}: ${t("the weighted mean.")}`,
    "hard-argmax": `c = ${name} = ${numbers(results.context)}: ${t(
      "the one with the largest weight. The choice has " + "no gradient.",
    )}`,
    "hard-sample": `c = ${name} = ${numbers(results.context)}, ${t(
      "drawn from the weights. Draws so far: {draws} ({n}); their mean is {mean} and converges to the context " +
        "vector of soft attention, {soft}.",
      {
        draws: state.draws.join(" · "),
        n: results.total,
        mean: results.mean ? numbers(results.mean) : "",
        soft: numbers(results.soft),
      },
    )}`,
  };
  ui.context.replaceChildren(...withFormulas(parts[state.attention_type]));
}

/** What a screen reader says after a move. @param {Results} results @param {RunnableScore} score the selected one */
function spoken({ rows }, { name, label }) {
  const { weights } = rows[name];
  const best = bestOf(weights);
  return t("{label}: largest weight on key {best}, {weight}", { label, best, weight: weights[best].toFixed(2) });
}

export default mounted(createScoreLab);
