// What is in a bar: sentences and steps, each with a link that opens it in the Explorer, or in Heads for
// self-attention.

import { END } from "../../../attn_core/browser/engine/tokenizer/specials.js";
import { headChoice } from "../../../attn_core/browser/player/core/looks.js";
import { t, tn } from "../../../attn_core/browser/player/core/messages.js";
import { spelled, wordNumbers } from "../../../attn_core/browser/player/core/pieces.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { withSubscripts } from "../../../attn_core/browser/player/dom/symbols.js";
import { plain } from "./chart.js";
import { attentionRows, wordsOf } from "./rows.js";

/** @import { AttentionChoice, Example, Figure, Head, How, Measured } from "./types.d.ts" */

/**
 * What a link to an example needs besides the example.
 * @typedef {{ model: string, how: How, choice: AttentionChoice, heads: Head[], path: string }} ExampleContext
 */

const PART = 40; // examples that are added at a time

/**
 * The address of a step: that of the Explorer, or of the Heads page.
 * @param {Example} example
 * @param {ExampleContext} context
 */
export function addressOf({ sentence, row }, { model, how, choice, heads, path }) {
  const { text } = sentence.line;
  if (choice.attention !== "cross") {
    const [layer, head] = heads[choice.head ?? 0];
    const entries = { text, model, attention: choice.attention, layer, head };
    const named = Object.entries(entries).map(([name, value]) => [`heads_${name}`, value]);
    return `${path.endsWith(".html") ? "heads.html" : "heads"}?${queryOf(Object.fromEntries(named))}`;
  }
  const modelHeads = heads.map(([layer, head]) => ({ layer, head }));
  const headEntries = headChoice(modelHeads, choice.head);
  return `./?${queryOf({ text, model, step: row || null, ...headEntries, window: how.window, D: how.half_width })}`;
}

/** @param {Record<string, string | number | null | undefined>} values null for those that are left out */
function queryOf(values) {
  const present = Object.entries(values).filter(([, value]) => value != null);
  return new URLSearchParams(present.map(([name, value]) => [name, String(value)]));
}

/**
 * The list of the examples in a bar, with a button that closes it.
 * @param {Figure} figure
 * @param {number} bin
 * @param {Example[]} examples
 * @param {ExampleContext} context
 * @param {() => void} close
 */
export function buildExamples(figure, bin, examples, context, close) {
  const list = el("ol", { class: "co-list" });
  const moreButton = el("button", { type: "button", class: "live-button", text: t("Show more") });
  const closeButton = el("button", { type: "button", class: "live-button", text: t("Close") });
  let shownCount = 0;
  const showMore = () => {
    const next = examples.slice(shownCount, shownCount + PART);
    list.append(...next.map((example) => exampleLine(figure, example, context)));
    shownCount += next.length;
    moreButton.hidden = shownCount >= examples.length;
  };
  moreButton.addEventListener("click", showMore);
  closeButton.addEventListener("click", close);
  showMore();
  const name = `${figure.title}: ${figure.name(bin)}`;
  return el(
    "section",
    { class: "co-examples", "aria-label": plain(name) },
    el(
      "div",
      { class: "co-examples-head" },
      el("h3", { class: "ap-title" }, ...withSubscripts(name)),
      el("span", { text: tn("{n} example", "{n} examples", examples.length) }),
      closeButton,
    ),
    list,
    moreButton,
  );
}

/** @param {Figure} figure @param {Example} example @param {ExampleContext} context */
function exampleLine(figure, example, context) {
  const { sentence, row, column, value, amount } = example;
  const { from, to } = attentionRows(sentence, context.choice);
  const place =
    row === null ? "" : placeText(context.choice, row, wordsOf(from)[row], column === null ? "–" : wordsOf(to)[column]);
  const number = (figure.byAmount ? amount : value).toFixed(2);
  const link = el(
    "a",
    { href: addressOf(example, context), target: "_blank", rel: "noopener", translate: "no" },
    ...markedWords(sentence, context.choice.attention === "decoder" ? null : column),
  );
  return el("li", {}, el("b", { text: number }), el("span", {}, link, " ", el("small", { text: place })));
}

/** @param {AttentionChoice} choice @param {number} row @param {string} word @param {string} other */
function placeText({ attention }, row, word, other) {
  return attention === "cross"
    ? t("step {n}, “{word}” ← “{other}”", { n: row + 1, word, other })
    : t("position {position}, “{word}” ← “{other}”", { position: row, word, other });
}

/** The words of a sentence, with that of a token marked. @param {Measured} sentence @param {number | null} column */
function markedWords({ weighed: { source } }, column) {
  const place = column === null ? -1 : wordNumbers(source)[column];
  const words = spelled(source).filter((word) => word !== END);
  return words.flatMap((word, i) => [...(i ? [" "] : []), i === place ? el("mark", { text: word }) : word]);
}
