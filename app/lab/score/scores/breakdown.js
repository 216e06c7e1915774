// What the score of a key was computed from: the numbers of the engine's graph, as the panel of numbers shows them.

import { scoreAt } from "../../../../attn_core/browser/engine/score.js";
import { t } from "../../../../attn_core/browser/player/core/messages.js";
import { html } from "../../../../attn_core/browser/player/dom/html.js";
import { render } from "../../../../attn_core/browser/vendor/preact.js";
import { Breakdown } from "../../../shell/numbers/breakdown.js";

/**
 * @import { Leaf, NumberRef, Origin, Term } from "../../../../attn_core/browser/engine/types.d.ts"
 * @import { Origins } from "../../../../attn_core/browser/engine/origins.js"
 * @import { Source } from "../../../shell/numbers/open-numbers.js"
 * @import { RunnableScore, ScoreLabState } from "../types.d.ts"
 */

const DEEPEST = 4; // formulas one below the other

/**
 * The run of a score for the vectors of a state, whose numbers can be opened.
 * @param {RunnableScore} score with the parameters of the state
 * @param {ScoreLabState} state
 * @returns {Source & { origins: Origins }}
 */
export function sourceOf({ engine, document }, { query, keys }) {
  const origins = engine.origins(query, keys);
  const trace = /** @type {Source["trace"]} */ (
    /** @type {unknown} */ ({
      source: keys.map((_, s) => keyLabel(s)),
      target: [""],
      steps: [{ looks: [{}] }],
      encoder: [],
    })
  );
  return { origins, trace, graphs: document, how: {}, locate, ask: async (asked) => origins.of(asked) };
}

/** The location of a number: its key, and its unit of a vector. @param {Leaf["names"][number]} output */
function locate({ name, index }) {
  const unit = Number(index.at(-1));
  if (name.endsWith("scores")) return keyLabel(unit);
  const ofKey = name.startsWith("memory.") ? [keyLabel(Number(index.at(-2)))] : [];
  return [...ofKey, t("unit {k}", { k: unit })].join(" · ");
}

/** @param {number} s */
const keyLabel = (s) => t("key {s}", { s });

/**
 * The origin of a score and, while that is a formula with one computed number in it, the origin of this number.
 * @param {Origins} origins
 * @param {number} s of the key
 * @returns {Origin[]}
 */
export function originsOf(origins, s) {
  const chain = [origins.of(scoreAt(s))];
  while (chain.length < DEEPEST) {
    const computed = leavesIn(chain[chain.length - 1].term).filter(({ op, given }) => op && !given);
    if (computed.length !== 1) break;
    chain.push(origins.of(computed[0].ref));
  }
  return chain;
}

/** @param {Term | undefined} term @returns {Leaf[]} */
const leavesIn = (term) => (term?.leaf ? [term.leaf] : (term?.terms ?? []).flatMap(leavesIn));

/**
 * Draw the parts of a score.
 * @param {HTMLElement} root
 * @param {ReturnType<typeof sourceOf>} source
 * @param {number} s of the key
 * @param {(ref: NumberRef) => void} open a number among them
 */
export function drawParts(root, source, s, open) {
  // By size, the parts would change places while a point is dragged.
  const inOrder = (/** @type {Origin} */ origin) => ({
    ...origin,
    largest: origin.largest?.toSorted((a, b) => a.place - b.place),
  });
  const chain = originsOf(source.origins, s).map(inOrder);
  render(html`${chain.map((origin) => html`<${Breakdown} origin=${origin} context=${source} open=${open} />`)}`, root);
}
