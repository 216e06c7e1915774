// A translator: encodes sentences and computes decoding steps by executing the graphs of browser.json.

import { Budget, sizeOf } from "./budget.js";
import { Memory } from "./heap.js";
import { liveValues, stepOf, windowOf } from "./live.js";
import { Arena, constants, liveInputs, Plan } from "./plan.js";
import { weights } from "./safetensors.js";
import { packed } from "./shapes.js";
import { valueIn } from "./lookup.js";

/** @typedef {import("./types").Carry} Carry */
/** @typedef {import("./types").Change} Change */
/** @typedef {import("./types").GraphJSON} GraphJSON */
/** @typedef {import("./types").How} How */
/** @typedef {import("./types").ModelJSON} ModelJSON */
/** @typedef {import("./types").Put} Put */
/** @typedef {import("./safetensors.js").Stored} Stored */
/** @typedef {import("./types").Sentence} Sentence */
/** @typedef {import("./types").StepJSON} StepJSON */
/** @typedef {import("./types").Tensor} Tensor */
/** @typedef {import("./types").View} View */

const FORMAT = 2; // of browser.json
const OWN = -1; // in place of a p_t: the window's own
/** @type {Put[]} */
const NOTHING = [];
const PLANS = 64; // plans kept for each graph: as many source lengths, or steps of a Transformer

export class Model {
  /**
   * @param {ModelJSON} json browser.json
   * @param {Uint8Array | Stored[]} stored model.safetensors, or its tensors
   * @param {{ simd?: boolean, random?: () => number }} options `random` returns uniform numbers between 0 and 1
   */
  constructor(json, stored, { simd = true, random = Math.random } = {}) {
    if (json.format !== FORMAT) throw new Error(`browser.json has format ${json.format}; this version reads ${FORMAT}`);
    this.json = json;
    this.random = { next: random };
    this.heap = new Memory(simd);
    /** @type {Map<string, View>} */
    this.weights = new Map();
    const tensors = stored instanceof Uint8Array ? weights(stored) : stored;
    this.heap.grow(tensors.reduce((end, { size }) => end + size + 4, this.heap.end));
    for (const { name, shape, size, read } of tensors) {
      const offset = this.heap.reserve(size);
      read(this.heap.floats.subarray(offset, offset + size));
      this.weights.set(name, { offset, shape, strides: packed(shape), buffer: null });
    }
    for (const [name, other] of Object.entries(json.copies)) this.weights.set(name, this.weight(other));
    this.size = sizeOf(json.name, this.weights.values());
    this.length = 1; // of the present sentence, or of its translation so far
    /** @type {Map<GraphJSON, Map<number, any>>} values of each graph that depend on no input */
    this.constants = new Map();
    for (const graph of graphsOf(json)) {
      const arena = this.arena();
      this.constants.set(
        graph,
        constants(graph, arena, (name) => this.weight(name), json.name),
      );
      this.heap.end = arena.end;
    }
    /** @type {Map<GraphJSON, Plan[]>} */
    this.plans = new Map();
    /** @type {Map<GraphJSON, Set<string>>} */
    this.live = new Map();
  }

  /** @param {string} name @returns {View} */
  weight(name) {
    const view = this.weights.get(name);
    if (!view) throw new Error(`model.safetensors of ${this.json.name} has no ${name}`);
    return view;
  }

  /**
   * Run one of several graphs of the same function: the one for these sizes.
   * @param {GraphJSON[]} graphs
   * @param {Record<string, Tensor | number>} inputs
   * @param {Record<string, number>} sizes
   * @param {Put[]} put see Plan.run
   */
  run(graphs, inputs, sizes, put = NOTHING) {
    const plan = this.plan(chosen(graphs, sizes), inputs);
    plan.run(inputs, put);
    return plan;
  }

