// Translates for a page, in a worker or in the page itself: the entry of the code that decoder.js starts.

import { Translator } from "./trace.js";

/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").Asked} Asked */
/** @typedef {import("./types").Files} Files */
/** @typedef {import("./types").Request} Request */

const MOST = 60; // words or word pieces of a sentence, as in the dashboard

/**
 * A function that translates with the model of these files, whose weights may be in base64.
 *
 * Throws an Error that names the problem if a file is damaged.
 * @param {Omit<Files, "weights"> & { weights: Uint8Array | string }} files
 * @returns {(request: Request) => Answer}
 */
export function open({ weights, ...files }) {
  const translator = new Translator({ ...files, weights: typeof weights === "string" ? decoded(weights) : weights });
  return (request) => {
    const tokens = translator.source.tokens(request.text);
    const words = tokens.length;
    const trace = words > MOST ? null : translator.translate(request, tokens);
    const target = trace?.target.filter((word) => word !== "</s>") ?? [];
    return { trace, text: translator.target.detokenize(target), words, most: MOST };
  };
}

/**
 * In a worker: open the model of the first message, and answer every other one with the same id.
 * @param {{ onmessage: ((event: { data: Asked }) => void) | null, postMessage: (answer: object) => void }} scope
 */
export function serve(scope) {
  /** @type {((request: Request) => Answer) | null} */
  let translate = null;
  scope.onmessage = ({ data: { id, files, request } }) => {
    try {
      if (files) translate = open(files);
      scope.postMessage({ id, answer: request && translate ? translate(request) : null });
    } catch (error) {
      scope.postMessage({ id, problem: /** @type {Error} */ (error).message });
    }
  };
}

/** @param {string} base64 */
function decoded(base64) {
  const letters = binary(base64);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** @param {string} base64 */
function binary(base64) {
  try {
    return atob(base64);
  } catch {
    throw new Error("model.safetensors is damaged: it is not base64");
  }
}
