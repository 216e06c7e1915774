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
 * @param {{ step: Step | undefined, most: number, opensNumbers: boolean, dispatch: PlayerProps["dispatch"] }} props
 * `most`: how many words have a row; `opensNumbers`: whether a click on a word opens its probability
 */
export function NextWord({ step, most, opensNumbers, dispatch }) {
  const openNumber = (/** @type {Event} */ event) => {
    const rank = /** @type {HTMLElement} */ (event.target).closest(".ap-next-row")?.getAttribute("data-rank");
    if (rank) dispatch({ type: "number opened", rank: Number(rank) });
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (isComposing(event) || !["Enter", " "].includes(event.key) || hasModifier(event)) return;
    event.preventDefault(); // the space bar would play
    openNumber(event);
  };
  return html`<section class="ap-section ap-section-next" aria-label=${t("Next word")}>
    <h2 class="ap-title">${t("Next word")}</h2>
    <${FocusRow} class="ap-next" back="ArrowUp" forward="ArrowDown" onClick=${openNumber} onKeyDownCapture=${press}>
      ${
        step &&
        wordRows(step, most).map(({ word, p, className }, i) => {
          const hasRank = i < Math.min(most, step.top.length);
          const isButton = hasRank && opensNumbers;
          const attributes = isButton ? { role: "button", tabindex: 0, "aria-label": `${word} ${short(p)}` } : {};
          return html`<div class=${`ap-next-row ${className}`} data-rank=${hasRank ? i : ""} ...${attributes}>
          <span class="ap-next-word" title=${word}>${word}</span>
          <span class="ap-next-track"><span class="ap-next-bar" style=${{ transform: `scaleX(${p})` }} /></span>
          <span class="ap-next-p">${short(p)}</span>
        </div>`;
        })
      }
    <//>
  </section>`;
}

/** The most probable words, the chosen one, and all others as one. @param {Step} step @param {number} most */
function wordRows(step, most) {
  const chosenRank = rankOfChosen(step);
  const chosen = { word: step.token, p: Math.exp(step.log_prob), className: "ap-chosen" };
  const best = step.top
    .slice(0, most)
    .map(([word, logProb], i) =>
      i === chosenRank ? { ...chosen, p: Math.exp(logProb) } : { word, p: Math.exp(logProb), className: "" },
    );
  if (!best.some(({ className }) => className)) best.push(chosen);
  const rest = Math.max(0, 1 - best.reduce((total, { p }) => total + p, 0));
  return [...best, { word: t("all other words"), p: rest, className: "ap-rest" }];
}

/**
 * The rank of the chosen word, from 0; -1 if it is not among the most probable words. A source word that was copied in
 * place of <unk> has the probability, and so the rank, of <unk>.
 * @param {Step} step
 */
function rankOfChosen({ top, token, log_prob }) {
  const isAsProbable = (/** @type {number} */ logProb) => Math.abs(logProb - log_prob) < 1e-6;
  const rank = top.findIndex(([word, logProb]) => word === token && isAsProbable(logProb));
  return rank >= 0 ? rank : top.findIndex(([, logProb]) => isAsProbable(logProb));
}
