// Checks that a fetched file is the one that its server has, of which the server lists size and digest. Half of a file
// can arrive with status 200, while it is being uploaded or through a proxy, and must not be stored.

/** @typedef {readonly [bytes: number, sha256: string]} Listed size and SHA-256 (in hex) of a file */

/**
 * Whether a file has the size and, where the browser can compute it, the digest of the list. Browsers compute digests
 * only for pages that came by https or from this machine.
 * @param {ArrayBuffer} bytes
 * @param {Listed} listed
 */
export async function isAsListed(bytes, [size, sha256]) {
  if (bytes.byteLength !== size) return false;
  if (!globalThis.crypto?.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}

/**
 * Whether a file of a model looks complete without a list: it is valid JSON, or the weights are as long as their header
 * says.
 * @param {string} address
 * @param {ArrayBuffer} bytes
 */
export function isComplete(address, bytes) {
  try {
    if (!isWeights(address)) return Boolean(JSON.parse(new TextDecoder().decode(bytes)));
    const header = 8 + Number(new DataView(bytes).getBigUint64(0, true));
    /** @type {Record<string, { data_offsets?: [number, number] }>} */
    const entries = JSON.parse(new TextDecoder().decode(bytes.slice(8, header)));
    const end = Object.values(entries).reduce(
      (most, { data_offsets: offsets }) => Math.max(most, offsets?.[1] ?? 0),
      0,
    );
    return bytes.byteLength === header + end;
  } catch {
    return false;
  }
}

/** Whether the file at an address holds a model's weights. @param {string} address */
export const isWeights = (address) => /\.safetensors(?:[?#]|$)/.test(address);
