// The attention weights of a sentence as lists of numbers, without the rest of its trace: for pages that measure many.

import { massOutside } from "./measures.js";
import { forced, greedy } from "./search.js";
import { dice } from "./dice.js";
import { windowOf } from "./live.js";
import { MOST_PIECES } from "./limits.js";
import { END } from "./tokenizer/specials.js";

/** @typedef {import("./plan.js").Plan} Plan */
/** @typedef {import("./trace.js").Translator} Translator */
/** @typedef {import("./types").Rows} Rows */
/** @typedef {import("./types").Weighed} Weighed */
/** @typedef {import("./types").WeightsAsked} WeightsAsked */

/**
 * The weights of greedy decoding, or of forced decoding of a reference; null for a text without a word, a text
 * or reference of too many word pieces, or a model without attention.
 * @param {Translator} translator
 * @param {WeightsAsked} asked
 * @returns {Weighed | null}
 */
export function weightsOf(translator, { text, reference, ...how }) {
  const { model, source, target } = translator;
  const { heads, special } = model.json;
  const tokens = source.tokens(text);
  const wanted = reference === undefined ? null : target.tokens(reference);
  if (!tokens.length || !heads.looks.length || wanted?.length === 0) return null;
  if (Math.max(tokens.length, wanted?.length ?? 0) > MOST_PIECES) return null;
  translator.uniform = dice(0);
  const ids = source.ids(tokens);
  const words = special.source_eos ? [...tokens, END] : tokens;
  const n = words.length;
  /** @type {Record<"cross" | "own", Float32Array[]>} */
  const rows = { cross: [], own: [] };
  /** @type {Record<"centers" | "lost" | "outside", number[]>} */
  const local = { centers: [], lost: [], outside: [] };
  const narrow = windowOf(model.json, model.stepFor(how)).centered;

  const onStep = (/** @type {Plan} */ plan) => {
    const part = (/** @type {number} */ look, /** @type {string} */ name) =>
      plan.output(`looks.${look}.${name}`).subarray(0, n);
    if (narrow) local.centers.push(plan.output("looks.0.focus.center")[0]);
    for (let look = 0; look < heads.looks.length; look++) {
      const weights = part(look, "weights").slice();
      rows.cross.push(weights);
      if (!narrow) continue;
      local.lost.push(total(part(look, "alignment")) - total(weights));
      local.outside.push(massOutside(Array.from(part(look, "scores")), spanOf(part(look, "focus.inside"))));
    }
    for (let look = 0; look < heads.own.length; look++) rows.own.push(plan.output(`own.${look}.weights`).slice());
  };

  const decoded = wanted
    ? forced(model, ids, target.ids(wanted), { how, onStep })
    : greedy(model, ids, { how, onStep });
  const steps = decoded.words.length;
  return {
    source: words,
    unknown: source.unknown(tokens),
    target: decoded.words.map((word) => target.token(word)),
    cross: together(rows.cross, heads.looks.length, n),
    decoder: heads.own.length ? together(rows.own, heads.own.length, steps) : null,
    encoder: heads.encoder.length && !wanted ? encoderRows(translator, ids, n) : null,
    ...(narrow
      ? {
          local: {
            centers: Float32Array.from(local.centers),
            lost: Float32Array.from(local.lost),
            outside: Float32Array.from(local.outside),
          },
        }
      : {}),
  };
}

/**
 * The encoder's self-attention: a row for each word.
 * @param {Translator} translator
 * @param {number[]} ids
 * @param {number} n
 * @returns {Rows}
 */
function encoderRows({ model }, ids, n) {
  const { looks } = model.encode(ids, true);
  const heads = model.json.heads.encoder.length;
  const each = Array.from({ length: heads }, (_, look) => looks[`memory.looks.${look}.weights`].data);
  return together(
    Array.from({ length: n * heads }, (_, i) => each[i % heads].subarray(Math.floor(i / heads) * n)),
    heads,
    n,
  );
}

/**
 * Rows as one list; what a row does not have is 0.
 * @param {Float32Array[]} rows
 * @param {number} heads
 * @param {number} columns
 * @returns {Rows}
 */
function together(rows, heads, columns) {
  const weights = new Float32Array(rows.length * columns);
  rows.forEach((row, i) => weights.set(row.subarray(0, columns), i * columns));
  return { rows: rows.length / heads, heads, columns, weights };
}

/** The first and last position in view. @param {Float32Array} inside */
function spanOf(inside) {
  const lo = inside.findIndex(Boolean);
  return lo < 0 ? null : { lo, hi: inside.findLastIndex(Boolean) };
}

/** @param {Float32Array} values */
function total(values) {
  return values.reduce((sum, value) => sum + value, 0);
}
