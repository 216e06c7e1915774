// The glosses under the source words, and the choice of their language.

import { valueIn } from "../../attn_core/browser/engine/lookup.js";
import { t } from "../../attn_core/browser/player/core/messages.js";
import { glossOf } from "../../attn_core/browser/player/core/pieces.js";
import { withValue } from "../../attn_core/browser/player/dom/changes.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { Chip } from "../../attn_core/browser/player/dom/parts.js";
import { useMemo } from "../../attn_core/browser/vendor/hooks.js";

/** @import { Page } from "./types.d.ts" */

const NAMES = { en: "English", zh: "中文" }; // each in its own language
const OFF = "none";
export const GLOSSES = ["en", "zh", OFF]; // the first is the default

/**
 * Fetch the glosses of all example sentences. Rejects if they cannot be fetched.
 * @param {string} address
 * @returns {Promise<Page["glosses"]>}
 */
export const fetchGlosses = (address) => fetch(address).then((response) => response.json());

/**
 * The glosses in one language, by the tokens of a sentence.
 * @param {Page["glosses"]} glosses
 * @param {string} language
 * @returns {Record<string, string[]>}
 */
export const glossesIn = (glosses, language) =>
  Object.fromEntries(
    Object.entries(glosses).flatMap(([tokens, byLanguage]) =>
      Object.hasOwn(byLanguage, language) ? [[tokens, byLanguage[language]]] : [],
    ),
  );

/**
 * A menu of the languages in which a sentence has glosses; hidden for a sentence without glosses.
 * @param {object} props
 * @param {Page["glosses"]} props.glosses
 * @param {string[]} props.source the tokens of the sentence
 * @param {string} props.chosen the language of the view
 * @param {(action: { type: "gloss chosen", gloss: string }) => void} props.dispatch
 */
export function GlossMenu({ glosses, source, chosen, dispatch }) {
  const tables = useMemo(() => GLOSSES.map((language) => glossesIn(glosses, language)), [glosses]);
  const offered = useMemo(() => GLOSSES.filter((_, i) => glossOf(source, tables[i])), [source, tables]);
  const choose = withValue((language) => dispatch({ type: "gloss chosen", gloss: language }));
  return html`
    <${Chip} name=${t("Gloss")} title=${t(
      "The meaning of each source word (example sentences " + "only)",
    )} hidden=${!offered.length}>
      <select aria-label=${t("Gloss")} value=${offered.includes(chosen) ? chosen : OFF} onChange=${choose}>
        ${[...offered, OFF].map(
          (language) => html`<option key=${language} value=${language}>
          ${valueIn(NAMES, language) ?? t("off")}</option>`,
        )}
      </select>
    <//>`;
}
