// The window lab: one recorded decoding step, with p_t, D and sigma adjustable.
//
//   const stage = createByHand(host, data, from);   stage.update() follows the page's theme;   stage.destroy();
//
// The default export translates a sentence of the reader's with a model of the reader's choice.
// data: trace; gram (inner products of the encoder states); modes (the treatments, see `weigh`); step (to start at);
// address (further entries of the page's address).

import { MOST_WORDS } from "../../../attn_core/web/engine/limits.js";
import { bell } from "../../../attn_core/web/player/core/vectors.js";
import { monotonic, usualWidth } from "../kit/windowing.js";
import { layOut, NARROW } from "../../../attn_core/web/player/core/layout.js";
import { t } from "../../../attn_core/web/player/core/messages.js";
import { recorded, scoreRange } from "../../../attn_core/web/player/core/rows.js";
import { NARROWEST } from "../../../attn_core/web/player/core/settings.js";
import { roomFor } from "../../../attn_core/web/player/dom/room.js";
import { fillSteps, onClick } from "../../../attn_core/web/player/dom/steps.js";
import { drawNames, scoreName } from "../../../attn_core/web/player/draw/names.js";
import { context2d, fitCanvas, penOf, unitOf } from "../../../attn_core/web/player/draw/pen.js";
import { drawStage } from "../../../attn_core/web/player/draw/stage.js";
import { inAddress, indexIn, numberIn } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { vectorsOf } from "../kit/steps.js";
import { translating } from "../kit/translating.js";
import { buildWindowLab, fillNumbers, showEdges, showHand, showNumbers, showOrigin, showStep, showWays, spokenLook, TREATMENTS } from "./parts.js";
import { gramOf, treat } from "./treatments.js";
import { onKey } from "../../../attn_core/web/player/dom/typing.js";

/** @import { BarRow, Geometry, Paint, Shown } from "../../../attn_core/web/player/core/types.d.ts" */
/** @import { LiveData, Translation } from "../kit/types.d.ts" */
/** @import { From, Stage } from "../../shell/types.d.ts" */
/** @import { ByHandActs, ByHandData, ByHandState, ByHandView, Hand, KnobName, Own, Treated, WindowUi } from "./types.d.ts" */

const LINKED = "D/2"; // sigma in a link, where the model's own is not D / 2
const [SHORTEST, TALLEST] = [0.5, 1.25]; // the rows of bars, relative to their usual height

/**
 * @param {HTMLElement} host
 * @param {ByHandData} data
 * @param {From} [from]
 * @returns {Stage}
 */
