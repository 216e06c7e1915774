// The Pointer page's stage: movable points or numbers, and the choices of a trained pointer network for them.
//
//   const stage = createPointer(host, data, onInputs);   stage.constrain(constraint);   stage.destroy();
//
// data: problem, least, most, trained [shortest, longest], constraint, inputs, net (a PointerNet of the engine), and
// beside {model, longest, net}, a model with an output layer, or null. The network runs at every movement; onInputs(inputs)
// hears when the reader lets go.

import { t } from "../../../attn_core/web/player/core/messages.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { off, onClick } from "../../../attn_core/web/player/dom/steps.js";
import { drawnQuantities } from "../../../attn_core/web/player/core/state-vectors.js";
import { render } from "../../../attn_core/web/vendor/preact.js";
import { html } from "../../../attn_core/web/player/dom/html.js";
import { Tooltip } from "../../../attn_core/web/player/components/tooltip.js";
import { columnAt, columnBox, pointedColumn, within } from "../../../attn_core/web/player/components/places.js";
import { context2d, fitCanvas, penOf, styleReader, unitOf } from "../../../attn_core/web/player/draw/pen.js";
import { dice } from "../../../attn_core/web/engine/dice.js";
import { onPage } from "../../shell/onpage.js";
import { createDeck } from "../kit/deck.js";
import { choose, scattered, TASKS } from "./net.js";
import { buildPointer, fillStepTable, label, nameOf, describeStep, showPlainModel, showVerdict, showChoices } from "./parts.js";
import { drawPointing, drawSteps, fromSpot, heightOf, toSpot } from "./plane.js";
import { drawStep, stepView } from "./step.js";
import { onKey } from "../../../attn_core/web/player/dom/typing.js";

/** @import { Geometry, Hover } from "../../../attn_core/web/player/core/types.d.ts" */
/** @import { Choice, Input, PointerData, PointerPen, PointerStage, PointerState } from "./types.d.ts" */

