// Translates for a page, in a worker or in the page itself: the entry of the code that decoder.js starts.

import { MOST_PIECES, MOST_WORDS } from "./limits.js";
import { read } from "./reading.js";
import { END } from "./tokenizer/specials.js";
import { Translator } from "./trace.js";
import { weightsOf } from "./weights.js";
import { valueIn } from "./lookup.js";

/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").Asked} Asked */
/** @typedef {import("./types").Files} Files */
/** @typedef {import("./types").NumberAsked} NumberAsked */
/** @typedef {import("./types").NumberRef} NumberRef */
/** @typedef {import("./types").Origin} Origin */
/** @typedef {import("./origins.js").Origins} Origins */
/** @typedef {import("./types").LineRead} LineRead */
/** @typedef {import("./types").Request} Request */
/** @typedef {import("./types").Weighed} Weighed */
/** @typedef {import("./types").WeightsAsked} WeightsAsked */
/**
 * @typedef {{ translate: (request: Request) => Answer, origin: (request: Request, number: NumberAsked) => Origin,
 *   weights: (asked: WeightsAsked) => Weighed | null, lines: (texts: string[]) => LineRead[] }} Opened
 */

/**
 * The model of these files. `translate` answers a request; `origin` takes a number of its translation apart; `weights`
 * are those of a sentence alone; `lines` reads texts without translating them.
 *
 * Throws an Error that names the problem if a file is damaged.
 * @param {Files} files
 * @returns {Opened}
 */
export function open(files) {
  const translator = new Translator(files);
  const { source, target } = translator;
  const wordUnit =
    source.kind === "word" && valueIn(files.rules.languages, source.lang)?.characters ? "characters" : "words";
  let last = ""; // the request whose numbers `origins` has
  /** @type {Origins | null} */
  let origins = null;

  /**
   * The length of a sentence, its limit, and their unit, which is word pieces only if there are too many of them.
   * @param {number} words
   * @param {number} pieces
   * @returns {Pick<Answer, "words" | "most" | "unit">}
   */
  function lengthOf(words, pieces) {
    if (words <= MOST_WORDS && pieces > MOST_PIECES) return { words: pieces, most: MOST_PIECES, unit: "pieces" };
    return { words, most: MOST_WORDS, unit: wordUnit };
  }

  /** @param {string[]} tokens of a sentence */
  function readingOf(tokens) {
    const typed = source.text(tokens).split(" ").filter(Boolean);
    const length = lengthOf(typed.length, tokens.length);
    const reading = read(typed, source, target);
    return {
      length,
      reading,
      readable: length.words <= length.most && reading.known.length + reading.unknown.length > 0,
    };
  }

  /** @param {Request} request @returns {Answer} */
  function translate(request) {
    const tokens = source.tokens(request.text);
    const { length, reading, readable } = readingOf(tokens);
    const trace = readable ? translator.translate(request, tokens) : null;
    const produced = trace?.target.filter((word) => word !== END) ?? [];
    const changed = request.edits?.length ? { unedited: trace && translator.unedited, unfit: translator.unfit } : {};
    return { trace, tree: trace && translator.tree, ...changed, text: target.detokenize(produced), ...length, reading };
  }

  /** @param {Request} request @param {NumberAsked} number @returns {Origin} */
  function origin(request, number) {
    const asked = JSON.stringify(request);
    if (!origins || asked !== last) {
      translator.translate(request);
      origins = translator.origins();
      last = asked;
    }
    const answer = origins.of(number);
    const { word, kind, largest = [] } = answer;
    if (typeof word === "number") answer.word = (inStep(answer.number.ref) ? target : source).token(word);
    if (kind === "log_softmax") {
      answer.words = largest.map(({ place }) => target.token(place));
      answer.word = target.token(answer.place ?? 0);
    }
    return answer;
  }

  /** @param {string[]} texts @returns {LineRead[]} */
  function lines(texts) {
    return texts.map((text) => {
      const {
        length,
        reading: { known, unknown, swapped },
        readable,
      } = readingOf(source.tokens(text));
      return { ...length, known: known.length, unknown: unknown.length, swapped, fits: readable };
    });
  }

  return { translate, origin, lines, weights: (asked) => weightsOf(translator, asked) };
}

/** @param {NumberRef} ref */
function inStep(ref) {
  return "frame" in ref && /^(step|trained)\./.test(ref.frame);
}

/**
 * In a worker: open the model of the first message, and answer every other one with the same id.
 * @param {{ onmessage: ((event: { data: Asked }) => void) | null, postMessage: (answer: object) => void }} scope
 */
export function serve(scope) {
  /** @type {Opened | null} */
  let model = null;
  scope.onmessage = ({ data: { id, files, request, number, weights, lines } }) => {
    try {
      if (files) model = open(files);
      let answer = null;
      if (model && lines) answer = model.lines(lines);
      else if (model && weights) answer = model.weights(weights);
      else if (model && request) answer = number ? model.origin(request, number) : model.translate(request);
      scope.postMessage({ id, answer });
    } catch (error) {
      scope.postMessage({ id, problem: /** @type {Error} */ (error).message });
    }
  };
}