export function createByHand(host, data, from = () => null) {
  const ui = buildWindowLab(host);
  const bars = context2d(ui.bars);
  const gutter = context2d(ui.gutter);
  const onHost = onPage(ui.root, draw);
  const address = inAddress(data.address);
  /** @type {ByHandState} */
  const state = { step: 0, center: null, halfWidth: null, sigma: null, rule: null, hover: null };
  /** @type {(Paint & { theme: string }) | null} */
  let pen = null;
  /** @type {Geometry | null} */
  let geometry = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later;
  let followed = "";
  /** @type {number | null} a D that this sentence is too short for: a longer one may be typed */
  let wide = null;
  let view = look();

  /** @param {Partial<ByHandState>} change */
  function set(change) {
    Object.assign(state, change);
    onHost.ask();
  }

  /**
   * The model's own window at this step; for a model without one, that of local-m.
   * @returns {Own}
   */
  function own() {
    const { settings, source, steps } = data.trace;
    const { center } = steps[state.step];
    const halfWidth = settings.half_width ?? usualWidth(source.length);
    const rule = settings.center ?? "floor";
    if (center === null) return { center: monotonic(state.step, source.length), halfWidth, rule, stand: true };
    return { center, halfWidth, rule, stand: false };
  }

  /** @returns {ByHandView} */
  function look() {
    const { trace, modes, gram } = data;
    const row = recorded(trace, 0)[state.step];
    const mine = own();
    const halfWidth = state.halfWidth ?? mine.halfWidth;
    const hand = {
      center: state.center ?? mine.center, halfWidth, rule: state.rule ?? mine.rule,
      sigma: state.sigma ?? halfWidth / 2,
    };
    return { row, own: mine, hand, look: treat(row.scores, hand, modes, gram), moved: state.center !== null };
  }

  function draw() {
    if (!ui.plots.clientWidth) return;
    view = look();
    const { trace } = data;
    const { hand } = view;
    showStep(ui, state.step, trace.steps.length);
    showHand(ui, hand, view.own, state.sigma === null, trace.source.length);
    showOrigin(ui, { ...view, trained: t("{model} was trained with window {window}", { model: trace.model, window: String(trace.settings.window) }) });
    showWays(ui, view.look);
    showEdges(ui, hand, view.look, trace.source);
    paint(view);
    follow();
    ui.plot.setAttribute("aria-label", spokenLook({ source: trace.source, look: view.look, hand }));
    clearTimeout(later);
    later = setTimeout(settled, 200);
    numbers();
    const detail = { step: state.step, ...hand };
    host.dispatchEvent(new CustomEvent("window-lab", { detail, bubbles: true, composed: true }));
  }

  /** Update what can wait until the reader pauses. */
  function settled() {
    ui.live.textContent = ui.plot.getAttribute("aria-label");
    if (ui.table.open) fillNumbers(ui, { source: data.trace.source, scores: view.row.scores, look: view.look });
  }

  /** @param {ByHandView} byHandView */
  function paint({ row, hand, look: treated }) {
    const style = getComputedStyle(ui.frame);
    const theme = onHost.theme();
    const paper = pen && pen.theme === theme && pen.family === style.fontFamily ? pen : { ...penOf(style, theme), theme };
    pen = paper;
    const u = unitOf(style);
    const { source, unknown } = data.trace;
    const measure = (/** @type {string} */ text, /** @type {number} */ size) => {
      bars.font = `700 ${size}px ${paper.family}`;
      return bars.measureText(text).width;
    };
    const width = ui.plots.clientWidth;
    const narrow = width < NARROW;
    const rows = barRowsOf(treated, hand, narrow, data.trace.settings.score);
    const laidOut = (/** @type {number} */ v) => layOut({ width, u, v, source, rows, farthest: source.length, measure });
    // Words, scores, Gaussian and weights are in sight at once, so that all change under the reader's eyes.
    const g = laidOut(narrow ? 1 : heightFactor(laidOut, roomFor(ui.plots, ui.root)));
    geometry = g;
    const others = Object.fromEntries(treated.ways.map(({ mode, weights }) => [TREATMENTS[mode].key, weights]));
    const { alignment, gaussian, span } = treated;
    const picture = { scores: row.scores, alignment, gaussian, span, center: hand.center, weights: others.weights, others };
    /** @type {Shown} */
    const shown = {
      step: state.step, local: true, bell: true, mode: "after_softmax", sigma: hand.sigma, heat: "weights", scale: 1,
      range: scoreRange([row]), source, unknown: new Set(unknown), hover: state.hover?.column ?? null,
    };
    fitCanvas(ui.gutter, gutter, g.gutter, g.height);
    drawNames({ ...paper, ctx: gutter }, g, picture, shown);
    fitCanvas(ui.bars, bars, g.content, g.height);
    drawStage({ ...paper, ctx: bars }, g, picture, shown);
    placeGrips({ hand, look: treated }, g);
  }

  /**
   * Place the handles: at the label p_t, at the ends of the window, and on the Gaussian at one sigma.
   * @param {Pick<ByHandView, "hand" | "look">} view
   * @param {Geometry} g
   */
  function placeGrips({ hand, look: { span } }, g) {
    const bellRow = g.bars.find(({ key }) => key === "gaussian") ?? g.bars[0];
    const put = (/** @type {HTMLElement} */ grip, /** @type {number} */ x, /** @type {number} */ y) => { grip.style.transform = `translate(${x}px, ${y}px)`; };
    const x = (/** @type {number} */ s) => Math.min(Math.max(g.x(s), 0), g.content);
    put(ui.grips.center, x(hand.center), bellRow.y - g.u);
    put(ui.grips.lo, g.left(span ? span.lo : 0), g.ruler.y + 6 * g.u);
    put(ui.grips.hi, g.left(span ? span.hi + 1 : 0), g.ruler.y + 6 * g.u);
    ui.grips.lo.hidden = ui.grips.hi.hidden = !span;
    const side = hand.center + hand.sigma <= g.n - 0.5 ? 1 : -1;
    put(ui.grips.sigma, x(hand.center + side * hand.sigma), bellRow.y + bellRow.h - bell(1, 1) * (bellRow.h - 4 * g.u));
    ui.grips.sigma.hidden = hand.sigma < NARROWEST;
    ui.grips.sigma.dataset.side = String(side);
  }

  /** Scroll p_t into view when the stage is wider than the screen. */
  function follow() {
    if (!geometry || geometry.content <= ui.scroll.clientWidth + 1 || ui.frame.classList.contains("wl-pulling")) return;
    const place = `${state.step} ${view.hand.center}`;
    if (place === followed) return;
    followed = place;
    ui.scroll.scrollLeft = geometry.x(view.hand.center) - ui.scroll.clientWidth / 2;
  }

  function numbers() {
    if (!state.hover) return;
    const { column, ...pointed } = state.hover;
    showNumbers(ui, { source: data.trace.source, scores: view.row.scores, look: view.look, s: column }, pointed);
  }

  /** The settings before the reader changes any; a model's own sigma is not linked to D. */
  function untouched() {
    const { window: kind, half_width, sigma } = data.trace.settings;
    const linked = kind !== "local-p" || sigma === (half_width ?? 0) / 2;
    return { center: null, halfWidth: null, rule: null, sigma: linked ? null : sigma ?? null };
  }

  /**
   * Apply a change by the reader and keep it in the link.
   * @param {Partial<ByHandState>} change
   */
  function give(change) {
    set(change);
    address.keep({ window_step: state.step, p: state.center, ...settings() });
  }

  /** The settings that do not depend on the step. */
  function settings() {
    const sigma = state.sigma === untouched().sigma ? null : state.sigma ?? LINKED;
    return { D: state.halfWidth ?? wide, sigma, rule: state.rule };
  }

  /** The settings to begin with. */
  function linked() {
    const { length } = data.trace.source;
    const rule = from("rule");
    const given = {
      center: numberIn(from("p"), 0, length), halfWidth: numberIn(from("D"), 0, Math.max(length - 1, own().halfWidth, 1)),
      sigma: from("sigma") === LINKED ? null : numberIn(from("sigma"), NARROWEST, MOST_WORDS) ?? untouched().sigma,
      rule: rule === "floor" || rule === "real" ? rule : null,
    };
    return { ...given, halfWidth: given.halfWidth === null ? null : Math.round(given.halfWidth) };
  }

  /** @type {ByHandActs} */
  const act = {
    jump: (step) => give({ step: Math.min(Math.max(step, 0), data.trace.steps.length - 1), center: null, hover: null }),
    center: (p) => give({ center: Math.round(Math.min(Math.max(p, 0), data.trace.source.length) * 100) / 100 }),
    halfWidth: (d) => give({ halfWidth: Math.min(Math.max(Math.round(d), 0), Number(ui.knobs.halfWidth.max)) }),
    sigma: (width) => give({ sigma: Math.round(Math.min(Math.max(width, NARROWEST), Number(ui.knobs.sigma.max)) * 100) / 100 }),
    rule: (rule) => give({ rule }),
    link: () => give({ sigma: state.sigma === null ? Math.max(view.hand.sigma, NARROWEST) : null }),
    again() {
      wide = null;
      give(untouched());
    },
    hover(spot) {
      set({ hover: spot });
      if (!spot) ui.tip.hidden = true;
    },
    settled,
  };

  /**
   * Move a handle to `x` pixels of the plot.
   * @param {string | undefined} grip
   * @param {number} x
   */
  function pull(grip, x) {
    if (!geometry) return;
    const s = (x - geometry.edge) / geometry.col - 0.5;
    const { center } = view.hand;
    if (grip === "center") act.center(s);
    else if (grip === "sigma") act.sigma(Math.abs(s - center));
    else if (view.hand.rule === "real") act.halfWidth(Math.abs(s + (grip === "lo" ? 0.5 : -0.5) - center));
    else act.halfWidth(grip === "lo" ? Math.floor(center) - s - 0.5 : s - 0.5 - Math.floor(center));
  }

  wireWindowLab(ui, act, pull, () => geometry, () => state.step);

  fillSteps(ui, data.trace.steps.map(({ token }) => token), act.jump);
  set(untouched());
  wide = numberIn(from("D"), 0, MOST_WORDS);
  const step = indexIn(from("window_step"));
  act.jump(step ?? data.step ?? 0);
  give(linked());
  if (step === null) address.keep({ window_step: null });
  onHost.watchRoom(ui.plots);

  return {
    update: onHost.restyle,
    settings,
    destroy() {
      clearTimeout(later);
      address.stop();
      onHost.stop();
    },
  };
}

