// How a run departs from the training of its model, in words. Subscripts are written as in "p_{t}".

import { t, tn } from "./messages.js";
import { factsOf, isMovable, liveOf, isSame, isSameWindow, valuesOf } from "./settings.js";

/**
 * @import { Settings } from "./types.d.ts"
 * @import { Windows } from "./settings.js"
 */

/**
 * The window of a run: what it is, or the trained one if they differ.
 * @param {Settings} current
 * @param {Settings} trained
 * @param {Windows} windows
 */
export function windowText(current, trained, windows) {
  if (isSame(current, trained, windows)) {
    return factsOf(windows, current.window)?.about || t("{window}, as trained.", { window: String(current.window) });
  }
  if (isSameWindow(current, trained, windows)) {
    const n = Object.keys(current.centers ?? {}).length;
    return tn("Intervention: p_{t} of {n} step is set by hand.", "Intervention: p_{t} of {n} steps is set by hand.", n);
  }
  if (factsOf(windows, trained.window) && !isMovable(trained, windows))
    return t("Intervention: the model was trained without a window.");
  return t("Intervention: trained with {window}.", { window: nameWithValues(trained, windows) });
}

/** A window and its values: "name, D = 4". @param {Settings} settings @param {Windows} windows */
function nameWithValues(settings, windows) {
  const values = valuesOf(settings, windows);
  const live = liveOf(windows, settings.window).flatMap(({ name, symbol }) => {
    const value = values[name];
    return value === null ? [] : [`${symbol} = ${Number(value.toFixed(2))}`];
  });
  return [settings.window, ...live].join(", ");
}

/** The number of edits by hand; "" for none. @param {number} n */
export const editsText = (n) => (n > 0 ? tn("intervention: {n} edit", "intervention: {n} edits", n) : "");
