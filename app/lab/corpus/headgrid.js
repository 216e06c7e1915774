// A grid of layers and heads with the mean of a measure that the reader chooses; a click shows a head in all figures.

import { heat, shade } from "../../../attn_core/browser/player/core/heat.js";
import { headName } from "../../../attn_core/browser/player/core/looks.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { MEASURES } from "./heads.js";

/** @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { emptyMeans } from "./heads.js" */
/** @import { HeadMeasure } from "./types.d.ts" */

/**
 * @param {[layer: number, head: number][]} heads
 * @param {{ choose: (head: number | null) => void, measure: (measure: HeadMeasure) => void }} actions
 */
export function buildHeadGrid(heads, actions) {
  const select = el(
    "select",
    { "aria-label": t("Measure of the heads") },
    ...MEASURES.map(({ key, label }) => el("option", { value: key, text: label })),
  );
  select.addEventListener("change", () =>
    actions.measure(MEASURES.find(({ key }) => key === select.value) ?? MEASURES[0]),
  );
  const columns = Math.max(...heads.map(([, head]) => head)) + 1;
  const cells = heads.map((_, i) => {
    const button = el("button", { type: "button", class: "co-cell" });
    button.addEventListener("click", () => actions.choose(button.getAttribute("aria-pressed") === "true" ? null : i));
    return button;
  });
  const grid = el(
    "div",
    { class: "co-heads" },
    el("span", {}),
    ...Array.from({ length: columns }, (_, head) => el("span", { class: "co-edge", text: t("head {head}", { head }) })),
  );
  grid.style.gridTemplateColumns = `auto repeat(${columns}, minmax(2.6em, 1fr))`;
  heads.forEach(([layer, head], i) => {
    if (head === 0) grid.append(el("span", { class: "co-edge", text: t("layer {layer}", { layer }) }));
    grid.append(cells[i]);
  });
  const root = el(
    "section",
    { class: "co-figure co-wide", "data-figure": "heads", "aria-label": t("Heads") },
    el(
      "div",
      { class: "co-examples-head" },
      el("h3", { class: "ap-title", text: t("Mean per head") }),
      el("label", { class: "live-chip" }, el("span", { text: t("Measure") }), select),
    ),
    grid,
    el("p", {
      class: "co-axis",
      text: t("Click a head to see it in every figure; click it again for the mean of all heads."),
    }),
  );

  return {
    root,
    /**
     * @param {ReturnType<typeof emptyMeans>} means
     * @param {HeadMeasure} measure
     * @param {number | null} chosen
     * @param {Theme} theme
     */
    draw(means, measure, chosen, theme) {
      select.value = measure.key;
      const { fill, ink } = heat(theme);
      const values = means.map(({ sum, rows }) => (rows ? sum / rows : null));
      const most = measure.most ?? Math.max(...values.map((value) => value ?? 0), 1e-9);
      cells.forEach((cell, i) => {
        const value = values[i];
        const tone = shade(value ?? 0, most);
        cell.textContent = value === null ? "–" : value.toFixed(2);
        const [layer, head] = heads[i];
        cell.setAttribute("aria-label", `${headName({ layer, head })}: ${measure.label} ${cell.textContent}`);
        cell.setAttribute("aria-pressed", String(i === chosen));
        Object.assign(cell.style, { background: fill[tone], color: ink[tone] });
      });
    },
  };
}
