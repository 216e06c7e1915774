// The choice of a window and its half-width D, of those that a model can be run with.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { onTyped } from "../../../attn_core/browser/player/dom/typing.js";
import { field, offerOptions } from "./parts.js";

/** @import { LiveModel } from "../../../attn_core/browser/hosts/types.d.ts" */
/** @import { How } from "./types.d.ts" */

/** @typedef {LiveModel["graphs"]["steps"]} Steps of the model: the first one is as trained */

const WIDEST = 20; // the largest half-width D that is offered
const PAUSE = 400; // ms after the last change of the number
const NAMES = { window: "corpus_window", halfWidth: "corpus_D" }; // in the address

export class WindowChoice {
  /** @param {() => void} onChange called when the reader has chosen another window or half-width */
  constructor(onChange) {
    this.window = el("select", { "aria-label": t("Window") });
    const number = { type: "number", min: 0, max: WIDEST, step: 1, class: "co-small" };
    this.halfWidth = el("input", { ...number, "aria-label": t("Half-width D in words") });
    this.windowField = field(t("Window"), this.window);
    this.halfWidthField = field(t("D"), this.halfWidth);
    /** @type {Steps} */
    this.steps = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.typingTimer = undefined;

    this.window.addEventListener("change", () => {
      this.halfWidth.value = "";
      this.showHalfWidth();
      onChange();
    });
    onTyped(this.halfWidth, () => {
      clearTimeout(this.typingTimer);
      this.typingTimer = setTimeout(onChange, PAUSE);
    });
    this.halfWidth.addEventListener("change", () => {
      this.halfWidth.value = String(this.chosen().half_width ?? ""); // the one in use
    });
  }

  /** Offer the windows of a model. @param {Steps} steps */
  offer(steps) {
    this.steps = steps;
    const [trained, ...others] = steps;
    const windows = others
      .filter(({ type, window }) => type === trained.type && window && window !== trained.window)
      .map(({ window }) => String(window));
    const names = [...new Set(windows)];
    const trainedName = t("{window} (as trained)", { window: String(trained.window ?? "global") });
    offerOptions(this.window, [["", trainedName], ...names.map((name) => /** @type {const} */ ([name, name]))], "");
    this.windowField.hidden = names.length === 0;
    this.halfWidth.value = "";
    this.showHalfWidth();
  }

  /** Offer D where the window has one. */
  showHalfWidth() {
    const [trained] = this.steps;
    const chosen = this.window.value
      ? this.steps.find(({ type, window }) => type === trained.type && window === this.window.value)
      : trained;
    this.halfWidthField.hidden = chosen?.live.half_width === undefined;
    this.halfWidth.placeholder = String(chosen?.live.half_width ?? "");
  }

  /** The settings that the reader chose; what is left out is as trained. @returns {How} */
  chosen() {
    const { value } = this.halfWidth;
    const hasHalfWidth = /^\d+$/.test(value) && !this.halfWidthField.hidden;
    return {
      ...(this.window.value ? { window: this.window.value } : {}),
      ...(hasHalfWidth ? { half_width: Math.min(Number(value), WIDEST) } : {}),
    };
  }

  /** Take the choice from an address, as far as the model has it. @param {(name: string) => string | null} linked */
  readAddress(linked) {
    const window = linked(NAMES.window) ?? "";
    if ([...this.window.options].some(({ value }) => value === window)) this.window.value = window;
    this.showHalfWidth();
    const halfWidth = linked(NAMES.halfWidth) ?? "";
    if (/^\d+$/.test(halfWidth) && Number(halfWidth) <= WIDEST) this.halfWidth.value = halfWidth;
  }

  /** The choice as entries of the address. @returns {Record<string, string | number | null>} */
  address() {
    const { window = null, half_width = null } = this.chosen();
    return { [NAMES.window]: window, [NAMES.halfWidth]: half_width };
  }

  stop() {
    clearTimeout(this.typingTimer);
  }
}
