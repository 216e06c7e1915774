// Values that change often, for what need not follow each change.

import { useLayoutEffect, useState } from "../../vendor/hooks.js";

/**
 * A value as soon as it has not changed for some time.
 * @template T
 * @param {T} value
 * @param {number} delay in ms
 * @param {T} [first] until then
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
