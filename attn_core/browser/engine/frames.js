// The runs of a model's graphs behind one translation, with every number they computed: a frame for each decoding step,
// for each word in each direction of the encoder, and for what surrounds its recurrence.
//
//   step.T          decoding step T
//   trained.T       decoding step T of the trained model, where its words and states are kept
//   embed           the embeddings of the source words
//   cell.L.W.J      layer L of the recurrent encoder, direction W (0 is forward), at word J
//   finish          what the decoder gets of the encoder's states
//   encode          an encoder that is one graph

import { Plan } from "./plan.js";
import { liveValues, windowOf } from "./live.js";
import { chosen } from "./model.js";
import { count } from "./shapes.js";
import { places as offsets } from "./views.js";

/**
 * @import { Edit, GraphJSON, How, NumberRef, Put, Tensor, View } from "./types.d.ts"
 * @import { Model } from "./model.js"
 *
 * An input of a frame: the element it was computed as, or what was given.
 * @typedef {{ shape: number[], from: (index: number[]) => NumberRef | number }} Input
 *
 * The graphs of a frame, the sizes by which one of them is chosen, its inputs, and what is set by hand.
 * @typedef {{ graphs: GraphJSON[], sizes?: Record<string, number>, inputs: Record<string, Input | number>, put?: Put[]
 * }} Described
 *
 * @typedef {object} Frame
 * @property {string} id
 * @property {GraphJSON} graph
 * @property {Record<string, Input | number>} inputs
 * @property {Map<number, string[]>} names of the outputs, by the place of their value
 * @property {(place: number) => any} value
 * @property {(view: View, index: number[]) => number} read
 * @property {(view: View, index: number[]) => Edit | undefined} edit that set a number
 */

const OWN = -1; // stands for the p_t that the model computes

export class Frames {
  /**
   * @param {Model} model
   * @param {number[]} source ids, with </s> if the model has it
   * @param {number[]} target ids
   * @param {How} how
   * @param {() => () => number} dice the random numbers with which the translation sampled positions, from the first
   * one on
   * @param {How | null} trained how the states were computed, if not in the steps themselves
   */
  constructor(model, source, target, how, dice, trained = null) {
    this.model = model;
    this.source = source;
    this.target = target;
    this.stepJson = model.stepFor(how);
    /**
     * @type {Record<string, { how: How, random: { next: () => number } }>} the decoding steps, by the kinds of their
     * frames
     */
    this.steps = { step: { how, random: { next: dice() } } };
    if (trained) this.steps.trained = { how: trained, random: { next: dice() } };
    /** @type {Map<string, Frame>} */
    this.known = new Map();
  }

  /** @param {string} id @returns {Frame} */
  frame(id) {
    const known = this.known.get(id);
    if (known) return known;
    const [kind, ...places] = id.split(".");
    // Random numbers come in order
    if (kind in this.steps && Number(places[0])) this.frame(`${kind}.${Number(places[0]) - 1}`);
    const { graphs, sizes, inputs, put = [] } = this.described(kind, places.map(Number));
    const graph = chosen(graphs, { words: this.source.length, ...sizes });
    const frame = this.run(id, graph, inputs, put, this.steps[kind]?.random);
    this.known.set(id, frame);
    return frame;
  }

  /**
   * The place of an output.
   * @param {string} id of a frame
   * @param {string} name
   * @param {number[]} index
   * @returns {NumberRef}
   */
  output(id, name, index) {
    return { frame: id, node: Number(this.frame(id).graph.outputs[name].slice(1)), index };
  }

  /** @param {string} id of a frame @param {string} name @returns {number[]} */
  shape(id, name) {
    const { value, graph } = this.frame(id);
    return value(Number(graph.outputs[name].slice(1))).shape;
  }

