// A step in words, for screen readers.

import { t, tn } from "./messages.js";

/** @import { Row, Trace, Vectors } from "./types.d.ts" */

const MOST = 0.5; // a weight with which the context vector is mostly of one word

/**
 * A step from what is compared to the next word, in the order of the picture.
 * @param {Trace} trace
 * @param {Row | undefined} row
 * @param {number} step
 * @param {number} steps
 * @param {Vectors | null} [vectors]
 */
export function spokenStep(trace, row, step, steps, vectors = null) {
  const { token, log_prob } = trace.steps[step];
  const probability = Math.exp(log_prob).toFixed(2);
  const word = t("Step {n} of {all}: {token}, probability {probability}", {
    n: step + 1,
    all: steps,
    token,
    probability,
  });
  const parts = [
    fed(vectors, step),
    ...(row?.weights.length ? attended(trace.source, row, vectors) : [alone(vectors)]),
  ];
  return [word, ...parts].filter(Boolean).join("; ");
}

/** What the step before feeds to the step. @param {Vectors | null} vectors @param {number} step */
function fed(vectors, step) {
  if (!vectors?.feeding) return "";
  const { name, isZero } = vectors.feeding;
  return isZero[step] ? t("{name} fed: zeros", { name }) : t("{name} fed", { name });
}

/**
 * What is compared, the largest weight, and what the context vector is of.
 * @param {string[]} source
 * @param {Row} row
 * @param {Vectors | null} vectors
 */
function attended(source, { weights }, vectors) {
  const best = weights.indexOf(Math.max(...weights));
  const n = source.length;
  const compared = vectors?.query
    ? tn("{query} compared with {n} word", "{query} compared with {n} words", n, { query: vectors.query.name })
    : "";
  if (!weights[best]) return [compared, t("no word has any weight")];
  const second = weights.reduce(
    (place, weight, s) => (source[s] !== source[best] && (place < 0 || weight > weights[place]) ? s : place),
    -1,
  );
  const mixed =
    second < 0 || weights[best] >= MOST
      ? t("context vector mostly of {source}", { source: source[best] })
      : t("context vector of {source}, {second} and others", { source: source[best], second: source[second] });
  return [
    compared,
    t("largest weight {weight} on {source}", { weight: weights[best].toFixed(2), source: source[best] }),
    mixed,
  ];
}

/** Without attention. @param {Vectors | null} vectors */
function alone(vectors) {
  if (!vectors) return "";
  return vectors.context
    ? t("one vector for all words, the same at each step")
    : t("one vector for all words, at the start");
}
