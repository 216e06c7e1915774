// Delayed values, for parts of the page that need not follow each change.

import { useLayoutEffect, useState } from "../../vendor/hooks.js";

/**
 * The last value that has not changed for some time.
 * @template T
 * @param {T} value
 * @param {number} delay in ms
 * @param {T} [first] the result until there is one
 * @returns {T}
 */
export function useLater(value, delay, first = value) {
  const [settled, setSettled] = useState(() => ({ value: first }));
  useLayoutEffect(() => {
    const timer = setTimeout(() => setSettled({ value }), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled.value;
}
