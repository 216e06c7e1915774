// Movable points or numbers, and the choices of a trained pointer network for them, which runs at every movement.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { setDisabled, onClick } from "../../../attn_core/browser/player/dom/steps.js";
import { drawnQuantities } from "../../../attn_core/browser/player/core/state-vectors.js";
import { render } from "../../../attn_core/browser/vendor/preact.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { Tooltip } from "../../../attn_core/browser/player/components/tooltip.js";

import { context2d, fitCanvas, penOf, unitOf } from "../../../attn_core/browser/player/draw/pen.js";
import { dice } from "../../../attn_core/browser/engine/dice.js";
import { onPage } from "../../shell/onpage.js";
import { createDeck } from "../kit/deck.js";
import { buildHandle } from "./handle.js";
import { choose, scattered, TASKS } from "./net.js";
import {
  buildPointer,
  fillStepTable,
  label,
  nameOf,
  describeStep,
  showPlainModel,
  showVerdict,
  showChoices,
} from "./parts.js";
import { drawPointing, drawSteps, fromSpot, heightOf, toSpot } from "./plane.js";
import { drawStep, stepView } from "./step.js";

/** @import { Geometry, Hover } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Choice, Input, PointerData, PointerPen, PointerStage, PointerState } from "./types.d.ts" */

const PACE = 900; // ms between two choices while playing
const PAUSE = 350; // ms after the last key

/** @implements {PointerStage} */
export class Playground {
  /** @param {HTMLElement} host @param {PointerData} data @param {(inputs: Input[]) => void} onInputs */
  constructor(host, data, onInputs) {
    this.data = data;
    this.onInputs = onInputs;
    this.sides = this.data.problem === "sort" ? 1 : 2;
    this.deck = createDeck({
      label: t("Decoding step"),
      pace: PACE,
      count: () => this.steps.length,
      step: () => this.state.step,
      jump: (to) => this.jump(to),
      advance: (to) => this.setState({ step: to }),
      draw: () => this.page.ask(),
    });
    this.ui = buildPointer(data.problem, this.deck);
    host.append(this.ui.root);
    this.random = dice(Math.floor(Math.random() * 2 ** 32));
    this.page = onPage(this.ui.root, () => this.draw());
    /** @type {HTMLButtonElement[]} */
    this.handles = [];
    /** @type {PointerState} */
    this.state = { inputs: this.data.inputs, constraint: this.data.constraint, step: 0, chosen: null };
    /** @type {Choice[]} */
    this.steps = [];
    this.quantities = this.data.net.json.quantities ?? {};
    /** @type {Geometry | null} of the picture of a step */
    this.geometry = null;
    /** @type {(Hover & { part: "column" }) | null} the column of it under the pointer */
    this.hover = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} after which a movement by keys counts as ended */
    this.movementTimer = undefined;
    this.rowAt = (/** @type {number} */ _y) => -1; // of the picture of all steps

