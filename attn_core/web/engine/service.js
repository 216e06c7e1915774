// Translates for a page, in a worker or in the page itself: the entry of the code that decoder.js starts.

import { read } from "./reading.js";
import { Translator } from "./trace.js";

/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").Asked} Asked */
/** @typedef {import("./types").Files} Files */
/** @typedef {import("./types").Request} Request */

const MOST = 60; // words of a sentence

/**
 * A function that translates with the model of these files.
 *
 * Throws an Error that names the problem if a file is damaged.
 * @param {Files} files
 * @returns {(request: Request) => Answer}
 */
export function open(files) {
  const translator = new Translator(files);
  return (request) => {
    const { source, target } = translator;
    const tokens = source.tokens(request.text);
    const typed = source.text(tokens).split(" ").filter(Boolean);
    const words = typed.length;
    const reading = read(typed, source, target);
    const readable = words <= MOST && reading.known.length + reading.unknown.length;
    const trace = readable ? translator.translate(request, tokens) : null;
    const produced = trace?.target.filter((word) => word !== "</s>") ?? [];
    return { trace, tree: trace && translator.tree, text: target.detokenize(produced), words, most: MOST, reading };
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
