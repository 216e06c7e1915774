// The Score lab's stage: a query and keys to drag in the plane, with the scores of every score function. All numbers
// are recomputed in the browser at every move.
//
// createVectors(host, data, opening) -> { update(), destroy() }
//   data: functions [{name, label, latex}], start {query, keys, parameters}: see stage.py

import { heat } from "../../../attn_core/web/player/core/heat.js";
import { entropyOf } from "../../../attn_core/web/player/core/measures.js";
import { t } from "../../../attn_core/web/player/core/messages.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { context2d, fitCanvas, penOf, unitOf } from "../../../attn_core/web/player/draw/pen.js";
import { dice } from "../../../attn_core/web/engine/dice.js";
import { withFormulas } from "../../shell/equation.js";
import { fromAddress, inAddress } from "../../shell/address.js";
import { mounted } from "../kit/mount.js";
import { onPage } from "../../shell/onpage.js";
import { buildBoard, showBoard, two } from "./board.js";
import { buildDetail, showDetail } from "./detail.js";
import { beside, bestOf, contextOf, drawnAt, SCORE_FUNCTIONS, weightsOf } from "./functions.js";
import { linked, written } from "./link.js";
import { drawPlane, REACH, toPixels, toPlane } from "./plane.js";
import { onKey } from "../../../attn_core/web/player/dom/typing.js";

/** @import { Stage } from "../../shell/types.d.ts" */
/** @import { AllParameters, BoardActs, Grip, Parameters, PlaneView, PlanePen, ScoreLine, Seen, SeenRow, Start, VectorsData, VectorsState, VectorsUi, Vector } from "./types.d.ts" */

const STEP = 0.1; // for an arrow key; ten times as much with shift
const ATTENTION_TYPES = [["soft", t("soft")], ["hard-argmax", t("hard (argmax)")], ["hard-sample", t("hard (sampled)")]];
let vectorLabs = 0;

/**
 * The parameters of a score function; those of `concat` are the ones of `additive`, with the two matrices joined.
 * @param {AllParameters} parameters
 * @param {string} name
 * @returns {Parameters}
 */
function parametersOf(parameters, name) {
  if (name !== "concat") return parameters[name] ?? {};
  const { W_a, U_a, v_a } = parameters.additive;
  return { W_a: beside(W_a, U_a), v_a };
}

/**
 * Everything shown for a state: each function's scores, weights and entropy, and the context vector of the selected one.
 * @param {VectorsState} state
 * @param {string[]} names
 * @returns {Seen}
 */
export function lookAll(state, names) {
  /** @type {Record<string, SeenRow>} */
  const rows = {};
  for (const name of names) {
    const parameters = parametersOf(state.parameters, name);
    const scores = SCORE_FUNCTIONS[name](state.query, state.keys, parameters);
    const weights = weightsOf(scores);
    rows[name] = { scores, weights, entropy: entropyOf(weights) };
  }
  const { weights } = rows[state.score];
  const values = state.apart ? state.values : state.keys;
  const taken = state.attention_type === "soft" ? null : state.attention_type === "hard-argmax" ? bestOf(weights) : state.drawn;
  const total = state.draws.reduce((sum, n) => sum + n, 0);
  return {
    rows, values, taken, total,
    context: taken === null ? contextOf(weights, values) : values[taken],
    soft: contextOf(weights, values),
    mean: state.attention_type === "hard-sample" && total ? contextOf(state.draws.map((n) => n / total), values) : null,
  };
}

/**
 * @param {HTMLElement} host
 * @param {VectorsData} data
 * @param {boolean} [opening]
 * @returns {Stage}
 */
