// What the Series page computes beside the model: errors, last week's values, and past values in the address.

/** @import { Moved } from "./types.d.ts" */

/** The mean absolute difference. @param {number[]} one @param {number[]} other */
export const errorOf = (one, other) => one.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0) / one.length;

/**
 * The last week of the past, repeated (seasonal_naive of attn_core/synthetic/forecasting).
 * @param {number[]} past
 * @param {number} week
 * @param {number} days
 */
export const lastWeek = (past, week, days) => Array.from({ length: days }, (_, i) => past[past.length - week + (i % week)]);

/** The position of the largest number. @param {number[]} row */
export const largest = (row) => row.indexOf(Math.max(...row));

/**
 * The weight on past days with the weekday of forecast day `step`.
 * @param {number[]} weights
 * @param {number} week
 * @param {number} step
 */
export const onWeekday = (weights, week, step) => weights.reduce((sum, weight, day) => sum + ((weights.length + step - day) % week ? 0 : weight), 0);

/** Moved values as written in the address: `35~-2.5_40~1`; null for none. @param {Moved} moved */
export function movedText(moved) {
  return Object.entries(moved).map(([day, value]) => `${day}~${value}`).join("_") || null;
}

/**
 * Moved values from the address, for `days` past days and values of at most `most`; null if they are not valid.
 * @param {string} text
 * @param {number} days
 * @param {number} most
 * @returns {Moved | null}
 */
export function movedIn(text, days, most) {
  /** @type {Moved} */
  const moved = {};
  for (const part of text.split("_")) {
    const found = /^(\d{1,3})~(-?\d{1,3}(?:\.\d{1,3})?)$/.exec(part);
    if (!found || Number(found[1]) >= days || Math.abs(Number(found[2])) > most) return null;
    moved[Number(found[1])] = Number(found[2]);
  }
  return moved;
}
