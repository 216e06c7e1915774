// Where the nodes of a beam's tree are: a column for each step, the most probable hypothesis at the top.

/**
 * @import { TreeJSON, TreeNode } from "../../../attn_core/browser/engine/types.d.ts"
 *
 * @typedef {{ node: TreeNode, t: number, x: number, y: number, width: number, parent: Placed | null, grows: boolean }}
 * Placed
 */

const GAP = 26; // between the columns, for the branches
export const NODE = { height: 36, padding: 8, row: 42 };

/**
 * `grows`: whether another node extends this one. `measure` gives the width of a node's text.
 * @param {TreeJSON} tree
 * @param {(node: TreeNode) => number} measure
 */
export function place({ steps }, measure) {
  /** @type {Placed[][]} */
  const columns = [];
  let x = 0;
  let most = 0;
  steps.forEach(({ nodes }, t) => {
    const width = Math.max(...nodes.map(measure), 0) + 2 * NODE.padding;
    const before = columns[t - 1] ?? [];
    columns.push(
      nodes.map((node, i) => {
        const parent = node.parent === null ? null : before[node.parent];
        if (parent) parent.grows = true;
        return { node, t, x, y: i * NODE.row, width, parent, grows: false };
      }),
    );
    most = Math.max(most, nodes.length);
    x += width + GAP;
  });
  return { columns, width: Math.max(x - GAP, 0), height: Math.max(most * NODE.row - (NODE.row - NODE.height), 0) };
}

/** The words of a hypothesis. @param {Placed} placed @returns {string[]} */
export const wordsOf = ({ node, parent }) => [...(parent ? wordsOf(parent) : []), node.token];

/** The finished hypotheses, the best score first. @param {Placed[][]} columns */
export function finished(columns) {
  const found = columns.flat().filter(({ node }) => node.score !== null);
  return found.sort(
    (one, other) =>
      Number(other.node.best) - Number(one.node.best) || Number(other.node.score) - Number(one.node.score),
  );
}