  /** @param {NumberRef} ref @returns {number} */
  value(ref) {
    if ("weight" in ref) {
      const { offset, strides } = this.model.weight(ref.weight);
      return this.model.heap.floats[ref.index.reduce((sum, i, axis) => sum + i * strides[axis], offset)];
    }
    const { value, read } = this.frame(ref.frame);
    const result = value(ref.node);
    return typeof result === "object" ? read(result, ref.index) : Number(result);
  }

  /** @param {string} id @param {string} name @returns {Input} */
  passed(id, name) {
    return { shape: this.shape(id, name), from: (index) => this.output(id, name, index) };
  }

  /** @param {string} kind @param {number[]} places @returns {Described} */
  described(kind, places) {
    const { encoder } = this.model.json;
    const n = this.source.length;
    /** @type {Input} */
    const words = { shape: [1, n], from: ([, j]) => this.source[j] };
    const mask = { shape: [1, n], from: () => 1 };
    if (kind === "encode") return { graphs: encoder.graphs ?? [], inputs: { words, mask } };
    if (kind === "embed") return { graphs: encoder.embed ?? [], inputs: { words } };
    if (kind === "finish") return { graphs: encoder.finish ?? [], inputs: { ...this.recurrent(), mask } };
    if (kind === "cell") return this.cell(places);
    return this.step(kind, places[0]);
  }

  /** @param {string} kind @param {number} t @returns {Described} */
  step(kind, t) {
    const { json } = this.model;
    const { how } = this.steps[kind];
    const stepJson = this.model.stepFor(how);
    const encoder = json.encoder.graphs ? "encode" : "finish";
    const before = "trained" in this.steps ? "trained" : kind;
    const live = liveValues(json, stepJson, how);
    /** @type {Record<string, Input | number>} */
    const inputs = {
      t,
      word: { shape: [1, 1], from: () => (t ? this.target[t - 1] : json.special.bos) },
      center: { shape: [], from: () => how.centers?.[t] ?? OWN },
    };
    for (const { name, whole } of windowOf(json, stepJson).live)
      inputs[name] = whole ? live[name] : { shape: [], from: () => live[name] };
    for (const name of stepJson.graphs[0].inputs) {
      if (name.startsWith("memory.")) inputs[name] = this.passed(encoder, name);
      if (name.startsWith("carry."))
        inputs[name] = t
          ? this.passed(`${before}.${t - 1}`, name.replace("carry", "next"))
          : this.passed(encoder, name);
    }
    return { graphs: stepJson.graphs, sizes: { t, ...live }, inputs, put: how.change?.at(t) };
  }

  /** The states of a recurrent encoder, and the last ones. @returns {Record<string, Input>} */
  recurrent() {
    const { layers = [] } = this.model.json.encoder;
    const directions = layers[0].length;
    const names = stateNames(layers[0][0][0]);
    const units = this.model.units(layers[0][0][0]);
    const top = layers.length - 1;
    const n = this.source.length;
    /** @type {Record<string, Input>} */
    const states = {
      states: {
        shape: [1, n, directions * units],
        from: ([, j, k]) =>
          this.output(`cell.${top}.${Math.floor(k / units)}.${j}`, `next.${names[0]}`, [0, k % units]),
      },
    };
    names.forEach((name, i) => {
      states[`final.${i}`] = {
        shape: [1, layers.length, directions, units],
        from: ([, layer, direction, k]) =>
          this.output(`cell.${layer}.${direction}.${this.isBackward(direction) ? 0 : n - 1}`, `next.${name}`, [0, k]),
      };
    });
    return states;
  }

  /** @param {number} direction */
  isBackward(direction) {
    return (direction === 1) !== Boolean(this.model.json.encoder.reverse);
  }

