// Weights from the bytes of a safetensors file: eight bytes with the length of the header, the header in JSON, the data.
// A matrix may have 8 bits and a scale for each row; the format is written down in attn_core/models/eight_bits.py.

/** @typedef {{ dtype: string, shape: number[], data_offsets: [number, number] }} Entry */

const SCALES = ".row_scale"; // what the name of a matrix's scales ends with

/**
 * The tensors of a file, in float32.
 * @param {Uint8Array} bytes
 * @returns {Map<string, { shape: number[], data: Float32Array }>}
 */
export function weights(bytes) {
  const header = headerOf(bytes);
  const { entries } = header;
  const found = new Map();
  const data = (/** @type {string} */ name) => {
    const { dtype, shape, data_offsets: [start, end] } = entries[name];
    const part = bytes.slice(header.end + start, header.end + end); // a copy, so that it is aligned
    const n = shape.reduce((product, size) => product * size, 1);
    const numbers = decoded(dtype, part, name);
    if (numbers.length !== n) throw new Error(`model.safetensors is damaged: ${name} has ${numbers.length} of ${n} numbers`);
    return numbers;
  };
  for (const [name, { dtype, shape }] of Object.entries(entries)) {
    if (name === "__metadata__" || isScales(name, entries)) continue;
    const numbers = data(name);
    if (dtype === "I8") scale(numbers, Object.hasOwn(entries, name + SCALES) ? data(name + SCALES) : null, shape, name);
    found.set(name, { shape, data: numbers });
  }
  return found;
}

/** @param {string} name @param {Record<string, Entry>} entries */
function isScales(name, entries) {
  return name.endsWith(SCALES) && entries[name.slice(0, -SCALES.length)]?.dtype === "I8";
}

/** Multiply each row by its scale. @param {Float32Array} numbers @param {Float32Array | null} scales
 * @param {number[]} shape @param {string} name */
function scale(numbers, scales, shape, name) {
  if (!scales || shape.length < 2 || scales.length !== shape[0]) {
    throw new Error(`model.safetensors: ${name} has 8 bits, but not a scale for each row`);
  }
  const size = numbers.length / scales.length;
  for (let i = 0; i < numbers.length; i++) numbers[i] *= scales[Math.floor(i / size)];
}

/** @param {Uint8Array} bytes @returns {{ end: number, entries: Record<string, Entry> }} */
function headerOf(bytes) {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = 8 + Number(view.getBigUint64(0, true));
    return { end, entries: JSON.parse(new TextDecoder().decode(bytes.subarray(8, end))) };
  } catch {
    throw new Error("model.safetensors is damaged: its header cannot be read");
  }
}

/** @param {string} dtype @param {Uint8Array<ArrayBuffer>} part @param {string} name */
function decoded(dtype, part, name) {
  if (dtype === "F32" && part.length % 4 === 0) return new Float32Array(part.buffer);
  if (dtype === "F16" && part.length % 2 === 0) return single(new Uint16Array(part.buffer));
  if (dtype === "I8") return Float32Array.from(new Int8Array(part.buffer));
  throw new Error(`model.safetensors: ${name} is of type ${dtype}; expected I8, F16 or F32`);
}

/** Half precision as float32. @param {Uint16Array} halves */
export function single(halves) {
  const bits = new Uint32Array(halves.length);
  for (let i = 0; i < halves.length; i++) {
    const half = halves[i];
    const exponent = (half >> 10) & 31;
    const fraction = half & 1023;
    const sign = (half & 0x8000) << 16;
    if (exponent === 0) bits[i] = small(fraction) | sign;
    else bits[i] = sign | (exponent === 31 ? 0x7f800000 : (exponent + 112) << 23) | (fraction << 13);
  }
  return new Float32Array(bits.buffer);
}

const one = new Float32Array(1);
const bitsOfOne = new Uint32Array(one.buffer);

/** The bits of a number below the smallest with an exponent: fraction * 2^-24. @param {number} fraction */
function small(fraction) {
  one[0] = fraction * 2 ** -24;
  return bitsOfOne[0];
}
