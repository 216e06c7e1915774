// The translations on a map: which places have the same one, and where one changes into another.

import { paired } from "../compare/pairs.js";

/**
 * @typedef {{ text: string, words: string[], score: number }} Found a translation and its log p per word
 * @typedef {{ letter: string, text: string, words: string[], places: number[] }} Region the places with one translation
 */

/**
 * The distinct translations, the most frequent first; `own`, that of the page, is the first.
 * @param {(Found | null)[]} found by place; null: not there yet
 * @param {string | null} own
 * @returns {Region[]}
 */
export function regions(found, own) {
  /** @type {Map<string, Omit<Region, "letter">>} */
  const known = new Map();
  found.forEach((one, place) => {
    if (!one) return;
    const region = known.get(one.text) ?? { text: one.text, words: one.words, places: [] };
    region.places.push(place);
    known.set(one.text, region);
  });
  const order = [...known.values()].sort((a, b) => Number(b.text === own) - Number(a.text === own) || b.places.length - a.places.length);
  return order.map((region, i) => ({ ...region, letter: letter(i) }));
}

/** A, B, … Z, AA, AB, … @param {number} i @returns {string} */
export function letter(i) {
  return (i >= 26 ? letter(Math.floor(i / 26) - 1) : "") + String.fromCharCode(65 + (i % 26));
}

/**
 * The sides on which a place borders on another translation; the edge of the map is no border.
 * @param {(Found | null)[]} found @param {number} place @param {number} columns
 */
export function borders(found, place, columns) {
  const own = found[place]?.text;
  const other = (/** @type {number} */ at, /** @type {boolean} */ there) => there && own !== undefined && found[at] != null && found[at].text !== own;
  return {
    top: other(place - columns, place >= columns), right: other(place + 1, (place + 1) % columns !== 0),
    bottom: other(place + columns, place + columns < found.length), left: other(place - 1, place % columns !== 0),
  };
}

/** The places in the order in which they are translated: from the nearest to `own` outward. @param {number} count @param {number} columns @param {number} own */
export function outward(count, columns, own) {
  const far = (/** @type {number} */ place) => Math.hypot(Math.floor(place / columns) - Math.floor(own / columns), (place % columns) - (own % columns));
  return Array.from({ length: count }, (_, place) => place).sort((a, b) => far(a) - far(b));
}

/** Which words of a translation another one does not have. @param {string[]} words @param {string[]} others */
export function flipped(words, others) {
  const shared = new Set(paired(words, others).filter(([one, other]) => one !== null && other !== null && words[one] === others[other]).map(([one]) => one));
  return words.map((_, i) => !shared.has(i));
}
