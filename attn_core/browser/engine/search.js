// Greedy, sampled and forced decoding of one sentence (beam search: beam.js), as in attn_core/decoding/search.py.

import { argmax } from "./reductions.js";

/** @typedef {import("./types").Carry} Carry */
/** @typedef {import("./types").How} How */
/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Stepper} Stepper */
/** @typedef {import("./plan.js").Plan} Plan */

/**
 * The words of an output with the end if the model chose it, and their log probabilities.
 * @typedef {{ words: number[], logProbs: number[], score: number }} Found
 */

/**
 * `limit` is the largest number of words, the end included (default: 3 * source length + 10), `least` the smallest
 * without the end; `onStep` receives every step's plan, whose outputs are valid until the next step, its word, the
 * stepper, and the carry before the step, which is valid until the next step too, unless `keepCarries`.
 * @typedef {{ how?: How, limit?: number | null, least?: number, keepCarries?: boolean,
 *   onStep?: (plan: Plan, word: number, t: number, stepper: Stepper, carry: Carry) => void }} Options
 */

/** The most probable word at every step. @param {Model} model @param {number[]} source @param {Options} options */
export function greedy(model, source, options = {}) {
  return follow(model, source, (logProbs) => argmax(logProbs, 0, logProbs.length), options);
}

/**
 * Words sampled from p ** (1 / temperature), one uniform number for each.
 * @param {Model} model
 * @param {number[]} source
 * @param {Options & { temperature?: number, uniform?: () => number }} options
 */
export function sample(model, source, options = {}) {
  const { temperature = 1, uniform = Math.random } = options;
  if (!(temperature > 0 && temperature < Infinity))
    throw new Error(`temperature must be above 0 and finite, not ${temperature}`);
  return follow(model, source, (logProbs) => drawn(logProbs, temperature, uniform()), options);
}

/** The index at which the cumulative probability exceeds `uniform`.
 * @param {Float32Array} logProbs @param {number} temperature @param {number} uniform */
function drawn(logProbs, temperature, uniform) {
  const best = logProbs[argmax(logProbs, 0, logProbs.length)];
  const weight = (/** @type {number} */ i) => Math.exp((logProbs[i] - best) / temperature);
  let total = 0;
  for (let i = 0; i < logProbs.length; i++) total += weight(i);
  let left = uniform * total;
  let last = 0;
  for (let i = 0; i < logProbs.length; i++) {
    const part = weight(i);
    if (part > 0) last = i;
    if (left < part) return i;
    left -= part;
  }
  return last;
}

/** Forced decoding: the log probabilities of `target`, followed by the end.
 * @param {Model} model @param {number[]} source @param {number[]} target @param {Options} options */
export function forced(model, source, target, options = {}) {
  const { eos, longest = Infinity } = model.json.special;
  const words = [...target, eos];
  if (words.length > longest)
    throw new Error(
      `${model.json.name} has positions for ${longest} words, not for ${words.length}: use a shorter target`,
    );
  let t = 0;
  return follow(model, source, () => words[t++], { ...options, limit: words.length, least: 0 });
}

/**
 * One output; `choose` picks each word from the log probabilities.
 * @param {Model} model
 * @param {number[]} source
 * @param {(logProbs: Float32Array) => number} choose
 * @param {Options} options
 * @returns {Found}
 */
function follow(model, source, choose, { how, limit = null, least = 0, keepCarries = false, onStep } = {}) {
  const { bos, eos } = model.json.special;
  const sentence = model.encode(source);
  const stepper = model.stepper(sentence, how);
  const most = mostWords(model, sentence.ids.length, limit, least);
  /** @type {[Carry, Carry | null]} used by turns, so that a step creates no new one */
  const carries = [sentence.carry, null];
  /** @type {Found} */
  const decoded = { words: [], logProbs: [], score: 0 };
  let word = bos;
  for (let t = 0; t < most && (t === 0 || word !== eos); t++) {
    const plan = stepper.step(/** @type {Carry} */ (carries[t % 2]), word);
    const logProbs = plan.output("log_probs");
    word = how?.change?.word(t) ?? chosenWord(logProbs, choose, forbiddenWords(model, t, least));
    decoded.words.push(word);
    decoded.logProbs.push(logProbs[word]);
    decoded.score += logProbs[word];
    const carry = /** @type {Carry} */ (carries[t % 2]);
    onStep?.(plan, word, t, stepper, carry);
    carries[(t + 1) % 2] = stepper.after(plan, carry, keepCarries ? null : carries[(t + 1) % 2]);
  }
  return decoded;
}

/** The choice among the words that are not forbidden.
 * @param {Float32Array} logProbs @param {(logProbs: Float32Array) => number} choose @param {number[]} forbidden */
function chosenWord(logProbs, choose, forbidden) {
  const saved = forbidden.map((word) => logProbs[word]);
  for (const word of forbidden) logProbs[word] = -Infinity;
  const chosen = choose(logProbs);
  forbidden.forEach((word, i) => (logProbs[word] = saved[i]));
  return chosen;
}

/**
 * The ids that a search may not choose at step `t`: `<pad>` and `<s>`, and the end before `least` words.
 * @param {Model} model @param {number} t @param {number} least
 */
export function forbiddenWords(model, t, least) {
  const { pad = -1, bos, eos } = model.json.special;
  return [pad, bos, t < least ? eos : -1].filter((word) => word >= 0);
}

/**
 * The largest number of words, the end included, for a source of `n` words: `limit` or, as in GroundHog, 3 * n + 10,
 * but no more than the decoder has positions for.
 * @param {Model} model @param {number} n @param {number | null} limit @param {number} least
 */
export function mostWords(model, n, limit, least) {
  return Math.min(limit ?? Math.max(3 * n + 10, least + 1), model.json.special.longest ?? Infinity);
}
