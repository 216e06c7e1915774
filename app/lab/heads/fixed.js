// One head's attention maps for several sentences of equal length, and the fixed layer nearest to all of them: their
// mean.

import { heat, shade } from "../../../attn_core/browser/player/core/heat.js";
import { headName } from "../../../attn_core/browser/player/core/looks.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { short } from "../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { mounted } from "../kit/mount.js";
import { onPage } from "../../shell/onpage.js";
import { createLargeMap, headGrid } from "./maps.js";
import { explained, meanMap } from "./measures.js";

/** @import { FixedData, Place } from "./types.d.ts" */
/** @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Stage } from "../../shell/types.d.ts" */

/**
 * @param {HTMLElement} host
 * @param {FixedData} data
 * @returns {Stage}
 */
export function createFixed(host, data) {
  const { sentences, looks } = data;
  const shares = looks.map((_, look) => explained(sentences.map(({ maps }) => maps[look])));
  const variances = looks.map((_, look) => widest(sentences.map(({ maps }) => maps[look])).variance);
  /** @type {{ look: number, sentence: number, pair: [number, number] | null, hover: [number, number] | null }} */
  const state = { look: variances.indexOf(Math.max(...variances)), sentence: 0, pair: null, hover: null };
  const actions = {
    onPoint: (/** @type {Place} */ ...[row, column]) =>
      setState({ hover: row === null || column === null ? null : [row, column] }),
    onChoose: (/** @type {number} */ row, /** @type {number | null} */ column) => {
      if (column !== null) setState({ pair: [row, column] });
    },
  };
  const [sentenceMap, meanMapTable] = [createLargeMap(actions), createLargeMap(actions)];
  const ui = buildFixed(host, data, shares, sentenceMap.table, meanMapTable.table);
  const page = onPage(ui.root, draw);
  let filledFor = "";

  /** @param {Partial<typeof state>} change */
  function setState(change) {
    Object.assign(state, change);
    page.ask();
  }

  function draw() {
    const theme = page.theme();
    const maps = sentences.map((one) => one.maps[state.look]);
    const { words } = sentences[state.sentence];
    const wanted = JSON.stringify([state.look, state.sentence, theme]);
    if (wanted !== filledFor) fillMaps(maps, words, theme);
    filledFor = wanted;
    const pair = (state.pair ??= widest(maps).pair);
    const [row, column] = state.hover ?? pair;
    for (const map of [sentenceMap, meanMapTable]) map.mark(row, column);
    describePair(maps, row, column);
  }

  /**
   * @param {number[][][]} maps
   * @param {string[]} words
   * @param {Theme} theme
   */
  function fillMaps(maps, words, theme) {
    const name = headName(looks[state.look]);
    const places = words.map((_, i) => String(i));
    sentenceMap.fill(
      { rows: words, columns: words, weights: maps[state.sentence], caption: t("{name}, this sentence", { name }) },
      theme,
    );
    meanMapTable.fill(
      {
        rows: places,
        columns: places,
        weights: meanMap(maps),
        caption: t("{name}, mean over all sentences", { name }),
        tall: words,
      },
      theme,
    );
    ui.ownTitle.textContent = t("Self-attention, {name}: this sentence", { name });
    const { fill: shades, ink } = heat(theme);
    ui.shares.forEach((button, i) => {
      const tone = shade(Math.max(shares[i], 0), 1);
      button.style.background = shades[tone];
      button.style.color = ink[tone];
      button.setAttribute("aria-pressed", String(i === state.look));
    });
    ui.share.textContent = t(
      "Position alone predicts {share} of this pattern ({name}); the rest depends on the words.",
      { name, share: percent(shares[state.look]) },
    );
    ui.share.title = t(
      "The mean map of the other sentences explains this share of a map's squared distance from uniform weights.",
    );
  }

  /**
   * @param {number[][][]} maps
   * @param {number} row
   * @param {number} column
   */
  function describePair(maps, row, column) {
    const values = maps.map((map) => map[row][column]);
    const mean = values.reduce((total, value) => total + value, 0) / values.length;
    ui.pair.textContent = t("Weight of position {column} for the query at position {row}", { column, row });
    ui.strip.style.setProperty("--hd-mean", String(mean));
    ui.lines.forEach(({ button, pair, bar, value }, i) => {
      pair.textContent = `${sentences[i].words[row]} ← ${sentences[i].words[column]}`;
      bar.style.transform = `scaleX(${values[i]})`;
      value.textContent = short(values[i]);
      button.setAttribute("aria-pressed", String(i === state.sentence));
    });
    ui.mean.textContent = t(
      "In this head the weight ranges from {min} to {max}. A fixed layer has one weight for this pair in every " +
        "sentence; the mean, {mean} (vertical line), has the smallest squared error.",
      { min: short(Math.min(...values)), max: short(Math.max(...values)), mean: short(mean) },
    );
  }

  ui.shares.forEach((button, i) => button.addEventListener("click", () => setState({ look: i, pair: null })));
  ui.lines.forEach(({ button }, i) => button.addEventListener("click", () => setState({ sentence: i })));
  page.ask();
  return { update: page.restyle, destroy: page.stop };
}

/**
 * The pair of positions whose weight has the largest variance over the sentences: {pair, variance}.
 * @param {number[][][]} maps
 */
function widest(maps) {
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
 * @param {HTMLElement} host
 * @param {FixedData} fixedData
 * @param {number[]} explainedShares
 * @param {HTMLElement} sentenceMap
 * @param {HTMLElement} meanMapTable
 */
function buildFixed(host, { sentences, looks }, explainedShares, sentenceMap, meanMapTable) {
  const root = el("div", { class: "ap-root" });
  const shares = looks.map((look, i) =>
    el("button", { type: "button", class: "hd-share", title: headName(look), text: percent(explainedShares[i]) }),
  );
  const grid = headGrid(looks, shares);
  grid.classList.add("hd-shares");
  const share = el("p", { class: "hd-note" });
  const ownTitle = el("h3", { class: "ap-title" });
  const pair = el("h3", { class: "ap-title" });
  const mean = el("p", { class: "hd-note", "aria-live": "polite" });
  const lines = sentences.map(({ words }) => {
    const [pair, bar, value] = [el("span", { class: "hd-pair" }), el("i", {}), el("span", { class: "hd-value" })];
    const button = el(
      "button",
      { type: "button", class: "hd-strip", title: words.join(" ") },
      pair,
      el("span", { class: "hd-track" }, bar),
      value,
    );
    return { button, pair, bar, value };
  });
  const strip = el("div", { class: "hd-strips" }, ...lines.map(({ button }) => button));
  const frame = el(
    "div",
    { class: "ap hd hd-fixed" },
    el("section", {}, el("h3", { class: "ap-title", text: t("Share predictable from position") }), grid, share),
    el("section", {}, ownTitle, el("div", { class: "hd-scroll" }, sentenceMap)),
    el(
      "section",
      {},
      el("h3", {
        class: "ap-title",
        text: t("A fixed layer: the mean over {length} sentences", { length: sentences.length }),
      }),
      el("div", { class: "hd-scroll" }, meanMapTable),
    ),
    el("section", { class: "hd-wide" }, pair, mean, strip),
  );
  root.append(frame);
  host.append(root);
  return { root, shares, share, ownTitle, pair, mean, lines, strip, frame };
}

/** @typedef {ReturnType<typeof buildFixed>} FixedUi */

export default mounted(createFixed);
