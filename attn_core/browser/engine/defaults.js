// What null stands for in a live setting: the window's own default.

/** @import { LiveSetting } from "./types.d.ts" */

/**
 * The values of live settings, with those that null stands for; null: without effect, as without a Gaussian.
 * @param {LiveSetting[]} live
 * @param {Record<string, number | null>} settings
 * @returns {Record<string, number | null>}
 */
export function inForce(live, settings) {
  return Object.fromEntries(
    live.map(({ name, multiple }) => {
      const [other, factor] = multiple ?? ["", 0];
      return [name, settings[name] ?? (factor * (settings[other] ?? 0) || null)];
    }),
  );
}
