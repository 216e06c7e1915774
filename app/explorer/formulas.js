// The equations of a model's step in the window and attention type in force.

import { equationsOf, stepOf } from "../../attn_core/web/engine/live.js";
import { t } from "../../attn_core/web/player/core/messages.js";
import { html } from "../../attn_core/web/player/dom/html.js";
import { useLayoutEffect, useRef } from "../../attn_core/web/vendor/hooks.js";
import { withFormulas } from "../shell/equation.js";
import { Equation } from "../shell/mathml.js";

/**
 * @import { EquationJSON, How, ModelJSON } from "../../attn_core/web/engine/types.d.ts"
 * @import { Page } from "./types.d.ts"
 */

/**
 * The equations of a model's step by axis, with the live settings of a run.
 * @param {ModelJSON} graphs
 * @param {How} how the window and the attention type of the run
 * @returns {Record<string, EquationJSON[]>}
 */
export function formulasOf(graphs, how) {
  const step = stepOf(graphs, how) ?? graphs.steps[0];
  /** @type {Record<string, EquationJSON[]>} */
  const formulas = {};
  for (const id of Object.keys(step.quantities)) {
    const { axis } = graphs.quantities[id];
    const { lines, first } = equationsOf(graphs, step, how, id) ?? { lines: [], first: [] };
    const known = formulas[axis] ?? [];
    const more = [...lines, ...first].filter(({ markup }) => !known.some((line) => line.markup === markup));
    if (more.length) formulas[axis] = [...known, ...more];
  }
  return formulas;
}

/**
 * The equations below the player, folded until a reader opens them; hidden without a model's graphs.
 * @param {{ graphs: ModelJSON | null, how: How, groups: Page["equations"] }} props `groups`: their axes and titles
 */
export function Formulas({ graphs, how, groups }) {
  const formulas = graphs ? formulasOf(graphs, how) : {};
  return html`
    <details class="ex-details" hidden=${!graphs}>
      <summary>${t("The equations of this model")}</summary>
      <div class="ex-formulas">
        ${groups.filter(([axis]) => formulas[axis]).map(([axis, title]) => html`
          <section class="ex-group" key=${axis}>
            <h3>${title}</h3>
            ${formulas[axis].map((equation) => html`<p><${Equation} equation=${equation} /></p>`)}
            ${axis === "order" && graphs?.notes?.map((text) => html`<${Note} text=${text} />`)}
          </section>`)}
      </div>
    </details>`;
}

/** Text with formulas between dollar signs. @param {{ text: string }} props */
function Note({ text }) {
  const line = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => line.current?.replaceChildren(...withFormulas(text)), [text]);
  return html`<p class="ex-small" ref=${line}></p>`;
}
