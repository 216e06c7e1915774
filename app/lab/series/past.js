// What the Series page computes beside the model: errors, last week's values, and past values in the address.

/** @import { MovedValues } from "./types.d.ts" */

/** The mean absolute difference. @param {number[]} forecast @param {number[]} truth */
export const errorOf = (forecast, truth) =>
  forecast.reduce((sum, value, day) => sum + Math.abs(value - truth[day]), 0) / forecast.length;

/**
 * The last week of the past, repeated (seasonal_naive of attn_core/synthetic/forecasting).
 * @param {number[]} past
 * @param {number} week
 * @param {number} days
 */
export const lastWeek = (past, week, days) =>
  Array.from({ length: days }, (_, i) => past[past.length - week + (i % week)]);

/** The position of the largest number. @param {number[]} row */
export const largest = (row) => row.indexOf(Math.max(...row));

/**
 * The weight on past days with the weekday of forecast day `step`.
 * @param {number[]} weights
 * @param {number} week
 * @param {number} step
 */
export const onWeekday = (weights, week, step) =>
  weights.reduce((sum, weight, day) => sum + ((weights.length + step - day) % week ? 0 : weight), 0);

/** Moved values as written in the address: `35~-2.5_40~1`; null for none. @param {MovedValues} movedValues */
export function movedValuesText(movedValues) {
  return (
    Object.entries(movedValues)
      .map(([day, value]) => `${day}~${value}`)
      .join("_") || null
  );
}

/**
 * Moved values from the address, for `days` past days and values of at most `most`; null if they are not valid.
 * @param {string} text
 * @param {number} days
 * @param {number} most
 * @returns {MovedValues | null}
 */
export function movedValuesIn(text, days, most) {
  /** @type {MovedValues} */
  const movedValues = {};
  for (const part of text.split("_")) {
    const match = /^(\d{1,3})~(-?\d{1,3}(?:\.\d{1,3})?)$/.exec(part);
    if (!match || Number(match[1]) >= days || Math.abs(Number(match[2])) > most) return null;
    movedValues[Number(match[1])] = Number(match[2]);
  }
  return movedValues;
}