  /** @param {number[]} places @returns {Described} */
  cell([layer, direction, j]) {
    const { layers = [] } = this.model.json.encoder;
    const graphs = layers[layer][direction];
    const units = this.model.units(graphs[0]);
    const before = this.isBackward(direction) ? j + 1 : j - 1;
    const first = before < 0 || before === this.source.length;
    const below = layer && this.model.units(layers[layer - 1][0][0]);
    const size = layer ? below * layers[layer - 1].length : (this.shape("embed", "embedded").at(-1) ?? 0);
    /** @type {Record<string, Input>} */
    const inputs = {
      x: {
        shape: [1, size],
        from: layer
          ? ([, k]) =>
              this.output(`cell.${layer - 1}.${Math.floor(k / below)}.${j}`, `next.${stateNames(graphs[0])[0]}`, [
                0,
                k % below,
              ])
          : ([, k]) => this.output("embed", "embedded", [0, j, k]),
      },
    };
    for (const name of stateNames(graphs[0])) {
      inputs[name] = {
        shape: [1, units],
        from: ([, k]) => (first ? 0 : this.output(`cell.${layer}.${direction}.${before}`, `next.${name}`, [0, k])),
      };
    }
    return { graphs, inputs };
  }

  /**
   * Run a graph as the translation did, and keep every value.
   * @param {string} id @param {GraphJSON} graph @param {Record<string, Input | number>} inputs @param {Put[]} put
   * @param {{ next: () => number }} [random]
   * @returns {Frame}
   */
  run(id, graph, inputs, put, random) {
    const { model } = this;
    const tensors = Object.fromEntries(graph.inputs.map((name) => [name, this.filled(inputs[name])]));
    model.check(graph, tensors);
    const places = Array.from({ length: graph.inputs.length + graph.nodes.length }, (_, place) => `%${place}`);
    const outputs = Object.fromEntries(places.map((place) => [place, place]));
    const base = model.heap.end;
    const arena = model.arena();
    if (random) arena.random = random;
    const weight = (/** @type {string} */ name) => model.weight(name);
    const plan = new Plan(
      { ...graph, outputs },
      arena,
      tensors,
      weight,
      model.constants.get(graph) ?? new Map(),
      new Set(),
      model.json.name,
    );
    const placed = put.map((replacement) => ({ ...replacement, output: graph.outputs[replacement.output] }));
    plan.run(tensors, placed);
    /** @type {Map<number, Edit>} by the place on the heap: each value has its own here */
    const edits = new Map(
      placed.flatMap(({ output, edit }) => [...offsets(plan.outputs[output])].map((place) => [place, edit])),
    );
    const kept = model.heap.floats.slice(base, arena.end); // the next run may use this part of the heap
    /** @type {Map<number, string[]>} */
    const names = new Map();
    for (const [name, place] of Object.entries(graph.outputs)) {
      const node = Number(place.slice(1));
      names.set(node, [...(names.get(node) ?? []), name]);
    }
    return {
      id,
      graph,
      inputs,
      names,
      value: (place) => plan.outputs[`%${place}`],
      read: (view, index) => {
        const offset = placeOf(view, index);
        return offset >= base ? kept[offset - base] : model.heap.floats[offset];
      },
      edit: (view, index) => edits.get(placeOf(view, index)),
    };
  }

  /** The numbers of an input. @param {Input | number} input @returns {Tensor | number} */
  filled(input) {
    if (typeof input === "number") return input;
    const { shape, from } = input;
    const data = new Float32Array(count(shape));
    const index = shape.map(() => 0);
    for (let i = 0; i < data.length; i++) {
      const source = from(index.slice());
      data[i] = typeof source === "number" ? source : this.value(source);
      for (let axis = shape.length - 1; axis >= 0 && ++index[axis] === shape[axis]; axis--) index[axis] = 0;
    }
    return { data, shape };
  }
}

/** @param {View} view @param {number[]} index */
const placeOf = ({ offset, strides }, index) => index.reduce((sum, i, axis) => sum + i * strides[axis], offset);

/** The states of a recurrent cell. @param {GraphJSON} cell */
function stateNames(cell) {
  return cell.inputs.filter((name) => name !== "x");
}
