// What the tests ask of the engine: one operation, the steps of a sentence with all their quantities, and searches.

import { engine } from "../../attn_core/browser/engine/engine.js";
import { open as opened } from "../../attn_core/browser/engine/service.js";

/** Uniform numbers from a list, which begins again at its end. */
function dice(list) {
  let at = 0;
  return () => list[at++ % list.length];
}

function bytes(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

export function open({ json, weights, simd, uniform = [0.5], members }) {
  if (members) return new engine.Ensemble(members.map((one) => open({ ...one, simd })));
  return new engine.Model(json, bytes(weights), { simd, random: dice(uniform) });
}

function numbers(plan) {
  return Object.fromEntries(
    Object.keys(plan.outputs).map((name) => [
      name,
      { shape: plan.outputs[name].shape, data: [...plan.output(name)].map(written) },
    ]),
  );
}

// JSON has no infinity.
function written(value) {
  return Number.isFinite(value) ? value : String(value);
}

/** The memory and first carry of a sentence, and all outputs of the steps with inputs `words`. */
export function steps({ source, words, how, ...rest }) {
  const model = open(rest);
  const sentence = model.encode(source, true);
  const stepper = model.stepper(sentence, how);
  let carry = sentence.carry;
  const { memory, looks, named } = sentence;
  const tensors = Object.entries({ ...memory, ...looks, ...named, ...carry.tensors });
  const start = Object.fromEntries(tensors.map(([name, { shape, data }]) => [name, { shape, data: [...data] }]));
  const found = words.map((word) => {
    const plan = stepper.step(carry, word);
    const outputs = numbers(plan);
    const quantities = Object.fromEntries(
      Object.keys(stepper.stepJson.quantities).map((id) => [
        id,
        stepper.quantity(plan, id).map(({ data, shape }) => ({ shape, data: [...data].map(written) })),
      ]),
    );
    carry = stepper.after(plan, carry);
    return { outputs, quantities };
  });
  return { start, steps: found.map(({ outputs }) => outputs), quantities: found.map(({ quantities }) => quantities) };
}

export function searches({ calls, ...rest }) {
  const model = open(rest);
  return calls.map(({ search, source, target, options = {} }) => {
    const given = { ...options, uniform: dice(rest.uniform ?? [0.5]) };
    if ("temperature" in options) given.temperature = Number(options.temperature); // JSON has no infinity
    if (search === "beam") return engine.beamSearch(model, source, given);
    if (search === "forced") return engine.forced(model, source, target, given);
    return search === "sample" ? engine.sample(model, source, given) : engine.greedy(model, source, given);
  });
}

/** For each call, and each step of forced decoding: the log probability, p_t, and the weights of every look. */
export function forcedSteps({ calls, ...rest }) {
  const model = open(rest);
  return calls.map(({ source, target, how }) => {
    const found = [];
    const of = (plan, end) =>
      Object.keys(plan.outputs)
        .filter((name) => /^looks\.\d+\./.test(name) && name.endsWith(end))
        .map((name) => [...plan.output(name)]);
    const onStep = (plan, word) =>
      found.push({
        logProb: plan.output("log_probs")[word],
        center: of(plan, ".focus.center")
          .slice(0, 1)
          .map(([center]) => center),
        weights: of(plan, ".weights"),
      });
    engine.forced(model, source, target, { how, onStep });
    return found;
  });
}

/** The choices of a pointer network, and the outputs of each step of a greedy search. */
export function pointed({ json, weights, simd, inputs, how }) {
  const model = new engine.PointerNet(json, bytes(weights), { simd });
  const found = [];
  const { words } = model.choose(inputs, { ...how, onStep: (plan) => found.push(numbers(plan)) });
  return { words, steps: found };
}

/** The forecasts of a forecaster, and the outputs of each step. */
export function forecasts({ json, weights, simd, history, calendar }) {
  const found = [];
  const model = new engine.Forecaster(json, bytes(weights), { simd });
  const values = model.forecast(history, calendar, (plan) => found.push(numbers(plan)));
  return { values, steps: found };
}

/** Milliseconds of every greedy decode of a sentence: of the clock, and of the processor. */
export function times({ source, runs, ...rest }) {
  const model = open(rest);
  const found = { clock: [], processor: [], words: 0 };
  for (let run = 0; run < runs; run++) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    found.words = engine.greedy(model, source).words.length;
    const { user, system } = process.cpuUsage(before);
    found.clock.push(performance.now() - start);
    found.processor.push((user + system) / 1000);
  }
  return found;
}

/** How many plans greedy search in these ways makes for each graph of a step that it runs. */
export function plansMade({ source, ways, ...rest }) {
  const model = open(rest);
  for (const how of ways) engine.greedy(model, source, { how, limit: 6 });
  return model.json.steps.flatMap(({ graphs }) => graphs.map((graph) => model.plans.get(graph)?.length ?? 0));
}

