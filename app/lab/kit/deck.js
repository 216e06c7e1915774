// Buttons, a slider and keys that move between steps, and playback.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el, iconButton, rangeInput } from "../../../attn_core/browser/player/dom/elements.js";
import { setDisabled, onClick, showPlaying } from "../../../attn_core/browser/player/dom/steps.js";
import { onActionKey } from "./keys.js";

/**
 * A deck for the steps of a stage.
 * @param {object} stage
 * @param {string} stage.label of the slider
 * @param {number} stage.pace ms between two steps while playing
 * @param {() => number} stage.count how many steps there are
 * @param {() => number} stage.step the current one, from 0
 * @param {(step: number) => void} stage.jump the reader goes to a step, which may be before the first or after the last
 * @param {(step: number) => void} stage.advance playback goes to a step
 * @param {() => void} stage.draw playback starts or stops
 */
export function createDeck({ label, pace, count, step, jump, advance, draw }) {
  const first = iconButton("first", t("First step"), "Home");
  const back = iconButton("back", t("Step back"), "ArrowLeft");
  const play = iconButton("play", t("Play"), "Space");
  play.classList.add("ap-play");
  const forward = iconButton("forward", t("Step forward"), "ArrowRight");
  const last = iconButton("last", t("Last step"), "End");
  const buttons = el("div", { class: "ap-buttons" }, first, back, play, forward, last);
  const scrub = rangeInput(label, { class: "ap-scrub", min: 0, max: 0, step: 1, value: 0 });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const isAtEnd = () => step() >= count() - 1;
  /** @type {Record<string, () => void>} by key */
  const actions = {
    Home: () => jump(0),
    ArrowLeft: () => jump(step() - 1),
    ArrowRight: () => jump(step() + 1),
    End: () => jump(count() - 1),
    " ": toggle,
  };

  function stop() {
    clearTimeout(timer);
    timer = undefined;
    draw();
  }

  function toggle() {
    if (timer) return stop();
    if (!count()) return;
    if (isAtEnd()) advance(0);
    const beat = () => {
      if (isAtEnd()) return stop();
      advance(step() + 1);
      timer = setTimeout(beat, pace);
    };
    timer = setTimeout(beat, pace / 2);
    draw();
  }

  onClick(first, actions.Home);
  onClick(back, actions.ArrowLeft);
  onClick(play, toggle);
  onClick(forward, actions.ArrowRight);
  onClick(last, actions.End);
  scrub.addEventListener("input", () => jump(Number(scrub.value)));

  return {
    buttons,
    scrub,
    /** End playback. */
    stop,
    /** Let the keys of the stage's frame move between steps. */
    listenToKeys: (/** @type {HTMLElement} */ frame) => onActionKey(frame, actions),
    /** Show the current step, and what can be pressed. */
    show() {
      scrub.max = String(Math.max(count() - 1, 0));
      scrub.value = String(step());
      scrub.style.setProperty("--ap-done", String(count() > 1 ? step() / (count() - 1) : 0));
      showPlaying(play, Boolean(timer));
      for (const button of [first, back]) setDisabled(button, step() <= 0);
      for (const button of [forward, last]) setDisabled(button, isAtEnd());
    },
  };
}

/** @typedef {ReturnType<typeof createDeck>} Deck */
