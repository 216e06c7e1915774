// The settings of the Score lab in the page's address: what differs from the page's own, as numbers joined by "_".

import { ATTENTION_TYPES } from "./context.js";

/** @import { AllParameters, ScoreLabState } from "../types.d.ts" */

const MOST = 9; // of a parameter, as its field allows

/** The numbers in lists and objects, one after another. @param {unknown} value @returns {number[]} */
const flat = (value) =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(flat) : [/** @type {number} */ (value)];

/**
 * `numbers` in the shape of `like`; takes them from the front.
 * @template T
 * @param {T} like
 * @param {number[]} numbers
 * @returns {T}
 */
function shaped(like, numbers) {
  if (Array.isArray(like)) return /** @type {T} */ (like.map((part) => shaped(part, numbers)));
  if (typeof like === "object" && like !== null) {
    return /** @type {T} */ (
      Object.fromEntries(Object.entries(like).map(([key, part]) => [key, shaped(part, numbers)]))
    );
  }
  return /** @type {T} */ (numbers.shift());
}

/**
 * What the address holds of `state`: a value by name, null for what is as at the `start`.
 * @param {ScoreLabState} state
 * @param {ScoreLabState} start
 */
export function linkOf(state, start) {
  const changed = (/** @type {unknown} */ now, /** @type {unknown} */ before) => {
    const text = flat(now)
      .map((x) => String(Math.round(x * 1000) / 1000))
      .join("_");
    return text === flat(before).map(String).join("_") ? null : text;
  };
  const parameters = Object.entries(start.parameters).map(([name, before]) => {
    return [name, changed(state.parameters[name], before)];
  });
  return {
    score: state.score === start.score ? null : state.score,
    type: state.attention_type === "soft" ? null : state.attention_type,
    key: state.chosen || null,
    apart: state.apart ? 1 : null,
    query: changed(state.query, start.query),
    keys: changed(state.keys, start.keys),
    values: changed(state.values, start.values),
    .../** @type {Record<string, string | null>} */ (Object.fromEntries(parameters)),
  };
}

/**
 * The state of an address: `start`, changed by what `read(name)` gives and is valid. `reach`: the edge of the plane.
 * @param {ScoreLabState} start
 * @param {(name: string) => string | null} read
 * @param {string[]} names of score functions
 * @param {number} reach
 * @returns {ScoreLabState}
 */
export function stateOf(start, read, names, reach) {
  /**
   * @template T
   * @param {string} name
   * @param {T} like
   * @param {number} most
   * @returns {T}
   */
  const numbers = (name, like, most) => {
    const linked = (read(name) || "").split("_").map((text) => (text === "" ? NaN : Number(text)));
    const fits = linked.length === flat(like).length && linked.every((x) => Math.abs(x) <= most);
    return fits ? shaped(like, linked) : like;
  };
  const [score, type, key] = [read("score") ?? "", read("type") ?? "", Number(read("key"))];
  return {
    ...start,
    score: names.includes(score) ? score : start.score,
    attention_type: ATTENTION_TYPES.some(([attentionType]) => attentionType === type) ? type : start.attention_type,
    chosen: Number.isInteger(key) && key >= 0 && key < start.keys.length ? key : 0,
    apart: read("apart") === "1",
    query: numbers("query", start.query, reach),
    keys: numbers("keys", start.keys, reach),
    values: numbers("values", start.values, reach),
    parameters: /** @type {AllParameters} */ (
      Object.fromEntries(Object.entries(start.parameters).map(([name, like]) => [name, numbers(name, like, MOST)]))
    ),
  };
}
