// What the Score lab shows: the reader's vectors, parameters and choices, and the numbers that follow from them.

import { entropyOf } from "../../../../attn_core/browser/engine/measures.js";
import { softmax } from "../../../../attn_core/browser/engine/vectors.js";
import { bestOf, contextOf, drawnAt } from "./context.js";
import { parametersOf, startParameters } from "./scores.js";

/** @import { Handle, Results, RunnableScore, ScoreLabState, ScoreRow, Start, Vector } from "../types.d.ts" */

/**
 * The state at the start.
 * @param {Start} start
 * @param {RunnableScore[]} scores
 * @returns {ScoreLabState}
 */
export function startState(start, scores) {
  const { query, keys, values } = structuredClone(start);
  return {
    query,
    keys,
    values,
    parameters: startParameters(scores),
    score: scores[0].name,
    attention_type: "soft",
    apart: false,
    chosen: 0,
    draws: keys.map(() => 0),
    drawn: null,
  };
}

/**
 * The change of the state that moves a point; a key that moves is the selected one.
 * @param {ScoreLabState} state
 * @param {Pick<Handle, "kind" | "s">} handle
 * @param {Vector} point
 * @param {number} reach the largest coordinate
 * @returns {Partial<ScoreLabState>}
 */
export function withPoint(state, { kind, s }, point, reach) {
  const inside = point.map((x) => Math.min(Math.max(Math.round(x * 100) / 100, -reach), reach));
  return kind === "query" ? { query: inside } : { [kind]: state[kind].with(s, inside), chosen: s };
}

/**
 * The state after drawing keys from these weights.
 * @param {ScoreLabState} state
 * @param {number[]} weights
 * @param {() => number} uniform gives numbers from 0 to 1
 * @param {number} times
 * @returns {ScoreLabState}
 */
export function withDraws(state, weights, uniform, times) {
  const draws = [...state.draws];
  let { drawn } = state;
  for (let i = 0; i < times; i++) {
    drawn = drawnAt(weights, uniform());
    draws[drawn] += 1;
  }
  return { ...state, draws, drawn };
}

/**
 * The scores, weights and entropy of each score function, and the context vector of the selected one.
 * @param {ScoreLabState} state
 * @param {RunnableScore[]} scores
 * @returns {Results}
 */
export function resultsOf(state, scores) {
  const rows = Object.fromEntries(scores.map((score) => [score.name, rowOf(state, score)]));
  const { weights } = rows[state.score];
  const values = state.apart ? state.values : state.keys;
  const taken =
    state.attention_type === "soft" ? null : state.attention_type === "hard-argmax" ? bestOf(weights) : state.drawn;
  const total = state.draws.reduce((sum, n) => sum + n, 0);
  const soft = contextOf(weights, values);
  const drawnShares = state.draws.map((n) => n / total);
  return {
    rows,
    values,
    taken,
    total,
    soft,
    context: taken === null ? soft : values[taken],
    mean: state.attention_type === "hard-sample" && total ? contextOf(drawnShares, values) : null,
  };
}

/**
 * The scores of one score function.
 * @param {ScoreLabState} state
 * @param {RunnableScore} score
 * @returns {ScoreRow}
 */
function rowOf(state, score) {
  score.engine.setParameters(parametersOf(score, state.parameters));
  const scores = score.engine.scores(state.query, state.keys);
  const weights = softmax(scores);
  return { scores, weights, entropy: entropyOf(weights) };
}
