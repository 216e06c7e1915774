// A pointer network: encodes inputs and chooses among them, one after another, as in attn_core/synthetic/pointer. Its
// "words" are positions of the memory, where 0 is the end, so that a translator's greedy search runs it.

import { Model, Stepper, copyOutputs } from "./model.js";
import { greedy } from "./search.js";

/** @typedef {import("./types").Carry} Carry */
/** @typedef {import("./types").Sentence} Sentence */
/** @typedef {import("./types").Tensor} Tensor */
/** @typedef {import("./plan.js").Plan} Plan */

/** Positions that may be chosen: all; no input twice; no input twice and the end last.
 * @typedef {"none" | "distinct" | "permutation"} Constraint */

export class PointerNet extends Model {
  /**
   * The most probable position at every step, until the end; `onStep` as for `greedy`.
   * @param {number[][]} inputs
   * @param {{ constraint?: Constraint, onStep?: (plan: Plan, place: number, t: number, stepper: Stepper) => void }}
   * options
   */
  choose(inputs, { constraint = "none", onStep } = {}) {
    return greedy(this, /** @type {any} */ (inputs), { how: { constraint }, limit: inputs.length + 1, onStep });
  }

  /**
   * Encode inputs.
   * @param {any} inputs lists of equally many numbers
   * @returns {Sentence}
   */
  encode(inputs) {
    const { size, least, most } = /** @type {{ size: number, least: number, most: number | null }} */ (
      this.json.inputs
    );
    const n = inputs.length;
    if (n < least || inputs.some((/** @type {number[]} */ numbers) => numbers.length !== size)) {
      throw new Error(`${this.json.name} needs at least ${least} inputs of ${size} number(s) each`);
    }
    if (most !== null && n > most) throw new Error(`${this.json.name} has words for ${most} positions, not for ${n}`);
    const flat = Float32Array.from(inputs.flat());
    if (!flat.every(Number.isFinite)) throw new Error("inputs must be finite numbers");
    this.length = n + 1;
    const plan = this.run(this.json.encoder.finish ?? [], this.recurrent({ data: flat, shape: [1, n, size] }), {});
    const memory = copyOutputs(plan, (name) => name.startsWith("memory."));
    const state = copyOutputs(plan, (name) => name.startsWith("carry."));
    const { first } = copyOutputs(plan, (name) => name === "first");
    const used = { data: new Float32Array(n + 1), shape: [1, 1, n + 1] };
    const carry = { t: 0, tensors: { ...state, used } };
    return { ids: inputs, memory, looks: {}, named: { first }, carry };
  }

  /** @param {Sentence} sentence @param {{ constraint?: Constraint }} how */
  stepper(sentence, how = {}) {
    return new PointerStepper(this, sentence, how.constraint ?? "none");
  }
}

/** Computes the choices for one list of inputs. */
class PointerStepper extends Stepper {
  /** @param {PointerNet} model @param {Sentence} sentence @param {Constraint} constraint */
  constructor(model, sentence, constraint) {
    const n = sentence.ids.length;
    /** @type {Tensor} */
    const read = { data: new Float32Array(0), shape: [1, 1, /** @type {any} */ (model.json.inputs).size] };
    const allowed = { data: new Float32Array(n + 1), shape: [1, 1, n + 1] };
    super(model, model.json.steps[0], { ...sentence.memory, read, allowed }, sentence);
    this.points = /** @type {any} */ (sentence.ids);
    this.read = read;
    this.allowed = allowed.data;
    this.constraint = constraint;
    this.chosen = new Float32Array(n + 1);
  }

  /** The step after a choice. @param {Carry} carry @param {number} last @returns {Plan} */
  step(carry, last) {
    const { allowed, chosen } = this;
    chosen.set(carry.tensors.used.data);
    if (last > 0) chosen[last] = 1;
    // After the end, as in the record of a search, the first input is read.
    this.read.data = carry.t ? Float32Array.from(this.points[Math.max(last - 1, 0)]) : this.named.first.data;
    for (let i = 1; i < allowed.length; i++) allowed[i] = this.constraint === "none" || !chosen[i] ? 1 : 0;
    allowed[0] = this.constraint === "permutation" && !chosen.every((one, i) => i === 0 || one === 1) ? 0 : 1;
    return this.next(carry);
  }

  /** @param {Plan} plan @param {Carry} before @param {Carry | null} reused @returns {Carry} */
  after(plan, before, reused = null) {
    const carry = super.after(plan, before, reused);
    carry.tensors.used = { data: this.chosen.slice(), shape: before.tensors.used.shape };
    return carry;
  }
}
