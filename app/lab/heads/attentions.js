// The three attentions of a Transformer in a trace: for each the words of its rows and columns, and its maps.

import { t } from "../../../attn_core/browser/player/core/messages.js";

/** @import { TraceJSON } from "../../../attn_core/browser/engine/types.d.ts" */
/** @import { AttentionMaps, HeadWeights } from "./types.d.ts" */

/**
 * @param {TraceJSON} trace with its tokens as they are shown
 * @returns {AttentionMaps[]}
 */
export function attentionsOf({ source, target, steps, encoder = [] }) {
  const inputs = ["<s>", ...target.slice(0, -1)]; // the decoder's inputs
  return [
    {
      key: "encoder",
      label: t("Encoder self-attention"),
      rows: source,
      columns: source,
      heads: encoder,
      note: t(
        "One row for each source word: its weights on all source words, itself included (Vaswani 2017, section 3.2.3).",
      ),
    },
    {
      key: "decoder",
      label: t("Decoder self-attention"),
      rows: inputs,
      columns: inputs,
      heads: rowsByHead(steps.map(({ own = [] }) => own)),
      note: t(
        "One row for each decoder input, from the start symbol <s> on: its weights on itself and on earlier words. " +
          "Later words are masked, because they are not known yet (Vaswani 2017, section 3.2.3).",
      ),
    },
    {
      key: "cross",
      label: t("Cross-attention"),
      rows: target,
      columns: source,
      heads: rowsByHead(steps.map(({ looks }) => looks)),
      note: t(
        "One row for each step, labelled with the word it produces: its weights on the encoder states. This is the " +
          "attention of Bahdanau and Luong, with several heads.",
      ),
    },
  ];
}

/**
 * From the heads of each step to the rows of each head, one for each step.
 * @param {{ layer: number, head: number, weights: number[], scores: number[] }[][]} steps
 * @returns {HeadWeights[]}
 */
function rowsByHead(steps) {
  return steps[0].map(({ layer, head }, i) => ({
    layer,
    head,
    weights: steps.map((heads) => heads[i].weights),
    scores: steps.map((heads) => heads[i].scores),
  }));
}