  /** @param {GraphJSON} graph @param {Record<string, Tensor | number>} inputs */
  plan(graph, inputs) {
    const plans = this.plans.get(graph) ?? [];
    for (let i = 0; i < plans.length; i++) if (plans[i].fits(inputs)) return plans[i];
    this.check(graph, inputs);
    const arena = this.arena();
    const weight = (/** @type {string} */ name) => this.weight(name);
    const known = this.constants.get(graph) ?? new Map();
    let live = this.live.get(graph);
    if (!live) this.live.set(graph, (live = liveInputs(graph, inputs)));
    const plan = new Plan(graph, arena, inputs, weight, known, live, this.json.name);
    this.plans.set(graph, [plan, ...plans].slice(0, PLANS));
    return plan;
  }

  /** Memory for one plan, bounded by the size of the model and of the present sentence. */
  arena() {
    return new Arena(this.heap, this.heap.end, this.random, new Budget(this.size, this.length));
  }

  /** Raise an error for an input that is longer than the model allows. @param {GraphJSON} graph
   * @param {Record<string, Tensor | number>} inputs */
  check(graph, inputs) {
    for (const [axis, most] of Object.entries(graph.limits ?? {})) {
      const [name, place] = axis.split("/");
      const input = inputs[name];
      const size = typeof input === "number" ? input : input.shape[Number(place)];
      if (size > most)
        throw new Error(`${this.json.name} has weights for ${most} positions, not for ${size}: use a shorter sentence`);
    }
  }

  /**
   * Encode a sentence. `looks` are the encoder's self-attention, if `withLooks`.
   * @param {number[]} ids without </s>
   * @param {boolean} withLooks
   * @returns {Sentence}
   */
  encode(ids, withLooks = false) {
    const words = this.json.special.source_eos ? [...ids, this.json.special.eos] : ids;
    if (!words.length) throw new Error("the source has no word");
    const { encoder } = this.json;
    const n = words.length;
    this.length = n;
    const sizes = { words: n };
    const mask = { data: new Float32Array(n).fill(1), shape: [1, n] };
    const input = { data: Float32Array.from(words), shape: [1, n] };
    let plan;
    if (encoder.graphs) plan = this.run(encoder.graphs, { words: input, mask }, sizes);
    else {
      const { embedded } = copyOutputs(this.run(encoder.embed ?? [], { words: input }, sizes), () => true);
      plan = this.run(encoder.finish ?? [], { ...this.recurrent(embedded), mask }, sizes);
    }
    const memory = copyOutputs(plan, (name) => name.startsWith("memory.") && !name.startsWith("memory.looks."));
    const looks = withLooks ? copyOutputs(plan, (name) => name.startsWith("memory.looks.")) : {};
    const carry = { t: 0, tensors: copyOutputs(plan, (name) => name.startsWith("carry.")) };
    const named = copyOutputs(plan, (name) => name.startsWith("named."));
    return { ids: words, memory, looks, named, carry };
  }

  /**
   * The states of a recurrent encoder, and the last ones of every layer and direction.
   * @param {Tensor} below the inputs of the lowest layer
   */
  recurrent(below) {
    const { layers = [], reverse = false } = this.json.encoder;
    const n = below.shape[1];
    /** @type {Float32Array[][]} for each state of the cell, the last one of each layer and direction */
    const final = [];
    for (const cells of layers) {
      const directions = cells.map((graphs, direction) => this.direction(graphs, below, (direction === 1) !== reverse));
      directions.forEach(({ last }) => last.forEach((state, i) => (final[i] ??= []).push(state)));
      below = sideBySide(
        directions.map(({ states }) => states),
        n,
      );
    }
    const directions = layers[0].length;
    /** @type {Record<string, Tensor>} */
    const inputs = { states: below };
    final.forEach((states, i) => {
      inputs[`final.${i}`] = { data: joined(states), shape: [1, layers.length, directions, states[0].length] };
    });
    return inputs;
  }

