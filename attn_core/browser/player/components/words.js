// The words of the translation as buttons: those up to the step are visible, the others only take up their room. They
// are no stops of the Tab key, since the arrow keys go from word to word wherever the focus is in the player.

import { END, UNKNOWN } from "../../engine/tokenizer/specials.js";
import { html } from "../dom/html.js";
import { t } from "../core/messages.js";

/** @param {{ target: string[], step: number, steps: number, jump: (step: number) => void }} props */
export function Words({ target, step, steps, jump }) {
  const letters = target.join(" ").length;
  const size = `${letters > 56 ? " ap-long" : ""}${letters > 140 ? " ap-very-long" : ""}`;
  return html`<div class=${`ap-sentence${size}`} role="group" aria-label=${t("Words produced so far")}>
    ${target.map((word, i) => {
      const tokenClass = word === END || word === UNKNOWN ? " ap-special" : "";
      const stepClass = i === step ? " ap-now" : i > step ? " ap-future" : "";
      return html`<button type="button" class=${`ap-word${tokenClass}${stepClass}`} data-step=${i} tabindex="-1"
        aria-current=${i === step ? "step" : null} hidden=${i >= steps} onClick=${() => jump(i)}>${word}</button>`;
    })}
  </div>`;
}
