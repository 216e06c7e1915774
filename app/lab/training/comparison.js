// Two moments of a training side by side, each sentence as two attention maps, and how much of the attention moved.

import { grouped } from "../../../attn_core/browser/player/core/numbers.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { render } from "../../../attn_core/browser/vendor/preact.js";
import { Boards } from "../../explorer/compare/boards.js";
import { atBoth, movedBetween } from "./moments.js";

/** @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Sentence, Snapshot } from "./types.d.ts" */

export class Comparison {
  constructor() {
    this.note = el("p", { class: "tr-moves", role: "status" });
    this.boards = el("div", { class: "tr-pairs" });
  }

  /**
   * Show each sentence at both moments; nothing while no moment is kept.
   * @param {Sentence[]} sentences
   * @param {[kept: Snapshot, current: Snapshot] | null} both
   * @param {Theme} theme
   */
  draw(sentences, both, theme) {
    const pairs = both ? sentences.map((sentence, i) => atBoth(sentence, i, both)) : [];
    render(
      pairs.map((boards) => html`<${Boards} boards=${boards} step=${-1} theme=${theme} dispatch=${() => {}} />`),
      this.boards,
    );
    this.note.hidden = !pairs.length;
    const share = both && movedBetween(both);
    if (both && share !== null) this.note.textContent = movementText(both, share);
  }
}

/** @param {[kept: Snapshot, current: Snapshot]} both @param {number} share of the attention that moved */
function movementText([kept, current], share) {
  const update = grouped(kept.update);
  if (kept.update === current.update)
    return t("The snapshot after update {update} is kept. Move to another one.", { update });
  return t(
    "Between updates {one} and {other}, {share}% of the attention moved to other words. Filled squares: " +
      "more weight after update {one}. Hollow: more after {other}.",
    { one: update, other: grouped(current.update), share: Math.round(100 * share) },
  );
}
