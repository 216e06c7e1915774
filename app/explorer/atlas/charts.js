// The pairs of settings of which the Explorer has a map: two of a window, and the width and ranking of a beam.

import { BEAMS } from "../../../attn_core/browser/engine/limits.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { decodedWith, liveOf } from "../../../attn_core/browser/player/core/settings.js";
import { RULES } from "../../../attn_core/browser/state/view.js";
import { ruleHint, ruleName } from "../beam/rules.js";

/**
 * @import { LiveSetting, Request, TraceJSON } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { Windows } from "../../../attn_core/browser/player/core/settings.js"
 * @import { Action } from "../../../attn_core/browser/state/types.d.ts"
 *
 * @typedef {Extract<Action, { type: "search chosen" | "window set" }>} ChartAction
 *
 * @typedef {object} Chart
 * @property {string} measure the name of the measure of the time that it took to fill, in the browser's timeline
 * @property {string} tab a short title
 * @property {string} title
 * @property {[row: string, column: string]} names
 * @property {[row: string, column: string]} axes the names in words
 * @property {(value: number) => string | null} hint on a row
 * @property {(value: number) => string} row
 * @property {(value: number) => string} column
 * @property {(trace: TraceJSON) => { rows: number[], columns: number[], current: number }} places the rows from top to
 * bottom; `current`: the place of the translation, or -1
 * @property {(row: number, column: number) => Partial<Request>} request
 * @property {(row: number, column: number, trace: TraceJSON) => ChartAction} action makes the settings of a place those
 * of the translation
 * @property {(trace: TraceJSON) => unknown} rest what a map depends on beside the sentence and the model
 */

const WIDEST = 9; // columns after the first
const ROWS = 10;
const MOST = 5; // the largest value of a row

/**
 * The map of a window: a column for each value of its first whole-number live setting, a row for values of its first
 * real-valued one. Null for a window without both.
 * @param {string | null | undefined} window its name
 * @param {Windows} windows
 * @returns {Chart | null}
 */
export function windowChart(window, windows) {
  const live = liveOf(windows, window ?? null);
  const [across, down] = [live.find(({ whole }) => whole), live.find(({ whole }) => !whole)];
  if (!across || !down) return null;
  const set = (/** @type {number} */ row, /** @type {number} */ column) => ({
    [down.name]: row,
    [across.name]: column,
  });
  const others = live.map(({ name }) => name).filter((name) => name !== across.name && name !== down.name);
  return {
    measure: "map of windows",
    tab: t("{column} × {row}", { column: across.symbol, row: down.symbol }),
    title: t("Map of windows: the translation for each {column} and {row}", {
      column: across.symbol,
      row: down.symbol,
    }),
    names: [down.symbol, across.symbol],
    axes: [t("Rows: {setting}", { setting: wording(down) }), t("Columns: {setting}", { setting: wording(across) })],
    hint: () => null,
    row: String,
    column: String,
    places({ source, settings }) {
      const [rows, columns] = [rowsOf(down), columnsOf(across, source.length)];
      const [row, column] = [rows.indexOf(Number(settings[down.name])), columns.indexOf(settings[across.name])];
      return { rows, columns, current: settings.centers || row < 0 || column < 0 ? -1 : row * columns.length + column };
    },
    request: (row, column) => ({ ...set(row, column), centers: null }),
    action(row, column, trace) {
      const values = /** @type {[string, number][]} */ (
        Object.entries(decodedWith(trace, windows).live).filter(([, value]) => value !== null)
      );
      return {
        type: "window set",
        window: window ?? null,
        live: { ...Object.fromEntries(values), ...set(row, column) },
        centers: null,
      };
    },
    rest: ({ settings }) => [
      window,
      others.map((name) => settings[name]),
      ...["attention_type", "keep_states", "search", "beam", "normalise", "alpha", "replace_unk", "edits"].map(
        (name) => settings[name],
      ),
    ],
  };
}

/** The map of beam searches. @param {Windows} windows @returns {Chart} */
export const searchChart = (windows) => ({
  measure: "map of beam searches",
  tab: t("Beam × ranking"),
  title: t("Map of beam searches: the translation for each beam width and ranking rule"),
  names: [t("ranking"), t("beam")],
  axes: [t("Rows: ranking of the finished hypotheses"), t("Columns: beam, the number of hypotheses kept at each step")],
  hint: (rule) => ruleHint(RULES[rule]),
  row: (rule) => ruleName(RULES[rule]),
  column: String,
  places({ settings: { beam, normalise } }) {
    const [row, column] = [Math.max(RULES.indexOf(normalise ?? RULES[0]), 0), BEAMS.indexOf(beam)];
    return { rows: [...RULES.keys()], columns: BEAMS, current: column < 0 ? -1 : row * BEAMS.length + column };
  },
  request: (rule, beam) => ({ beam, normalise: RULES[rule] }),
  // A greedy search ranks nothing
  action: (rule, beam) => ({ type: "search chosen", beam, normalise: beam === 1 ? RULES[0] : RULES[rule] }),
  rest: ({ settings }) => [
    ...["window", "attention_type", "keep_states", "centers", "alpha", "replace_unk", "edits"].map(
      (name) => settings[name],
    ),
    liveOf(windows, settings.window ?? null).map(({ name }) => settings[name]),
  ],
});

/** What a setting is, on an axis. @param {LiveSetting} setting */
const wording = ({ label, meaning }) => label || meaning;

/** Steps of one size down to the smallest value. @param {LiveSetting} setting @returns {number[]} */
function rowsOf({ least, most }) {
  const step = Math.min(most ?? MOST, MOST) / ROWS;
  return Array.from({ length: ROWS }, (_, i) => Number(((ROWS - i) * step).toPrecision(6))).filter(
    (value) => value >= (least ?? 0),
  );
}

/**
 * Whole numbers from the smallest value on, up to one that spans the sentence.
 * @param {LiveSetting} setting
 * @param {number} length of the source
 * @returns {number[]}
 */
function columnsOf({ least, most }, length) {
  const first = least ?? 0;
  const last = Math.min(first + Math.max(Math.min(WIDEST, length - 1), 0), most ?? Infinity);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
