// The edits of a sentence in words.

import { headName } from "../../../attn_core/browser/player/core/looks.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { readableWord } from "../../shell/numbers/names.js";

/** @import { Edit, TraceJSON, Unfit } from "../../../attn_core/browser/engine/types.d.ts" */

/**
 * An edit in words, with the source words that got the most weight. In sentences a step counts from 1; in links, and as
 * t, from 0.
 * @param {Edit} edit
 * @param {Pick<TraceJSON, "source">} trace
 * @param {boolean} [many] whether the model has several heads
 */
export function inWords(edit, { source }, many = false) {
  if (edit.kind === "off") return t("{head}: off", { head: headName(edit) });
  const step = edit.step + 1;
  if (edit.kind === "word") return t("step {step}: word “{word}”", { step, word: readableWord(edit.word) });
  const head = many ? ` (${spelled(edit) ?? t("all heads")})` : "";
  if (edit.kind === "context")
    return `${t("step {step}: context of step {from}", { step, from: edit.from + 1 })}${head}`;
  const { weights } = edit;
  const most = weights.indexOf(Math.max(...weights));
  const share = Math.round(100 * weights[most]);
  const positive = weights.filter((weight) => weight > 0);
  const alike = positive.length > 1 && positive.every((weight) => Math.abs(weight - weights[most]) < 1e-3);
  const what = alike
    ? positive.length === weights.length
      ? t("step {step}: uniform weights", { step })
      : t("step {step}: equal weights on {n} words", { step, n: positive.length })
    : t("step {step}: weights, {share}% on “{word}”", { step, share, word: readableWord(source[most] ?? "") });
  return `${what}${head}`;
}

/** The head of an edit in words; null: all heads. @param {{ layer: number | null, head: number | null }} edit */
const spelled = ({ layer, head }) => (layer === null || head === null ? null : headName({ layer, head }));

/** Why an edit was left out. @param {Unfit} unfit @param {TraceJSON} trace */
export function leftOut({ edit, why }, trace) {
  if (edit.kind === "weights" && why === "length") {
    return t("The edit of step {step} was removed: it has {n} weights, and this sentence has {words} source words.", {
      step: edit.step + 1,
      n: edit.weights.length,
      words: trace.source.length,
    });
  }
  if (edit.kind === "context" && why === "step") {
    return t(
      "The edit of step {step} was removed: the translation has no step {from} whose context vector it could take.",
      { step: edit.step + 1, from: edit.from + 1 },
    );
  }
  if (edit.kind === "word")
    return t("The edit of step {step} was removed: the model's vocabulary has no “{word}”.", {
      step: edit.step + 1,
      word: edit.word.slice(0, 40),
    });
  const head = spelled(edit);
  if (head === null) return t("An edit was removed: {model} has no attention.", { model: trace.model });
  return t("An edit was removed: {model} has no {head}.", { model: trace.model, head });
}
