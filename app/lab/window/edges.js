// The edges of the window: its positions, those beyond the sentence, and the words on which the two rules differ.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { disputed, slots } from "./treatments.js";

/** @import { Span } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { AdjustedWindow } from "./types.d.ts" */

/** The section; `show` fills it for the words of a sentence and a window, of which `span` is inside the sentence. */
export function buildEdges() {
  const slotList = el("div", { class: "wl-slots", "aria-hidden": "true" });
  const [clipped, difference] = [el("p", { class: "ap-fine" }), el("p", { class: "ap-fine" })];
  const root = el(
    "section",
    { class: "ap-section", "aria-label": t("Edges of the window") },
    el("h3", { class: "ap-title", text: t("Edges of the window") }),
    slotList,
    clipped,
    difference,
  );
  return {
    root,
    /** @param {string[]} source @param {AdjustedWindow} adjusted @param {Span | null} span */
    show(source, adjusted, span) {
      const { from, to } = slots(adjusted, source.length);
      const count = to - from + 1;
      slotList.replaceChildren(...Array.from({ length: count }, (_, i) => slot(from + i, source.length)));
      clipped.textContent = clippingText(count, span ? span.hi - span.lo + 1 : 0);
      difference.textContent = differenceText(source, adjusted);
    },
  };
}

/** @param {number} position @param {number} length */
function slot(position, length) {
  const isInside = position >= 0 && position < length;
  return el("span", { class: isInside ? "wl-slot" : "wl-slot wl-off", text: isInside ? String(position) : "" });
}

/** @param {number} all positions of the window @param {number} real those of them with a word */
function clippingText(all, real) {
  if (real === 0) return t("No word is in the window: all weights and the context vector are 0.");
  if (real === all) return t("All {all} positions of the window are inside the sentence.", { all });
  return t(
    "{off} of {all} positions lie beyond the sentence. They are removed before the softmax, so the " +
      "alignment weights of the other {real} sum to 1.",
    { off: all - real, all, real },
  );
}

/** @param {string[]} source @param {AdjustedWindow} adjusted */
function differenceText(source, adjusted) {
  const { floor, real } = disputed(adjusted, source.length);
  const wordList = (/** @type {number[]} */ positions) => positions.map((s) => `“${source[s]}” (${s})`).join(", ");
  const parts = [
    floor.length ? t("only the rule with pₜ rounded down includes {words}", { words: wordList(floor) }) : "",
    real.length ? t("only the rule |s − pₜ| ≤ D includes {words}", { words: wordList(real) }) : "",
  ].filter(Boolean);
  if (!parts.length) return t("Both rules for the centre include the same words here.");
  return t("The two rules differ: {parts}.", { parts: parts.join("; ") });
}
