// A computation path as a live diagram: boxes with the vectors of the chosen step, arrows for what is computed from
// what, and playback in the order of computation.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { refill } from "../../../attn_core/browser/player/dom/focus.js";
import { roomFor } from "../../../attn_core/browser/player/dom/room.js";
import { fillSteps, markStep, setDisabled, onClick, showPlaying } from "../../../attn_core/browser/player/dom/steps.js";
import { withSubscripts } from "../../../attn_core/browser/player/dom/symbols.js";
import { penOf, unitOf } from "../../../attn_core/browser/player/draw/pen.js";
import { onActionKey } from "../kit/keys.js";
import { svg } from "../kit/svg.js";
import { arrowPath, changedBy, cycleThrough, nodeOf, placeNodes, queriedInstead, schedule } from "./graph.js";
import { contentsOf, largestNumber } from "./contents.js";
import { describeAttempt, describeNode } from "./descriptions.js";
import { buildPath, fillNode } from "./parts.js";

/** @import { NumberAsked } from "../../../attn_core/browser/engine/types.d.ts" */
/** @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Grid, Path } from "./types.d.ts" */

const PACE = 1500; // ms for one computation
export const KEYS = [" ", "ArrowLeft", "ArrowRight"];
const FILLED = t(
  "Press play to go through the computation. Each box shows a vector with one thin bar for each number; click a box " +
    "for its equation and values.",
);
const BARE = t(
  "No model here computes this variant, so the boxes have shapes only. Press play to go through the computation; " +
    "click a box for its equation.",
);

export class Diagram {
  /**
   * @param {HTMLElement} parent
   * @param {() => Theme} theme
   * @param {Path} path
   * @param {{ jump: (step: number) => void, openNumber: (asked: NumberAsked) => void, onPlay: () => void }} actions
   */
  constructor(parent, theme, path, actions) {
    this.parent = parent;
    this.theme = theme;
    this.path = path;
    this.actions = actions;
    this.ui = buildPath(this.parent, this.path);
    setDisabled(this.ui.back, true); // also while the diagram is hidden and not drawn
    this.largestValues = largestOf(this.path);
    /** @type {{ step: number, node: string | null, walking: boolean, tried: boolean }} */
    this.state = { step: 0, node: null, walking: false, tried: false };
    /** @type {ReturnType<typeof setTimeout> | 0} */
    this.timer = 0;

    onClick(this.ui.back, () => {
      this.stop();
      this.walkBy(-1);
    });
    onClick(this.ui.forward, () => {
      this.stop();
      this.walkBy(1);
    });
    onClick(this.ui.play, () => this.play());
    onClick(this.ui.attempt, () => {
      this.stop();
      this.setState({ tried: !this.state.tried, node: null, walking: false });
    });
    this.ui.open.addEventListener("click", () => this.openNumber());
    onActionKey(this.ui.frame, {
      " ": () => this.ui.play.click(),
      ArrowLeft: () => this.ui.back.click(),
      ArrowRight: () => this.ui.forward.click(),
    });
    for (const [id, { box }] of Object.entries(this.ui.nodes))
      box.addEventListener("click", () => this.chooseNode(id, false));
    fillSteps(
      this.ui,
      this.path.steps.map(({ token }) => token),
      this.actions.jump,
    );
  }

  /** @param {Partial<Diagram["state"]>} change */
  setState(change) {
    Object.assign(this.state, change);
    this.draw();
  }

