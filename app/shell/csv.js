// Tables of numbers and words as CSV that a spreadsheet opens without running it.

import { save } from "../../attn_core/browser/player/dom/save.js";

const BYTE_ORDER_MARK = "\ufeff"; // tells Excel that the file is in UTF-8
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * The rows as CSV. Numbers have at most 9 digits, the precision of float32; a text that a spreadsheet would run as a
 * formula gets a leading apostrophe.
 * @param {(string | number)[][]} rows
 */
export function csvText(rows) {
  return `${rows.map((cells) => cells.map(cell).join(",")).join("\n")}\n`;
}

/** Download a table as a file. @param {string} name @param {string} text from csvText */
export function saveCsv(name, text) {
  save(name, "text/csv", BYTE_ORDER_MARK, text);
}

/** @param {string | number} value */
function cell(value) {
  if (typeof value === "number") return String(Number(value.toPrecision(9)));
  const text = FORMULA_START.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
