// The Pointer page's stage: movable points or numbers, and the choices of a trained pointer network for them.
//
//   const stage = createPointer(host, data, onInputs);   stage.constrain(constraint);   stage.destroy();
//
// data: problem, least, most, trained [shortest, longest], constraint, inputs, net (a PointerNet of the engine), and
// beside {model, longest, net}, a model with an output layer, or null. The network runs at every movement; onInputs(inputs)
// hears when the reader lets go.

import { t } from "../../../attn_core/web/player/core/messages.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { off, showPlaying } from "../../../attn_core/web/player/dom/steps.js";
import { drawnQuantities } from "../../../attn_core/web/player/core/state-vectors.js";
import { render } from "../../../attn_core/web/vendor/preact.js";
import { html } from "../../../attn_core/web/player/dom/html.js";
import { Tooltip } from "../../../attn_core/web/player/components/tooltip.js";
import { columnAt, columnBox, pointedColumn, within } from "../../../attn_core/web/player/components/places.js";
import { context2d, fitCanvas, penOf, styleReader, unitOf } from "../../../attn_core/web/player/draw/pen.js";
import { dice as seeded } from "../../../attn_core/web/engine/dice.js";
import { onPage } from "../../shell/onpage.js";
import { choose, scattered, TASKS } from "./net.js";
import { buildPointer, fillStepTable, label, nameOf, sayStep, showBeside, showVerdict, showWalk } from "./parts.js";
import { drawPointing, drawSteps, fromSpot, heightOf, toSpot } from "./plane.js";
import { drawStep, stepView } from "./step.js";
import { onKey } from "../../../attn_core/web/player/dom/typing.js";

/** @import { Geometry, Hover } from "../../../attn_core/web/player/core/types.d.ts" */
/** @import { Choice, Input, PointerData, PointerPen, PointerStage, PointerState } from "./types.d.ts" */

const BEAT = 900; // ms between two choices while playing
const SETTLES = 350; // ms after the last key
const STEP = 0.02; // for an arrow key; five times as much with shift

/**
 * @param {HTMLElement} host
 * @param {PointerData} data
 * @param {(inputs: Input[]) => void} onInputs
 * @returns {PointerStage}
 */
