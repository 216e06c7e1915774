// The settings of the window: the model's own, those of a link, and what follows from those of the reader.

import { MOST_WORDS } from "../../../attn_core/browser/engine/limits.js";
import { recordedRows } from "../../../attn_core/browser/player/core/rows.js";
import { NARROWEST } from "../../../attn_core/browser/player/core/settings.js";
import { numberIn } from "../../shell/address.js";
import { monotonic, usualWidth } from "../kit/windowing.js";
import { attentionIn } from "./treatments.js";

/** @import { Trace } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { From } from "../../shell/types.d.ts" */
/** @import { ModelWindow, WindowData, WindowState, WindowView } from "./types.d.ts" */

const LINKED = "D/2"; // sigma in a link, where the model's own is not D / 2

/**
 * The model's own window at a step; for a model without one, that of local-m.
 * @param {Trace} trace
 * @param {number} step
 * @returns {ModelWindow}
 */
function modelWindowAt({ settings, source, steps }, step) {
  const { center } = steps[step];
  return {
    center: center ?? monotonic(step, source.length),
    halfWidth: settings.half_width ?? usualWidth(source.length),
    rule: settings.center ?? "floor",
    isReplacement: center === null,
  };
}

/**
 * The settings before the reader changes any; a model's own sigma is not linked to D.
 * @param {Trace} trace
 */
export function initialSettings({ settings: { window, half_width, sigma } }) {
  const isLinked = window !== "local-p" || sigma === (half_width ?? 0) / 2;
  return { center: null, halfWidth: null, rule: null, sigma: isLinked ? null : (sigma ?? null) };
}

/**
 * The settings of a link, and the initial ones where it has none that fit the sentence.
 * @param {Trace} trace
 * @param {From} from
 */
export function linkedSettings(trace, from) {
  const { length } = trace.source;
  const halfWidth = numberIn(from("D"), 0, Math.max(length - 1, modelWindowAt(trace, 0).halfWidth, 1));
  const sigma = numberIn(from("sigma"), NARROWEST, MOST_WORDS) ?? initialSettings(trace).sigma;
  const rule = from("rule");
  return {
    center: numberIn(from("p"), 0, length),
    halfWidth: halfWidth === null ? null : Math.round(halfWidth),
    sigma: from("sigma") === LINKED ? null : sigma,
    rule: rule === "floor" || rule === "real" ? rule : null,
  };
}

/**
 * The settings in the link that do not depend on the step; null for those that are the model's own.
 * @param {Trace} trace
 * @param {WindowState} state
 */
export function linkOf(trace, { halfWidth, sigma, rule }) {
  return { D: halfWidth, sigma: sigma === initialSettings(trace).sigma ? null : (sigma ?? LINKED), rule };
}

/**
 * What the lab shows: the scores of the step, the window of the model and of the reader, and the attention in the
 * latter.
 * @param {WindowData} data
 * @param {WindowState} state
 * @returns {WindowView}
 */
export function viewOf({ trace, modes, gram }, state) {
  const row = recordedRows(trace, 0)[state.step];
  const modelWindow = modelWindowAt(trace, state.step);
  const halfWidth = state.halfWidth ?? modelWindow.halfWidth;
  const adjusted = {
    center: state.center ?? modelWindow.center,
    halfWidth,
    rule: state.rule ?? modelWindow.rule,
    sigma: state.sigma ?? halfWidth / 2,
  };
  const attention = attentionIn(row.scores, adjusted, modes, gram);
  return { row, modelWindow, adjusted, attention, isMoved: state.center !== null };
}
