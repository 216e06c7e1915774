// Traces for tests, with weights that are written down.

/** A head whose numbers are all `row`. */
export const lookOf = (row, head = 0) => ({ scores: row, alignment: row, gaussian: row, weights: row, layer: 0, head });

/** A translation with these weights at its steps; null: no attention. */
export function makeTrace(words, weights, source = "x y", more = {}) {
  const target = words.split(" ");
  const steps = target.map((token, t) => ({
    t,
    token,
    top: [],
    center: null,
    window: [0, 1],
    looks: weights[t] ? [lookOf(weights[t])] : [],
  }));
  return { model: "m", source: source.split(" "), target, steps, unknown: [], ...more };
}
