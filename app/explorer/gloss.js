// The choice of a language for the glosses under the source words.

import { chip } from "../../attn_core/web/hosts/sentence.js";
import { t } from "../../attn_core/web/player/core/messages.js";
import { glossOf } from "../../attn_core/web/player/core/pieces.js";
import { el } from "../../attn_core/web/player/dom/elements.js";
import { valueIn } from "../../attn_core/web/player/core/lookup.js";

/** @import { Page } from "./types.d.ts" */

const NAMES = { en: "English", zh: "中文" }; // each in its own language
const OFF = "none";
export const GLOSSES = ["en", "zh", OFF]; // the first is shown where a link says nothing

/**
 * @param {Page["glosses"]} glosses
 * @param {() => void} onChange
 */
export function buildGloss(glosses, onChange) {
  const list = el("select");
  const root = chip(t("Gloss"), list, t("The meaning of each source word (example sentences only)"));
  const tables = Object.fromEntries(GLOSSES.map((value) => [value, inLanguage(glosses, value)]));
  let wanted = GLOSSES[0];
  list.addEventListener("change", () => {
    wanted = list.value;
    onChange();
  });
  return {
    root,
    /** @param {string} value */
    choose(value) { wanted = value; },
    /** Whether it is another language than the usual one. */
    chosen: () => wanted !== GLOSSES[0],
    wanted: () => wanted,
    now: () => tables[wanted],
    /** Offer the languages in which a sentence has glosses; hide the choice for one that has none. @param {string[]} source */
    fit(source) {
      const there = GLOSSES.filter((value) => glossOf(source, tables[value]));
      root.hidden = !there.length;
      list.replaceChildren(...[...there, OFF].map((value) => el("option", { value, text: valueIn(NAMES, value) ?? t("off") })));
      list.value = there.includes(wanted) ? wanted : OFF;
    },
  };
}

/**
 * The glosses in one language, by the tokens of a sentence.
 * @param {Page["glosses"]} glosses
 * @param {string} language
 */
const inLanguage = (glosses, language) => Object.fromEntries(
  Object.entries(glosses).flatMap(([tokens, by]) => (Object.hasOwn(by, language) ? [[tokens, by[language]]] : [])),
);
