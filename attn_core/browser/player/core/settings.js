// The window of a run: its name, its live settings, such as D, and p_t where it is set by hand. What a page must know
// of windows are facts (engine/types.d.ts, WindowFacts), which Python writes; nothing here knows one by its name.

import { inForce } from "../../engine/defaults.js";
import { valueIn } from "../../engine/lookup.js";
import { t } from "./messages.js";

/** The grid of a live setting that is no whole number, and of p_t. */
export const GRID = 0.05;
/** The nearest value on the grid, without the digits that floats add. @param {number} value */
export const onGrid = (value) => Number((Math.round(value / GRID) * GRID).toFixed(2));
export const NARROWEST = 0.25; // the smallest width that sliders and handles give
const WIDE = 5; // the least end of the slider of a width
const NARROW = 2; // words on each side of a window that is given to a model without one

/**
 * @import { LiveSetting, WindowFacts } from "../../engine/types.d.ts"
 * @import { Settings, Trace, WindowChoice, WindowSettings } from "./types.d.ts"
 * @typedef {Record<string, WindowFacts>} Windows facts by the names of windows
 */

/**
 * The facts of a window; null where there are none.
 * @param {Windows} windows
 * @param {string | null} window
 */
export const factsOf = (windows, window) => valueIn(windows, window) ?? null;

/** The live settings of a window. @param {Windows} windows @param {string | null} window @returns {LiveSetting[]} */
export const liveOf = (windows, window) => factsOf(windows, window)?.live ?? [];

/**
 * The settings that a trace was decoded with.
 * @param {Trace} trace
 * @param {Windows} windows
 * @returns {Settings}
 */
export function decodedWith({ settings }, windows) {
  return { ...settingsFrom(settings, windows), keep: settings.keep_states === true };
}

/**
 * The settings that its model was trained with.
 * @param {Trace} trace
 * @param {Windows} windows
 * @returns {Settings}
 */
export function trainedWith({ settings }, windows) {
  return settingsFrom(settings.trained_window ?? settings, windows);
}

/**
 * A trace has the values that are in force; one that is the window's own default is null here.
 * @param {WindowSettings} recorded
 * @param {Windows} windows
 * @returns {Settings}
 */
function settingsFrom({ window = null, centers = null, ...values }, windows) {
  const live = liveOf(windows, window);
  const recorded = Object.fromEntries(live.map(({ name }) => [name, numberOf(values[name])]));
  const defaults = inForce(
    live,
    Object.fromEntries(live.map(({ name, nullable }) => [name, nullable ? null : recorded[name]])),
  );
  const choices = live.map(({ name, nullable }) => [
    name,
    nullable && recorded[name] === defaults[name] ? null : recorded[name],
  ]);
  return { window, live: Object.fromEntries(choices), centers, keep: false };
}

/** @param {unknown} value */
const numberOf = (value) => (typeof value === "number" ? value : null);

/**
 * The values of a window's live settings, with the window's own default for those that are null; null: without effect.
 * @param {Settings} settings
 * @param {Windows} windows
 */
export const valuesOf = ({ window, live }, windows) => inForce(liveOf(windows, window), live);

/**
 * Whether two runs have the same window.
 * @param {Settings} one
 * @param {Settings} other
 * @param {Windows} windows
 */
export function isSame(one, other, windows) {
  return isSameWindow(one, other, windows) && JSON.stringify(one.centers) === JSON.stringify(other.centers);
}

/**
 * Whether two windows differ at most in the p_t that are set by hand.
 * @param {Settings} one
 * @param {Settings} other
 * @param {Windows} windows
 */
export function isSameWindow(one, other, windows) {
  return (
    one.window === other.window && JSON.stringify(valuesOf(one, windows)) === JSON.stringify(valuesOf(other, windows))
  );
}

/**
 * Whether a window has anything that can be moved.
 * @param {Settings} settings
 * @param {Windows} windows
 */
export function isMovable({ window }, windows) {
  const facts = factsOf(windows, window);
  return Boolean(facts && (facts.centered || facts.live.length));
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
 * @param {string} name of a live setting
 * @param {number | null} value
 * @returns {Settings}
 */
export const withLive = (settings, name, value) => ({ ...settings, live: { ...settings.live, [name]: value } });

/**
 * A narrow window for a model that was trained without one: the first whose centre needs no training; null if there is
 * none.
 * @param {Windows} windows those that the model can be run in
 * @param {number} length of the source
 * @returns {Settings | null}
 */
export function narrowWindow(windows, length) {
  const entry = Object.entries(windows).find(([, { centered, learned, live }]) => centered && !learned && live.length);
  if (!entry) return null;
  const [window, { live }] = entry;
  const narrow = (/** @type {LiveSetting} */ { whole, default: usual }) =>
    whole && usual !== null ? Math.min(usual, NARROW, Math.max(length - 1, 0)) : usual;
  return {
    window,
    live: Object.fromEntries(live.map((setting) => [setting.name, narrow(setting)])),
    centers: null,
    keep: false,
  };
}

/**
 * The settings with a live setting set to the window's own default, or no longer.
 * @param {Settings} settings
 * @param {string} name
 * @param {Windows} windows
 * @returns {Settings}
 */
export function relinked(settings, name, windows) {
  if (settings.live[name] !== null) return withLive(settings, name, null);
  const values = valuesOf(settings, windows);
  const widest = Math.max(...Object.values(values).map((value) => value ?? 0));
  return withLive(settings, name, values[name] ?? Math.max(widest / 2, 0.5));
}

/**
 * The window of settings as a reader chooses it: none for that of training.
 * @param {Settings} settings
 * @param {Settings} trained
 * @param {Windows} windows
 * @returns {WindowChoice}
 */
export function windowChoice(settings, trained, windows) {
  const { window, live, centers } = settings;
  return isSame(settings, trained, windows) ? { window: null, live: {}, centers: null } : { window, live, centers };
}

/**
 * The range of a live setting's slider, and its value there.
 * @param {Pick<LiveSetting, "whole" | "least" | "most" | "nullable">} setting
 * @param {number | null} value in force
 * @param {number} widest the largest number of words that is offered
 */
export function rangeOf({ whole, least, most, nullable }, value, widest) {
  const isWidth = !whole && nullable; // none stands for no Gaussian, as a width of 0 would
  const inWords = whole ? Math.max(widest, value ?? 0) : Math.max(WIDE, Math.ceil(widest / 2), Math.ceil(value ?? 0));
  const max = most === null || ((whole || isWidth) && most > inWords) ? inWords : most;
  return {
    step: whole ? 1 : GRID,
    min: isWidth ? Math.max(least ?? 0, NARROWEST) : (least ?? 0),
    max,
    value: value ?? max, // where a Gaussian, for example, would change nothing
    text: value === null ? t("none") : String(Number(value.toFixed(2))),
  };
}
