// The selected score function: what it is, its parameters, and the parts of the selected key's score.

import { t } from "../../../../attn_core/browser/player/core/messages.js";
import { scoreAt } from "../../../../attn_core/browser/engine/score.js";
import { exact } from "../../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../../attn_core/browser/player/dom/elements.js";
import { withFormulas } from "../../../shell/equation.js";
import { parametersOf, seams } from "../state/scores.js";
import { drawParts } from "./breakdown.js";
import { buildParameter } from "./parameters.js";
import { keyName, two } from "./table.js";

/**
 * @import { NumberRef } from "../../../../attn_core/browser/engine/types.d.ts"
 * @import { RunnableScore, ScoreDetail, ScoreLabState } from "../types.d.ts"
 * @import { sourceOf } from "./breakdown.js"
 */

/** @returns {ScoreDetail} */
export function buildDetail() {
  const title = el("h3", { class: "ap-title" });
  const parameters = el("div", { class: "al-parameters" });
  const sum = el("p", { class: "al-line" });
  const parts = el("div", { class: "al-parts" });
  const root = el(
    "section",
    { class: "al-detail", "aria-label": t("Details of the selected score function") },
    title,
    el("div", { class: "al-detail-body" }, parameters, el("div", { class: "al-score" }, sum, parts)),
  );
  return { root, title, parameters, sum, parts, shown: "", fields: {} };
}

/**
 * Show the selected score function; fields keep their focus while their numbers change.
 * @param {ScoreDetail} detail
 * @param {RunnableScore} score
 * @param {ScoreLabState} state
 * @param {ReturnType<typeof sourceOf>} source
 * @param {{ setParameter: (parameter: string, index: number[], value: number) => void, open: (ref: NumberRef) => void
 * }} on
 */
export function showDetail(detail, score, state, source, on) {
  const values = parametersOf(score, state.parameters);
  if (detail.shown !== score.name) {
    detail.shown = score.name;
    detail.title.replaceChildren(...withFormulas(score.about || score.label));
    detail.fields = Object.fromEntries(
      Object.entries(values).map(([parameter, numbers]) => {
        const onChange = (/** @type {number[]} */ index, /** @type {number} */ value) =>
          on.setParameter(parameter, index, value);
        return [parameter, buildParameter(parameter, numbers, seams(score, state.parameters, parameter), onChange)];
      }),
    );
    detail.parameters.replaceChildren(...Object.values(detail.fields).map(({ root }) => root));
  }
  for (const [parameter, fields] of Object.entries(detail.fields)) fields.fill(values[parameter]);
  const { value } = source.origins.of(scoreAt(state.chosen)).number;
  detail.sum.replaceChildren(keyName(state.chosen), ": ", el("b", { text: two(value), title: exact(value) }));
  drawParts(detail.parts, source, state.chosen, on.open);
}
