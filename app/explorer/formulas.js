// The equations of a model's step, with the current window and attention type.

import { t } from "../../attn_core/browser/player/core/messages.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { Equation } from "../../attn_core/browser/player/dom/mathml.js";
import { useLayoutEffect, useRef } from "../../attn_core/browser/vendor/hooks.js";
import { formulasOf } from "../../attn_core/browser/widget/formulas.js";
import { withFormulas } from "../shell/equation.js";

/**
 * @import { How, ModelJSON } from "../../attn_core/browser/engine/types.d.ts"
 * @import { Page } from "./types.d.ts"
 */

/**
 * The equations below the player, folded until a reader opens them; hidden if the model's graphs are not there.
 * @param {{ graphs: ModelJSON | null, how: How, groups: Page["equations"] }} props `groups`: axes and titles
 */
export function Formulas({ graphs, how, groups }) {
  const formulas = graphs ? formulasOf(graphs, how) : {};
  return html`
    <details class="ex-details" hidden=${!graphs}>
      <summary>${t("The equations of this model")}</summary>
      <div class="ex-formulas">
        ${groups
          .filter(([axis]) => formulas[axis])
          .map(
            ([axis, title]) => html`
          <section class="ex-group" key=${axis}>
            <h3>${title}</h3>
            ${formulas[axis].map((equation) => html`<p><${Equation} equation=${equation} /></p>`)}
            ${axis === "order" && graphs?.notes?.map((text) => html`<${Note} text=${text} />`)}
          </section>`,
          )}
      </div>
    </details>`;
}

/** Text with formulas between dollar signs. @param {{ text: string }} props */
function Note({ text }) {
  const line = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => line.current?.replaceChildren(...withFormulas(text)), [text]);
  return html`<p class="ex-small" ref=${line}></p>`;
}
