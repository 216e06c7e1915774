// The heatmap as a figure of its own, of a head of one's choice: what the PNG and SVG files show.

import { headChoice, headIndex, headName, meanName, sameHead } from "../../attn_core/web/player/core/looks.js";
import { t } from "../../attn_core/web/player/core/messages.js";
import { el } from "../../attn_core/web/player/dom/elements.js";

/** @import { HeadChoice } from "../../attn_core/web/player/core/types.d.ts" */
/** @import { Shown } from "./types.d.ts" */
/** @typedef {Shown & { dark: boolean }} Figure */

/**
 * A folded figure, drawn while it is open; hidden for a model without attention.
 * @param {(shown: Figure) => Promise<Blob>} draw returns the heatmap of its head
 * @param {() => boolean} isDark whether the page is
 */
export function buildFigure(draw, isDark) {
  const menu = el("select", { title: t("While this is open, the PNG and SVG files show this head; otherwise the one on the page.") });
  const choice = el("label", {}, el("span", { text: t("Head in the figure") }), menu);
  const picture = el("img", { alt: "", hidden: true });
  const problem = el("p", { role: "status" });
  const root = el("details", { class: "ex-details ex-figure" }, el("summary", { text: t("Heatmap as a figure") }), choice, problem, picture);
  /** @type {Shown | null} */
  let shown = null;
  /** @type {Figure | null} that is drawn or being drawn */
  let drawn = null;
  let isDrawing = false;
  root.addEventListener("toggle", update);
  menu.addEventListener("change", update);

  /** What the figure shows: the translation on show, with the head of the menu. */
  function chosen() {
    return shown && { ...shown, ...headChoice(looksOf(shown), menu.value ? Number(menu.value) : null), dark: isDark() };
  }

  /** Draw what is chosen, and what is chosen meanwhile after it. */
  async function update() {
    if (isDrawing) return;
    isDrawing = true;
    for (let next = chosen(); root.open && next && !isSame(next, drawn); next = chosen()) {
      drawn = next;
      try {
        const file = await draw(next);
        URL.revokeObjectURL(picture.src);
        Object.assign(picture, { src: URL.createObjectURL(file), alt: t("Heatmap of {model}", { model: next.model }), hidden: false });
        problem.textContent = "";
      } catch (error) {
        drawn = null; // another attempt may succeed
        picture.hidden = true;
        problem.textContent = t("The figure cannot be drawn: {reason}", { reason: /** @type {Error} */ (error).message });
        break;
      }
    }
    isDrawing = false;
  }

  return {
    root,
    /** The head of the figure while it is open; null: that of the page. @returns {HeadChoice | null} */
    head() {
      const figure = root.open ? chosen() : null;
      return figure && { layer: figure.layer, head: figure.head };
    },
    /** @param {Shown | null} now what the page shows; null where there is no heatmap */
    show(now) {
      const looks = looksOf(now);
      if (now && !(shown && now.model === shown.model && sameHead(now, shown))) {
        const heads = looks.map((look, index) => el("option", { value: index, text: headName(look) }));
        menu.replaceChildren(el("option", { value: "", text: meanName(heads.length) }), ...heads);
        menu.value = String(headIndex(looks, now) ?? "");
      }
      shown = now;
      root.hidden = !now;
      choice.hidden = looks.length < 2;
      update();
    },
    /** Draw the figure again if the page's theme has changed. */
    draw: update,
  };
}

/** The heads that attend at each step. @param {Shown | null} shown */
const looksOf = (shown) => shown?.trace.steps[0]?.looks ?? [];

/** Whether two figures are the same. @param {Figure} one @param {Figure | null} other */
const isSame = (one, other) => one.trace === other?.trace && sameHead(one, other) && one.dark === other.dark;
