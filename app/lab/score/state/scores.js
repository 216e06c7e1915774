// The score functions of the page, which the engine runs, and their parameters: of some they are those of another
// score.

import { ScoreFunction } from "../../../../attn_core/browser/engine/score.js";

/**
 * @import { Numbers } from "../../../../attn_core/browser/engine/types.d.ts"
 * @import { AllParameters, Parameters, RunnableScore, ScoreFacts, ScoreLabData } from "../types.d.ts"
 */

/**
 * The score functions that can be run.
 * @param {ScoreLabData} data
 * @returns {RunnableScore[]}
 */
export function openScores({ functions, words }) {
  return functions.flatMap((facts) =>
    "problem" in facts ? [] : [{ ...facts, ...words[facts.name], engine: new ScoreFunction(facts.document) }],
  );
}

/**
 * The parameters at the start, of the scores that have their own.
 * @param {RunnableScore[]} scores
 * @returns {AllParameters}
 */
export function startParameters(scores) {
  const owners = scores.filter(({ joined, document }) => !joined && Object.keys(document.parameters).length);
  return Object.fromEntries(owners.map(({ name, document }) => [name, structuredClone(document.parameters)]));
}

/**
 * The parameters of a score by name.
 * @param {Pick<ScoreFacts, "name" | "joined">} score
 * @param {AllParameters} all
 * @returns {Parameters}
 */
export function parametersOf({ name, joined }, all) {
  if (!joined) return all[name] ?? {};
  return Object.fromEntries(
    Object.entries(joined).map(([parameter, blocks]) => [
      parameter,
      blocks.map(([owner, part]) => all[owner][part]).reduce(concatenated),
    ]),
  );
}

/**
 * A copy of all parameters with one number changed, in the score that a joined parameter comes from.
 * @param {Pick<ScoreFacts, "name" | "joined">} score
 * @param {AllParameters} all
 * @param {string} parameter
 * @param {number[]} index
 * @param {number} value
 * @returns {AllParameters}
 */
export function withNumber({ name, joined }, all, parameter, index, value) {
  let [owner, part, partIndex] = [name, parameter, index];
  let column = index[index.length - 1];
  for (const [other, block] of joined?.[parameter] ?? []) {
    [owner, part, partIndex] = [other, block, [...index.slice(0, -1), column]];
    const width = columnsOf(all[other][block]);
    if (column < width) break;
    column -= width;
  }
  return { ...all, [owner]: { ...all[owner], [part]: replaced(all[owner][part], partIndex, value) } };
}

/**
 * The columns, after the first, at which a parameter of another score begins.
 * @param {Pick<ScoreFacts, "joined">} score
 * @param {AllParameters} all
 * @param {string} parameter
 */
export function seams({ joined }, all, parameter) {
  let column = 0;
  return (joined?.[parameter] ?? []).slice(0, -1).map(([owner, part]) => (column += columnsOf(all[owner][part])));
}

/** @param {Numbers} values @returns {number} */
const columnsOf = (values) =>
  !Array.isArray(values) ? 1 : Array.isArray(values[0]) ? columnsOf(values[0]) : values.length;

/**
 * Two matrices side by side as one, or two vectors.
 * @param {Numbers} left
 * @param {Numbers} right
 * @returns {Numbers}
 */
function concatenated(left, right) {
  const [first, second] = /** @type {Numbers[][]} */ ([left, right]);
  return Array.isArray(first[0]) ? first.map((row, i) => concatenated(row, second[i])) : [...first, ...second];
}

/** @param {Numbers} values @param {number[]} index @param {number} value @returns {Numbers} */
function replaced(values, [first, ...rest], value) {
  if (first === undefined || !Array.isArray(values)) return value;
  return values.map((part, i) => (i === first ? replaced(part, rest, value) : part));
}
