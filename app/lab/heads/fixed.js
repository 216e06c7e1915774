// One head's attention maps for several sentences of equal length, and the fixed layer nearest to all of them: their
// mean.

import { heat, shade } from "../../../attn_core/browser/player/core/heat.js";
import { headName } from "../../../attn_core/browser/player/core/looks.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { short } from "../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { mounted } from "../kit/mount.js";
import { onPage } from "../../shell/onpage.js";
import { headGrid, LargeMap } from "./maps.js";
import { explained, meanMap } from "./measures.js";

/** @import { Cell, FixedData, Head } from "./types.d.ts" */
/** @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Stage } from "../../shell/types.d.ts" */

/** @implements {Stage} */
export class FixedLayer {
  /** @param {HTMLElement} host @param {FixedData} data */
  constructor(host, { sentences, looks }) {
    this.sentences = sentences;
    this.heads = looks;
    const mapsOfHeads = looks.map((_, head) => sentences.map(({ maps }) => maps[head]));
    this.predictableShares = mapsOfHeads.map(explained);
    const variances = mapsOfHeads.map((maps) => mostVaryingPair(maps).variance);
    /** @type {{ head: number, sentence: number, pair: [number, number] | null, hover: [number, number] | null }} */
    this.state = { head: variances.indexOf(Math.max(...variances)), sentence: 0, pair: null, hover: null };
    const actions = {
      onPoint: (/** @type {Cell} */ ...[row, column]) =>
        this.setState({ hover: row === null || column === null ? null : [row, column] }),
      onChoose: (/** @type {number} */ row, /** @type {number | null} */ column) => {
        if (column !== null) this.setState({ pair: [row, column] });
      },
    };
    this.sentenceMap = new LargeMap(actions);
    this.meanMap = new LargeMap(actions);
    const tables = { sentence: this.sentenceMap.table, mean: this.meanMap.table };
    this.ui = buildFixedLayer(sentences, looks, this.predictableShares, tables);
    host.append(this.ui.root);
    this.page = onPage(this.ui.root, () => this.draw());
    this.filledFor = ""; // the head, sentence and theme of the maps on show

    this.ui.shares.forEach((button, i) =>
      button.addEventListener("click", () => this.setState({ head: i, pair: null })),
    );
    this.ui.lines.forEach(({ button }, i) => button.addEventListener("click", () => this.setState({ sentence: i })));
    this.page.ask();
  }

  /** @param {Partial<FixedLayer["state"]>} change */
  setState(change) {
    Object.assign(this.state, change);
    this.page.ask();
  }

  draw() {
    const { state } = this;
    const theme = this.page.theme();
    const maps = this.sentences.map((sentence) => sentence.maps[state.head]);
    const shown = JSON.stringify([state.head, state.sentence, theme]);
    if (shown !== this.filledFor) {
      this.fillMaps(maps, theme);
      this.showShares(theme);
    }
    this.filledFor = shown;
    state.pair ??= mostVaryingPair(maps).pair;
    const [row, column] = state.hover ?? state.pair;
    for (const map of [this.sentenceMap, this.meanMap]) map.mark(row, column);
    this.describePair(maps, row, column);
  }

  /** @param {number[][][]} maps of the sentences @param {Theme} theme */
  fillMaps(maps, theme) {
    const { head, sentence } = this.state;
    const { words } = this.sentences[sentence];
    const name = headName(this.heads[head]);
    const positions = words.map((_, i) => String(i));
    const sentenceCaption = t("{name}, this sentence", { name });
    const meanCaption = t("{name}, mean over all sentences", { name });
    this.sentenceMap.fill({ rows: words, columns: words, weights: maps[sentence], caption: sentenceCaption }, theme);
    this.meanMap.fill(
      { rows: positions, columns: positions, weights: meanMap(maps), caption: meanCaption, tall: words },
      theme,
    );
    this.ui.sentenceTitle.textContent = t("Self-attention, {name}: this sentence", { name });
  }

  /** The share of each head's pattern that position alone predicts. @param {Theme} theme */
  showShares(theme) {
    const { head } = this.state;
    const { fill: shades, ink } = heat(theme);
    this.ui.shares.forEach((button, i) => {
      const tone = shade(Math.max(this.predictableShares[i], 0), 1);
      button.style.background = shades[tone];
      button.style.color = ink[tone];
      button.setAttribute("aria-pressed", String(i === head));
    });
    this.ui.share.textContent = t(
      "Position alone predicts {share} of this pattern ({name}); the rest depends on the words.",
      { name: headName(this.heads[head]), share: percent(this.predictableShares[head]) },
    );
    this.ui.share.title = t(
      "The mean map of the other sentences explains this share of a map's squared distance from uniform weights.",
    );
  }

