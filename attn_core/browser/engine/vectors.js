// Pure helpers for lists of numbers.

/** @param {number[]} values */
export function sum(values) {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/**
 * The share of each number's exponential in their sum.
 * @param {number[]} values
 */
export function softmax(values) {
  const highest = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - highest));
  const total = sum(powers);
  return powers.map((power) => power / total);
}

/**
 * The bell curve at a distance from its middle, where it is 1.
 * @param {number} distance
 * @param {number} width its standard deviation
 */
export function bell(distance, width) {
  return Math.exp(-(distance * distance) / (2 * width * width));
}