/**
 * The factor of the bars' height with which a stage is as high as its room; the height is linear in it.
 * @param {(v: number) => Geometry} laidOut
 * @param {number} room in CSS pixels
 */
function heightFactor(laidOut, room) {
  const [fixed, usual] = [laidOut(0).height, laidOut(1).height];
  return Math.min(Math.max((room - fixed) / (usual - fixed), SHORTEST), TALLEST);
}

/**
 * The rows of bars: those common to all treatments, then one for each treatment.
 * @param {Treated} look
 * @param {Hand} hand
 * @param {boolean} narrow
 * @param {string | null} [score] the score function
 * @returns {BarRow[]}
 */
function barRowsOf(look, hand, narrow, score) {
  const sigma = hand.sigma ? `σ = ${Number(hand.sigma.toFixed(2))}` : t("σ = 0: one word");
  return [
    { key: "scores", name: t("score"), height: 96, aside: scoreName(score) },
    { key: "alignment", name: t("alignment"), height: 64, aside: narrow ? "softmax" : t("softmax in window") },
    { key: "gaussian", name: t("× Gaussian"), short: t("× Gauss"), height: 88, aside: sigma },
    ...look.ways.map(({ mode, kept }) => ({
      key: TREATMENTS[mode].key, name: TREATMENTS[mode].row, height: 64,
      aside: narrow ? `Σ ${kept.toFixed(2)}` : t("sum {total}", { total: kept.toFixed(2) }),
    })),
  ];
}