export function createVectors(host, data, opening = false) {
  const id = `al${++vectorLabs}`;
  const { functions, start } = data;
  const names = functions.map(({ name }) => name);
  const first = begin(start, names);
  let state = opening ? linked(first, fromAddress, names, REACH) : first;
  const address = inAddress();
  let seen = lookAll(state, names);
  const ui = buildVectors(id, functions, state);
  host.append(ui.root);
  const onHost = onPage(ui.root, paint);
  const pen = /** @type {PlanePen} */ ({ ctx: context2d(ui.canvas) });
  const uniform = { next: dice(7) };

  /**
   * Change the state; a change of the weights discards the draws so far.
   * @param {Partial<VectorsState>} change
   * @param {{ keepDraws?: boolean }} [given1]
   */
  function set(change, { keepDraws = false } = {}) {
    state = { ...state, ...change };
    if (!keepDraws) state = { ...state, draws: state.keys.map(() => 0), drawn: null };
    if (state.attention_type === "hard-sample" && state.drawn === null) draw();
    address.keep(written(state, first));
    onHost.ask();
  }

  /** @param {number} [times] */
  function draw(times = 1) {
    const { weights } = lookAll({ ...state, attention_type: "soft" }, [state.score]).rows[state.score];
    const draws = [...state.draws];
    let { drawn } = state;
    for (let i = 0; i < times; i++) {
      drawn = drawnAt(weights, uniform.next());
      draws[drawn] += 1;
    }
    state = { ...state, draws, drawn };
  }

  function paint() {
    const theme = onHost.theme();
    seen = lookAll(state, names);
    const wide = ui.square.clientWidth;
    if (wide) {
      const style = getComputedStyle(ui.frame);
      Object.assign(pen, penOf(style, theme), { theme, u: unitOf(style) });
      fitCanvas(ui.canvas, pen.ctx, wide, wide);
      drawPlane(pen, wide, planeOf(state, seen));
    }
    placeHandles(ui, state, wide);
    showBoard(ui.board, functions, state, seen, heat(theme));
    showDetail(ui.detail, state);
    showRead(ui, state, seen, theme);
  }

  /**
   * @param {Grip} grip
   * @param {Vector} point
   */
  function move(grip, point) {
    const at = point.map((x) => Math.min(Math.max(Math.round(x * 100) / 100, -REACH + 0.1), REACH - 0.1));
    if (grip.kind === "query") set({ query: at });
    else set({ [grip.kind]: state[grip.kind].map((old, s) => (s === grip.s ? at : old)), chosen: grip.s });
  }

  const say = () => { ui.live.textContent = spoken(state, seen, functions); };
  /** @type {BoardActs} */
  const acts = {
    select: (name) => set({ score: name }),
    choose: (s) => set({ chosen: s }, { keepDraws: true }),
    parameter: (name, key, path, value) => set({ parameters: changed(state.parameters, name, key, path, value) }),
  };
  ui.board.acts = ui.detail.acts = acts;
  for (const grip of ui.grips) wireGrip(grip, ui.square, (point) => move(grip, point), () => pointOf(state, grip), say);
  ui.types.addEventListener("change", (event) => set({ attention_type: /** @type {HTMLInputElement} */ (event.target).value }));
  ui.apart.addEventListener("change", () => set({ apart: ui.apart.checked }));
  ui.again.addEventListener("click", () => { draw(); set({}, { keepDraws: true }); });
  ui.hundred.addEventListener("click", () => { draw(100); set({}, { keepDraws: true }); });
  ui.reset.addEventListener("click", () => {
    uniform.next = dice(7);
    set({ ...begin(start, names), score: state.score });
    ui.apart.checked = false;
    for (const radio of ui.types.querySelectorAll("input")) radio.checked = radio.value === "soft";
  });
  set({});
  onHost.watch(ui.square);
  return {
    update: onHost.restyle,
    destroy() {
      address.stop();
      onHost.stop();
    },
  };
}

/**
 * @param {Start} start
 * @param {string[]} names
 * @returns {VectorsState}
 */
function begin(start, names) {
  const { query, keys, values, parameters } = structuredClone(start);
  const score = names.includes("dot") ? "dot" : names[0];
  return { query, keys, values, parameters, score, attention_type: "soft", apart: false, chosen: 0, draws: keys.map(() => 0), drawn: null };
}