const PACE = 900; // ms between two choices while playing
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
  const deck = createDeck({
    label: t("Decoding step"), pace: PACE, count: () => steps.length, step: () => state.step, jump, advance: (to) => setState({ step: to }), draw: () => page.ask(),
  });
  const ui = buildPointer(host, problem, deck);
  const random = dice(Math.floor(Math.random() * 2 ** 32));
  const page = onPage(ui.root, draw);
  /** @type {HTMLButtonElement[]} */
  const handles = [];
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
  /** @type {ReturnType<typeof setTimeout> | undefined} after which a movement by keys counts as ended */
  let movementTimer;

  /** @param {Partial<PointerState>} change */
  function setState(change) {
    state = { ...state, ...change };
    const { inputs, constraint } = state;
    if ("inputs" in change || "constraint" in change) steps = inputs.length < least ? [] : choose(net, inputs, constraint, drawnQuantities(quantities));
    state.step = Math.max(0, Math.min(state.step, steps.length - 1));
    page.ask();
  }

  function draw() {
    const size = ui.square.clientWidth;
    if (!size) return;
    const style = getComputedStyle(ui.frame);
    const u = unitOf(style);
    const pen = { ...penOf(style, page.theme()), u, ctx: context2d(ui.canvas) };
    const { inputs, step } = state;
    const currentStep = steps[step];
    const answer = inputs.length >= least ? TASKS[problem].answer(inputs) : null;
    const height = heightOf(size, u);
    ui.square.style.height = `${height}px`;
    fitCanvas(ui.canvas, pen.ctx, size, height);
    const places = steps.map(({ place }) => place);
    drawPointing(pen, size, { inputs, weights: currentStep?.weights ?? [], step, places, answer: ui.truth.checked ? answer : null });
    placeHandles(size);
    showVerdict(ui, data, inputs, steps, answer);
    showPlainModel(ui, data, inputs, answer);
    showChoices(ui, inputs, steps, step, jump);
    drawStepPicture();
    drawAllSteps(pen);
    if (ui.table.open) fillStepTable(ui, inputs, steps);
    deck.show();
    off(ui.remove, state.chosen === null);
    off(ui.add, inputs.length >= most);
    ui.remove.textContent = state.chosen === null ? t("Remove") : t("Remove {position}", { position: state.chosen + 1 });
  }

  /** The picture of this step, and the numbers under the pointer. */
  function drawStepPicture() {
    const { inputs, step } = state;
    const names = [t("end"), ...inputs.map((_, i) => label(inputs, i + 1))];
    describeStep(ui, names, steps[step], step);
    if (!steps.length) {
      geometry = hover = null;
      render(null, ui.tip);
      return;
    }
    if (hover && hover.column >= names.length) hover = null;
    const view = stepView({ names, steps, step, quantities, hover: hover && hover.column });
    const { pen, measure, u } = styleOf(ui.frame, page.theme());
    geometry = drawStep({ gutter: { ...pen, ctx: context2d(ui.gutter) }, bars: pen }, view, { width: ui.plots.clientWidth, u, measure });
    const numbers = { rows: view.rows, source: names, targets: steps.map(({ place }) => names[place]), look: view.look };
    render(hover && html`<${Tooltip} view=${numbers} hover=${hover} />`, ui.tip);
  }

  /** @param {PointerPen} pen */
  function drawAllSteps(pen) {
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
  function selectColumn(s) {
    setState({ chosen: s ? s - 1 : null });
  }

  /** @param {number} size */
  function placeHandles(size) {
    while (handles.length < state.inputs.length) handles.push(createHandle(handles.length));
    handles.forEach((button, i) => {
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
  function createHandle(i) {
    const button = el("button", { type: "button", class: "pt-grip", "aria-keyshortcuts": "ArrowLeft ArrowRight ArrowUp ArrowDown Delete" });
    /** @type {{ by: [number, number], from: Input[] } | null} */
    let drag = null;
    const positionOf = (/** @type {PointerEvent} */ event) => {
      const box = ui.square.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    button.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      button.setPointerCapture(event.pointerId);
      const [x, y] = positionOf(event);
      const [px, py] = toSpot(state.inputs[i], i, state.inputs.length, ui.square.clientWidth);
      drag = { by: [px - x, py - y], from: state.inputs };
      deck.stop();
      setState({ chosen: i });
    });
    button.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const [x, y] = positionOf(event);
      moveInput(i, fromSpot([x + drag.by[0], y + drag.by[1]], sides, ui.square.clientWidth));
    });
    for (const name of ["pointerup", "pointercancel"]) {
      button.addEventListener(name, () => {
        if (drag && drag.from !== state.inputs) reportInputs();
        drag = null;
      });
    }
    button.addEventListener("focus", () => setState({ chosen: i }));
    button.addEventListener("click", (event) => event.stopPropagation());
    button.addEventListener("dblclick", () => removeInput(i));
    onKey(button, (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      /** @type {Record<string, [number, number]>} */
      const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
      const direction = directions[event.key];
      if (direction) {
        const distance = (event.shiftKey ? 5 : 1) * STEP;
        const by = sides === 1 ? [direction[0] + direction[1]] : direction;
        moveInput(i, state.inputs[i].map((value, k) => Math.round(Math.min(Math.max(value + distance * by[k], 0), 1) * 1000) / 1000));
        reportSoon();
      } else if (event.key === "Delete" || event.key === "Backspace") removeInput(i);
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
  function moveInput(i, input) {
    setState({ inputs: state.inputs.map((old, j) => (j === i ? input : old)), chosen: i });
  }

  /**
   * Set other inputs, and start from the first step.
   * @param {Input[]} inputs
   * @param {number | null} [chosen]
   */
  function changeInputs(inputs, chosen = null) {
    deck.stop();
    setState({ inputs, chosen, step: 0 });
    reportInputs();
  }

  /** @param {Input} input */
  function addInput(input) {
    if (state.inputs.length >= most) return;
    changeInputs([...state.inputs, input], state.inputs.length);
  }

  /** @param {number} i */
  function removeInput(i) {
    const next = state.inputs.filter((_, j) => j !== i);
    changeInputs(next);
    handles[Math.min(i, next.length - 1)]?.focus();
  }

  function shuffledInputs() {
    const inputs = [...state.inputs];
    for (let i = inputs.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [inputs[i], inputs[j]] = [inputs[j], inputs[i]];
    }
    return inputs;
  }

  function reportInputs() {
    clearTimeout(movementTimer);
    onInputs(state.inputs);
  }

  function reportSoon() {
    clearTimeout(movementTimer);
    movementTimer = setTimeout(reportInputs, SETTLES);
  }

  /** @param {number} to */
  function jump(to) {
    deck.stop();
    setState({ step: to });
  }

  onClick(ui.add, () => {
    addInput(scattered(1, sides, random, state.inputs)[0]);
    draw();
    handles[state.inputs.length - 1].focus();
  });
  onClick(ui.remove, () => { if (state.chosen !== null) removeInput(state.chosen); });
  onClick(ui.clear, () => changeInputs([]));
  onClick(ui.shuffle, () => changeInputs(shuffledInputs()));
  ui.random.forEach(([n, button]) => onClick(button, () => changeInputs(scattered(n, sides, random))));
  ui.truth.addEventListener("change", page.ask);
  ui.table.addEventListener("toggle", page.ask);
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
    page.ask();
  });
  ui.plot.addEventListener("pointerleave", () => {
    hover = null;
    page.ask();
  });
  ui.plot.addEventListener("click", (event) => {
    const column = columnOf(event);
    if (column !== null) selectColumn(column);
  });
  ui.canvas.addEventListener("click", (event) => {
    if (event.offsetY > ui.square.clientWidth) return;
    addInput(fromSpot([event.offsetX, event.offsetY], sides, ui.square.clientWidth));
  });
  deck.takeKeys(ui.frame);
  setState({ inputs: data.inputs });
  page.watch(ui.square);
  page.watch(ui.mapBox);
  page.watch(ui.plots);

  return {
    constrain: (constraint) => setState({ constraint }),
    update: page.restyle,
    destroy() {
      deck.stop();
      clearTimeout(movementTimer);
      render(null, ui.tip);
      page.stop();
    },
  };
}
