// One decoding step of a translation with adjustable p_t, D and sigma.

import { MOST_WORDS } from "../../../attn_core/browser/engine/limits.js";
import { NARROWEST } from "../../../attn_core/browser/player/core/settings.js";
import { roomFor } from "../../../attn_core/browser/player/dom/room.js";
import { fillSteps, onClick } from "../../../attn_core/browser/player/dom/steps.js";
import { keepInAddress, indexIn, numberIn } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { onActionKey } from "../kit/keys.js";
import { vectorsOf } from "../kit/steps.js";
import { translating } from "../kit/translating.js";
import { buildEdges } from "./edges.js";
import { spokenStep, stepTable } from "./numbers.js";
import { buildWindowLab, showOrigin, showStep, showWindow } from "./parts.js";
import { WindowPicture } from "./picture.js";
import { initialSettings, linkedSettings, linkOf, viewOf } from "./settings.js";
import { buildTreatmentTable } from "./treatment-table.js";
import { gramOf } from "./treatments.js";

/** @import { LiveData, Translation } from "../kit/types.d.ts" */
/** @import { From, Stage } from "../../shell/types.d.ts" */
/** @import { WindowData, WindowState } from "./types.d.ts" */

const PAUSE = 200; // ms without a change after which the step is read out

/** @implements {Stage} */
export class WindowLab {
  /** @param {HTMLElement} host @param {WindowData} data @param {From} [from] */
  constructor(host, data, from = () => null) {
    this.host = host;
    this.data = data;
    this.picture = new WindowPicture({
      moveCenter: (center) => this.moveCenter(center),
      changeHalfWidth: (words) => this.changeHalfWidth(words),
      changeSigma: (words) => this.changeSigma(words),
      point: (hover) => this.setState({ hover }),
    });
    this.treatments = buildTreatmentTable();
    this.edges = buildEdges();
    this.ui = buildWindowLab(this.picture.root, [this.treatments.root, this.edges.root]);
    host.append(this.ui.root);
    this.page = onPage(this.ui.root, () => this.draw());
    this.address = keepInAddress(data.address);
    /** @type {WindowState} */
    this.state = { step: 0, hover: null, ...initialSettings(data.trace) };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.pauseTimer = undefined;
    /** @type {number | null} a D that this sentence is too short for: a longer one may be typed */
    this.tooLongHalfWidth = numberIn(from("D"), 0, MOST_WORDS);
    this.view = viewOf(data, this.state);

    this.listen();
    const step = indexIn(from("window_step"));
    this.jump(step ?? data.step ?? 0);
    this.applyChange(linkedSettings(data.trace, from));
    if (step === null) this.address.keep({ window_step: null });
    this.page.watchRoom(this.picture.rowPlot.root);
  }

  /** Listeners are removed with the elements. */
  listen() {
    const { ui } = this;
    const tokens = this.data.trace.steps.map(({ token }) => token);
    fillSteps(ui, tokens, (to) => this.jump(to));
    onClick(ui.back, () => this.jump(this.state.step - 1));
    onClick(ui.forward, () => this.jump(this.state.step + 1));
    onClick(ui.link, () =>
      this.applyChange({ sigma: this.state.sigma === null ? Math.max(this.view.adjusted.sigma, NARROWEST) : null }),
    );
    onClick(ui.reset, () => {
      this.tooLongHalfWidth = null;
      this.applyChange(initialSettings(this.data.trace));
    });
    ui.sliders.center.addEventListener("input", () => this.moveCenter(Number(ui.sliders.center.value)));
    ui.sliders.halfWidth.addEventListener("input", () => this.changeHalfWidth(Number(ui.sliders.halfWidth.value)));
    ui.sliders.sigma.addEventListener("input", () => this.changeSigma(Number(ui.sliders.sigma.value)));
    ui.rule.addEventListener("change", (event) =>
      this.applyChange({ rule: /** @type {HTMLInputElement} */ (event.target).value }),
    );
    ui.table.addEventListener("toggle", () => this.describePicture());
    onActionKey(ui.frame, {
      ArrowLeft: () => this.jump(this.state.step - 1),
      ArrowRight: () => this.jump(this.state.step + 1),
    });
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
    this.applyChange({ halfWidth: Math.min(Math.max(Math.round(words), 0), Number(this.ui.sliders.halfWidth.max)) });
  }

  /** @param {number} words */
  changeSigma(words) {
    const sigma = Math.min(Math.max(words, NARROWEST), Number(this.ui.sliders.sigma.max));
    this.applyChange({ sigma: Math.round(sigma * 100) / 100 });
  }

  /** @param {Partial<WindowState>} change */
  setState(change) {
    Object.assign(this.state, change);
    this.page.ask();
  }

  /**
   * Apply a change by the reader and keep it in the link.
   * @param {Partial<WindowState>} change
   */
  applyChange(change) {
    this.setState(change);
    this.address.keep({ window_step: this.state.step, p: this.state.center, ...this.settings() });
  }

  /** The settings that stay when another sentence is typed. */
  settings() {
    const link = linkOf(this.data.trace, this.state);
    return { ...link, D: link.D ?? this.tooLongHalfWidth };
  }

  draw() {
    const { ui, data, state } = this;
    if (!this.picture.rowPlot.width) return;
    const { trace } = data;
    const view = (this.view = viewOf(data, state));
    const { adjusted, attention, modelWindow } = view;
    showStep(ui, state.step, trace.steps.length);
    showWindow(ui, adjusted, modelWindow, state.sigma === null, trace.source.length);
    showOrigin(ui, trace, view);
    this.treatments.show(attention);
    this.edges.show(trace.source, adjusted, attention.span);
    const room = roomFor(this.picture.rowPlot.root, ui.root);
    this.picture.draw(trace, state.step, view, { hover: state.hover, theme: this.page.theme(), room });
    this.picture.plot.setAttribute("aria-label", spokenStep(trace.source, view));
    clearTimeout(this.pauseTimer);
    this.pauseTimer = setTimeout(() => this.describePicture(), PAUSE);
    const detail = { step: state.step, ...adjusted };
    this.host.dispatchEvent(new CustomEvent("window-lab", { detail, bubbles: true, composed: true }));
  }

  /** Update what can wait until the reader pauses. */
  describePicture() {
    this.ui.live.textContent = this.picture.plot.getAttribute("aria-label");
    if (this.ui.table.open) this.ui.tableBody.replaceChildren(stepTable(this.data.trace.source, this.view));
  }

  update() {
    this.page.restyle();
  }

  destroy() {
    clearTimeout(this.pauseTimer);
    this.address.stop();
    this.page.stop();
  }
}

/**
 * @param {Translation[]} translations
 * @param {LiveData & { modes: string[] }} data
 * @param {number} step
 * @returns {WindowData}
 */
function dataOf([{ shown }], { modes }, step) {
  return { trace: shown, gram: gramOf(vectorsOf(shown.steps[0]).memory[0]), modes, step };
}

export default translating((host, data, from) => new WindowLab(host, data, from), dataOf, ["memory"]);