/**
 * A copy of all parameters with one number changed; `concat` writes into the halves that it shares with `additive`.
 * @param {AllParameters} parameters
 * @param {string} name
 * @param {"W_a" | "U_a" | "v_a"} key
 * @param {number[]} path
 * @param {number} value
 * @returns {AllParameters}
 */
function changed(parameters, name, key, path, value) {
  /** @type {Record<string, any>} */
  const next = structuredClone(parameters);
  let owner = name;
  let [i, j] = path;
  if (name === "concat") {
    owner = "additive";
    const left = next.additive.W_a[0].length;
    if (key === "W_a" && j >= left) [key, j] = ["U_a", j - left];
  }
  if (j === undefined) next[owner][key][i] = value;
  else next[owner][key][i][j] = value;
  return /** @type {AllParameters} */ (next);
}

/**
 * @param {string} id
 * @param {ScoreLine[]} functions
 * @param {VectorsState} state
 * @returns {VectorsUi}
 */
function buildVectors(id, functions, state) {
  const ui = /** @type {VectorsUi} */ ({});
  ui.root = el("div", { class: "ap-root" });
  ui.canvas = el("canvas", { "aria-hidden": "true" });
  ui.grips = [
    grip("query", 0, t("query h_t")),
    ...state.keys.flatMap((_, s) => [grip("keys", s, t("key {s}", { s })), grip("values", s, t("value {s}", { s }))]),
  ];
  const about = t("Plane: drag a point or use the arrow keys");
  ui.square = el("div", { class: "al-square", role: "group", "aria-label": about }, ui.canvas,
    ...ui.grips.map(({ button }) => button));
  ui.shade = el("p", { class: "al-note" });
  ui.types = el("div", { class: "ap-choices", role: "radiogroup", "aria-label": t("Attention type") },
    ...ATTENTION_TYPES.map(([value, text]) => el("label", { class: "ap-choice" },
      el("input", { type: "radio", name: `${id}-read`, value, checked: value === state.attention_type }), el("span", { text }))));
  ui.apart = el("input", { type: "checkbox", checked: state.apart });
  ui.again = el("button", { type: "button", class: "ap-button", text: t("Draw") });
  ui.hundred = el("button", { type: "button", class: "ap-button", text: t("Draw 100") });
  ui.reset = el("button", { type: "button", class: "ap-button", text: t("Reset") });
  ui.readText = el("p", { class: "al-read" });
  const controls = el("div", { class: "al-controls" }, ui.types, ui.again, ui.hundred,
    el("label", { class: "ap-check" }, ui.apart, el("span", { text: t("separate values and keys") })), ui.reset);
  ui.board = buildBoard(id, functions, state.keys.length);
  ui.detail = buildDetail();
  ui.live = el("div", { class: "ap-hidden", "aria-live": "polite" });
  ui.frame = el("div", { class: "ap al" },
    el("div", { class: "al-left" }, ui.square, ui.shade, controls, ui.readText),
    el("div", { class: "al-right" }, ui.board.root, ui.detail.root), ui.live);
  ui.root.append(ui.frame);
  return ui;
}

/**
 * @param {Grip["kind"]} kind
 * @param {number} s
 * @param {string} name
 * @returns {Grip}
 */
function grip(kind, s, name) {
  return { kind, s, name, button: el("button", { type: "button", class: `al-grip al-${kind}`, "aria-roledescription": t("point") }) };
}

/**
 * @param {VectorsState} state
 * @param {Grip} grip
 * @returns {Vector}
 */
const pointOf = (state, { kind, s }) => (kind === "query" ? state.query : state[kind][s]);

/**
 * @param {Grip} grip
 * @param {HTMLElement} square
 * @param {(point: Vector) => void} move
 * @param {() => Vector} where
 * @param {() => void} say
 */
