// How the values of a view are spelt in a link.

import { t } from "../player/core/messages.js";

/** @import { Kind } from "./types.d.ts" */

/** @param {number} least @param {number} most @returns {Kind<number>} */
export const wholeNumber = (least, most) => ({
  read: (written) => within(/^\d+$/.test(written) ? Number(written) : NaN, least, most),
  write: String,
  wanted: () => t("a whole number from {low} to {high}", { low: least, high: most }),
});

/** @param {number} least @param {number} most @returns {Kind<number>} */
export const realNumber = (least, most) => ({
  read: (written) => within(/^\d+(\.\d+)?$/.test(written) ? Number(written) : NaN, least, most),
  write: String,
  wanted: () => t("a number from {low} to {high}", { low: least, high: most }),
});

/** @template {string | number} T @param {readonly T[]} values @returns {Kind<T>} */
export const oneOf = (values) => ({
  read: (written) => values.find((value) => String(value) === written),
  write: String,
  wanted: () => (values.length > 1 ? t("one of {values}", { values: values.join(", ") }) : String(values[0])),
});

/** A boolean: true if the link has this word. @param {string} word @returns {Kind<boolean>} */
export const flag = (word) => ({
  read: (written) => (written === word ? true : undefined),
  write: () => word,
  wanted: () => word,
});

/** Numbers by index: "3-7.5_4-8". @param {number} most @returns {Kind<Record<number, number> | null>} */
export const byIndex = (most) => ({
  read(written) {
    const parts = written.split("_").map((pair) => /^(\d+)-(\d+(?:\.\d+)?)$/.exec(pair));
    if (!parts.every((part) => part && Number(part[2]) <= most)) return undefined;
    return Object.fromEntries(parts.map((part) => [Number(part?.[1]), Number(part?.[2])]));
  },
  write: (values) =>
    Object.entries(values ?? {})
      .map(([index, value]) => `${index}-${value}`)
      .join("_"),
  wanted: () => t("pairs of a step and a position, both from 0, joined by _, such as 3-7.5_4-8"),
});

/** @param {number} value @param {number} least @param {number} most */
const within = (value, least, most) => (value >= least && value <= most ? value : undefined);
