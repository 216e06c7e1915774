// Random values that are the same in each run.

/** Numbers from 0 to 1 (mulberry32). @param {number} seed */
function uniform(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param {number} seed */
export function createRandom(seed) {
  const next = uniform(seed);
  /** From `low` to `high`, both included. @param {number} low @param {number} high */
  const integer = (low, high) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    /** @template T @param {T[]} values @returns {T} */
    pick: (values) => values[integer(0, values.length - 1)],
    /** A list of up to `most` values. @template T @param {number} most @param {() => T} make */
    list: (most, make) => Array.from({ length: integer(0, most) }, make),
  };
}