    this.listen();
    this.deck.listenToKeys(this.ui.frame);
    this.setState({ inputs: this.data.inputs });
    this.page.watch(this.ui.square);
    this.page.watch(this.ui.mapBox);
    this.page.watch(this.ui.rowPlot.root);
  }

  listen() {
    const { ui } = this;
    const { plot } = ui.rowPlot;
    onClick(ui.add, () => {
      this.addInput(scattered(1, this.sides, this.random, this.state.inputs)[0]);
      this.draw();
      this.handles[this.state.inputs.length - 1].focus();
    });
    onClick(ui.remove, () => {
      if (this.state.chosen !== null) this.removeInput(this.state.chosen);
    });
    onClick(ui.clear, () => this.changeInputs([]));
    onClick(ui.shuffle, () => this.changeInputs(this.shuffledInputs()));
    ui.random.forEach(({ n, button }) =>
      onClick(button, () => this.changeInputs(scattered(n, this.sides, this.random))),
    );
    ui.truth.addEventListener("change", this.page.ask);
    ui.table.addEventListener("toggle", this.page.ask);
    ui.map.addEventListener("click", (event) => {
      const t = this.rowAt(event.offsetY);
      if (t >= 0 && t < this.steps.length) this.jump(t);
    });
    plot.addEventListener("pointermove", (event) => {
      this.hover = this.columnUnder(event);
      this.page.ask();
    });
    plot.addEventListener("pointerleave", () => {
      this.hover = null;
      this.page.ask();
    });
    plot.addEventListener("click", (event) => {
      const spot = this.columnUnder(event);
      if (spot) this.selectColumn(spot.column);
    });
    ui.canvas.addEventListener("click", (event) => {
      if (event.offsetY > ui.square.clientWidth) return;
      this.addInput(fromSpot([event.offsetX, event.offsetY], this.sides, ui.square.clientWidth));
    });
  }

  /** @param {Partial<PointerState>} change */
  setState(change) {
    this.state = { ...this.state, ...change };
    const { inputs, constraint } = this.state;
    if ("inputs" in change || "constraint" in change) {
      const hasEnough = inputs.length >= this.data.least;
      this.steps = hasEnough ? choose(this.data.net, inputs, constraint, drawnQuantities(this.quantities)) : [];
    }
    this.state.step = Math.max(0, Math.min(this.state.step, this.steps.length - 1));
    this.page.ask();
  }

  draw() {
    const { ui } = this;
    const size = ui.square.clientWidth;
    if (!size) return;
    const style = getComputedStyle(ui.frame);
    const u = unitOf(style);
    const pen = { ...penOf(style, this.page.theme()), u, ctx: context2d(ui.canvas) };
    const { inputs, step } = this.state;
    const currentStep = this.steps[step];
    const answer = inputs.length >= this.data.least ? TASKS[this.data.problem].answer(inputs) : null;
    const height = heightOf(size, u);
    ui.square.style.height = `${height}px`;
    fitCanvas(ui.canvas, pen.ctx, size, height);
    const places = this.steps.map(({ place }) => place);
    const shownAnswer = ui.truth.checked ? answer : null;
    drawPointing(pen, size, { inputs, weights: currentStep?.weights ?? [], step, places, answer: shownAnswer });
    this.placeHandles(size);
    showVerdict(ui, this.data, inputs, this.steps, answer);
    showPlainModel(ui, this.data, inputs, answer);
    showChoices(ui, inputs, this.steps, step, (to) => this.jump(to));
    this.drawStepPicture();
    this.drawAllSteps(pen);
    if (ui.table.open) fillStepTable(ui, inputs, this.steps);
    this.deck.show();
    setDisabled(ui.remove, this.state.chosen === null);
    setDisabled(ui.add, inputs.length >= this.data.most);
    ui.remove.textContent =
      this.state.chosen === null ? t("Remove") : t("Remove {position}", { position: this.state.chosen + 1 });
  }

  /** The picture of this step, and the numbers under the pointer. */
  drawStepPicture() {
    const { ui } = this;
    const { inputs, step } = this.state;
    const names = [t("end"), ...inputs.map((_, i) => label(inputs, i + 1))];
    describeStep(ui, names, this.steps[step], step);
    if (!this.steps.length) {
      this.geometry = this.hover = null;
      render(null, ui.tip);
      return;
    }
    if (this.hover && this.hover.column >= names.length) this.hover = null;
    const { steps, quantities } = this;
    const view = stepView({ names, steps, step, quantities, hover: this.hover && this.hover.column });
    this.geometry = drawStep(ui.rowPlot, view, ui.rowPlot.styleOf(ui.frame, this.page.theme()));
    const targets = steps.map(({ place }) => names[place]);
    const numbers = { rows: view.rows, source: names, targets, display: view.display };
    render(this.hover && html`<${Tooltip} view=${numbers} hover=${this.hover} />`, ui.tip);
  }

  /** @param {PointerPen} pen */
  drawAllSteps(pen) {
    const { u } = pen;
    const names = [t("end"), ...this.state.inputs.map((_, i) => String(i + 1))];
    const left = 24 * u;
    const cell = Math.min((this.ui.mapBox.clientWidth - left - 3) / names.length, 40 * u);
    const g = { names, left, top: 20 * u, row: Math.min(Math.max(cell * 0.7, 15 * u), 26 * u), cell };
    const ctx = context2d(this.ui.map);
    fitCanvas(this.ui.map, ctx, left + cell * names.length + 3, g.top + g.row * Math.max(this.steps.length, 1) + 3);
    if (this.steps.length) drawSteps({ ...pen, ctx }, g, this.steps, this.state.step);
    this.rowAt = (/** @type {number} */ y) => Math.floor((y - g.top) / g.row);
  }

  /**
   * Select the input of a column; it can then be removed.
   * @param {number} s
   */
  selectColumn(s) {
    this.setState({ chosen: s ? s - 1 : null });
  }

  /** @param {number} size */
  placeHandles(size) {
    while (this.handles.length < this.state.inputs.length) this.handles.push(this.createHandle(this.handles.length));
    this.handles.forEach((button, i) => {
      const input = this.state.inputs[i];
      button.hidden = !input;
      if (!input) return;
      const [x, y] = toSpot(input, i, this.state.inputs.length, size);
      button.style.transform = `translate(${x}px, ${y}px)`;
      button.classList.toggle("pt-chosen", i === this.state.chosen);
      const numbers = input.map((value) => value.toFixed(3)).join(", ");
      button.setAttribute("aria-label", `${nameOf(this.data.problem)} ${i + 1}: ${numbers}`);
    });
  }

  /** @param {number} i */
  createHandle(i) {
    const button = buildHandle(this.ui.square, i, {
      inputs: () => this.state.inputs,
      startDrag: () => {
        this.deck.stop();
        this.setState({ chosen: i });
      },
      move: (input) => this.moveInput(i, input),
      endDrag: () => this.reportInputs(),
      pressKey: () => this.reportSoon(),
      choose: () => this.setState({ chosen: i }),
      remove: () => this.removeInput(i),
    });
    this.ui.square.append(button);
    return button;
  }

  /**
   * @param {number} i
   * @param {Input} input
   */
  moveInput(i, input) {
    this.setState({ inputs: this.state.inputs.map((old, j) => (j === i ? input : old)), chosen: i });
  }

  /**
   * Set other inputs, and start from the first step.
   * @param {Input[]} inputs
   * @param {number | null} [chosen]
   */
  changeInputs(inputs, chosen = null) {
    this.deck.stop();
    this.setState({ inputs, chosen, step: 0 });
    this.reportInputs();
  }

  /** @param {Input} input */
  addInput(input) {
    if (this.state.inputs.length >= this.data.most) return;
    this.changeInputs([...this.state.inputs, input], this.state.inputs.length);
  }

  /** @param {number} i */
  removeInput(i) {
    const next = this.state.inputs.filter((_, j) => j !== i);
    this.changeInputs(next);
    this.handles[Math.min(i, next.length - 1)]?.focus();
  }

  shuffledInputs() {
    const inputs = [...this.state.inputs];
    for (let i = inputs.length - 1; i > 0; i--) {
      const j = Math.floor(this.random() * (i + 1));
      [inputs[i], inputs[j]] = [inputs[j], inputs[i]];
    }
    return inputs;
  }

  reportInputs() {
    clearTimeout(this.movementTimer);
    this.onInputs(this.state.inputs);
  }

  reportSoon() {
    clearTimeout(this.movementTimer);
    this.movementTimer = setTimeout(() => this.reportInputs(), PAUSE);
  }

  /** @param {number} to */
  jump(to) {
    this.deck.stop();
    this.setState({ step: to });
  }

  /** @param {MouseEvent} event */
  columnUnder(event) {
    return this.ui.rowPlot.columnUnder(event, this.geometry, this.ui.picture);
  }

  /** @param {PointerState["constraint"]} constraint */
  constrain(constraint) {
    this.setState({ constraint });
  }

  update() {
    this.page.restyle();
  }

  destroy() {
    this.deck.stop();
    clearTimeout(this.movementTimer);
    render(null, this.ui.tip);
    this.page.stop();
  }
}
