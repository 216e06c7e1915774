// The question that a step answers, and its answer in one sentence, from the numbers of the step.

import { looksOf, shownHeadIndex } from "../player/core/looks.js";
import { t } from "../player/core/messages.js";
import { short } from "../player/core/numbers.js";
import { readable } from "../player/core/pieces.js";
import { vectorsOf } from "../player/core/state-vectors.js";
import { rowsOf } from "../player/core/view.js";
import { html } from "../player/dom/html.js";
import { useMemo } from "../vendor/hooks.js";

/**
 * @import { ModelJSON, TraceJSON } from "../engine/types.d.ts"
 * @import { Row, StepAndHead, Trace, Vectors } from "../player/core/types.d.ts"
 */

/**
 * @param {{ trace: TraceJSON, graphs: ModelJSON | undefined, at: StepAndHead }} props `graphs`: of
 * the model that made the trace; `at`: the step and the head on show
 */
export function Question({ trace: recorded, graphs, at: { step, layer, head } }) {
  const trace = useMemo(() => readable(recorded), [recorded]);
  const { rows, vectors } = useMemo(() => {
    const headIndex = shownHeadIndex(trace, { layer, head });
    return { rows: rowsOf(trace, headIndex).rows, vectors: vectorsOf(trace, graphs, headIndex) };
  }, [trace, graphs, layer, head]);
  if (!trace.steps[step]) return null;
  const { token } = trace.steps[step];
  const question = rows.length
    ? t("What does the model attend to when it writes “{word}”?", { word: token })
    : t("What does the model know about the sentence when it writes “{word}”?", { word: token });
  return html`<p class="live-question"><b>${question}</b> <span>${answerOf(trace, rows[step], vectors, step)}
    </span></p>`;
}

/**
 * What a step attends to, in one sentence.
 * @param {Pick<Trace, "source" | "steps"> & { settings: Pick<Trace["settings"], "edits"> }} trace
 * @param {Row | undefined} row undefined: there is no attention
 * @param {Pick<Vectors, "query"> | null} vectors
 * @param {number} step
 */
function answerOf({ source, steps, settings }, row, vectors, step) {
  if (!row) return t("Only what one vector for the whole sentence holds: it has no attention.");
  const largest = Math.max(...row.weights);
  const [word, weight] = [source[row.weights.indexOf(largest)], short(largest)];
  if (!largest) return t("To nothing: no source word has any weight.");
  if (settings.edits?.some((edit) => edit.step === step))
    return t("The weights were set by hand: “{word}” has the largest, {weight}.", { word, weight });
  const query = vectors?.query?.name;
  if (!query) return t("“{word}” gets the largest weight, {weight}.", { word, weight });
  if (looksOf({ steps }).length > 1)
    return t("This head compares its {query} with each word; “{word}” gets the most weight: {weight}.", {
      query,
      word,
      weight,
    });
  return row.span && row.span.hi - row.span.lo + 1 < source.length
    ? t("It compares its {query} with each word in the window; “{word}” gets most: {weight}.", { query, word, weight })
    : t("It compares its {query} with each word; “{word}” gets the most weight: {weight}.", { query, word, weight });
}
