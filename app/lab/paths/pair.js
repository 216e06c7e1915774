// Two computation paths as live diagrams: boxes with the vectors of the chosen step, arrows for what is computed from
// what, and playback in the order of computation.
//
//   const stage = createPaths(host, data, from);   stage.update() follows the page's theme;   stage.destroy();
//   stage.at() is the step that the reader went to last, and in which diagram.
//
// data.paths: for each {title, model, order, source, nodes, edges, query, instead, ask, bare, steps}; a step has token,
// before, top and values (numbers by node; none in a bare path, which no model here computes). data.step: to start at;
// data.address: further entries of the page's address.
// data.pairs, of two paths: for each step of either {word, step}, the source word with the largest weight and the other
// path's step for that word (null: there is none); null for a step without any weight.

import { takeKeys } from "../../../attn_core/web/hosts/keys.js";
import { t } from "../../../attn_core/web/player/core/messages.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { refill } from "../../../attn_core/web/player/dom/focus.js";
import { roomFor } from "../../../attn_core/web/player/dom/room.js";
import { fillSteps, markStep, off, onClick, showPlaying } from "../../../attn_core/web/player/dom/steps.js";
import { lowered } from "../../../attn_core/web/player/dom/symbols.js";
import { penOf, unitOf } from "../../../attn_core/web/player/draw/pen.js";
import { inAddress, indexIn } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { arrow, changedBy, circle, nodeOf, placeNodes, queriedInstead, schedule } from "./graph.js";
import { askFor, buildPath, contentsOf, describe, fillNode, tellAttempt } from "./parts.js";
import { onKey } from "../../../attn_core/web/player/dom/typing.js";

/** @import { NumberAsked } from "../../../attn_core/web/engine/types.d.ts" */
/** @import { Theme } from "../../../attn_core/web/player/core/types.d.ts" */
/** @import { From, Stage } from "../../shell/types.d.ts" */
/** @import { Grid, Partner, Path, PathsData, Walked } from "./types.d.ts" */

const BEAT = 1500; // ms for one computation
const KEYS = [" ", "ArrowLeft", "ArrowRight"];
const FILLED = t("Press play to go through the computation. Each box shows a vector with one thin bar for each number; click a box for its equation and values.");
const BARE = t("No model here computes this variant, so the boxes have shapes only. Press play to go through the computation; click a box for its equation.");

/**
 * @param {HTMLElement} host
 * @param {PathsData} data
 * @param {From} [from]
 * @returns {Stage & { at: () => Walked }}
 */
export function createPaths(host, data, from = () => null) {
  const root = el("div", { class: "ap-root pl-root" });
  const pair = el("div", { class: "pl-pair" });
  const note = el("p", { class: "pl-note", "aria-live": "polite" });
  root.append(pair, note);
  host.append(root);
  const onHost = onPage(root, () => diagrams.forEach((diagram) => diagram.draw()));
  const address = inAddress(data.address);
  /** @type {Walked} */
  let at = { which: 0, step: 0 };

  /**
   * Go to step `to` of one diagram, and to the other's step for the same source word.
   * @param {number} which
   * @param {number} to
   */
  function jump(which, to) {
    const step = Math.min(Math.max(to, 0), data.paths[which].steps.length - 1);
    const partner = data.pairs?.[which]?.[step];
    diagrams.forEach((diagram, i) => diagram.jump(i === which ? step : partner?.step ?? step));
    at = { which, step };
    tell(which, step, partner);
    host.dispatchEvent(new CustomEvent("path-lab", { detail: { step, which }, bubbles: true, composed: true }));
  }

  /**
   * Explain which steps are shown.
   * @param {number} which
   * @param {number} step
   * @param {Partner | null | undefined} partner
   */
  function tell(which, step, partner) {
    note.hidden = !partner;
    if (!partner) return;
    const [here, there] = [data.paths[which], data.paths[1 - which]];
    const own = here.bare ? t("{model} (authors' code)", { model: here.model }) : here.model;
    const words = { model: own, word: here.steps[step].token, source: partner.word };
    const first = t("When {model} produces “{word}”, its largest weight is on “{source}”.", words);
    const answer = partner.step === null
      ? t("The source of {model} has no “{source}”; its step with the same number is shown.", { model: there.model, source: partner.word })
      : t("Of all steps of {model}, the one that writes “{word}” gives “{source}” the most weight.", { model: there.model, word: there.steps[partner.step].token, source: partner.word });
    note.replaceChildren(`${first} ${answer}`);
  }

  let last = 0; // the diagram that was used last: it gets the keys of the page
  const diagrams = data.paths.map((path, i) => makeDiagram(pair, onHost.theme, path, {
    jump(step) {
      jump(i, step);
      address.keep({ paths_step: `${i}.${step}` });
    },
    open: (asked) => host.dispatchEvent(new CustomEvent("attention-number", { detail: { which: i, asked }, bubbles: true, composed: true })),
    plays: () => diagrams.forEach((other, j) => i !== j && other.pause()),
  }));
  diagrams.forEach(({ ui }, i) => ui.frame.addEventListener("focusin", () => { last = i; }));
  const letKeys = takeKeys(host, { keys: KEYS, playing: () => [diagrams[last], ...diagrams].find(({ ui }) => inSight(ui.play))?.ui.frame ?? null });
  const [which, step] = (from("paths_step") ?? "").split(".").map(indexIn);
  const begins = data.at ?? (data.paths[which ?? -1] && step != null ? { which: which ?? 0, step } : null);
  if (begins) jump(begins.which, begins.step);
  else jump(0, data.step ?? 0);
  address.keep({ paths_step: begins && `${begins.which}.${begins.step}` });
  onHost.watchRoom(pair);

  return {
    at: () => at,
    update: onHost.restyle,
    destroy() {
      for (const diagram of diagrams) diagram.stop();
      letKeys();
      address.stop();
      onHost.stop();
    },
  };
}

