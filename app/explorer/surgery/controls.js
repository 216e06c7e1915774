// The controls of an edit, filled for the step and the head on show.

import { sameHead } from "../../../attn_core/web/player/core/looks.js";
import { t } from "../../../attn_core/web/player/core/messages.js";
import { readable } from "../../../attn_core/web/player/core/pieces.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";

/**
 * @import { Edit, TraceJSON } from "../../../attn_core/web/engine/types.d.ts"
 * @import { Place } from "../types.d.ts"
 *
 * @typedef {object} Controls
 * @property {HTMLElement} step
 * @property {HTMLSelectElement} place
 * @property {HTMLInputElement} weight
 * @property {HTMLOutputElement} value
 * @property {HTMLSelectElement} context
 * @property {HTMLSelectElement} word
 * @property {HTMLInputElement} head
 */

const WORDS = 8; // most probable next words that are offered

/**
 * `row`: the weights at the step; `place`: the word whose weight the slider has; `layer` and `head`: both null for all heads.
 * @param {Controls} ui
 * @param {{ trace: TraceJSON, unedited: TraceJSON, edits: Edit[], at: Place, place: number, row: number[], layer: number | null, head: number | null }} given
 */
export function fillControls(ui, { trace, unedited, edits, at, place, row, layer, head }) {
  const { step } = at;
  const { source, target, steps } = readable(trace);
  const { target: words } = readable(unedited);
  const of = (/** @type {"context" | "word"} */ kind) => edits.find((edit) => edit.kind === kind && edit.step === step && (edit.kind === "word" || edit.kind === kind && sameHead(edit, { layer, head })));
  const [context, word] = [of("context"), of("word")];
  ui.step.textContent = t("Step {n}, “{word}”", { n: step + 1, word: target[step] ?? "" });
  fill(ui.place, source.map((one, s) => [String(s), one]), String(place));
  const total = row.reduce((sum, one) => sum + one, 0);
  ui.weight.max = String(Math.max(Math.round(total * 100) / 100, 0.01));
  ui.weight.value = String(row[place] ?? 0);
  ui.value.textContent = (row[place] ?? 0).toFixed(2);
  ui.weight.setAttribute("aria-valuetext", t("{weight} on “{word}”", { weight: (row[place] ?? 0).toFixed(2), word: source[place] ?? "" }));
  fill(
    ui.context, [["", t("this step")], ...words.map((one, from) => /** @type {[string, string]} */ ([String(from), t("step {n}, “{word}”", { n: from + 1, word: one })])).filter(([from]) => Number(from) !== step)],
    context?.kind === "context" ? String(context.from) : "",
  );
  const tokens = trace.steps[step]?.top.slice(0, WORDS).map(([token]) => token) ?? [];
  const shown = steps[step]?.top.slice(0, WORDS).map(([token]) => token) ?? [];
  const own = word?.kind === "word" ? word.word : "";
  const offered = tokens.map((token, i) => /** @type {[string, string]} */ ([token, shown[i]]));
  if (own && !tokens.includes(own)) offered.push([own, target[step] ?? own]);
  fill(ui.word, [["", t("as decoded")], ...offered], own);
  ui.head.checked = !edits.some((edit) => edit.kind === "off" && sameHead(edit, at));
}

/**
 * Replace the options of a list, if they differ.
 * @param {HTMLSelectElement} list
 * @param {[value: string, text: string][]} options
 * @param {string} chosen
 */
function fill(list, options, chosen) {
  const now = JSON.stringify(options);
  if (list.dataset.options !== now) list.replaceChildren(...options.map(([value, text]) => el("option", { value, text })));
  list.dataset.options = now;
  list.value = chosen;
}
