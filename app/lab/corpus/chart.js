// A figure as bars that are buttons: each has a name, and a click lists what is in it. Marks show what to compare with.

import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { lowered } from "../../../attn_core/browser/player/dom/symbols.js";
import { percent } from "./figures.js";
import { onKey } from "../../../attn_core/browser/player/dom/typing.js";

/** @import { Attention, Figure, Tally } from "./types.d.ts" */

/**
 * @param {Figure} figure
 * @param {Attention} attention
 * @param {(bin: number) => void} choose
 */
export function buildChart(figure, attention, choose) {
  const { bins, key } = figure;
  const axis = attention === "cross" ? figure.axis : (figure.selfAxis ?? figure.axis);
  const isCentred = figure.byAmount === true;
  const finding = el("p", { class: "co-finding" });
  const highest = el("span", { class: "co-top", "aria-hidden": "true" });
  const bars = Array.from({ length: bins.count }, (_, bin) => {
    const fill = el("span", { class: "co-fill" });
    const mark = el("span", { class: "co-mark" });
    const button = el(
      "button",
      { type: "button", class: "co-bar", tabindex: bin ? -1 : 0, "aria-pressed": "false" },
      fill,
      ...(figure.mark ? [mark] : []),
    );
    button.addEventListener("click", () => button.getAttribute("aria-disabled") === "false" && choose(bin));
    return { button, fill, mark };
  });
  const plot = el(
    "div",
    { class: "co-bars", role: "group", "aria-label": plain(`${figure.title}: ${axis}`) },
    ...bars.map(({ button }) => button),
  );
  const labels = el(
    "div",
    { class: isCentred ? "co-labels" : "co-labels co-edges", "aria-hidden": "true" },
    ...bars.map((_, bin) => el("span", { text: figure.label(bin) })),
  );
  const legend = figure.mark ? [el("p", { class: "co-legend" }, el("span", { class: "co-key" }), figure.mark)] : [];
  const root = el(
    "section",
    { class: "co-figure", "data-figure": key, "aria-label": plain(figure.title) },
    el("h3", { class: "ap-title" }, ...lowered(figure.title)),
    finding,
    el("div", { class: "co-plot" }, highest, plot),
    labels,
    el("p", { class: "co-axis" }, ...lowered(axis)),
    ...legend,
  );
  onKey(plot, (event) => {
    const current = bars.findIndex(({ button }) => button === event.target);
    const next = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: bars.length - 1 }[event.key];
    if (next === undefined || !bars[next]) return;
    event.preventDefault();
    event.stopPropagation();
    setTabStop(next);
    bars[next].button.focus();
  });

  /** The bar that Tab reaches. @param {number} bin */
  function setTabStop(bin) {
    bars.forEach(({ button }, i) => {
      button.tabIndex = i === bin ? 0 : -1;
    });
  }

  return {
    root,
    /**
     * @param {Tally} tally
     * @param {number | null} chosen
     * @param {string} [findingText] the finding, where the tally does not have it
     */
    draw(tally, chosen, findingText) {
      const share = (/** @type {number} */ bar, /** @type {number} */ amount) => (amount > 0 ? bar / amount : 0);
      const most = Math.max(
        ...tally.bars.map((bar) => share(bar, tally.amount)),
        ...tally.marks.map((bar) => share(bar, tally.markAmount)),
        1e-9,
      );
      finding.replaceChildren(...lowered(findingText ?? (tally.amount > 0 ? figure.finding(tally) : "")));
      highest.textContent = percent(most);
      bars.forEach(({ button, fill, mark }, bin) => {
        const part = share(tally.bars[bin], tally.amount);
        fill.style.height = `${(100 * part) / most}%`;
        mark.style.bottom = `${(100 * share(tally.marks[bin], tally.markAmount)) / most}%`;
        const beside = figure.mark ? `; ${figure.mark}: ${percent(share(tally.marks[bin], tally.markAmount))}` : "";
        const name = `${figure.name(bin)}: ${percent(part)} ${figure.of}${beside}`;
        button.title = name;
        button.setAttribute("aria-label", name);
        button.setAttribute("aria-pressed", String(bin === chosen));
        button.setAttribute("aria-disabled", String(!(tally.bars[bin] > 0)));
      });
      if (chosen !== null) setTabStop(chosen);
    },
  };
}

/** Text without the marks of its subscripts. @param {string} text */
export const plain = (text) => text.replace(/[{}]/g, "");
