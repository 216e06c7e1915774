// The translations on a map: which places have the same one, and where one changes into another.

import { paired } from "../compare/pairs.js";

/**
 * @typedef {{ text: string, words: string[], score: number }} Found a translation and its log p per word
 * @typedef {{ letter: string, text: string, words: string[], places: number[] }} Region the places with one translation
 */

/**
 * The distinct translations, the most frequent first; `current`, that of the page, is the first.
 * @param {(Found | null)[]} translations by place; null: not there yet
 * @param {string | null} current
 * @returns {Region[]}
 */
export function regions(translations, current) {
  /** @type {Map<string, Omit<Region, "letter">>} */
  const known = new Map();
  translations.forEach((translation, place) => {
    if (!translation) return;
    const region = known.get(translation.text) ?? { text: translation.text, words: translation.words, places: [] };
    region.places.push(place);
    known.set(translation.text, region);
  });
  const order = [...known.values()].sort(
    (a, b) => Number(b.text === current) - Number(a.text === current) || b.places.length - a.places.length,
  );
  return order.map((region, i) => ({ ...region, letter: letter(i) }));
}

/** A, B, … Z, AA, AB, … @param {number} i @returns {string} */
export function letter(i) {
  return (i >= 26 ? letter(Math.floor(i / 26) - 1) : "") + String.fromCharCode(65 + (i % 26));
}

/**
 * The sides on which a place borders on another translation; the edge of the map is no border.
 * @param {(Found | null)[]} translations @param {number} place @param {number} columns
 */
export function borders(translations, place, columns) {
  const text = translations[place]?.text;
  const differs = (/** @type {number} */ other, /** @type {boolean} */ exists) =>
    exists && text !== undefined && translations[other] != null && translations[other].text !== text;
  return {
    top: differs(place - columns, place >= columns),
    right: differs(place + 1, (place + 1) % columns !== 0),
    bottom: differs(place + columns, place + columns < translations.length),
    left: differs(place - 1, place % columns !== 0),
  };
}

/**
 * The places in the order in which they are translated: from the nearest to `current` outward.
 * @param {number} count
 * @param {number} columns
 * @param {number} current
 */
export function outward(count, columns, current) {
  const far = (/** @type {number} */ place) =>
    Math.hypot(Math.floor(place / columns) - Math.floor(current / columns), (place % columns) - (current % columns));
  return Array.from({ length: count }, (_, place) => place).sort((a, b) => far(a) - far(b));
}

/** Which words of a translation another one does not have. @param {string[]} words @param {string[]} others */
export function flipped(words, others) {
  const shared = new Set(
    paired(words, others)
      .filter(([one, other]) => one !== null && other !== null && words[one] === others[other])
      .map(([one]) => one),
  );
  return words.map((_, i) => !shared.has(i));
}
