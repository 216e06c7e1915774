// Beam search over one sentence, as in attn_core/decoding/beam.py.

import { forbiddenWords, mostWords } from "./search.js";

/** @typedef {import("./types").Carry} Carry */
/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Stepper} Stepper */
/** @typedef {import("./plan.js").Plan} Plan */
/** @typedef {import("./search.js").Found & { records: any[] }} Found */

/**
 * A hypothesis extended by one word; `total` is its log probability.
 * @typedef {{ total: number, row: number, word: number, logProb: number }} Candidate
 */

/** @typedef {Candidate & { score: number }} Finished with its normalised log probability */

/**
 * A hypothesis in the beam: its path so far, with what `record` returned for each step.
 * @typedef {{ total: number, words: number[], logProbs: number[], records: any[] }} Path
 */

/**
 * As in search.py: "length" normalises by the number of words, "wu" as in Wu 2016. `record` keeps what is needed of
 * each hypothesis's step, which began with `carry`. `onStep` receives the candidates that a step keeps as its beam and
 * those that finish with it, the best first, and the records of the hypotheses that they extend.
 * @typedef {{ how?: import("./types").How, width?: number, limit?: number | null, least?: number,
 *   normalise?: "none" | "length" | "wu", alpha?: number, preferFinished?: boolean,
 *   onStep?: (kept: Candidate[], finished: Finished[], records: any[]) => void, record?: (plan: Plan, t: number,
 * stepper: Stepper, carry: Carry) => any }} Options
 */

/**
 * The finished hypotheses, best first. A sentence is done once `width` of its hypotheses have finished.
 * @param {Model} model
 * @param {number[]} source
 * @param {Options} options
 * @returns {Found[]}
 */
export function beamSearch(model, source, options = {}) {
  const { how, width = 5, limit = null, least = 0, normalise = "length", alpha = 1, onStep, record } = options;
  const { bos, eos } = model.json.special;
  const sentence = model.encode(source);
  const stepper = model.stepper(sentence, how);
  const most = mostWords(model, sentence.ids.length, limit, least);
  /** @type {(Found & { place: number })[]} */
  const done = [];
  /** @type {Path[]} */
  let beam = [{ total: 0, words: [], logProbs: [], records: [] }];
  /** @type {Carry[]} */
  let carries = [sentence.carry];
  for (let t = 0; beam.length; t++) {
    /** @type {Candidate[]} */
    let candidates = [];
    /** @type {any[]} */
    const records = [];
    const after = beam.map((path, row) => {
      const plan = stepper.step(carries[row], path.words[t - 1] ?? bos);
      records.push(record?.(plan, t, stepper, carries[row]));
      const logProbs = plan.output("log_probs");
      const word = how?.change?.word(t);
      const words = word === undefined ? best(logProbs, 2 * width, forbiddenWords(model, t, least)) : [word];
      candidates.push(...extensions(logProbs, path.total, row, words));
      return stepper.after(plan, carries[row]);
    });
    candidates = candidates.sort((one, other) => other.total - one.total || one.row - other.row).slice(0, 2 * width);
    const isFinal = (/** @type {Candidate} */ candidate) => candidate.word === eos || t + 1 >= most;
    const finished = candidates
      .slice(0, width)
      .filter((candidate) => isFinal(candidate) && candidate.total > -Infinity)
      .map((candidate) => ({ ...candidate, score: normalised(candidate.total, t + 1, normalise, alpha) }));
    for (const hypothesis of finished) {
      const path = extended(beam, hypothesis, records);
      done.push({
        words: path.words,
        logProbs: path.logProbs,
        records: path.records,
        score: hypothesis.score,
        place: done.length,
      });
    }
    const unfinished =
      done.length < width ? candidates.filter((candidate) => !isFinal(candidate) && candidate.total > -Infinity) : [];
    const kept = unfinished.slice(0, width);
    onStep?.(kept, finished, records);
    beam = kept.map((candidate) => extended(beam, candidate, records));
    carries = kept.map((candidate) => after[candidate.row]);
  }
  return ranked(done, options.preferFinished ?? false, eos);
}

/** A hypothesis extended by each of `words`.
 * @param {Float32Array} logProbs @param {number} total @param {number} row @param {number[]} words
 * @returns {Candidate[]} */
function extensions(logProbs, total, row, words) {
  return words.map((word) => ({ total: Math.fround(total + logProbs[word]), row, word, logProb: logProbs[word] }));
}

/**
 * The indices of the `k` largest numbers, the largest first; of equal ones the first. The indices in `forbidden` are
 * left out.
 * @param {ArrayLike<number>} numbers @param {number} k @param {number[]} forbidden
 */
export function best(numbers, k, forbidden = []) {
  /** @type {number[]} */
  const top = [];
  for (let i = 0; i < numbers.length; i++) {
    if (forbidden.includes(i) || (top.length === k && numbers[i] <= numbers[top[k - 1]])) continue;
    let rank = top.length;
    while (rank > 0 && numbers[i] > numbers[top[rank - 1]]) rank--;
    top.splice(rank, 0, i);
    if (top.length > k) top.pop();
  }
  return top;
}

/**
 * The path of a candidate.
 * @param {Path[]} beam
 * @param {Candidate} candidate
 * @param {any[]} records of this step's hypotheses
 * @returns {Path}
 */
function extended(beam, candidate, records) {
  const path = beam[candidate.row];
  return {
    total: candidate.total,
    words: [...path.words, candidate.word],
    logProbs: [...path.logProbs, candidate.logProb],
    records: [...path.records, records[candidate.row]],
  };
}

/** Best first; of equal ones the first found. @param {(Found & { place: number })[]} done
 * @param {boolean} preferFinished @param {number} eos @returns {Found[]} */
function ranked(done, preferFinished, eos) {
  const finished = (/** @type {Found} */ hypothesis) =>
    Number(preferFinished && hypothesis.words[hypothesis.words.length - 1] === eos);
  return done
    .sort((one, other) => finished(other) - finished(one) || other.score - one.score || one.place - other.place)
    .map(({ words, logProbs, records, score }) => ({ words, logProbs, records, score }));
}

/**
 * The score of a finished hypothesis of `words` words, the end included.
 * @param {number} logProb @param {number} words @param {string} rule @param {number} alpha
 */
function normalised(logProb, words, rule = "length", alpha = 1) {
  if (!(alpha >= 0 && alpha < Infinity)) throw new Error(`alpha must be at least 0, not ${alpha}`);
  if (rule === "none") return logProb;
  if (rule === "length") return logProb / words ** alpha;
  if (rule === "wu") return logProb / ((5 + words) / 6) ** alpha;
  throw new Error(`length normalisation must be none, length or wu, not ${rule}`);
}
