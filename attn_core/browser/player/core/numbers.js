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

export const OUT_OF_VIEW = -1e30; // scores below it are of positions out of view: they stand for −∞

/**
 * A number by itself: with three significant digits, and a power of ten where it is very small or large. Whole numbers
 * are written as they are; a number short of 1, such as a saturated tanh, has as many digits as tell it from 1.
 * @param {number} value
 */
export function significant(value) {
  if (!Number.isFinite(value) || value < OUT_OF_VIEW) return value < 0 ? "−∞" : "∞";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return powerOfTen(value);
  if (Number.isInteger(value)) return minus(String(value));
  let decimals = Math.max(0, 2 - Math.floor(Math.log10(size)));
  while (size < 1 && Number(size.toFixed(decimals)) === 1) decimals += 1;
  return minus(value.toFixed(decimals));
}

/**
 * A number in a column of others: with four decimals, or with a power of ten if it is smaller.
 * @param {number} value
 */
export function exact(value) {
  return value !== 0 && Math.abs(value) < 0.0001 ? powerOfTen(value) : fixed(value, 4);
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A number with three digits and a power of ten: "8.93×10⁻⁴". @param {number} value */
function powerOfTen(value) {
  const [digits, power] = value.toExponential(2).split("e");
  const raised = [...power].map((letter) => (letter === "-" ? "⁻" : letter === "+" ? "" : RAISED[Number(letter)]));
  return minus(`${digits}×10${raised.join("")}`);
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
 * A whole number with commas between thousands: like the decimal points of all other numbers, whatever the browser's
 * language.
 * @param {number} value
 */
export const grouped = (value) => value.toLocaleString("en-US");

/** A number's text with minus signs instead of hyphens. @param {string} text */
const minus = (text) => text.replaceAll("-", "−");
