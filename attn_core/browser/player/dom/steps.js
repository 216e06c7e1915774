// The words of a translation as buttons, one per step, and buttons that can be disabled.

import { t } from "../core/messages.js";
import { el, setIcon } from "./elements.js";

/**
 * Create a button for each word of the translation; `jump` is called with the index of the chosen one.
 * @param {{ words: HTMLElement }} ui
 * @param {string[]} target
 * @param {(step: number) => void} jump
 */
export function fillSteps(ui, target, jump) {
  ui.words.replaceChildren(
    ...target.map((word, i) => {
      const button = el("button", {
        type: "button",
        class: `ap-word ${word.startsWith("<") ? "ap-special" : ""}`,
        text: word,
      });
      button.addEventListener("click", () => jump(i));
      return button;
    }),
  );
  ui.words.classList.toggle("ap-long", target.join(" ").length > 56);
  ui.words.classList.toggle("ap-very-long", target.join(" ").length > 140);
}

/**
 * Mark the word of `step` among its siblings; `addMarks(button, i)` may add further marks.
 * @param {HTMLElement} words
 * @param {number} step
 * @param {(button: HTMLElement, i: number) => void} [addMarks]
 */
export function markStep(words, step, addMarks = () => {}) {
  Array.from(words.children).forEach((button, i) => {
    button.classList.toggle("ap-now", i === step);
    if (i === step) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
    addMarks(/** @type {HTMLElement} */ (button), i);
  });
}

/**
 * Attach a button's action, which is ignored while the button is aria-disabled; the button stays in the tab order.
 * @param {HTMLElement} button
 * @param {() => void} action
 */
export function onClick(button, action) {
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") !== "true") action();
  });
}

/**
 * Grey out a button without removing its focus, so that keyboard shortcuts still work.
 * @param {HTMLElement} button
 * @param {boolean} disabled
 */
export function setDisabled(button, disabled) {
  button.setAttribute("aria-disabled", String(disabled));
}

/**
 * Show whether a press of a play button will play or pause.
 * @param {HTMLElement} button from `iconButton`
 * @param {boolean} playing
 * @param {string} [pauseLabel]
 */
export function showPlaying(button, playing, pauseLabel = t("Pause")) {
  const label = playing ? pauseLabel : t("Play");
  setIcon(button, playing ? "pause" : "play");
  button.setAttribute("aria-label", label);
  button.title = `${label} (${button.getAttribute("aria-keyshortcuts")})`;
}