function wireGrip({ button }, square, move, where, say) {
  /** @type {[number, number] | null} */
  let offset = null;
  const at = (/** @type {PointerEvent} */ event) => {
    const box = square.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  button.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    button.setPointerCapture(event.pointerId);
    const [x, y] = at(event);
    const [px, py] = toPixels(where(), square.clientWidth);
    offset = [px - x, py - y];
  });
  button.addEventListener("pointermove", (event) => {
    if (!offset) return;
    const [x, y] = at(event);
    move(toPlane(x + offset[0], y + offset[1], square.clientWidth));
  });
  for (const end of ["pointerup", "pointercancel"]) button.addEventListener(end, () => { offset = null; say(); });
  /** @type {Record<string, [number, number]>} */
  const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  onKey(button, (event) => {
    const turn = turns[event.key];
    if (!turn || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const far = event.shiftKey ? 10 * STEP : STEP;
    move(where().map((x, i) => x + far * turn[i]));
  });
  button.addEventListener("keyup", (event) => {
    if (event.key.startsWith("Arrow")) say();
  });
}

/**
 * @param {VectorsUi} ui
 * @param {VectorsState} state
 * @param {number} wide
 */
function placeHandles(ui, state, wide) {
  for (const one of ui.grips) {
    const point = pointOf(state, one);
    const [x, y] = toPixels(point, wide);
    one.button.hidden = one.kind === "values" && !state.apart;
    one.button.style.transform = `translate(${x}px, ${y}px)`;
    one.button.setAttribute("aria-label", `${one.name}: ${point.map((v) => v.toFixed(2)).join(", ")}`);
  }
}

/**
 * @param {VectorsState} state
 * @param {Seen} seen
 * @returns {PlaneView}
 */
function planeOf(state, { rows, values, taken, context, mean }) {
  const { weights } = rows[state.score];
  const parameters = parametersOf(state.parameters, state.score);
  const place = state.score === "location" ? null : (/** @type {Vector} */ point) => SCORE_FUNCTIONS[state.score](state.query, [point], parameters)[0];
  const share = taken === null ? weights : weights.map((_, s) => Number(s === taken));
  return { ...state, values, weights, share, taken, context, mean, scoreAt: place };
}

/**
 * @param {VectorsUi} ui
 * @param {VectorsState} state
 * @param {Seen} seen
 * @param {string} theme
 */
function showRead(ui, state, seen, theme) {
  const numbers = (/** @type {Vector} */ point) => `(${point.map(two).join(", ")})`;
  ui.shade.textContent = state.score === "location"
    ? t("No shading: the location score does not depend on the keys.")
    : theme === "dark" ? t("Lighter: a key at this point has a higher score.") : t("Darker: a key at this point has a higher score.");
  const sampled = state.attention_type === "hard-sample";
  ui.again.hidden = ui.hundred.hidden = !sampled;
  const name = `$${state.apart ? "v" : "\\bar h"}_${seen.taken ?? 0}$`;
  /** @type {Record<string, string>} */
  const parts = {
    soft: `c = Σ ${state.apart ? t("weight · value") : t("weight · key")} = ${numbers(seen.context)}: ${t("the weighted mean.")}`,
    "hard-argmax": `c = ${name} = ${numbers(seen.context)}: ${t("the one with the largest weight. The choice has no gradient.")}`,
    "hard-sample": `c = ${name} = ${numbers(seen.context)}, ${t("drawn from the weights. Draws so far: {draws} ({n}); their mean is {mean} and converges to the context vector of soft attention, {soft}.", {
      draws: state.draws.join(" · "), n: seen.total, mean: seen.mean ? numbers(seen.mean) : "", soft: numbers(seen.soft),
    })}`,
  };
  ui.readText.replaceChildren(...withFormulas(parts[state.attention_type]));
}

/**
 * @param {VectorsState} state
 * @param {Seen} seen
 * @param {ScoreLine[]} functions
 */
function spoken(state, seen, functions) {
  const { weights } = seen.rows[state.score];
  const best = bestOf(weights);
  const label = functions.find(({ name }) => name === state.score)?.label;
  return t("{label}: largest weight on key {best}, {weight}", { label: label ?? "", best, weight: weights[best].toFixed(2) });
}

export default mounted(createVectors);
