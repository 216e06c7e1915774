// The pairs of settings of which the Explorer has a map: D and sigma of a window, and the width and ranking of a beam.

import { BEAMS } from "../../../attn_core/web/engine/limits.js";
import { t } from "../../../attn_core/web/player/core/messages.js";
import { RULES } from "../../../attn_core/web/state/view.js";
import { ruleHint, ruleName } from "../beam/rules.js";

/**
 * @import { Request, TraceJSON } from "../../../attn_core/web/engine/types.d.ts"
 *
 * @typedef {object} Chart
 * @property {string} title
 * @property {[row: string, column: string]} names
 * @property {[row: string, column: string]} axes the names in words
 * @property {(value: number) => string | null} hint on a row
 * @property {(value: number) => string} row
 * @property {(value: number) => string} column
 * @property {(trace: TraceJSON) => { rows: number[], columns: number[], own: number } | null} places the rows from top to bottom; `own`: the place of the translation, or -1
 * @property {(row: number, column: number) => Partial<Request>} request
 * @property {(trace: TraceJSON) => unknown} rest what a map depends on beside the sentence and the model
 */

const SIGMAS = [5, 4.5, 4, 3.5, 3, 2.5, 2, 1.5, 1, 0.5];
const WIDEST = 9;

/** @returns {Chart} */
export const windows = () => ({
  title: t("Map of windows: the translation for each D and σ"),
  names: ["σ", "D"],
  axes: [t("Rows: width σ of the Gaussian, in words"), t("Columns: half-width D, in words")],
  hint: () => null,
  row: String,
  column: String,
  places({ source, settings: { half_width, sigma, centers } }) {
    if (half_width == null) return null;
    const columns = Array.from({ length: Math.min(WIDEST, source.length - 1) + 1 }, (_, d) => d);
    const row = SIGMAS.indexOf(Number(sigma));
    return { rows: SIGMAS, columns, own: centers || row < 0 || !columns.includes(half_width) ? -1 : row * columns.length + half_width };
  },
  request: (sigma, half_width) => ({ half_width, sigma, centers: null }),
  rest: ({ settings: { window, attention_type, keep_states, search, beam, normalise, replace_unk, edits } }) => [window, attention_type, keep_states, search, beam, normalise, replace_unk, edits],
});

/** @returns {Chart} */
export const searches = () => ({
  title: t("Map of beam searches: the translation for each beam width and ranking rule"),
  names: [t("ranking"), t("beam")],
  axes: [t("Rows: ranking of the finished hypotheses"), t("Columns: beam, the number of hypotheses kept at each step")],
  hint: (rule) => ruleHint(RULES[rule]),
  row: (rule) => ruleName(RULES[rule]),
  column: String,
  places({ settings: { beam, normalise } }) {
    const [row, column] = [Math.max(RULES.indexOf(normalise ?? RULES[0]), 0), BEAMS.indexOf(beam)];
    return { rows: [...RULES.keys()], columns: BEAMS, own: column < 0 ? -1 : row * BEAMS.length + column };
  },
  request: (rule, beam) => ({ beam, normalise: RULES[rule] }),
  rest: ({ settings: { window, attention_type, keep_states, half_width, sigma, centers, replace_unk, edits } }) => [window, attention_type, keep_states, half_width, sigma, centers, replace_unk, edits],
});
