// The choice of a layer and head, for models with several heads.

import { withValue } from "../dom/changes.js";
import { html } from "../dom/html.js";
import { useMemo } from "../../vendor/hooks.js";
import { headName, manyHeads, MEAN, meanName } from "../core/looks.js";
import { t } from "../core/messages.js";

/**
 * @param {{ heads: { layer: number, head: number }[], index: number | null, onHead: (index: number | null) => void }}
 * props `index`: of the chosen head; null: the mean over all
 */
export function HeadMenu({ heads, index, onHead }) {
  const names = heads.map(headName).join("\n");
  const options = useMemo(
    () => [
      html`<option value=${MEAN}>${meanName(heads.length)}</option>`,
      ...heads.map((head, i) => html`<option value=${i}>${headName(head)}</option>`),
    ],
    [names],
  );
  return html`<div class="ap-looks" hidden=${heads.length < 2}>
    <span class="ap-looks-name">${t("Layer and head")}</span>
    <select class="ap-select" aria-label=${t("Layer and head")} value=${index ?? MEAN}
        onChange=${withValue((value) => onHead(value === MEAN ? null : Number(value)))}>${options}</select>
    <span class="ap-looks-note">${heads.length > 1 && manyHeads(heads)}</span>
  </div>`;
}