  /**
   * @param {number[][][]} maps of the sentences
   * @param {number} row
   * @param {number} column
   */
  describePair(maps, row, column) {
    const { ui } = this;
    const values = maps.map((map) => map[row][column]);
    const mean = values.reduce((total, value) => total + value, 0) / values.length;
    ui.pair.textContent = t("Weight of position {column} for the query at position {row}", { column, row });
    ui.strip.style.setProperty("--hd-mean", String(mean));
    ui.lines.forEach(({ button, pair, bar, value }, i) => {
      const { words } = this.sentences[i];
      pair.textContent = `${words[row]} ← ${words[column]}`;
      bar.style.transform = `scaleX(${values[i]})`;
      value.textContent = short(values[i]);
      button.setAttribute("aria-pressed", String(i === this.state.sentence));
    });
    ui.mean.textContent = t(
      "In this head the weight ranges from {min} to {max}. A fixed layer has one weight for this pair in every " +
        "sentence; the mean, {mean} (vertical line), has the smallest squared error.",
      { min: short(Math.min(...values)), max: short(Math.max(...values)), mean: short(mean) },
    );
  }

  update() {
    this.page.restyle();
  }

  destroy() {
    this.page.stop();
  }
}

/**
 * The pair of positions whose weight has the largest variance over the sentences, and this variance.
 * @param {number[][][]} maps
 */
function mostVaryingPair(maps) {
  const mean = meanMap(maps);
  /** @type {{ pair: [number, number], variance: number }} */
  let best = { pair: [0, 0], variance: -1 };
  mean.forEach((line, i) =>
    line.forEach((middle, j) => {
      const variance = maps.reduce((total, map) => total + (map[i][j] - middle) ** 2, 0) / maps.length;
      if (variance > best.variance) best = { pair: [i, j], variance };
    }),
  );
  return best;
}

/** @param {number} share */
const percent = (share) => `${Math.round(100 * Math.max(share, 0))}%`; // below 0: worse than uniform weights

/**
 * @param {FixedData["sentences"]} sentences
 * @param {Head[]} heads
 * @param {number[]} predictableShares
 * @param {{ sentence: HTMLElement, mean: HTMLElement }} tables
 */
function buildFixedLayer(sentences, heads, predictableShares, tables) {
  const shares = heads.map((head, i) =>
    el("button", { type: "button", class: "hd-share", title: headName(head), text: percent(predictableShares[i]) }),
  );
  const grid = headGrid(heads, shares);
  grid.classList.add("hd-shares");
  const share = el("p", { class: "hd-note" });
  const sentenceTitle = el("h3", { class: "ap-title" });
  const pair = el("h3", { class: "ap-title" });
  const mean = el("p", { class: "hd-note", "aria-live": "polite" });
  const lines = sentences.map(({ words }) => buildLine(words.join(" ")));
  const strip = el("div", { class: "hd-strips" }, ...lines.map(({ button }) => button));
  const meanTitle = t("A fixed layer: the mean over {length} sentences", { length: sentences.length });
  const frame = el(
    "div",
    { class: "ap hd hd-fixed" },
    el("section", {}, el("h3", { class: "ap-title", text: t("Share predictable from position") }), grid, share),
    el("section", {}, sentenceTitle, el("div", { class: "hd-scroll" }, tables.sentence)),
    el("section", {}, el("h3", { class: "ap-title", text: meanTitle }), el("div", { class: "hd-scroll" }, tables.mean)),
    el("section", { class: "hd-wide" }, pair, mean, strip),
  );
  return { root: el("div", { class: "ap-root" }, frame), shares, share, sentenceTitle, pair, mean, lines, strip };
}

/** The weight of a pair of words in a sentence. @param {string} sentence */
function buildLine(sentence) {
  const [pair, bar, value] = [el("span", { class: "hd-pair" }), el("i", {}), el("span", { class: "hd-value" })];
  const track = el("span", { class: "hd-track" }, bar);
  const button = el("button", { type: "button", class: "hd-strip", title: sentence }, pair, track, value);
  return { button, pair, bar, value };
}

export default mounted((host, /** @type {FixedData} */ data) => new FixedLayer(host, data));