/** The results of single operations. A tensor is {data, shape, strides, offset}. */
export function operations({ cases, simd, uniform = [0.5] }) {
  return cases.map(({ name, args }) => {
    const heap = new engine.Memory(simd);
    const arena = new engine.Arena(heap, heap.end, { next: dice(uniform) });
    const placed = (arg) => {
      if (Array.isArray(arg)) return arg.map(placed);
      if (arg === null || typeof arg !== "object") return arg === "inf" ? Infinity : arg === "-inf" ? -Infinity : arg;
      const whole = arena.make([arg.data.length]);
      arena.keep(whole);
      arena.heap.grow(arena.end);
      heap.floats.set(arg.data.map(Number), whole.offset);
      return { ...whole, shape: arg.shape, strides: arg.strides, offset: whole.offset + arg.offset };
    };
    const result = engine.operation(name, "test")(arena, ...args.map(placed));
    heap.grow(arena.end);
    for (const step of arena.code) step();
    const read = (value) => {
      if (Array.isArray(value)) return value.map(read);
      if (value === null || typeof value !== "object") return value;
      const places = engine.places(value);
      return { shape: value.shape, data: [...places].map((place) => written(heap.floats[place])) };
    };
    return read(result);
  });
}

/** The trace of each request. */
export function traces({ files, requests, uniform }) {
  const random = uniform ? { random: dice(uniform) } : {};
  const translator = new engine.Translator({ ...files, weights: bytes(files.weights) }, random);
  return requests.map((request) => translator.translate(request));
}

/** The answer to each request, as a page gets it. */
export function answers({ files, requests }) {
  const model = opened({ ...files, weights: bytes(files.weights) });
  return requests.map((request) => model.translate(request));
}

/** What the model reads in each text, as the Corpus page gets it. */
export function linesRead({ files, texts }) {
  return opened({ ...files, weights: bytes(files.weights) }).lines(texts);
}

/** The attention weights of each sentence alone, as the Corpus page gets them. */
export function weighed({ files, asked }) {
  const model = opened({ ...files, weights: bytes(files.weights) });
  return asked.map((one) => model.weights(one));
}

/** For each request the tree of its beam, and the attention weights of the translation's steps, averaged over heads. */
export function trees({ files, requests }) {
  const translator = new engine.Translator({ ...files, weights: bytes(files.weights) });
  return requests.map((request) => {
    const { steps } = translator.translate(request);
    const mean = (looks) =>
      looks[0].weights.map((_, s) => looks.reduce((sum, { weights }) => sum + weights[s], 0) / looks.length);
    return { tree: translator.tree, weights: steps.map(({ looks }) => (looks.length ? mean(looks) : [])) };
  });
}

/** The numbers of each weight. */
export function weightsOf(given) {
  const model = open(given);
  return Object.fromEntries(
    [...model.weights].map(([name, { offset, shape }]) => [
      name,
      [...model.heap.floats.subarray(offset, offset + shape.reduce((n, size) => n * size, 1))],
    ]),
  );
}

export function replaced(cases) {
  return cases.map((one) => engine.replaceUnknown(one.target, one.source, one.weights, one.shift));
}

export const available = () => engine.NAMES;

/**
 * Numbers of a translation, each with its origin: those of `asked`, and numbers that they were computed from, `most` in
 * all. Which ones is drawn from `seed`, so that all parts of the graphs come up; with 0 those of `asked` come first.
 */
export function origins({ files, request, asked, most, seed }) {
  const model = opened({ ...files, weights: bytes(files.weights) });
  const { trace } = model.translate(request);
  const waiting = [...asked];
  const found = [];
  let state = seed;
  const drawn = (n) => (state = (state * 48271) % 2147483647) % n;
  while (waiting.length && found.length < most) {
    const [one] = waiting.splice(drawn(waiting.length), 1);
    const origin = model.origin(request, one);
    found.push({ asked: one, origin });
    waiting.push(...below(origin, drawn));
  }
  const finite = (/** @type {string} */ _, value) => (typeof value === "number" ? written(value) : value);
  return { trace, found: JSON.parse(JSON.stringify(found, finite)) };
}

/** References to numbers that a number was computed from. */
function below(origin, drawn) {
  const rows = [origin.row, origin.left, origin.right]
    .filter(Boolean)
    .map(({ ref, axis, values }) => ({ ...ref, index: ref.index.with(axis, drawn(values.length)) }));
  const leaves = (term) => (term.leaf ? [term.leaf.ref] : (term.terms ?? []).flatMap(leaves));
  return [...rows, ...(origin.bias ? [origin.bias.ref] : []), ...(origin.term ? leaves(origin.term) : [])];
}