/**
 * Add the listeners; they are removed with the elements.
 * @param {WindowUi} ui
 * @param {ByHandActs} act
 * @param {(grip: string | undefined, x: number) => void} pull
 * @param {() => Geometry | null} geometry
 * @param {() => number} step
 */
function wireWindowLab(ui, act, pull, geometry, step) {
  onClick(ui.back, () => act.jump(step() - 1));
  onClick(ui.forward, () => act.jump(step() + 1));
  onClick(ui.link, act.link);
  onClick(ui.again, act.again);
  for (const name of /** @type {KnobName[]} */ (["center", "halfWidth", "sigma"])) ui.knobs[name].addEventListener("input", () => act[name](Number(ui.knobs[name].value)));
  ui.rule.addEventListener("change", (event) => act.rule(/** @type {HTMLInputElement} */ (event.target).value));
  ui.table.addEventListener("toggle", act.settled);
  onKey(ui.frame, (event) => {
    const { type } = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || type === "range" || type === "radio") return;
    const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (!by) return;
    event.preventDefault();
    act.jump(step() + by);
  });
  /** @type {{ grip: string | undefined, off: number } | null} `off`: the distance of the pointer from the handle's centre */
  let held = null;
  const at = (/** @type {MouseEvent} */ event) => event.clientX - ui.plot.getBoundingClientRect().left;
  for (const grip of Object.values(ui.grips)) {
    grip.addEventListener("pointerdown", (event) => {
      if (event.button) return; // not the main one
      const box = grip.getBoundingClientRect();
      held = { grip: grip.dataset.grip, off: event.clientX - (box.left + box.width / 2) };
      grip.setPointerCapture(event.pointerId);
      ui.frame.classList.add("wl-pulling");
      act.hover(null);
      event.preventDefault();
    });
    grip.addEventListener("pointermove", (event) => held && pull(held.grip, at(event) - held.off));
    const drop = () => {
      held = null;
      ui.frame.classList.remove("wl-pulling");
    };
    grip.addEventListener("pointerup", drop);
    grip.addEventListener("pointercancel", drop);
  }
  const point = (/** @type {MouseEvent} */ event) => {
    const g = geometry();
    if (!g || held) return;
    const column = Math.round(g.place(at(event)));
    if (column < 0 || column >= g.n) return act.hover(null);
    const [plot, stage] = [ui.plot, ui.stage].map((element) => element.getBoundingClientRect());
    const [across, down] = [plot.left - stage.left, plot.top - stage.top];
    act.hover({
      column, x: event.clientX - stage.left, y: event.clientY - stage.top,
      left: g.left(column) + across, right: g.left(column + 1) + across, top: g.words.y + g.words.h + down,
    });
  };
  ui.plot.addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(event));
  ui.plot.addEventListener("pointerleave", () => !held && act.hover(null));
  ui.plot.addEventListener("click", (event) => event.target === ui.bars && point(event));
  ui.scroll.addEventListener("scroll", () => act.hover(null), { passive: true });
}

/**
 * @param {Translation[]} translations
 * @param {LiveData & { modes: string[] }} given
 * @param {number} step
 * @returns {ByHandData}
 */
function dataOf([{ shown }], { modes }, step) {
  return { trace: shown, gram: gramOf(vectorsOf(shown.steps[0]).memory[0]), modes, step };
}

export default translating(createByHand, dataOf, ["memory"]);
