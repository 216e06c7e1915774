// The parameters of a score function: a field and a slider for each number, in the shape of its vector or matrix.

import { t } from "../../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../../attn_core/browser/player/dom/elements.js";
import { activeElementAround } from "../../../../attn_core/browser/player/dom/focus.js";
import { onTyped } from "../../../../attn_core/browser/player/dom/typing.js";
import { equation } from "../../../shell/equation.js";
import { shortName } from "../../../shell/numbers/spelling.js";

/**
 * @import { Numbers } from "../../../../attn_core/browser/engine/types.d.ts"
 * @import { NumberField, ParameterFields } from "../types.d.ts"
 */

const MOST = 9; // of a parameter
const REACH = 3; // of a slider
const STEP = 0.1;

/**
 * The fields of a parameter.
 * @param {string} parameter its name in the module
 * @param {Numbers} values
 * @param {number[]} seams columns before which there is a gap
 * @param {(index: number[], value: number) => void} onChange
 * @returns {ParameterFields}
 */
export function buildParameter(parameter, values, seams, onChange) {
  const name = shortName(parameter);
  const rows = rowsOf(values);
  const fields = rows.map((row) =>
    row.map((index) => numberField(labelOf(name, index), (value) => onChange(index, value))),
  );
  for (const row of fields) for (const column of seams) row[column].root.classList.add("al-split");
  const grid = el("div", { class: "al-grid" }, ...fields.flat().map(({ root }) => root));
  grid.style.setProperty("--al-columns", String(rows[0].length));
  return {
    root: el("div", { class: "al-matrix" }, /\s/.test(name) ? `${name} =` : equation(`${name} =`), grid),
    fill: (now) => rows.forEach((row, i) => row.forEach((index, j) => fields[i][j].fill(numberAt(now, index)))),
  };
}

/**
 * The indices of a parameter's numbers by rows and columns; a vector is a column.
 * @param {Numbers} values
 * @param {number[]} index
 * @returns {number[][][]}
 */
function rowsOf(values, index = []) {
  if (!Array.isArray(values)) return [[index]];
  const rows = values.flatMap((part, i) => rowsOf(part, [...index, i]));
  const isRow = index.length > 0 && !Array.isArray(values[0]);
  return isRow ? [rows.flat()] : rows;
}

/** @param {Numbers} values @param {number[]} index */
const numberAt = (values, index) =>
  /** @type {number} */ (index.reduce((part, i) => /** @type {Numbers[]} */ (part)[i], values));

/** What a number of a parameter is called. @param {string} name @param {number[]} index */
function labelOf(name, index) {
  const [i, j] = index;
  if (!index.length) return name;
  return index.length === 2
    ? t("{key} row {i}, column {j}", { key: name, i, j })
    : t("{name}, entry {i}", { name, i: index.join(", ") });
}

/**
 * A field for a number, with a slider below it; both keep what the reader does to them while other numbers change.
 * @param {string} label
 * @param {(value: number) => void} onChange
 * @returns {NumberField}
 */
function numberField(label, onChange) {
  const input = el("input", {
    type: "number",
    step: STEP,
    min: -MOST,
    max: MOST,
    "aria-label": label,
    inputmode: "decimal",
  });
  const slider = el("input", {
    type: "range",
    step: STEP,
    min: -REACH,
    max: REACH,
    tabindex: -1,
    "aria-hidden": "true",
    title: label,
  });
  let valid = ""; // the last number in the field
  input.addEventListener("focus", () => {
    valid = input.value;
  });
  onTyped(input, () => {
    if (!Number.isFinite(input.valueAsNumber)) return;
    const value = Math.min(Math.max(input.valueAsNumber, -MOST), MOST);
    valid = String(value);
    onChange(value);
  });
  input.addEventListener("change", () => {
    input.value = valid;
  });
  slider.addEventListener("input", () => onChange(slider.valueAsNumber));
  return {
    root: el("span", { class: "al-number" }, input, slider),
    fill(value) {
      const shown = String(Math.round(value * 100) / 100);
      if (activeElementAround(input) !== input) input.value = shown;
      slider.value = shown;
    },
  };
}
