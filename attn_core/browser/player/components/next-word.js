// The distribution over the next word: the most probable words with the chosen one marked, and the total of all others.

import { html } from "../dom/html.js";
import { t } from "../core/messages.js";
import { short } from "../core/numbers.js";
import { FocusRow } from "./focus-row.js";
import { hasModifier, isComposing } from "../dom/typing.js";

/**
 * @import { Step } from "../core/types.d.ts"
 * @import { PlayerProps } from "./types.d.ts"
 */

/**
 * @param {{ step: Step | undefined, most: number, opens: boolean, dispatch: PlayerProps["dispatch"] }} props `opens`:
 * whether a word opens its number
 */
export function NextWord({ step, most, opens, dispatch }) {
  const choose = (/** @type {Event} */ event) => {
    const rank = /** @type {HTMLElement} */ (event.target).closest(".ap-next-row")?.getAttribute("data-rank");
    if (rank) dispatch({ type: "number opened", rank: Number(rank) });
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (isComposing(event) || !["Enter", " "].includes(event.key) || hasModifier(event)) return;
    event.preventDefault(); // the space bar would play
    choose(event);
  };
  return html`<section class="ap-section ap-section-next" aria-label=${t("Next word")}>
    <h2 class="ap-title">${t("Next word")}</h2>
    <${FocusRow} class="ap-next" back="ArrowUp" forward="ArrowDown" onClick=${choose} onKeyDownCapture=${press}>
      ${
        step &&
        nextWords(step, most).map(({ word, p, kind }, i) => {
          const ranked = i < Math.min(most, step.top.length);
          const button = ranked && opens ? { role: "button", tabindex: 0, "aria-label": `${word} ${short(p)}` } : {};
          return html`<div class=${`ap-next-row ${kind}`} data-rank=${ranked ? i : ""} ...${button}>
          <span class="ap-next-word" title=${word}>${word}</span>
          <span class="ap-next-track"><span class="ap-next-bar" style=${{ transform: `scaleX(${p})` }} /></span>
          <span class="ap-next-p">${short(p)}</span>
        </div>`;
        })
      }
    <//>
  </section>`;
}

/** The rows. @param {Step} step @param {number} most */
function nextWords(step, most) {
  const at = chosenOf(step);
  const chosen = { word: step.token, p: Math.exp(step.log_prob), kind: "ap-chosen" };
  const best = step.top
    .slice(0, most)
    .map(([word, logProb], i) =>
      i === at ? { ...chosen, p: Math.exp(logProb) } : { word, p: Math.exp(logProb), kind: "" },
    );
  if (!best.some(({ kind }) => kind)) best.push(chosen);
  const rest = Math.max(0, 1 - best.reduce((total, { p }) => total + p, 0));
  return [...best, { word: t("all other words"), p: rest, kind: "ap-rest" }];
}

/**
 * The place of the chosen word among the most probable ones; -1 if it is none of them. A source word that replaces
 * <unk> is at the place of <unk>, by its probability.
 * @param {Step} step
 */
function chosenOf({ top, token, log_prob }) {
  const same = (/** @type {number} */ logProb) => Math.abs(logProb - log_prob) < 1e-6;
  const named = top.findIndex(([word, logProb]) => word === token && same(logProb));
  return named >= 0 ? named : top.findIndex(([, logProb]) => same(logProb));
}