  draw() {
    const { ui } = this;
    if (!ui.diagram.clientWidth) return;
    const graph = this.graphOnShow();
    const style = getComputedStyle(ui.frame);
    const pen = penOf(style, this.theme());
    const u = unitOf(style);
    const grid = placeNodes(this.path, ui.diagram.clientWidth, u, roomFor(ui.diagram, this.parent));
    ui.diagram.style.height = `${grid.height}px`;
    ui.frame.classList.toggle("pl-down", grid.down);
    const cycle = this.state.tried ? cycleThrough(graph, "weights") : [];
    const unknown = this.path.bare
      ? new Set(this.path.nodes.filter(({ given }) => !given).map(({ id }) => id))
      : this.state.tried
        ? changedBy(graph)
        : new Set();
    const order = this.computedOrder();
    const reached =
      this.state.walking && !cycle.length ? new Set(order.slice(0, order.indexOf(this.state.node ?? "") + 1)) : null;
    for (const node of this.path.nodes) {
      const { box } = ui.nodes[node.id];
      const { x, y, w, h } = grid.boxes[node.id];
      Object.assign(box.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
      const isUnused = node.given && !graph.edges.some(([from]) => from === node.id);
      box.classList.toggle("pl-off", isUnused);
      box.classList.toggle("pl-now", this.state.node === node.id);
      box.classList.toggle("pl-later", reached !== null && !node.given && !reached.has(node.id));
      box.classList.toggle("pl-ring", cycle.includes(node.id));
      box.setAttribute("aria-pressed", String(this.state.node === node.id));
      const contents = unknown.has(node.id)
        ? { strip: null, text: cycle.length ? t("cannot be computed") : "" }
        : contentsOf(this.path, node, this.state.step, { isNarrow: grid.down, hasWeights: !unknown.has("weights") });
      fillNode(ui.nodes[node.id], contents, this.largestValues[node.id], pen);
    }
    this.drawArrows(graph, grid, cycle);
    this.drawOrder(graph, order, cycle);
    this.explainNode(graph, cycle, unknown);
    markStep(ui.words, this.state.step);
  }

  /**
   * @param {Path} graph
   * @param {Grid} grid
   * @param {string[]} cycle
   */
  drawArrows(graph, grid, cycle) {
    const arrows = graph.edges.map(([from, to]) => {
      const isInCycle = cycle.length && cycle.includes(from) && cycle[(cycle.indexOf(from) + 1) % cycle.length] === to;
      const kind = isInCycle
        ? "pl-ring"
        : this.state.node === to
          ? "pl-into"
          : this.state.node === from
            ? "pl-out"
            : "";
      const tip = kind === "pl-ring" ? "pl-tip-ring" : kind ? "pl-tip-now" : "pl-tip";
      return svg("path", {
        d: arrowPath(grid, from, to),
        class: `pl-arrow ${kind}`,
        "marker-end": `url(#${tip})`,
        "data-edge": `${from}>${to}`,
      });
    });
    // Highlighted arrows are drawn on top.
    const classes = (/** @type {Element} */ line) => (line.getAttribute("class") ?? "").length;
    arrows.sort((a, b) => classes(a) - classes(b));
    this.ui.arrows.replaceChildren(tips(), ...arrows);
  }

  /**
   * @param {Path} graph
   * @param {string[]} order
   * @param {string[]} cycle
   */
  drawOrder(graph, order, cycle) {
    const { ui } = this;
    const items = order.map((id) => {
      const button = el(
        "button",
        { type: "button", class: `pl-link ${this.state.node === id ? "pl-now" : ""}` },
        ...withSubscripts(nodeOf(graph, id).symbol),
      );
      button.addEventListener("click", () => this.chooseNode(id, true));
      const inputs = graph.edges
        .filter(([, to]) => to === id)
        .map(([from]) => withSubscripts(nodeOf(graph, from).symbol));
      const names = inputs.flatMap((name, i) => (i ? [", ", ...name] : name));
      return el(
        "li",
        {},
        button,
        ...(names.length ? [el("span", { class: "pl-inputs" }, `${t("from")} `, ...names)] : []),
      );
    });
    refill(ui.order, items);
    if (cycle.length) ui.order.append(el("li", { class: "pl-stuck", text: t("nothing more can be computed") }));
    showPlaying(ui.play, Boolean(this.timer));
    ui.frame.classList.toggle("pl-playing", Boolean(this.timer));
    const current = order.indexOf(this.state.node ?? "");
    const stuck = cycle.length > 0;
    setDisabled(ui.back, stuck || current <= 0);
    setDisabled(ui.forward, stuck || current >= order.length - 1);
    setDisabled(ui.play, stuck);
  }

  /**
   * @param {Path} graph
   * @param {string[]} cycle
   * @param {Set<string>} unknown
   */
  explainNode(graph, cycle, unknown) {
    this.ui.attempt.setAttribute("aria-pressed", String(this.state.tried));
    this.ui.attempt.replaceChildren(
      ...(this.state.tried
        ? [t("Back to the model's own query")]
        : [t("Try as the query:"), " ", el("b", {}, ...withSubscripts(this.path.ask))]),
    );
    const { node: id, step, tried } = this.state;
    const node = graph.nodes.find((each) => each.id === id);
    const explanation = node
      ? describeNode(graph, node, step, !unknown.has(node.id))
      : tried
        ? describeAttempt(graph, cycle, schedule(graph).order)
        : [el("p", { class: "pl-from", text: this.path.bare ? BARE : FILLED })];
    this.ui.explanation.replaceChildren(...explanation);
    this.ui.open.hidden = !node || unknown.has(node.id) || !largestNumber(this.path, node.id, step);
  }

  /** Open the largest number of the chosen node. */
  openNumber() {
    const { node, step } = this.state;
    const asked = node && largestNumber(this.path, node, step);
    if (asked) this.actions.openNumber(asked);
  }

  /**
   * @param {string} id
   * @param {boolean} walking
   */
  chooseNode(id, walking) {
    this.stop();
    this.setState({ node: this.state.node === id && !walking ? null : id, walking });
  }

  /** @param {number} by */
  walkBy(by) {
    const order = this.computedOrder();
    const current = order.indexOf(this.state.node ?? "");
    const to = Math.min(Math.max(current + by, 0), order.length - 1);
    this.setState({ node: order[to], walking: true });
    return to < order.length - 1;
  }

  play() {
    if (this.timer) return this.pause();
    this.actions.onPlay();
    const order = this.computedOrder();
    if (order.indexOf(this.state.node ?? "") === order.length - 1) this.state.node = null;
    const beat = () => {
      this.timer = 1; // set while drawing, for the play button
      const more = this.walkBy(1);
      this.timer = more ? setTimeout(beat, PACE) : 0;
      if (!more) this.draw();
    };
    beat();
  }

  stop() {
    clearTimeout(this.timer || undefined);
    this.timer = 0;
  }

  pause() {
    this.stop();
    this.draw();
  }

  graphOnShow() {
    return this.state.tried ? queriedInstead(this.path) : this.path;
  }

  /** The state at the start of the step, and what is computed from it, in order. */
  computedOrder() {
    return schedule(this.graphOnShow()).order.filter((id) => id === "previous" || !nodeOf(this.path, id).given);
  }

  /** @param {number} to */
  showStep(to) {
    this.setState({ step: Math.min(to, this.path.steps.length - 1) });
  }
}

/**
 * The largest absolute value of each node over all steps, so that a strip keeps its scale.
 * @param {Path} path
 */
function largestOf(path) {
  /** @type {Record<string, number>} */
  const largestValues = {};
  for (const { values } of path.steps) {
    for (const [id, numbers] of Object.entries(values)) {
      if (Array.isArray(numbers)) largestValues[id] = Math.max(largestValues[id] ?? 0, ...numbers.map(Math.abs));
    }
  }
  return largestValues;
}

function tips() {
  const shape = {
    viewBox: "0 0 10 10",
    refX: 9,
    refY: 5,
    markerWidth: 9,
    markerHeight: 9,
    markerUnits: "userSpaceOnUse",
    orient: "auto",
  };
  return svg(
    "defs",
    {},
    ...["pl-tip", "pl-tip-now", "pl-tip-ring"].map((id) =>
      svg("marker", { id, ...shape, class: id }, svg("path", { d: "M0 0.5 L10 5 L0 9.5 z" })),
    ),
  );
}
