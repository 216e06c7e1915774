// The choice of a language for the glosses under the source words.

import { chip } from "../../attn_core/web/hosts/sentence.js";
import { t } from "../../attn_core/web/player/core/messages.js";
import { sentenceOf } from "../../attn_core/web/player/core/pieces.js";
import { el } from "../../attn_core/web/player/dom/elements.js";

/** @import { Page } from "./types.d.ts" */

const NAMES = { en: "English", zh: "中文" }; // each in its own language
export const GLOSSES = ["en", "zh", "none"]; // the first is shown where a link says nothing

/**
 * @param {Page["glosses"]} glosses
 * @param {() => void} onChange
 */
export function buildGloss(glosses, onChange) {
  const list = el("select", {}, ...GLOSSES.map((value) => el("option", { value, text: NAMES[/** @type {"en"} */ (value)] ?? t("off") })));
  const root = chip(t("Gloss"), list, t("The meaning of each source word (example sentences only)"));
  list.addEventListener("change", onChange);
  return {
    root,
    /** @param {string} value */
    choose(value) { list.value = value; },
    /** In a link: null for the one that is shown without. */
    chosen: () => (list.value === GLOSSES[0] ? null : list.value),
    now: () => glosses[list.value],
    /** Hide the choice for a sentence that has no glosses. @param {string[]} source */
    fit(source) {
      root.hidden = !(sentenceOf(source) in glosses[GLOSSES[0]]);
    },
  };
}