  /**
   * Run one cell over the sentence, from the last word on if `backward`; the states are in written order.
   * @param {GraphJSON[]} graphs @param {Tensor} below @param {boolean} backward
   */
  direction(graphs, below, backward) {
    const [, n, size] = below.shape;
    const names = graphs[0].inputs.filter((name) => name !== "x");
    const units = this.units(graphs[0]);
    /** @type {Record<string, Tensor>} */
    const inputs = { x: { data: new Float32Array(0), shape: [1, size] } };
    for (const name of names) inputs[name] = { data: new Float32Array(units), shape: [1, units] };
    const states = new Float32Array(n * units);
    for (let i = 0; i < n; i++) {
      const j = backward ? n - 1 - i : i;
      inputs.x.data = below.data.subarray(j * size, (j + 1) * size);
      const plan = this.run(graphs, inputs, {});
      for (const name of names) inputs[name].data.set(plan.output(`next.${name}`));
      states.set(inputs[names[0]].data, j * units);
    }
    return { states, last: names.map((name) => inputs[name].data) };
  }

  /** The number of units of a cell, from its recurrent matrix. @param {GraphJSON} cell */
  units(cell) {
    const names = cell.nodes.flat(3).filter((argument) => typeof argument === "string" && argument[0] === "$");
    const U = names.find((name) => /\.weight_hh_|\.U_gates\.weight$/.test(name));
    return this.weight(U.slice(1)).shape[1];
  }

  /** The graphs of a step. @param {How} how @returns {StepJSON} */
  stepFor(how = {}) {
    const step = stepOf(this.json, how);
    if (step) return step;
    const { window, type } = { ...this.json.steps[0], ...how };
    throw new Error(`${this.json.name} cannot be run with window ${window} and ${type} attention`);
  }

  /** Prepare decoding a sentence. @param {Sentence} sentence @param {How} how */
  stepper(sentence, how = {}) {
    const stepJson = this.stepFor(how);
    const { live, centered } = windowOf(this.json, stepJson);
    const values = liveValues(this.json, stepJson, how);
    /** @type {Record<string, Tensor | number>} */
    const inputs = { ...sentence.memory, word: { data: new Float32Array(1), shape: [1, 1] } };
    for (const { name, whole } of live)
      inputs[name] = whole ? values[name] : { data: Float32Array.of(values[name]), shape: [] };
    if (centered) inputs.center = { data: Float32Array.of(OWN), shape: [] };
    return new Stepper(this, stepJson, inputs, sentence, values, how.centers ?? {}, how.change ?? null);
  }
}

/** Computes the decoding steps of one sentence. */
export class Stepper {
  /**
   * @param {Model} model @param {StepJSON} stepJson @param {Record<string, Tensor | number>} inputs
   * @param {Sentence} sentence @param {Record<string, number>} live values of the window's live settings
   * @param {Record<number, number>} centers p_t by step, set by hand
   * @param {Change | null} change what else is set by hand
   */
  constructor(model, stepJson, inputs, sentence, live = {}, centers = {}, change = null) {
    this.model = model;
    this.centers = centers;
    this.change = change;
    this.stepJson = stepJson;
    this.inputs = inputs;
    this.named = sentence.named;
    /** @type {Record<string, number>} */
    this.sizes = { words: sentence.ids.length, t: 0, ...live };
    const counts = windowOf(model.json, stepJson)
      .live.filter(({ whole }) => whole)
      .map(({ name }) => live[name] ?? 0);
    this.longest = Math.max(this.sizes.words, ...counts); // a window may have room for more words than the sentence has
    /** @type {[string, string][]} the carry's names in a graph's inputs and outputs */
    this.carried = stepJson.graphs[0].inputs
      .filter((name) => name.startsWith("carry."))
      .map((name) => [name, name.replace("carry.", "next.")]);
  }

  /**
   * One step after `word`. The plan's outputs are valid until the next one.
   * @param {Carry} carry
   * @param {number} word
   * @returns {Plan}
   */
  step(carry, word) {
    /** @type {Tensor} */ (this.inputs.word).data[0] = word;
    return this.next(carry);
  }

