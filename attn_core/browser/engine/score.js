// A score function by itself, as attn_core/export/scores.py exports it: the scores of a query and any number of
// keys, with parameters that a page may change.

import { Frames } from "./frames.js";
import { Model } from "./model.js";
import { Origins } from "./origins.js";
import { count } from "./shapes.js";

/**
 * @import { Input } from "./frames.js"
 * @import { Numbers, ScoreJSON, Tensor } from "./types.d.ts"
 */

const QUERY = "looks.0.query";
const STATES = "memory.states";
const SCORES = "looks.0.scores";
const FRAME = "score"; // of the only graph

export class ScoreFunction extends Model {
  /** @param {ScoreJSON} json */
  constructor(json) {
    super(
      json,
      Object.entries(json.parameters).map(([name, values]) => tensorOf(name, values)),
    );
    this.constants.clear(); // what depends on parameters alone changes with them
  }

  /** Throws an Error for a parameter of another size. @param {Record<string, Numbers>} parameters by name */
  setParameters(parameters) {
    for (const [name, values] of Object.entries(parameters)) {
      const { offset, shape } = this.weight(name);
      const { size, read } = tensorOf(name, values);
      if (size !== count(shape)) throw new Error(`${this.json.name}: ${name} has ${count(shape)} numbers, not ${size}`);
      read(this.heap.floats.subarray(offset, offset + size));
    }
  }

  /**
   * The score of each key.
   * @param {number[]} query
   * @param {number[][]} keys
   * @returns {number[]}
   */
  scores(query, keys) {
    this.length = keys.length;
    const inputs = {
      [QUERY]: tensor([1, 1, query.length], query),
      [STATES]: tensor([1, keys.length, keys[0].length], keys.flat()),
    };
    return Array.from(this.run(this.json.steps[0].graphs, inputs, {}).output(SCORES));
  }

  /** What the scores of these keys were computed from. @param {number[]} query @param {number[][]} keys */
  origins(query, keys) {
    this.length = keys.length;
    return new Origins(new ScoreFrames(this, query, keys));
  }
}

/** The score of a key, to ask the origins for. @param {number} s */
export const scoreAt = (s) => ({ frame: FRAME, output: SCORES, index: [s] });

/** The one run of a score's graph. */
class ScoreFrames extends Frames {
  /** @param {ScoreFunction} score @param {number[]} query @param {number[][]} keys */
  constructor(score, query, keys) {
    super(
      score,
      keys.map((_, s) => s),
      [],
      {},
      () => () => 0,
    );
    this.vectors = { query, keys };
  }

  described() {
    const { query, keys } = this.vectors;
    /** @type {Record<string, Input>} */
    const inputs = {
      [QUERY]: { shape: [1, 1, query.length], from: ([, , unit]) => query[unit] },
      [STATES]: { shape: [1, keys.length, keys[0].length], from: ([, s, unit]) => keys[s][unit] },
    };
    return { graphs: this.model.json.steps[0].graphs, inputs };
  }
}

/** @param {number[]} shape @param {number[]} numbers @returns {Tensor} */
const tensor = (shape, numbers) => ({ shape, data: Float32Array.from(numbers) });

/** The numbers of nested lists one after another. @param {Numbers} values @returns {number[]} */
export const flat = (values) => (Array.isArray(values) ? values.flatMap(flat) : [values]);

/** A parameter as one of the tensors of a model's file. @param {string} name @param {Numbers} values */
function tensorOf(name, values) {
  const numbers = flat(values);
  return {
    name,
    shape: shapeOf(values),
    size: numbers.length,
    read: (/** @type {Float32Array} */ out) => out.set(numbers),
  };
}

/** @param {Numbers} values @returns {number[]} */
const shapeOf = (values) => (Array.isArray(values) ? [values.length, ...shapeOf(values[0])] : []);
