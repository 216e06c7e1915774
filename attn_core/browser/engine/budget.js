// How much one run of a graph may compute. A model's file comes from outside, and one line of it, such as an expansion
// to 2^31 elements, would otherwise occupy the page for minutes. The bound grows with the weights and the sentence; the
// shipped models use a fifth of it at most.

import { count } from "./shapes.js";

/** @typedef {import("./types").Value} Value */
/** @typedef {import("./types").View} View */

const LEAST_ELEMENTS = 2 ** 22;
const LEAST_PRODUCTS = 2 ** 25;
const TENSORS = 256; // as large as the largest of a layer, in one graph
const HEADS = 16;
const WIDER = 4; // a feed-forward layer, beside the states

/**
 * What a model's weights say about its size.
 * @typedef {{ name: string, weights: number, width: number }} ModelSize `weights`: their numbers; `width`: the largest
 *   matrix's smaller side
 */

/**
 * @param {string} name
 * @param {Iterable<View>} tensors the model's weights
 * @returns {ModelSize}
 */
export function sizeOf(name, tensors) {
  const shapes = [...tensors].map(({ shape }) => shape);
  return {
    name,
    weights: shapes.reduce((sum, shape) => sum + count(shape), 0),
    width: Math.max(1, ...shapes.map((shape) => (shape.length > 1 ? Math.min(...shape.slice(-2)) : 1))),
  };
}

/** What one graph of a model may still use. Its methods throw an Error that names the model and the operation. */
export class Budget {
  /**
   * @param {ModelSize} model
   * @param {number} length the number of words or steps that the graph is run for
   */
  constructor({ name, weights, width }, length) {
    const layer = length * (WIDER * width + HEADS * length);
    this.model = name;
    this.operation = "";
    this.elements = this.mostElements = LEAST_ELEMENTS + weights + TENSORS * layer;
    this.products = this.mostProducts = LEAST_PRODUCTS + length * weights + TENSORS * layer;
  }

  /** Count elements that are computed. @param {number} n */
  useElements(n) {
    this.elements -= n;
    if (!(this.elements >= 0)) this.refuse(`${n} elements`, this.mostElements); // n may be NaN
  }

  /** Count multiplications of matrix products. @param {number} n */
  useProducts(n) {
    this.products -= n;
    if (!(this.products >= 0)) this.refuse(`${n} multiplications`, this.mostProducts);
  }

  /**
   * Throw an Error unless the tensors that an operation returns have possible sizes, so that the next operation may
   * rely on them.
   * @param {Value} value
   */
  check(value) {
    if (Array.isArray(value)) value.forEach((part) => this.check(part));
    else if (value !== null && typeof value === "object") {
      const { shape } = value;
      if (!shape.every((size) => Number.isInteger(size) && size >= 0)) {
        throw new Error(
          `browser.json of ${this.model} is damaged: ${this.operation} returns a tensor of shape [${shape.join(", ")}]`,
        );
      }
      if (count(shape) > this.mostElements) this.refuse(`${count(shape)} elements`, this.mostElements);
    }
  }

  /** @param {string} asked @param {number} most @returns {never} */
  refuse(asked, most) {
    throw new Error(
      `browser.json of ${this.model} is damaged: its operation ${this.operation} needs ${asked}, and ` +
        `this sentence allows ${most}; export the model again`,
    );
  }
}