/** @param {HTMLElement} element */
function inSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

/**
 * `open` takes a number apart; `plays`: playback begins here.
 * @param {HTMLElement} parent
 * @param {() => Theme} theme
 * @param {Path} path
 * @param {{ jump: (step: number) => void, open: (asked: NumberAsked) => void, plays: () => void }} acts
 */
function makeDiagram(parent, theme, path, { jump, open, plays }) {
  const ui = buildPath(parent, path);
  const most = scales(path);
  /** @type {{ step: number, node: string | null, walking: boolean, tried: boolean }} */
  const state = { step: 0, node: null, walking: false, tried: false };
  /** @type {ReturnType<typeof setTimeout> | 0} */
  let timer = 0;

  const drawn = () => (state.tried ? queriedInstead(path) : path);
  /** The state at the start of the step, and what is computed from it, in order. */
  const order = () => schedule(drawn()).order.filter((id) => id === "previous" || !nodeOf(path, id).given);

  /** @param {Partial<typeof state>} change */
  function set(change) {
    Object.assign(state, change);
    draw();
  }

  function draw() {
    if (!ui.stage.clientWidth) return;
    const graph = drawn();
    const style = getComputedStyle(ui.frame);
    const pen = penOf(style, theme());
    const u = unitOf(style);
    const grid = placeNodes(path, ui.stage.clientWidth, u, roomFor(ui.stage, parent));
    ui.stage.style.height = `${grid.height}px`;
    ui.frame.classList.toggle("pl-down", grid.down);
    const ring = state.tried ? circle(graph, "weights") : [];
    const unknown = path.bare ? new Set(path.nodes.filter(({ given }) => !given).map(({ id }) => id)) : state.tried ? changedBy(graph) : new Set();
    const chain = order();
    const reached = state.walking && !ring.length ? new Set(chain.slice(0, chain.indexOf(state.node ?? "") + 1)) : null;
    for (const node of path.nodes) {
      const { box } = ui.nodes[node.id];
      const { x, y, w, h } = grid.boxes[node.id];
      Object.assign(box.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
      const off = node.given && !graph.edges.some(([from]) => from === node.id);
      box.classList.toggle("pl-off", off);
      box.classList.toggle("pl-now", state.node === node.id);
      box.classList.toggle("pl-later", reached !== null && !node.given && !reached.has(node.id));
      box.classList.toggle("pl-ring", ring.includes(node.id));
      box.setAttribute("aria-pressed", String(state.node === node.id));
      const contents = unknown.has(node.id) ? { strip: null, say: ring.length ? t("cannot be computed") : "" } : contentsOf(path, node, state.step, { few: grid.down, unseen: unknown.has("weights") });
      fillNode(ui.nodes[node.id], contents, most[node.id], pen);
    }
    drawArrows(graph, grid, ring);
    drawChain(chain, ring);
    explain(graph, ring, unknown);
    showWords();
  }

  /**
   * @param {Path} graph
   * @param {Grid} grid
   * @param {string[]} ring
   */
  function drawArrows(graph, grid, ring) {
    const arrows = graph.edges.map(([from, to]) => {
      const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.setAttribute("d", arrow(grid, from, to));
      const inRing = ring.length && ring.includes(from) && ring[(ring.indexOf(from) + 1) % ring.length] === to;
      const kind = inRing ? "pl-ring" : state.node === to ? "pl-into" : state.node === from ? "pl-out" : "";
      line.setAttribute("class", `pl-arrow ${kind}`);
      line.setAttribute("marker-end", `url(#${kind === "pl-ring" ? "pl-tip-ring" : kind ? "pl-tip-now" : "pl-tip"})`);
      line.dataset.edge = `${from}>${to}`;
      return line;
    });
    // Highlighted arrows are drawn on top.
    const classes = (/** @type {Element} */ line) => (line.getAttribute("class") ?? "").length;
    arrows.sort((a, b) => classes(a) - classes(b));
    ui.arrows.replaceChildren(tips(), ...arrows);
  }

  /**
   * @param {string[]} chain
   * @param {string[]} ring
   */
  function drawChain(chain, ring) {
    const links = chain.map((id) => {
      const node = nodeOf(path, id);
      const button = el("button", { type: "button", class: `pl-link ${state.node === id ? "pl-now" : ""}` }, ...lowered(node.symbol));
      button.addEventListener("click", () => choose(id, true));
      return el("li", {}, button);
    });
    refill(ui.chain, links);
    if (ring.length) ui.chain.append(el("li", { class: "pl-stuck", text: t("nothing more can be computed") }));
    showPlaying(ui.play, Boolean(timer));
    ui.frame.classList.toggle("pl-playing", Boolean(timer));
    const at = chain.indexOf(state.node ?? "");
    const stuck = ring.length > 0;
    off(ui.back, stuck || at <= 0);
    off(ui.forward, stuck || at >= chain.length - 1);
    off(ui.play, stuck);
  }

  /**
   * @param {Path} graph
   * @param {string[]} ring
   * @param {Set<string>} unknown
   */
  function explain(graph, ring, unknown) {
    ui.attempt.setAttribute("aria-pressed", String(state.tried));
    ui.attempt.replaceChildren(...(state.tried ? [t("Back to the model's own query")] : [t("Try as the query:"), " ", el("b", {}, ...lowered(path.ask))]));
    const node = graph.nodes.find(({ id }) => id === state.node);
    if (node) describe(ui, graph, node, state.step, !unknown.has(node.id), unknown.has(node.id) ? null : askFor(path, node.id, state.step), open);
    else if (state.tried) tellAttempt(ui, graph, ring, schedule(graph).order);
    else ui.panel.replaceChildren(el("p", { class: "pl-from", text: path.bare ? BARE : FILLED }));
  }

  function showWords() {
    markStep(ui.words, state.step);
  }

  /**
   * @param {string} id
   * @param {boolean} walking
   */
  function choose(id, walking) {
    stop();
    set({ node: state.node === id && !walking ? null : id, walking });
  }

  /** @param {number} by */
  function walk(by) {
    const chain = order();
    const at = chain.indexOf(state.node ?? "");
    const to = Math.min(Math.max(at + by, 0), chain.length - 1);
    set({ node: chain[to], walking: true });
    return to < chain.length - 1;
  }

  function play() {
    if (timer) return pause();
    plays();
    const chain = order();
    if (chain.indexOf(state.node ?? "") === chain.length - 1) state.node = null;
    const beat = () => {
      timer = 1; // set while drawing, for the play button
      const more = walk(1);
      timer = more ? setTimeout(beat, BEAT) : 0;
      if (!more) draw();
    };
    beat();
  }

  function stop() {
    clearTimeout(timer || undefined);
    timer = 0;
  }

  function pause() {
    stop();
    draw();
  }

  onClick(ui.back, () => { stop(); walk(-1); });
  onClick(ui.forward, () => { stop(); walk(1); });
  onClick(ui.play, play);
  onClick(ui.attempt, () => {
    stop();
    set({ tried: !state.tried, node: null, walking: false });
  });
  onKey(ui.frame, (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { tagName } = /** @type {HTMLElement} */ (event.composedPath()[0]);
    if (!KEYS.includes(event.key) || event.key === " " && tagName === "BUTTON") return; // which the key presses
    event.preventDefault(); // the page must not scroll
    ({ " ": ui.play, ArrowLeft: ui.back, ArrowRight: ui.forward })[event.key]?.click();
  });
  for (const [id, { box }] of Object.entries(ui.nodes)) box.addEventListener("click", () => choose(id, false));
  fillSteps(ui, path.steps.map(({ token }) => token), jump);

  return { ui, draw, stop, pause, jump: (/** @type {number} */ to) => set({ step: Math.min(to, path.steps.length - 1) }) };
}

/**
 * The largest absolute value of each node over all steps, so that a strip keeps its scale.
 * @param {Path} path
 */
function scales(path) {
  /** @type {Record<string, number>} */
  const most = {};
  for (const { values } of path.steps) {
    for (const [id, numbers] of Object.entries(values)) {
      if (Array.isArray(numbers)) most[id] = Math.max(most[id] ?? 0, ...numbers.map(Math.abs));
    }
  }
  return most;
}

function tips() {
  const space = "http://www.w3.org/2000/svg";
  const defs = document.createElementNS(space, "defs");
  for (const id of ["pl-tip", "pl-tip-now", "pl-tip-ring"]) {
    const marker = document.createElementNS(space, "marker");
    const named = { id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto", class: id };
    for (const [name, value] of Object.entries(named)) marker.setAttribute(name, String(value));
    const shape = document.createElementNS(space, "path");
    shape.setAttribute("d", "M0 0.5 L10 5 L0 9.5 z");
    marker.append(shape);
    defs.append(marker);
  }
  return defs;
}
