// Weights from the bytes of a safetensors file: eight bytes with the length of the header, the header in JSON, the
// data. A matrix may have 8 bits and a scale for each row; the format is written down in
// attn_core/models/quantization.py.

/** @typedef {{ dtype: string, shape: number[], data_offsets: [number, number] }} Entry */
/**
 * A tensor whose numbers `read` writes to a place for `size` of them.
 * @typedef {{ name: string, shape: number[], size: number, read: (out: Float32Array) => void }} Stored
 */

const WIDTHS = new Map([
  ["F32", 4],
  ["F16", 2],
  ["I8", 1],
]); // bytes of a number
const SCALES = ".row_scale"; // what the name of a matrix's scales ends with

/**
 * The tensors of a file. `read` writes one in float32 to the `size` numbers of `out`; so no second copy of the weights
 * is made, which a page would hold until its memory is collected.
 * @param {Uint8Array} bytes
 * @returns {Stored[]}
 */
export function weights(bytes) {
  const header = headerOf(bytes);
  const { entries } = header;
  const sizeOf = (/** @type {string} */ name) => entries[name].shape.reduce((product, size) => product * size, 1);
  const read = (/** @type {string} */ name, /** @type {Float32Array} */ out) => {
    const {
      dtype,
      data_offsets: [start, end],
    } = entries[name];
    const part = bytes.slice(header.end + start, header.end + end); // a copy, so that it is aligned
    const n = decoded(dtype, part, out);
    if (n !== out.length) throw new Error(`model.safetensors is damaged: ${name} has ${n} of ${out.length} numbers`);
  };
  const scalesOf = (/** @type {string} */ name) => {
    if (!Object.hasOwn(entries, name + SCALES)) return null;
    const scales = new Float32Array(sizeOf(name + SCALES));
    read(name + SCALES, scales);
    return scales;
  };
  const tensors = Object.keys(entries).filter((name) => name !== "__metadata__");
  for (const name of tensors) checkSize(entries[name], sizeOf(name), bytes.length - header.end, name);
  return tensors
    .filter((name) => !isScales(name, entries))
    .map((name) => ({
      name,
      shape: entries[name].shape,
      size: sizeOf(name),
      read(out) {
        read(name, out);
        if (entries[name].dtype === "I8") scale(out, scalesOf(name), entries[name].shape, name);
      },
    }));
}

/** @param {string} name @param {Record<string, Entry>} entries */
function isScales(name, entries) {
  return name.endsWith(SCALES) && entries[name.slice(0, -SCALES.length)]?.dtype === "I8";
}

/**
 * Throw an Error unless a tensor has as many numbers as its shape says: memory is reserved for all of them before one
 * is read.
 * @param {Entry} entry @param {number} size @param {number} there the bytes after the header @param {string} name
 */
function checkSize({ dtype, data_offsets: [start, end] }, size, there, name) {
  const width = WIDTHS.get(dtype);
  if (!width) throw new Error(`model.safetensors: ${name} is of type ${dtype}; expected I8, F16 or F32`);
  const n = Math.max(Math.min(end, there) - Math.min(start, there), 0) / width;
  if (n !== size) throw new Error(`model.safetensors is damaged: ${name} has ${Math.floor(n)} of ${size} numbers`);
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

/**
 * Write the numbers of a tensor to `out` if they are as many; how many there are.
 * @param {string} dtype @param {Uint8Array<ArrayBuffer>} part @param {Float32Array} out
 */
function decoded(dtype, part, out) {
  const n = part.length / (WIDTHS.get(dtype) ?? NaN);
  if (n !== out.length) return n;
  if (dtype === "F16") single(new Uint16Array(part.buffer), out);
  else out.set(dtype === "F32" ? new Float32Array(part.buffer) : new Int8Array(part.buffer));
  return n;
}

/** Half precision as float32. @param {Uint16Array} halves @param {Float32Array} out */
function single(halves, out) {
  const bits = new Uint32Array(out.buffer, out.byteOffset, out.length);
  for (let i = 0; i < halves.length; i++) {
    const half = halves[i];
    const exponent = (half >> 10) & 31;
    const fraction = half & 1023;
    const sign = (half & 0x8000) << 16;
    if (exponent === 0) bits[i] = small(fraction) | sign;
    else bits[i] = sign | (exponent === 31 ? 0x7f800000 : (exponent + 112) << 23) | (fraction << 13);
  }
}

const float = new Float32Array(1);
const floatBits = new Uint32Array(float.buffer);

/** The bits of a number below the smallest with an exponent: fraction * 2^-24. @param {number} fraction */
function small(fraction) {
  float[0] = fraction * 2 ** -24;
  return floatBits[0];
}
