// A figure as bars that are buttons: each has a name, and a click lists what is in it. Marks show what to compare with.

import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { withSubscripts } from "../../../attn_core/browser/player/dom/symbols.js";
import { percent } from "./figures.js";
import { onKey } from "../../../attn_core/browser/player/dom/typing.js";

/** @import { Attention, Figure, Tally } from "./types.d.ts" */

/** The bars of a figure, and what was found; `draw` shows a tally. */
export class Chart {
  /**
   * @param {Figure} figure
   * @param {Attention} attention
   * @param {(bin: number) => void} choose
   */
  constructor(figure, attention, choose) {
    this.figure = figure;
    this.finding = el("p", { class: "co-finding" });
    this.highest = el("span", { class: "co-top", "aria-hidden": "true" });
    this.bars = Array.from({ length: figure.bins.count }, (_, bin) => buildBar(bin, figure.mark !== undefined, choose));
    const buttons = this.bars.map(({ button }) => button);
    const axis = attention === "cross" ? figure.axis : (figure.selfAxis ?? figure.axis);
    const name = plain(`${figure.title}: ${axis}`);
    const plot = el("div", { class: "co-bars", role: "group", "aria-label": name }, ...buttons);
    const labels = buttons.map((_, bin) => el("span", { text: figure.label(bin) }));
    const labelClass = figure.byAmount ? "co-labels" : "co-labels co-edges";
    const legend = figure.mark ? [el("p", { class: "co-legend" }, el("span", { class: "co-key" }), figure.mark)] : [];
    this.root = el(
      "section",
      { class: "co-figure", "data-figure": figure.key, "aria-label": plain(figure.title) },
      el("h3", { class: "ap-title" }, ...withSubscripts(figure.title)),
      this.finding,
      el("div", { class: "co-plot" }, this.highest, plot),
      el("div", { class: labelClass, "aria-hidden": "true" }, ...labels),
      el("p", { class: "co-axis" }, ...withSubscripts(axis)),
      ...legend,
    );
    onKey(plot, (event) => this.moveFocus(event));
  }

  /** @param {KeyboardEvent} event */
  moveFocus(event) {
    const current = this.bars.findIndex(({ button }) => button === event.target);
    const targets = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: this.bars.length - 1 };
    const next = targets[/** @type {keyof typeof targets} */ (event.key)];
    if (next === undefined || !this.bars[next]) return;
    event.preventDefault();
    event.stopPropagation();
    this.setTabStop(next);
    this.bars[next].button.focus();
  }

  /** The bar that Tab reaches. @param {number} bin */
  setTabStop(bin) {
    this.bars.forEach(({ button }, i) => {
      button.tabIndex = i === bin ? 0 : -1;
    });
  }

  /**
   * @param {Tally} tally
   * @param {number | null} chosen
   * @param {string} [findingText] the finding, where the tally does not have it
   */
  draw(tally, chosen, findingText) {
    const { figure } = this;
    const shares = tally.bars.map((bar) => (tally.amount > 0 ? bar / tally.amount : 0));
    const markShares = tally.marks.map((mark) => (tally.markAmount > 0 ? mark / tally.markAmount : 0));
    const highest = Math.max(...shares, ...markShares, 1e-9);
    this.finding.replaceChildren(...withSubscripts(findingText ?? (tally.amount > 0 ? figure.finding(tally) : "")));
    this.highest.textContent = percent(highest);
    this.bars.forEach(({ button, fill, mark }, bin) => {
      const [share, markShare] = [shares[bin], markShares[bin] ?? 0];
      fill.style.height = `${(100 * share) / highest}%`;
      mark.style.bottom = `${(100 * markShare) / highest}%`;
      const markText = figure.mark ? `; ${figure.mark}: ${percent(markShare)}` : "";
      const name = `${figure.name(bin)}: ${percent(share)} ${figure.of}${markText}`;
      button.title = name;
      button.setAttribute("aria-label", name);
      button.setAttribute("aria-pressed", String(bin === chosen));
      button.setAttribute("aria-disabled", String(!(tally.bars[bin] > 0)));
    });
    if (chosen !== null) this.setTabStop(chosen);
  }
}

/**
 * @param {number} bin
 * @param {boolean} hasMark
 * @param {(bin: number) => void} choose
 */
function buildBar(bin, hasMark, choose) {
  const fill = el("span", { class: "co-fill" });
  const mark = el("span", { class: "co-mark" });
  const attributes = { type: "button", class: "co-bar", tabindex: bin ? -1 : 0, "aria-pressed": "false" };
  const button = el("button", attributes, fill, ...(hasMark ? [mark] : []));
  button.addEventListener("click", () => button.getAttribute("aria-disabled") === "false" && choose(bin));
  return { button, fill, mark };
}

/** Text without the marks of its subscripts. @param {string} text */
export const plain = (text) => text.replace(/[{}]/g, "");
