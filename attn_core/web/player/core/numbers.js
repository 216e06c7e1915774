// Numbers as they are written for people.

/**
 * Probability or weight for people: two decimals, more where there would be nothing left to see.
 * @param {number} value
 */
export function short(value) {
  if (value === 0) return "0";
  if (value >= 0.1) return value.toFixed(2);
  return value >= 0.001 ? value.toFixed(3) : "<0.001";
}

/**
 * A number to four decimals, or two digits and a power of ten when it is smaller than that.
 * @param {number} value
 */
export function exact(value) {
  return value !== 0 && Math.abs(value) < 0.0001 ? value.toExponential(2) : value.toFixed(4);
}
