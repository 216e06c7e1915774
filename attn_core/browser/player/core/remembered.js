// Results of pure functions, each computed once.

/**
 * The same function of an object, which computes the result for each object once and keeps it as long as the object
 * exists.
 * @template {object} Argument
 * @template Result
 * @param {(argument: Argument) => Result} compute
 * @returns {(argument: Argument) => Result}
 */
export function remembered(compute) {
  /** @type {WeakMap<Argument, Result>} */
  const results = new WeakMap();
  return (argument) => {
    if (!results.has(argument)) results.set(argument, compute(argument));
    return /** @type {Result} */ (results.get(argument));
  };
}
