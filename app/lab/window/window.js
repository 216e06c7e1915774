// One decoding step of a translation with adjustable p_t, D and sigma.

import { MOST_WORDS } from "../../../attn_core/browser/engine/limits.js";
import { bell } from "../../../attn_core/browser/player/core/vectors.js";
import { monotonic, usualWidth } from "../kit/windowing.js";
import { layOut, NARROW } from "../../../attn_core/browser/player/core/layout.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { recorded, scoreRange } from "../../../attn_core/browser/player/core/rows.js";
import { NARROWEST } from "../../../attn_core/browser/player/core/settings.js";
import { roomFor } from "../../../attn_core/browser/player/dom/room.js";
import { fillSteps, onClick } from "../../../attn_core/browser/player/dom/steps.js";
import { drawNames, scoreName } from "../../../attn_core/browser/player/draw/names.js";
import { context2d, fitCanvas, penOf, unitOf } from "../../../attn_core/browser/player/draw/pen.js";
import { drawStage } from "../../../attn_core/browser/player/draw/stage.js";
import { inAddress, indexIn, numberIn } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { vectorsOf } from "../kit/steps.js";
import { translating } from "../kit/translating.js";
import {
  buildWindowLab,
  fillNumbers,
  showEdges,
  showWindow,
  showNumbers,
  showOrigin,
  showStep,
  showWays,
  spokenLook,
  TREATMENTS,
} from "./parts.js";
import { gramOf, treat } from "./treatments.js";
import { onKey } from "../../../attn_core/browser/player/dom/typing.js";

/** @import { BarRow, Geometry, Paint, Shown } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { LiveData, Translation } from "../kit/types.d.ts" */
/** @import { From, Stage } from "../../shell/types.d.ts" */
/**
 * @import { ColumnSpot, WindowData, WindowState, WindowView, AdjustedWindow, ModelWindow, Treated } from "./types.d.ts"
 */

const LINKED = "D/2"; // sigma in a link, where the model's own is not D / 2
const [SHORTEST, TALLEST] = [0.5, 1.25]; // the rows of bars, relative to their usual height

/** @implements {Stage} */
export class WindowLab {
  /** @param {HTMLElement} host @param {WindowData} data @param {From} [from] */
  constructor(host, data, from = () => null) {
    this.host = host;
    this.data = data;
    this.from = from;
    this.ui = buildWindowLab(this.host);
    this.barsContext = context2d(this.ui.bars);
    this.gutterContext = context2d(this.ui.gutter);
    this.page = onPage(this.ui.root, () => this.draw());
    this.address = inAddress(this.data.address);
    /** @type {WindowState} */
    this.state = { step: 0, center: null, halfWidth: null, sigma: null, rule: null, hover: null };
    /** @type {(Paint & { theme: string }) | null} */
    this.pen = null;
    /** @type {Geometry | null} */
    this.geometry = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.settleTimer = undefined;
    this.scrolledTo = "";
    /** @type {number | null} a D that this sentence is too short for: a longer one may be typed */
    this.tooLongHalfWidth = null;
    this.view = this.viewOf();

    this.listen();
    this.listenToPointer();

    fillSteps(
      this.ui,
      this.data.trace.steps.map(({ token }) => token),
      (to) => this.jump(to),
    );
    this.setState(this.initialSettings());
    this.tooLongHalfWidth = numberIn(this.from("D"), 0, MOST_WORDS);
    const step = indexIn(this.from("window_step"));
    this.jump(step ?? this.data.step ?? 0);
    this.applyChange(this.linkedSettings());
    if (step === null) this.address.keep({ window_step: null });
    this.page.watchRoom(this.ui.plots);
  }

