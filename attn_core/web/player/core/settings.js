// The window's settings: those of the trace, those that the model was trained with, and those of the sliders.
// {window, half_width, sigma, linked, centers}: sigma is used only if not linked; linked means the window's own default.
// centers: p_t by step, where it is set by hand, or null.

export const NARROWEST = 0.25; // the smallest sigma that sliders and handles give

/** @import { How, Settings, Settled, Trace, WindowSettings } from "./types.d.ts" */

/**
 * The settings that a trace was decoded with.
 * @param {Trace} trace
 */
export function decodedWith(trace) {
  return settingsFrom(trace.settings);
}

/**
 * The settings that its model was trained with.
 * @param {Trace} trace
 */
export function trainedWith(trace) {
  return settingsFrom(trace.settings.trained_window ?? trace.settings);
}

/**
 * @param {WindowSettings} windowSettings
 * @returns {Settings}
 */
function settingsFrom({ window, half_width, sigma, centers = null }) {
  const linked = sigma == null || (window === "local-p" && sigma === (half_width ?? 0) / 2);
  return { window: window ?? null, half_width: half_width ?? null, sigma: linked ? null : sigma ?? null, linked, centers };
}

/**
 * The Gaussian's width in use, null without a Gaussian; if linked, D / 2, or null for local-m.
 * @param {Settings} settings
 */
export function sigmaOf({ window, half_width, sigma, linked }) {
  if (window !== "local-p" && window !== "local-m") return null;
  if (!linked) return sigma;
  return window === "local-p" ? (half_width ?? 0) / 2 : null;
}

/**
 * @param {Settings} one
 * @param {Settings} other
 */
export function same(one, other) {
  return sameWindow(one, other) && JSON.stringify(one.centers) === JSON.stringify(other.centers);
}

/**
 * Whether two windows differ at most in the p_t that are set by hand.
 * @param {Settings} one
 * @param {Settings} other
 */
export function sameWindow(one, other) {
  return one.window === other.window && one.half_width === other.half_width && sigmaOf(one) === sigmaOf(other);
}

/**
 * The settings with p_t of a step set by hand; null: as the window has it.
 * @param {Settings} settings
 * @param {number} step
 * @param {number | null} place
 * @returns {Settings}
 */
export function withCenter(settings, step, place) {
  const { [step]: _, ...others } = settings.centers ?? {};
  const centers = place === null ? others : { ...others, [step]: place };
  return { ...settings, centers: Object.keys(centers).length ? centers : null };
}

/**
 * @param {Settings} settings
 * @returns {settings is Settings & { half_width: number }}
 */
export function isLocal(settings) {
  return settings.window === "local-m" || settings.window === "local-p";
}

/**
 * A window for a model that was trained without one: local-m, which moves one word per step.
 * @param {number} length
 * @returns {Settings & { half_width: number }}
 */
export function givenWindow(length) {
  return { window: "local-m", half_width: Math.min(2, Math.max(length - 1, 0)), sigma: null, linked: true, centers: null };
}

/**
 * The settings with sigma linked to the window's own default, or no longer.
 * @param {Settings} settings
 * @returns {Settings}
 */
export function relinked(settings) {
  const { linked, half_width } = settings;
  const sigma = sigmaOf(settings) || Math.max((half_width ?? 0) / 2, 0.5);
  return { ...settings, linked: !linked, sigma: linked ? sigma : null };
}

/**
 * The settings sent to the host when a slider is released.
 * @param {Settings} settings
 * @param {Trace} trace
 * @returns {Settled}
 */
export function settled(settings, trace) {
  const { window, half_width, sigma, linked, centers } = settings;
  return {
    model: trace.model,
    window,
    half_width: isLocal(settings) ? half_width : null,
    sigma: linked ? null : sigma,
    linked,
    centers: isLocal(settings) ? centers : null,
    as_trained: same(settings, trainedWith(trace)),
  };
}

/**
 * Settings as they are asked for and written in a link; {} for those of training.
 * @param {Settled} settings
 * @returns {WindowSettings}
 */
export function inLink({ as_trained, window, half_width, sigma, centers }) {
  return as_trained ? {} : { window, half_width, sigma, centers };
}

/**
 * The settings of a link; what it leaves out is as trained.
 * @param {WindowSettings} asked
 * @param {Trace} trace
 * @returns {Settings}
 */
function fromLink({ window, half_width, sigma, centers }, trace) {
  const trained = trainedWith(trace);
  if ([window, half_width, sigma, centers].every((value) => value == null)) return trained;
  const { half_width: given } = isLocal(trained) ? trained : givenWindow(trace.source.length);
  return { window: window ?? trained.window, half_width: half_width ?? given, sigma: sigma ?? null, linked: sigma == null, centers: centers ?? null };
}

/**
 * The choices of a link that keeps words and states: the preview of the window `kept`, where there is one; null: none.
 * @param {WindowSettings | null | undefined} kept undefined: as before
 * @param {Trace} trace
 * @param {boolean} can whether the player can keep them
 * @returns {{ keep?: boolean, draft?: Settings | null }}
 */
export function previewOf(kept, trace, can) {
  if (kept === undefined) return {};
  const draft = kept && can ? fromLink(kept, trace) : null;
  return draft && isLocal(draft) ? { keep: true, draft } : { keep: false, draft: null };
}

/**
 * The same settings as arguments of `attend`.
 * @param {Settings} settings
 * @param {Trace} trace
 * @returns {How}
 */
export function asHow(settings, trace) {
  const { center, gaussian, local_m } = trace.settings;
  return {
    window: settings.window,
    halfWidth: settings.half_width ?? 0,
    sigma: sigmaOf(settings),
    rule: center ?? "floor",
    mode: gaussian ?? "after_softmax",
    localM: local_m ?? "clamp",
  };
}
