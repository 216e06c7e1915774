// What is in a bar: sentences and steps, each with a link that opens it in the Explorer, or in Heads for self-attention.

import { END } from "../../../attn_core/web/engine/tokenizer/specials.js";
import { headChoice } from "../../../attn_core/web/player/core/looks.js";
import { t, tn } from "../../../attn_core/web/player/core/messages.js";
import { spelled, wordNumbers } from "../../../attn_core/web/player/core/pieces.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { lowered } from "../../../attn_core/web/player/dom/symbols.js";
import { plain } from "./chart.js";
import { picked, wordsOf } from "./rows.js";

/** @import { Example, Figure, How, Measured, Shown } from "./types.d.ts" */

const PART = 40; // examples that are added at a time

/**
 * The address of a step: that of the Explorer, or of the Heads page.
 * @param {Example} example
 * @param {{ model: string, how: How, shown: Shown, heads: [layer: number, head: number][], path: string }} given
 */
export function addressOf({ sentence, row }, { model, how, shown, heads, path }) {
  const { text } = sentence.line;
  if (shown.attention !== "cross") {
    const [layer, head] = heads[shown.head ?? 0];
    const query = queryOf({ heads_text: text, heads_model: model, heads_attention: shown.attention, heads_layer: layer, heads_head: head });
    return `${path.endsWith(".html") ? "heads.html" : "heads"}?${query}`;
  }
  const choice = headChoice(heads.map(([layer, head]) => ({ layer, head })), shown.head);
  return `./?${queryOf({ text, model, step: row || null, ...choice, window: how.window, D: how.half_width })}`;
}

/** @param {Record<string, string | number | null | undefined>} values null for those that are left out */
function queryOf(values) {
  const given = Object.entries(values).filter(([, value]) => value != null);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

/**
 * @param {Figure} figure
 * @param {number} bin
 * @param {Example[]} found
 * @param {{ model: string, how: How, shown: Shown, heads: [layer: number, head: number][], path: string }} given
 * @param {() => void} close
 */
export function buildExamples(figure, bin, found, given, close) {
  const list = el("ol", { class: "co-list" });
  const more = el("button", { type: "button", class: "live-button", text: t("Show more") });
  const shut = el("button", { type: "button", class: "live-button", text: t("Close") });
  let shown = 0;
  const add = () => {
    const next = found.slice(shown, shown + PART);
    list.append(...next.map((example) => line(figure, example, given)));
    shown += next.length;
    more.hidden = shown >= found.length;
  };
  more.addEventListener("click", add);
  shut.addEventListener("click", close);
  add();
  const name = `${figure.title}: ${figure.name(bin)}`;
  return el(
    "section", { class: "co-examples", "aria-label": plain(name) },
    el("div", { class: "co-examples-head" }, el("h3", { class: "ap-title" }, ...lowered(name)), el("span", { text: tn("{n} example", "{n} examples", found.length) }), shut),
    list, more,
  );
}

/** @param {Figure} figure @param {Example} example @param {Parameters<typeof buildExamples>[3]} given */
function line(figure, example, given) {
  const { sentence, row, column, value, amount } = example;
  const { from, to } = picked(sentence, given.shown);
  const place = row === null ? "" : placeText(given.shown, row, wordsOf(from)[row], column === null ? "–" : wordsOf(to)[column]);
  const number = (figure.byAmount ? amount : value).toFixed(2);
  const link = el("a", { href: addressOf(example, given), target: "_blank", rel: "noopener", translate: "no" }, ...marked(sentence, given.shown.attention === "decoder" ? null : column));
  return el("li", {}, el("b", { text: number }), el("span", {}, link, " ", el("small", { text: place })));
}

/** @param {Shown} shown @param {number} row @param {string} word @param {string} other */
function placeText({ attention }, row, word, other) {
  return attention === "cross" ? t("step {n}, “{word}” ← “{other}”", { n: row + 1, word, other })
    : t("position {position}, “{word}” ← “{other}”", { position: row, word, other });
}

/** The words of a sentence, with that of a token marked. @param {Measured} sentence @param {number | null} column */
function marked({ weighed: { source } }, column) {
  const place = column === null ? -1 : wordNumbers(source)[column];
  const words = spelled(source).filter((word) => word !== END);
  return words.flatMap((word, i) => [...(i ? [" "] : []), i === place ? el("mark", { text: word }) : word]);
}