  /** Listeners are removed with the elements. */
  listen() {
    const { ui } = this;
    onClick(ui.back, () => this.jump(this.state.step - 1));
    onClick(ui.forward, () => this.jump(this.state.step + 1));
    onClick(ui.link, () =>
      this.applyChange({ sigma: this.state.sigma === null ? Math.max(this.view.adjusted.sigma, NARROWEST) : null }),
    );
    onClick(ui.again, () => {
      this.tooLongHalfWidth = null;
      this.applyChange(this.initialSettings());
    });
    ui.knobs.center.addEventListener("input", () => this.moveCenter(Number(ui.knobs.center.value)));
    ui.knobs.halfWidth.addEventListener("input", () => this.changeHalfWidth(Number(ui.knobs.halfWidth.value)));
    ui.knobs.sigma.addEventListener("input", () => this.changeSigma(Number(ui.knobs.sigma.value)));
    ui.rule.addEventListener("change", (event) =>
      this.applyChange({ rule: /** @type {HTMLInputElement} */ (event.target).value }),
    );
    ui.table.addEventListener("toggle", () => this.describePicture());
    onKey(ui.frame, (event) => {
      const { type } = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        type === "range" ||
        type === "radio"
      )
        return;
      const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
      if (!by) return;
      event.preventDefault();
      this.jump(this.state.step + by);
    });
  }

  /** The handles are dragged; elsewhere the pointer shows the numbers of a word. */
  listenToPointer() {
    const { ui } = this;
    /**
     * @type {{ handle: string | undefined, offset: number } | null} `offset`: the distance of the pointer from the
     * handle's centre
     */
    let drag = null;
    const xOf = (/** @type {MouseEvent} */ event) => event.clientX - ui.plot.getBoundingClientRect().left;
    for (const handle of Object.values(ui.grips)) {
      handle.addEventListener("pointerdown", (event) => {
        if (event.button) return; // not the main one
        const { left, width } = handle.getBoundingClientRect();
        drag = { handle: handle.dataset.grip, offset: event.clientX - (left + width / 2) };
        handle.setPointerCapture(event.pointerId);
        ui.frame.classList.add("wl-pulling");
        this.hover(null);
        event.preventDefault();
      });
      handle.addEventListener("pointermove", (event) => drag && this.dragHandle(drag.handle, xOf(event) - drag.offset));
      const endDrag = () => {
        drag = null;
        ui.frame.classList.remove("wl-pulling");
      };
      handle.addEventListener("pointerup", endDrag);
      handle.addEventListener("pointercancel", endDrag);
    }
    ui.plot.addEventListener(
      "pointermove",
      (event) => event.pointerType === "mouse" && !drag && this.hover(this.columnAt(event, xOf(event))),
    );
    ui.plot.addEventListener("pointerleave", () => !drag && this.hover(null));
    ui.plot.addEventListener(
      "click",
      (event) => event.target === ui.bars && !drag && this.hover(this.columnAt(event, xOf(event))),
    );
    ui.scroll.addEventListener("scroll", () => this.hover(null), { passive: true });
  }

  /**
   * The column under the pointer, at `x` pixels of the plot, and where its numbers are shown.
   * @param {MouseEvent} event @param {number} x @returns {ColumnSpot | null}
   */
  columnAt(event, x) {
    const g = this.geometry;
    if (!g) return null;
    const column = Math.round(g.place(x));
    if (column < 0 || column >= g.n) return null;
    const [plot, stage] = [this.ui.plot, this.ui.stage].map((element) => element.getBoundingClientRect());
    const [across, down] = [plot.left - stage.left, plot.top - stage.top];
    return {
      column,
      x: event.clientX - stage.left,
      y: event.clientY - stage.top,
      left: g.left(column) + across,
      right: g.left(column + 1) + across,
      top: g.words.y + g.words.h + down,
    };
  }

  /** @param {number} to */
  jump(to) {
    this.applyChange({ step: Math.min(Math.max(to, 0), this.data.trace.steps.length - 1), center: null, hover: null });
  }

  /** @param {number} center */
  moveCenter(center) {
    this.applyChange({ center: Math.round(Math.min(Math.max(center, 0), this.data.trace.source.length) * 100) / 100 });
  }

  /** @param {number} words */
  changeHalfWidth(words) {
    this.applyChange({ halfWidth: Math.min(Math.max(Math.round(words), 0), Number(this.ui.knobs.halfWidth.max)) });
  }

  /** @param {number} words */
  changeSigma(words) {
    this.applyChange({
      sigma: Math.round(Math.min(Math.max(words, NARROWEST), Number(this.ui.knobs.sigma.max)) * 100) / 100,
    });
  }

  /** @param {ColumnSpot | null} hover */
  hover(hover) {
    this.setState({ hover });
    if (!hover) this.ui.tip.hidden = true;
  }

  /** @param {Partial<WindowState>} change */
  setState(change) {
    Object.assign(this.state, change);
    this.page.ask();
  }

  /**
   * The model's own window at this step; for a model without one, that of local-m.
   * @returns {ModelWindow}
   */
  modelWindow() {
    const { settings, source, steps } = this.data.trace;
    const { center } = steps[this.state.step];
    const halfWidth = settings.half_width ?? usualWidth(source.length);
    const rule = settings.center ?? "floor";
    if (center === null)
      return { center: monotonic(this.state.step, source.length), halfWidth, rule, isReplacement: true };
    return { center, halfWidth, rule, isReplacement: false };
  }

  /** @returns {WindowView} */
  viewOf() {
    const { trace, modes, gram } = this.data;
    const row = recorded(trace, 0)[this.state.step];
    const trained = this.modelWindow();
    const halfWidth = this.state.halfWidth ?? trained.halfWidth;
    const adjusted = {
      center: this.state.center ?? trained.center,
      halfWidth,
      rule: this.state.rule ?? trained.rule,
      sigma: this.state.sigma ?? halfWidth / 2,
    };
    return {
      row,
      modelWindow: trained,
      adjusted,
      look: treat(row.scores, adjusted, modes, gram),
      moved: this.state.center !== null,
    };
  }

  draw() {
    const { ui } = this;
    if (!ui.plots.clientWidth) return;
    this.view = this.viewOf();
    const { trace } = this.data;
    const { adjusted } = this.view;
    showStep(ui, this.state.step, trace.steps.length);
    showWindow(ui, adjusted, this.view.modelWindow, this.state.sigma === null, trace.source.length);
    showOrigin(ui, {
      ...this.view,
      trained: t("{model} was trained with window {window}", {
        model: trace.model,
        window: String(trace.settings.window),
      }),
    });
    showWays(ui, this.view.look);
    showEdges(ui, adjusted, this.view.look, trace.source);
    this.drawPicture(this.view);
    this.scrollToCenter();
    ui.plot.setAttribute("aria-label", spokenLook({ source: trace.source, look: this.view.look, adjusted }));
    clearTimeout(this.settleTimer);
    this.settleTimer = setTimeout(() => this.describePicture(), 200);
    this.showPointedNumbers();
    const detail = { step: this.state.step, ...adjusted };
    this.host.dispatchEvent(new CustomEvent("window-lab", { detail, bubbles: true, composed: true }));
  }

  /** Update what can wait until the reader pauses. */
  describePicture() {
    this.ui.live.textContent = this.ui.plot.getAttribute("aria-label");
    if (this.ui.table.open)
      fillNumbers(this.ui, { source: this.data.trace.source, scores: this.view.row.scores, look: this.view.look });
  }

  /** @param {WindowView} byHandView */
  drawPicture({ row, adjusted, look: attention }) {
    const { ui } = this;
    const style = getComputedStyle(ui.frame);
    const theme = this.page.theme();
    const paint =
      this.pen && this.pen.theme === theme && this.pen.family === style.fontFamily
        ? this.pen
        : { ...penOf(style, theme), theme };
    this.pen = paint;
    const u = unitOf(style);
    const { source, unknown } = this.data.trace;
    const measure = (/** @type {string} */ text, /** @type {number} */ size) => {
      this.barsContext.font = `700 ${size}px ${paint.family}`;
      return this.barsContext.measureText(text).width;
    };
    const width = ui.plots.clientWidth;
    const narrow = width < NARROW;
    const rows = barRowsOf(attention, adjusted, narrow, this.data.trace.settings.score);
    const laidOut = (/** @type {number} */ v) =>
      layOut({ width, u, v, source, rows, farthest: source.length, measure });
    // Words, scores, Gaussian and weights are in sight at once, so that all change under the reader's eyes.
    const g = laidOut(narrow ? 1 : heightFactor(laidOut, roomFor(ui.plots, ui.root)));
    this.geometry = g;
    const others = Object.fromEntries(attention.ways.map(({ mode, weights }) => [TREATMENTS[mode].key, weights]));
    const { alignment, gaussian, span } = attention;
    const picture = {
      scores: row.scores,
      alignment,
      gaussian,
      span,
      center: adjusted.center,
      weights: others.weights,
      others,
    };
    /** @type {Shown} */
    const shown = {
      step: this.state.step,
      local: true,
      bell: true,
      mode: "after_softmax",
      sigma: adjusted.sigma,
      heat: "weights",
      scale: 1,
      range: scoreRange([row]),
      source,
      unknown: new Set(unknown),
      hover: this.state.hover?.column ?? null,
    };
    fitCanvas(ui.gutter, this.gutterContext, g.gutter, g.height);
    drawNames({ ...paint, ctx: this.gutterContext }, g, picture, shown);
    fitCanvas(ui.bars, this.barsContext, g.content, g.height);
    drawStage({ ...paint, ctx: this.barsContext }, g, picture, shown);
    this.placeHandles({ adjusted, look: attention }, g);
  }

  /**
   * Place the handles: at the label p_t, at the ends of the window, and on the Gaussian at one sigma.
   * @param {Pick<WindowView, "adjusted" | "look">} view
   * @param {Geometry} g
   */
  placeHandles({ adjusted, look: { span } }, g) {
    const { ui } = this;
    const bellRow = g.bars.find(({ key }) => key === "gaussian") ?? g.bars[0];
    const place = (/** @type {HTMLElement} */ grip, /** @type {number} */ x, /** @type {number} */ y) => {
      grip.style.transform = `translate(${x}px, ${y}px)`;
    };
    const x = (/** @type {number} */ s) => Math.min(Math.max(g.x(s), 0), g.content);
    place(ui.grips.center, x(adjusted.center), bellRow.y - g.u);
    place(ui.grips.lo, g.left(span ? span.lo : 0), g.ruler.y + 6 * g.u);
    place(ui.grips.hi, g.left(span ? span.hi + 1 : 0), g.ruler.y + 6 * g.u);
    ui.grips.lo.hidden = ui.grips.hi.hidden = !span;
    const side = adjusted.center + adjusted.sigma <= g.n - 0.5 ? 1 : -1;
    place(
      ui.grips.sigma,
      x(adjusted.center + side * adjusted.sigma),
      bellRow.y + bellRow.h - bell(1, 1) * (bellRow.h - 4 * g.u),
    );
    ui.grips.sigma.hidden = adjusted.sigma < NARROWEST;
    ui.grips.sigma.dataset.side = String(side);
  }

  /** Scroll p_t into view when the stage is wider than the screen. */
  scrollToCenter() {
    if (
      !this.geometry ||
      this.geometry.content <= this.ui.scroll.clientWidth + 1 ||
      this.ui.frame.classList.contains("wl-pulling")
    )
      return;
    const place = `${this.state.step} ${this.view.adjusted.center}`;
    if (place === this.scrolledTo) return;
    this.scrolledTo = place;
    this.ui.scroll.scrollLeft = this.geometry.x(this.view.adjusted.center) - this.ui.scroll.clientWidth / 2;
  }

  showPointedNumbers() {
    if (!this.state.hover) return;
    const { column, ...pointed } = this.state.hover;
    showNumbers(
      this.ui,
      { source: this.data.trace.source, scores: this.view.row.scores, look: this.view.look, s: column },
      pointed,
    );
  }

  /** The settings before the reader changes any; a model's own sigma is not linked to D. */
  initialSettings() {
    const { window: kind, half_width, sigma } = this.data.trace.settings;
    const isLinked = kind !== "local-p" || sigma === (half_width ?? 0) / 2;
    return { center: null, halfWidth: null, rule: null, sigma: isLinked ? null : (sigma ?? null) };
  }

  /**
   * Apply a change by the reader and keep it in the link.
   * @param {Partial<WindowState>} change
   */
  applyChange(change) {
    this.setState(change);
    this.address.keep({ window_step: this.state.step, p: this.state.center, ...this.settings() });
  }

  /** The settings that do not depend on the step. */
  settings() {
    const sigma = this.state.sigma === this.initialSettings().sigma ? null : (this.state.sigma ?? LINKED);
    return { D: this.state.halfWidth ?? this.tooLongHalfWidth, sigma, rule: this.state.rule };
  }

  /** The settings to begin with. */
  linkedSettings() {
    const { length } = this.data.trace.source;
    const rule = this.from("rule");
    const given = {
      center: numberIn(this.from("p"), 0, length),
      halfWidth: numberIn(this.from("D"), 0, Math.max(length - 1, this.modelWindow().halfWidth, 1)),
      sigma:
        this.from("sigma") === LINKED
          ? null
          : (numberIn(this.from("sigma"), NARROWEST, MOST_WORDS) ?? this.initialSettings().sigma),
      rule: rule === "floor" || rule === "real" ? rule : null,
    };
    return { ...given, halfWidth: given.halfWidth === null ? null : Math.round(given.halfWidth) };
  }

  /**
   * Move a handle to `x` pixels of the plot.
   * @param {string | undefined} grip
   * @param {number} x
   */
  dragHandle(grip, x) {
    if (!this.geometry) return;
    const s = (x - this.geometry.edge) / this.geometry.col - 0.5;
    const { center } = this.view.adjusted;
    if (grip === "center") this.moveCenter(s);
    else if (grip === "sigma") this.changeSigma(Math.abs(s - center));
    else if (this.view.adjusted.rule === "real")
      this.changeHalfWidth(Math.abs(s + (grip === "lo" ? 0.5 : -0.5) - center));
    else this.changeHalfWidth(grip === "lo" ? Math.floor(center) - s - 0.5 : s - 0.5 - Math.floor(center));
  }

  update() {
    this.page.restyle();
  }

  destroy() {
    clearTimeout(this.settleTimer);
    this.address.stop();
    this.page.stop();
  }
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
 * @param {Treated} attention
 * @param {AdjustedWindow} adjusted
 * @param {boolean} narrow
 * @param {string | null} [score] the score function
 * @returns {BarRow[]}
 */
function barRowsOf(attention, adjusted, narrow, score) {
  const sigma = adjusted.sigma ? `σ = ${Number(adjusted.sigma.toFixed(2))}` : t("σ = 0: one word");
  return [
    { key: "scores", name: t("score"), height: 96, aside: scoreName(score) },
    { key: "alignment", name: t("alignment"), height: 64, aside: narrow ? "softmax" : t("softmax in window") },
    { key: "gaussian", name: t("× Gaussian"), short: t("× Gauss"), height: 88, aside: sigma },
    ...attention.ways.map(({ mode, massKept }) => ({
      key: TREATMENTS[mode].key,
      name: TREATMENTS[mode].row,
      height: 64,
      aside: narrow ? `Σ ${massKept.toFixed(2)}` : t("sum {total}", { total: massKept.toFixed(2) }),
    })),
  ];
}

/**
 * @param {Translation[]} translations
 * @param {LiveData & { modes: string[] }} given
 * @param {number} step
 * @returns {WindowData}
 */
function dataOf([{ shown }], { modes }, step) {
  return { trace: shown, gram: gramOf(vectorsOf(shown.steps[0]).memory[0]), modes, step };
}

export default translating((host, data, from) => new WindowLab(host, data, from), dataOf, ["memory"]);
