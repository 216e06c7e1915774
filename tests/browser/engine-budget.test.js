// A graph that asks for more memory or arithmetic than its model can need is refused at once, with a clear reason.

import assert from "node:assert/strict";
import { test } from "node:test";

import { open } from "../../attn_core/browser/engine/service.js";
import { modelFiles } from "../helpers/data.js";

const HUGE = 1e9;
const files = modelFiles();

const translate = (changed) => open({ ...files, ...changed }).translate({ text: "Ein Hund", beam: 1 });

/** The files with nodes at the end of each graph of the encoder or of the step; "%a", "%b" ... are these nodes. */
function poisoned(nodes, part) {
  const graphs = structuredClone(files.graphs);
  const { encoder, steps } = graphs;
  const inEncoder = [encoder.graphs, encoder.embed, encoder.finish].flatMap((list) => list ?? []);
  for (const graph of part === "encoder" ? inEncoder : steps.flatMap((step) => step.graphs)) {
    const first = Object.keys(graph.inputs).length + graph.nodes.length;
    const renamed = (value) => (/^%[a-z]$/.test(value) ? `%${first + value.charCodeAt(1) - "a".charCodeAt(0)}` : value);
    graph.nodes.push(...nodes.map(([operation, ...inputs]) => [operation, ...inputs.map(renamed)]));
    nodes.forEach((_, place) => {
      graph.outputs[`named.hostile.${place}`] = `%${first + place}`;
    });
  }
  return { graphs };
}

const repeated = (count, ...nodes) => Array.from({ length: count }, () => nodes).flat();
const HOSTILE = {
  full: [
    ["full", [HUGE], 0],
    ["add", "%a", 1],
  ],
  "full of negative size": [
    ["full", [-3], 0],
    ["add", "%a", 1],
  ],
  "zeros in two axes": [
    ["full", [50000, 50000], 0],
    ["exp", "%a"],
  ],
  arange: [["arange", 2 * HUGE]],
  "arange with a tiny step": [["arange", 0, 1, 1e-12]],
  "arange without an end": [["arange", 0, "inf"]],
  "expand and sum": [
    ["full", [1], 0],
    ["expand", "%a", [2 ** 31]],
    ["sum", "%b"],
  ],
  "expand and slice": [
    ["full", [1], 0],
    ["expand", "%a", [HUGE]],
    ["slice", "%b", 0, 0, HUGE],
    ["exp", "%c"],
  ],
  "slice with a tiny step": [
    ["full", [4], 0],
    ["slice", "%a", 0, 0, 4, 1e-9],
    ["exp", "%b"],
  ],
  "slice with no step": [
    ["full", [4], 0],
    ["slice", "%a", 0, 0, 4, 0],
    ["exp", "%b"],
  ],
  repeat: [
    ["full", [2], 0],
    ["repeat", "%a", [HUGE]],
  ],
  pad: [
    ["full", [2], 0],
    ["constant_pad_nd", "%a", [0, HUGE], 0],
  ],
  split: [
    ["full", [4], 0],
    ["split", "%a", 1e-9],
    ["item", "%b", 0],
    ["exp", "%c"],
  ],
  unbind: [
    ["full", [4000000], 0],
    ["unbind", "%a"],
    ["item", "%b", 0],
    ["exp", "%c"],
  ],
  gather: [
    ["full", [4], 0],
    ["full", [HUGE], 0],
    ["gather", "%a", 0, "%b"],
  ],
  embedding: [
    ["full", [2, 4], 0],
    ["full", [HUGE], 0],
    ["embedding", "%a", "%b"],
  ],
  matmul: [
    ["full", [2000, 1], 0],
    ["expand", "%a", [2000, 2000]],
    ["exp", "%b"],
    ...repeated(9, ["matmul", "%c", "%c"]),
  ],
  sort: [
    ["arange", 4000000],
    ["sort", "%a"],
    ["item", "%b", 0],
    ["sum", "%c"],
  ],
  "many sums": [["full", [4000000], 0], ...repeated(400, ["sum", "%a"])],
};

for (const part of ["encoder", "step"]) {
  for (const [name, nodes] of Object.entries(HOSTILE)) {
    test(`${name} in the ${part} is refused`, () => {
      assert.throws(() => translate(poisoned(nodes, part)), { message: /luong-general-local-p/ });
    });
  }
}

test("the refusal names the operation and the limit", () => {
  assert.throws(
    () => translate(poisoned(HOSTILE.arange, "step")),
    ({ message }) => {
      for (const part of ["arange", "2000000000", "export the model again"]) assert.ok(message.includes(part), message);
      return true;
    },
  );
});

/** The weights with another record of their first tensor in the header. */
function withHeader(change) {
  const length = Number(new DataView(files.weights.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(files.weights.subarray(8, 8 + length)));
  const name = Object.keys(header).find((key) => key !== "__metadata__");
  Object.assign(header[name], change);
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  return { name, weights: Uint8Array.from(Buffer.concat([size, text, files.weights.subarray(8 + length)])) };
}

test("weights with a header of huge shapes are refused before memory is reserved", () => {
  const { weights } = withHeader({ shape: [HUGE] });
  assert.throws(() => translate({ weights }), /model\.safetensors is damaged.*of 1000000000 numbers/s);
});

test("weights of an unknown type are refused before memory is reserved", () => {
  const { name, weights } = withHeader({ shape: [HUGE], dtype: "BF16" });
  assert.throws(
    () => translate({ weights }),
    ({ message }) => message.includes(`${name} is of type BF16; expected I8, F16 or F32`),
  );
});

test("the shipped model itself is not refused", () => assert.ok(translate({}).trace));
