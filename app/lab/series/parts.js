// The elements of the Series page and their texts.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { fixed } from "../../../attn_core/browser/player/core/numbers.js";
import { el, rangeInput } from "../../../attn_core/browser/player/dom/elements.js";
import { numberTable } from "../kit/number-table.js";
import { errorOf, largest, onWeekday } from "./past.js";

/** @import { Deck } from "../kit/deck.js" */
/** @import { Forecast } from "./types.d.ts" */
/**
 * @typedef {{ forecast: Forecast, truth: number[], last: number[], week: number }} Findings `last`: last week repeated
 */

/** @param {HTMLElement} host @param {number} count of the series @param {Deck} deck */
export function buildSeries(host, count, deck) {
  const which = el(
    "select",
    { class: "ap-select" },
    ...Array.from({ length: count }, (_, i) => el("option", { value: i, text: String(i + 1) })),
  );
  const reset = el("button", { type: "button", class: "ap-button", text: t("Reset the past") });
  const plot = el("div", { class: "sr-plot" });
  const finding = el("p", { class: "sr-finding", "aria-live": "polite" });
  const error = el("p", { class: "sr-error" });
  const day = rangeInput(t("Past day"), { class: "ap-knob", min: 0, max: 0, step: 1, value: 0 });
  const value = rangeInput(t("Value of this day"), { class: "ap-knob", min: 0, max: 0, step: 0.05, value: 0 });
  const [dayOut, valueOut] = [el("output", { class: "ap-value" }), el("output", { class: "ap-value" })];
  const tableBody = el("div", { class: "ap-table" });
  const table = el("details", { class: "ap-details" }, el("summary", { text: t("Numbers as tables") }), tableBody);
  const note = el("p", { class: "live-note", role: "status" });
  const key = (/** @type {string} */ name, /** @type {string} */ text) =>
    el("span", { class: `sr-key ${name}` }, el("i", {}), text);
  const frame = el(
    "div",
    {
      class: "ap sr",
      role: "group",
      tabindex: "0",
      "aria-label": t("Forecast, day by day"),
      "aria-keyshortcuts": "Space ArrowLeft ArrowRight Home End",
    },
    el(
      "div",
      { class: "sr-top" },
      deck.buttons,
      deck.scrub,
      el("label", { class: "sr-which" }, t("Series"), which),
      reset,
    ),
    finding,
    plot,
    el(
      "div",
      { class: "sr-keys" },
      key("sr-is-past", t("past")),
      key("sr-is-forecast", t("forecast")),
      key("sr-is-truth", t("actual values")),
      key("sr-is-last", t("last week repeated")),
      el("span", { class: "sr-key", text: t("▾ holiday") }),
    ),
    el(
      "div",
      { class: "sr-knobs" },
      el("label", { class: "sr-knob" }, el("span", { text: t("Past day") }), day, dayOut),
      el("label", { class: "sr-knob" }, el("span", { text: t("Its value") }), value, valueOut),
    ),
    error,
    table,
  );
  const root = el("div", { class: "ap-root" }, note, frame);
  host.append(root);
  return { which, reset, plot, finding, error, day, value, tableBody, table, note, frame, root, dayOut, valueOut };
}

/** @typedef {ReturnType<typeof buildSeries>} SeriesUi */

/** @param {SeriesUi} ui @param {Findings & { step: number, isChanged: boolean }} findings */
export function showFinding(ui, { forecast, truth, last, week, step, isChanged }) {
  const row = forecast.weights[step];
  if (!row) return;
  const [best, day] = [largest(row), row.length + step];
  const back = day - best;
  const values = {
    day,
    value: fixed(forecast.values[step], 2),
    weight: row[best].toFixed(2),
    best,
    back,
    same: onWeekday(row, week, step).toFixed(2),
  };
  ui.finding.textContent =
    back % week
      ? t(
          "Day {day}: forecast {value}. The largest weight, {weight}, is on day {best}, {back} days earlier; all " +
            "days with the same weekday together have weight {same}.",
          values,
        )
      : t(
          "Day {day}: forecast {value}. The largest weight, {weight}, is on day {best}, {back} days earlier, the " +
            "same weekday. All days with this weekday together have weight {same}.",
          values,
        );
  const errors = {
    n: truth.length,
    forecast: errorOf(forecast.values, truth).toFixed(2),
    last: errorOf(last, truth).toFixed(2),
  };
  ui.error.textContent =
    t("Mean error over {n} days: forecast {forecast}, last week repeated {last}.", errors) +
    (isChanged ? ` ${t("The actual values are those of the unchanged series.")}` : "");
}

/** @param {SeriesUi} ui @param {Findings} findings */
export function showTable(ui, { forecast, truth, last, week }) {
  const head = [
    t("day"),
    t("forecast"),
    t("actual values"),
    t("last week repeated"),
    t("largest weight"),
    t("on day"),
    t("same weekday, together"),
  ];
  const rows = forecast.weights.map((row, i) => [
    row.length + i,
    fixed(forecast.values[i], 2),
    fixed(truth[i], 2),
    fixed(last[i], 2),
    row[largest(row)].toFixed(3),
    largest(row),
    onWeekday(row, week, i).toFixed(3),
  ]);
  ui.tableBody.replaceChildren(numberTable(head, rows));
}
