// Numbers formatted for display.

/**
 * A probability or weight with two decimals, three if it is below 0.1, and "<0.001" if it is below that.
 * @param {number} value
 */
export function short(value) {
  if (value === 0) return "0";
  if (value >= 0.1) return value.toFixed(2);
  return value >= 0.001 ? value.toFixed(3) : "<0.001";
}

/**
 * A number with four decimals, or with two digits and a power of ten if it is smaller.
 * @param {number} value
 */
export function exact(value) {
  return value !== 0 && Math.abs(value) < 0.0001 ? minus(value.toExponential(2)) : fixed(value, 4);
}

/**
 * A number with `digits` decimals and a minus sign, without one for zero.
 * @param {number} value
 * @param {number} digits
 */
export function fixed(value, digits) {
  const text = value.toFixed(digits);
  return minus(Number(text) === 0 ? text.replace("-", "") : text);
}

/**
 * A whole number with commas between thousands: like the decimal points of all other numbers, whatever the browser's language.
 * @param {number} value
 */
export const grouped = (value) => value.toLocaleString("en-US");

/** A number's text with minus signs instead of hyphens. @param {string} text */
const minus = (text) => text.replaceAll("-", "−");
