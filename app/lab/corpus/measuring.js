// Measures the lines of a text one after another with the engine in its worker.

import { wordsIn } from "./alignment.js";
import { inputsOf, wordKinds, wordsOf } from "./rows.js";

/** @import { Measurer } from "../../../attn_core/browser/engine/decoder.js" */
/** @import { How, Measured, Ready, Weighed } from "./types.d.ts" */

/** @type {Set<string>} */
const NONE = new Set();
const AHEAD = 2; // sentences that wait in the worker, so that it never waits for the page

/**
 * Calls `onSentence` for each line, shorter ones first: the engine keeps its plans for sentences of one length. Ends
 * early once `stopped()`; rejects if the engine fails.
 * @param {Measurer} engine
 * @param {Ready[]} lines
 * @param {How} how
 * @param {{ words: Set<string> | null, targetWords: Set<string> | null, stopped: () => boolean, onSentence: (sentence:
 * Measured) => void }} run `words`, `targetWords`: the function words of both languages, null without a list
 */
export async function measureLines(engine, lines, how, { words, targetWords, stopped, onSentence }) {
  const shortestFirst = [...lines].sort((a, b) => a.read.words - b.read.words);
  /** @type {Promise<{ line: Ready, weighed: Weighed | null, forced: Weighed | null }>[]} */
  const pending = [];
  const requestWeights = async (/** @type {Ready} */ line) => {
    const { text, pair } = line;
    const requests = [
      engine.weights({ text, ...how }),
      pair ? engine.weights({ text, reference: pair.reference, ...how }) : null,
    ];
    const [weighed, forced] = await Promise.all(requests);
    return { line, weighed, forced };
  };
  for (let i = 0; i < shortestFirst.length + AHEAD; i++) {
    if (i < shortestFirst.length) {
      const request = requestWeights(shortestFirst[i]);
      request.catch(() => {}); // reported where it is awaited, or not at all after an end
      pending.push(request);
    }
    if (i < AHEAD) continue;
    const { line, weighed, forced } = await pending[i - AHEAD];
    if (stopped()) return;
    if (!weighed) continue;
    const listed = { source: words !== null, inputs: targetWords !== null };
    onSentence({
      line,
      weighed,
      forced: forced && goldFits(line, forced) ? forced : null,
      kinds: kindsIn(weighed, words, targetWords),
      listed,
    });
  }
}

/** Whether the gold links are between the words of this vocabulary. @param {Ready} line @param {Weighed} forced */
function goldFits({ pair }, forced) {
  const [from, to] = wordsIn(forced);
  return pair?.words[0] === from && pair.words[1] === to;
}

/** @param {Weighed} weighed @param {Set<string> | null} words @param {Set<string> | null} targetWords */
function kindsIn(weighed, words, targetWords) {
  const { source, unknown } = weighed;
  const inputs = inputsOf(weighed);
  return {
    source: wordKinds(wordsOf(source), source, unknown, words ?? NONE),
    inputs: wordKinds(wordsOf(inputs), inputs, [], targetWords ?? NONE),
  };
}
