// Replacement of unknown words by the source word with the largest attention weight (Luong 2015, section 4.1).

import { UNKNOWN } from "./tokenizer/specials.js";

/**
 * For each target position the source position with the largest weight, the first of equal ones; null for none.
 * As attn_core/decoding/alignment.py: with `shift` 1, row t + 1 links word t.
 * @param {ArrayLike<number>[]} weights a row for each target position
 * @param {number} n source positions that may be chosen
 * @param {0 | 1} shift
 * @returns {(number | null)[]}
 */
export function links(weights, n, shift = 0) {
  return weights.map((_, t) => {
    const row = weights[t + shift];
    if (!row || !n) return null;
    let best = 0;
    let any = false;
    for (let s = 0; s < n; s++) {
      any ||= row[s] !== 0;
      if (row[s] > row[best]) best = s;
    }
    return any ? best : null;
  });
}

/**
 * The target's tokens, with each <unk> replaced by the source token that its weights point to.
 * @param {string[]} target
 * @param {string[]} source the words of the sentence, without a </s> that the model adds
 * @param {ArrayLike<number>[]} weights a row for each target position; none without attention
 * @param {0 | 1} shift 1 uses the weights of the next step, as in Luong 2015
 */
export function replaceUnknown(target, source, weights, shift = 0) {
  const linked = links(weights, source.length, shift);
  return target.map((token, t) => {
    const sourcePosition = token === UNKNOWN ? (linked[t] ?? null) : null;
    return sourcePosition === null ? token : source[sourcePosition];
  });
}
