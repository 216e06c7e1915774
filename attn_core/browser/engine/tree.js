// A beam search as a tree: the hypotheses that each step kept or finished.

/** @typedef {import("./beam.js").Candidate} Candidate */
/** @typedef {import("./beam.js").Finished} Finished */
/** @typedef {import("./types").TreeJSON} TreeJSON */
/** @typedef {import("./types").TreeNode} TreeNode */

/**
 * Grows with each step of `beamSearch`, whose `onStep` it is. `weights` gives those of a record.
 * @param {(word: number) => string} token
 * @param {(record: any) => number[]} weights
 */
export function growTree(token, weights) {
  /** @type {TreeJSON} */
  const tree = { steps: [] };
  /** @type {number[][][]} the words of each node's hypothesis, by step */
  const words = [];
  /** @type {number[]} the nodes of the last step that its beam holds */
  let beam = [];

  /** @param {Candidate[]} kept @param {Finished[]} finished @param {any[]} records */
  function onStep(kept, finished, records) {
    const before = words[words.length - 1] ?? [];
    const nodes = [...kept.map((candidate) => ({ ...candidate, score: null })), ...finished].sort(
      (one, other) => other.total - one.total,
    );
    words.push(nodes.map((candidate) => [...(before[beam[candidate.row]] ?? []), candidate.word]));
    tree.steps.push({
      nodes: nodes.map((candidate) => ({
        parent: beam[candidate.row] ?? null,
        token: token(candidate.word),
        log_prob: candidate.logProb,
        total: candidate.total,
        score: candidate.score,
        best: false,
        weights: weights(records[candidate.row]),
      })),
    });
    beam = kept.map((candidate) =>
      nodes.findIndex((node) => node.row === candidate.row && node.word === candidate.word),
    );
  }

  /** The tree, with the path of the best hypothesis marked. @param {number[]} best its words */
  function finish(best) {
    const last = best.length - 1;
    let place = (words[last] ?? []).findIndex(
      (path, i) => tree.steps[last].nodes[i].score !== null && path.join() === best.join(),
    );
    for (let t = last; t >= 0 && place >= 0; t--) {
      const node = tree.steps[t].nodes[place];
      node.best = true;
      place = node.parent ?? -1;
    }
    return tree;
  }

  return { onStep, finish };
}
