// The Present button of a lab page, as a Streamlit component (v2). It also lets Page Up and Page Down turn the cards of
// the quiz.

import { readData } from "../../attn_core/browser/hosts/component-data.js";
import { startLecture } from "./lecture-page.js";
import { onStepAsked } from "./layout.js";

/** @import { Direction } from "./layout.js" */
/** @import { End, Streamlit } from "../../attn_core/browser/hosts/types.d.ts" */
/** @typedef {HTMLElement & { calls?: number, end?: () => void }} Host with the state of earlier calls */

// The cards of the quiz
const CARDS = "[data-testid=stMain]:not(:has([class*=st-key-part_])) .st-key-cards_list input[type=radio]";

/**
 * Called again at every run of the page. The clean-up function of a call does nothing once there has been a later call.
 * @param {Streamlit<{ parts: number }>} component
 * @returns {End}
 */
export default function ({ data, parentElement }) {
  const button = /** @type {Host} */ (parentElement.querySelector("button"));
  const call = (button.calls = (button.calls ?? 0) + 1);
  button.end ??= start(button, readData(data).parts);
  return () => {
    if (call !== button.calls) return;
    button.end?.();
    delete button.end;
  };
}

/** @param {HTMLElement} button @param {number} parts of the page */
function start(button, parts) {
  const stopLecture = startLecture(button, /** @type {HTMLElement} */ (button.parentElement), parts);
  const stopCards = onStepAsked(turnCard);
  return () => {
    stopCards();
    stopLecture();
  };
}

/** Open the card after or before the open one, if there is one. @param {Direction} direction @param {Event} event */
function turnCard(direction, event) {
  const cards = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(CARDS)]);
  const card = cards[cards.findIndex(({ checked }) => checked) + direction];
  if (!card) return;
  event.preventDefault();
  card.click();
}
