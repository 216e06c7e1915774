// The window's settings: what the trace was decoded with, what the model was trained with, what the hand is trying.
// {window, half_width, sigma, linked}: sigma counts only when not linked; linked means the window's own default.

/** @import { How, Settings, Settled, Trace, WindowSettings } from "./types.d.ts" */

/**
 * What a trace was decoded with.
 * @param {Trace} trace
 */
export function decodedWith(trace) {
  return settingsFrom(trace.settings);
}

/**
 * What its model was trained with.
 * @param {Trace} trace
 */
export function trainedWith(trace) {
  return settingsFrom(trace.settings.trained_window ?? trace.settings);
}

/**
 * @param {WindowSettings} windowSettings
 * @returns {Settings}
 */
function settingsFrom({ window, half_width, sigma }) {
  const linked = sigma == null || (window === "local-p" && sigma === (half_width ?? 0) / 2);
  return { window: window ?? null, half_width: half_width ?? null, sigma: linked ? null : sigma ?? null, linked };
}

/**
 * The Gaussian's width in force, null where there is no Gaussian: linked it is D / 2, but local-m has none.
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
  return one.window === other.window && one.half_width === other.half_width && sigmaOf(one) === sigmaOf(other);
}

/**
 * @param {Settings} settings
 * @returns {settings is Settings & { half_width: number }}
 */
export function isLocal(settings) {
  return settings.window === "local-m" || settings.window === "local-p";
}

/**
 * A window for a model that was trained without one: it moves one word a step, like local-m.
 * @param {number} length
 * @returns {Settings & { half_width: number }}
 */
export function givenWindow(length) {
  return { window: "local-m", half_width: Math.min(2, Math.max(length - 1, 0)), sigma: null, linked: true };
}

/**
 * What the host is told when the hand lets go.
 * @param {Settings} settings
 * @param {Trace} trace
 * @returns {Settled}
 */
export function settled(settings, trace) {
  const { window, half_width, sigma, linked } = settings;
  return {
    model: trace.model,
    window,
    half_width: isLocal(settings) ? half_width : null,
    sigma: linked ? null : sigma,
    linked,
    as_trained: same(settings, trainedWith(trace)),
  };
}

/**
 * The same settings in the words of `attend`.
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
