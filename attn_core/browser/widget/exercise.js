// The part of a handout below its player: the equations of the model's attention, and a task.

import { t } from "../player/core/messages.js";
import { html } from "../player/dom/html.js";
import { Equation } from "../player/dom/mathml.js";
import { attentionFormulas } from "./formulas.js";

/** @import { How, ModelJSON } from "../engine/types.d.ts" */

/** @param {{ graphs: ModelJSON | undefined, how: How }} props `graphs`: of the model on show; `how`: its settings */
export function Exercise({ graphs, how }) {
  if (!graphs) return null;
  const formulas = attentionFormulas(graphs, how);
  return html`<section class="live-exercise">
    ${
      formulas.length > 0 &&
      html`<div>
      <h2>${t("Its equations: score, weights and context vector")}</h2>
      ${formulas.map((equation) => html`<p><${Equation} equation=${equation} /></p>`)}
    </div>`
    }
    <div>
      <h2>${t("Your task")}</h2>
      <p>${
        formulas.length
          ? t(
              "Type a sentence whose words change their order in the translation, for example one with its verb at " +
                "the end. Guess first: which word will get the largest weight when the verb is written? Then go to " +
                "that step. Were you right?",
            )
          : t(
              "Type a short sentence, then add one word after the other. From which length on does the translation " +
                "lose or change words? Guess first.",
            )
      }</p>
    </div>
  </section>`;
}
