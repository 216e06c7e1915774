// The choice of a layer and head, for models with several heads.

import { withValue } from "../dom/changes.js";
import { html } from "../dom/html.js";
import { useMemo } from "../../vendor/hooks.js";
import { headName, manyHeads, MEAN, meanName } from "../core/looks.js";
import { t } from "../core/messages.js";

/**
 * @param {{ looks: { layer: number, head: number }[], look: number | null, onLook: (index: number | null) => void }}
 * props
 */
export function HeadMenu({ looks, look, onLook }) {
  const names = looks.map(headName).join("\n");
  const options = useMemo(
    () => [
      html`<option value=${MEAN}>${meanName(looks.length)}</option>`,
      ...looks.map((each, i) => html`<option value=${i}>${headName(each)}</option>`),
    ],
    [names],
  );
  return html`<div class="ap-looks" hidden=${looks.length < 2}>
    <span class="ap-looks-name">${t("Layer and head")}</span>
    <select class="ap-select" aria-label=${t("Layer and head")} value=${look ?? MEAN}
        onChange=${withValue((value) => onLook(value === MEAN ? null : Number(value)))}>${options}</select>
    <span class="ap-looks-note">${looks.length > 1 && manyHeads(looks)}</span>
  </div>`;
}