export function createPointer(host, data, onInputs) {
  const { problem, least, most, net } = data;
  const sides = problem === "sort" ? 1 : 2;
  const ui = buildPointer(host, problem);
  const dice = seeded(Math.floor(Math.random() * 2 ** 32));
  const onHost = onPage(ui.root, draw);
  /** @type {HTMLButtonElement[]} */
  const grips = [];
  /** @type {PointerState} */
  let state = { inputs: data.inputs, constraint: data.constraint, step: 0, chosen: null };
  /** @type {Choice[]} */
  let steps = [];
  const quantities = net.json.quantities ?? {};
  const styleOf = styleReader(context2d(ui.bars));
  /** @type {Geometry | null} of the picture of a step */
  let geometry = null;
  /** @type {(Hover & { part: "column" }) | null} the column of it under the pointer */
  let hover = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} of the walk */
  let timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} of a key */
  let later;

  /** @param {Partial<PointerState>} change */
  function set(change) {
    state = { ...state, ...change };
    const { inputs, constraint } = state;
    if ("inputs" in change || "constraint" in change) steps = inputs.length < least ? [] : choose(net, inputs, constraint, drawnQuantities(quantities));
    state.step = Math.max(0, Math.min(state.step, steps.length - 1));
    onHost.ask();
  }

  function draw() {
    const size = ui.square.clientWidth;
    if (!size) return;
    const style = getComputedStyle(ui.frame);
    const u = unitOf(style);
    const pen = { ...penOf(style, onHost.theme()), u, ctx: context2d(ui.canvas) };
    const { inputs, step } = state;
    const now = steps[step];
    const answer = inputs.length >= least ? TASKS[problem].answer(inputs) : null;
    const height = heightOf(size, u);
    ui.square.style.height = `${height}px`;
    fitCanvas(ui.canvas, pen.ctx, size, height);
    const places = steps.map(({ place }) => place);
    drawPointing(pen, size, { inputs, weights: now?.weights ?? [], step, places, answer: ui.truth.checked ? answer : null });
    placeGrips(size);
    showVerdict(ui, data, inputs, steps, answer);
    showBeside(ui, data, inputs, answer);
    showWalk(ui, inputs, steps, step, jump);
    drawNow();
    drawMap(pen);
    if (ui.table.open) fillStepTable(ui, inputs, steps);
    ui.scrub.max = String(Math.max(steps.length - 1, 0));
    ui.scrub.value = String(step);
    ui.scrub.style.setProperty("--ap-done", String(steps.length > 1 ? step / (steps.length - 1) : 0));
    showPlaying(ui.play, Boolean(timer));
    const [first, last] = [step <= 0, step >= steps.length - 1];
    for (const button of [ui.first, ui.back]) off(button, first);
    for (const button of [ui.forward, ui.last]) off(button, last);
    off(ui.remove, state.chosen === null);
    off(ui.add, inputs.length >= most);
    ui.remove.textContent = state.chosen === null ? t("Remove") : t("Remove {position}", { position: state.chosen + 1 });
  }

  /** The picture of this step, and the numbers under the pointer. */
  function drawNow() {
    const { inputs, step } = state;
    const names = [t("end"), ...inputs.map((_, i) => label(inputs, i + 1))];
    sayStep(ui, names, steps[step], step);
    if (!steps.length) {
      geometry = hover = null;
      render(null, ui.tip);
      return;
    }
    if (hover && hover.column >= names.length) hover = null;
    const view = stepView({ names, steps, step, quantities, hover: hover && hover.column });
    const { pen, measure, u } = styleOf(ui.frame, onHost.theme());
    geometry = drawStep({ gutter: { ...pen, ctx: context2d(ui.gutter) }, bars: pen }, view, { width: ui.plots.clientWidth, u, measure });
    const numbers = { rows: view.rows, source: names, targets: steps.map(({ place }) => names[place]), look: view.look };
    render(hover && html`<${Tooltip} view=${numbers} hover=${hover} />`, ui.tip);
  }

  /** @param {PointerPen} pen */
  function drawMap(pen) {
    const { u } = pen;
    const names = [t("end"), ...state.inputs.map((_, i) => String(i + 1))];
    const left = 24 * u;
    const cell = Math.min((ui.mapBox.clientWidth - left - 3) / names.length, 40 * u);
    const g = { names, left, top: 20 * u, row: Math.min(Math.max(cell * 0.7, 15 * u), 26 * u), cell };
    const ctx = context2d(ui.map);
    fitCanvas(ui.map, ctx, left + cell * names.length + 3, g.top + g.row * Math.max(steps.length, 1) + 3);
    if (steps.length) drawSteps({ ...pen, ctx }, g, steps, state.step);
    ui.rowAt = (y) => Math.floor((y - g.top) / g.row);
  }

  /**
   * Select the input of a column; it can then be removed.
   * @param {number} s
   */
  function place(s) {
    set({ chosen: s ? s - 1 : null });
  }

  /** @param {number} size */
  function placeGrips(size) {
    while (grips.length < state.inputs.length) grips.push(makeGrip(grips.length));
    grips.forEach((button, i) => {
      const input = state.inputs[i];
      button.hidden = !input;
      if (!input) return;
      const [x, y] = toSpot(input, i, state.inputs.length, size);
      button.style.transform = `translate(${x}px, ${y}px)`;
      button.classList.toggle("pt-chosen", i === state.chosen);
      button.setAttribute("aria-label", `${nameOf(problem)} ${i + 1}: ${input.map((value) => value.toFixed(3)).join(", ")}`);
    });
  }

  /** @param {number} i */
  function makeGrip(i) {
    const button = el("button", { type: "button", class: "pt-grip", "aria-keyshortcuts": "ArrowLeft ArrowRight ArrowUp ArrowDown Delete" });
    /** @type {{ by: [number, number], from: Input[] } | null} */
    let offset = null;
    const at = (/** @type {PointerEvent} */ event) => {
      const box = ui.square.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    button.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      button.setPointerCapture(event.pointerId);
      const [x, y] = at(event);
      const [px, py] = toSpot(state.inputs[i], i, state.inputs.length, ui.square.clientWidth);
      offset = { by: [px - x, py - y], from: state.inputs };
      stop();
      set({ chosen: i });
    });
    button.addEventListener("pointermove", (event) => {
      if (!offset) return;
      const [x, y] = at(event);
      move(i, fromSpot([x + offset.by[0], y + offset.by[1]], sides, ui.square.clientWidth));
    });
    for (const name of ["pointerup", "pointercancel"]) {
      button.addEventListener(name, () => {
        if (offset && offset.from !== state.inputs) settled();
        offset = null;
      });
    }
    button.addEventListener("focus", () => set({ chosen: i }));
    button.addEventListener("click", (event) => event.stopPropagation());
    button.addEventListener("dblclick", () => remove(i));
    onKey(button, (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      /** @type {Record<string, [number, number]>} */
      const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
      const turn = turns[event.key];
      if (turn) {
        const far = (event.shiftKey ? 5 : 1) * STEP;
        const by = sides === 1 ? [turn[0] + turn[1]] : turn;
        move(i, state.inputs[i].map((value, k) => Math.round(Math.min(Math.max(value + far * by[k], 0), 1) * 1000) / 1000));
        soon();
      } else if (event.key === "Delete" || event.key === "Backspace") remove(i);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    ui.square.append(button);
    return button;
  }

  /**
   * @param {number} i
   * @param {Input} input
   */
  function move(i, input) {
    set({ inputs: state.inputs.map((old, j) => (j === i ? input : old)), chosen: i });
  }

  /**
   * Set other inputs, and start from the first step.
   * @param {Input[]} inputs
   * @param {number | null} [chosen]
   */
  function change(inputs, chosen = null) {
    stop();
    set({ inputs, chosen, step: 0 });
    settled();
  }

  /** @param {Input} input */
  function add(input) {
    if (state.inputs.length >= most) return;
    change([...state.inputs, input], state.inputs.length);
  }

  /** @param {number} i */
  function remove(i) {
    const next = state.inputs.filter((_, j) => j !== i);
    change(next);
    grips[Math.min(i, next.length - 1)]?.focus();
  }

  function shuffled() {
    const inputs = [...state.inputs];
    for (let i = inputs.length - 1; i > 0; i--) {
      const j = Math.floor(dice() * (i + 1));
      [inputs[i], inputs[j]] = [inputs[j], inputs[i]];
    }
    return inputs;
  }

  function settled() {
    clearTimeout(later);
    onInputs(state.inputs);
  }

  function soon() {
    clearTimeout(later);
    later = setTimeout(settled, SETTLES);
  }

  /** @param {number} to */
  function jump(to) {
    stop();
    set({ step: to });
  }

  function toggle() {
    if (timer) return stop();
    if (!steps.length) return;
    if (state.step >= steps.length - 1) set({ step: 0 });
    const beat = () => {
      if (state.step >= steps.length - 1) return stop();
      set({ step: state.step + 1 });
      timer = setTimeout(beat, BEAT);
    };
    timer = setTimeout(beat, BEAT / 2);
    onHost.ask();
  }

  function stop() {
    clearTimeout(timer);
    timer = undefined;
    onHost.ask();
  }

  const click = (/** @type {HTMLElement} */ button, /** @type {() => void} */ action) => button.addEventListener("click", () => button.getAttribute("aria-disabled") !== "true" && action());
  click(ui.first, () => jump(0));
  click(ui.back, () => jump(state.step - 1));
  click(ui.play, toggle);
  click(ui.forward, () => jump(state.step + 1));
  click(ui.last, () => jump(steps.length - 1));
  click(ui.add, () => {
    add(scattered(1, sides, dice, state.inputs)[0]);
    draw();
    grips[state.inputs.length - 1].focus();
  });
  click(ui.remove, () => { if (state.chosen !== null) remove(state.chosen); });
  click(ui.clear, () => change([]));
  click(ui.shuffle, () => change(shuffled()));
  ui.random.forEach(([n, button]) => click(button, () => change(scattered(n, sides, dice))));
  ui.scrub.addEventListener("input", () => jump(Number(ui.scrub.value)));
  ui.truth.addEventListener("change", onHost.ask);
  ui.table.addEventListener("toggle", onHost.ask);
  ui.map.addEventListener("click", (event) => {
    const t = ui.rowAt(event.offsetY);
    if (t >= 0 && t < steps.length) jump(t);
  });
  /** @param {PointerEvent | MouseEvent} event @returns {number | null} */
  const columnOf = (event) => geometry && columnAt(geometry, within(ui.plot, event)[0]);
  ui.plot.addEventListener("pointermove", (event) => {
    const column = columnOf(event);
    const spot = column === null ? null : { part: /** @type {const} */ ("column"), column };
    const wordsEnd = geometry ? geometry.words.y + geometry.words.h : 0;
    hover = spot && { ...spot, ...pointedColumn(event, ui.plot, ui.picture, columnBox(geometry, spot, wordsEnd)) };
    onHost.ask();
  });
  ui.plot.addEventListener("pointerleave", () => {
    hover = null;
    onHost.ask();
  });
  ui.plot.addEventListener("click", (event) => {
    const column = columnOf(event);
    if (column !== null) place(column);
  });
  ui.canvas.addEventListener("click", (event) => {
    if (event.offsetY > ui.square.clientWidth) return;
    add(fromSpot([event.offsetX, event.offsetY], sides, ui.square.clientWidth));
  });
  onKey(ui.frame, (event) => {
    const { tagName, type } = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || type === "range") return;
    /** @type {Record<string, () => void>} */
    const acts = { ArrowLeft: () => jump(state.step - 1), ArrowRight: () => jump(state.step + 1), Home: () => jump(0), End: () => jump(steps.length - 1), " ": toggle };
    if (!acts[event.key] || (event.key === " " && (tagName === "BUTTON" || tagName === "SUMMARY" || type === "checkbox"))) return;
    event.preventDefault();
    acts[event.key]();
  });
  set({ inputs: data.inputs });
  onHost.watch(ui.square);
  onHost.watch(ui.mapBox);
  onHost.watch(ui.plots);

  return {
    constrain: (constraint) => set({ constraint }),
    update: onHost.restyle,
    destroy() {
      stop();
      clearTimeout(later);
      render(null, ui.tip);
      onHost.stop();
    },
  };
}