  /** One step, whose other inputs are set. @param {Carry} carry @returns {Plan} */
  next(carry) {
    this.sizes.t = carry.t;
    this.inputs.t = carry.t;
    this.model.length = Math.max(this.longest, carry.t + 1);
    const { center } = this.inputs;
    if (center) /** @type {Tensor} */ (center).data[0] = this.centers[carry.t] ?? OWN;
    for (const name in carry.tensors) this.inputs[name] = carry.tensors[name];
    return this.model.run(this.stepJson.graphs, this.inputs, this.sizes, this.change?.at(carry.t));
  }

  /**
   * Copies of the tensors of a quantity of explain.step_graph, one for each layer and head; none if only the next step
   * or the encoder computes it.
   * @param {Plan} plan of the last step
   * @param {string} id
   * @returns {Tensor[]}
   */
  quantity(plan, id) {
    return (valueIn(this.stepJson.quantities, id)?.tensors ?? []).flatMap((name) => {
      const output = plan.outputs[name];
      if (output) return { data: plan.output(name).slice(), shape: output.shape };
      const tensor = /** @type {Tensor | undefined} */ (this.named[name] ?? this.inputs[name]);
      return tensor ? { data: tensor.data.slice(), shape: tensor.shape } : [];
    });
  }

  /**
   * The carry after a step, in `reused` if that has the same sizes.
   * @param {Plan} plan @param {Carry} before @param {Carry | null} reused
   * @returns {Carry}
   */
  after(plan, before, reused = null) {
    const carry = reused ?? { t: 0, tensors: {} };
    carry.t = before.t + 1;
    for (const [name, output] of this.carried) {
      const { shape } = plan.outputs[output];
      const data = plan.output(output);
      const old = carry.tensors[name];
      if (old && old.data.length === data.length) old.data.set(data);
      else carry.tensors[name] = { data: data.slice(), shape };
    }
    return carry;
  }
}

/** The most specialised graph for these sizes. @param {GraphJSON[]} graphs @param {Record<string, number>} sizes */
export function chosen(graphs, sizes) {
  let best = graphs[0];
  let most = 0;
  for (const graph of graphs) {
    const { when } = graph;
    if (!when) continue;
    let n = 0;
    for (const name in when) n = sizes[name] === when[name] ? n + 1 : -Infinity;
    if (n > most) [best, most] = [graph, n];
  }
  return best;
}

/** Copies of the chosen outputs. @param {Plan} plan @param {(name: string) => boolean} isChosen */
export function copyOutputs(plan, isChosen) {
  /** @type {Record<string, Tensor>} */
  const copies = {};
  for (const [name, { shape }] of Object.entries(plan.outputs)) {
    if (isChosen(name)) copies[name] = { data: plan.output(name).slice(), shape };
  }
  return copies;
}

/** @param {Float32Array[]} parts */
function joined(parts) {
  const whole = new Float32Array(parts.reduce((n, part) => n + part.length, 0));
  let start = 0;
  for (const part of parts) {
    whole.set(part, start);
    start += part.length;
  }
  return whole;
}

/**
 * The states of several directions as one vector for each word.
 * @param {Float32Array[]} directions
 * @param {number} n words
 */
function sideBySide(directions, n) {
  const units = directions[0].length / n;
  const data = new Float32Array(n * units * directions.length);
  for (let j = 0; j < n; j++) {
    directions.forEach((states, direction) =>
      data.set(states.subarray(j * units, (j + 1) * units), (j * directions.length + direction) * units),
    );
  }
  return { data, shape: [1, n, units * directions.length] };
}

/** @param {ModelJSON} json @returns {GraphJSON[]} */
function graphsOf(json) {
  const { graphs = [], embed = [], layers = [], finish = [] } = json.encoder;
  return [...graphs, ...embed, ...layers.flat(2), ...finish, ...json.steps.flatMap((step) => step.graphs)];
}
