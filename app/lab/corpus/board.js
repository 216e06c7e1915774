// The figures of a text: they grow with each sentence; an attention and a head are chosen above them, and the examples
// behind a bar are listed below its figure.

import { headIndex, headName, MEAN } from "../../../attn_core/web/player/core/looks.js";
import { t } from "../../../attn_core/web/player/core/messages.js";
import { refill } from "../../../attn_core/web/player/dom/focus.js";
import { indexIn } from "../../shell/address.js";
import { alignment } from "./alignment.js";
import { buildChart } from "./chart.js";
import { buildExamples } from "./examples.js";
import { behind, count, emptyTally, FIGURES, figuresOf, percent } from "./figures.js";
import { buildHeadGrid } from "./headgrid.js";
import { countHeads, emptyMeans, MEASURES } from "./heads.js";
import { offer } from "./parts.js";

/** @import { Theme } from "../../../attn_core/web/player/core/types.d.ts" */
/** @import { CorpusUi } from "./parts.js" */
/** @import { Attention, Figure, HeadMeasure, Head, How, Measured, Shown, Tally } from "./types.d.ts" */

/**
 * @typedef {object} Given
 * @property {(attention: Attention) => Head[]} heads of the model
 * @property {() => { model: string, how: How }} made what the sentences were measured with
 * @property {() => Theme} theme
 * @property {() => void} onChange the reader chose something that belongs in the address
 */

/** @type {Attention[]} */
const ATTENTIONS = ["cross", "encoder", "decoder"];
const NAMES = { attention: "corpus_attention", layer: "corpus_layer", head: "corpus_head", measure: "corpus_measure", bar: "corpus_bar" };

/**
 * @param {CorpusUi} ui
 * @param {Given} given
 */
export function buildBoard(ui, { heads, made, theme, onChange }) {
  const names = { cross: t("cross-attention"), encoder: t("encoder self-attention"), decoder: t("decoder self-attention") };
  /** @type {Measured[]} */
  let sentences = [];
  /** @type {Shown} */
  let shown = { attention: "cross", head: null };
  /** @type {HeadMeasure} */
  let measure = MEASURES[0];
  /** @type {{ figure: string, bin: number } | null} */
  let bar = null;
  /** @type {{ figure: Figure, chart: ReturnType<typeof buildChart>, tally: Tally }[]} */
  let cards = [];
  /** @type {ReturnType<typeof buildHeadGrid> | null} */
  let headGrid = null;
  let means = emptyMeans(0);
  /** @type {HTMLElement | null} */
  let examples = null;

  ui.attention.addEventListener("change", () => show({ attention: /** @type {Attention} */ (ui.attention.value), head: null }));
  ui.head.addEventListener("change", () => show({ head: ui.head.value === MEAN ? null : Number(ui.head.value) }));

  /** Build the figures that the text and the attention on show have. @param {Measured} first */
  function lay(first) {
    const attentions = ATTENTIONS.filter((one) => first.weighed[one]);
    if (!attentions.includes(shown.attention)) shown = { attention: "cross", head: null };
    const own = heads(shown.attention);
    if (shown.head !== null && !own[shown.head]) shown = { ...shown, head: null };
    offer(ui.attention, attentions.map((one) => [one, names[one]]), shown.attention);
    ui.attentionChip.hidden = attentions.length < 2;
    offer(ui.head, [[MEAN, t("mean of all heads")], ...own.map(([layer, head], i) => /** @type {[string, string]} */ ([String(i), headName({ layer, head })]))], shown.head === null ? MEAN : String(shown.head));
    ui.headChip.hidden = own.length < 2;
    ui.choices.hidden = ui.attentionChip.hidden && ui.headChip.hidden;
    cards = figuresOf(first, shown).map((figure) => ({ figure, chart: buildChart(figure, shown.attention, (bin) => choose(figure.key, bin)), tally: emptyTally(figure) }));
    headGrid = own.length < 2 ? null : buildHeadGrid(own, {
      choose: (head) => show({ head }),
      measure(other) {
        measure = other;
        means = emptyMeans(means.length);
        for (const sentence of sentences) countHeads(means, measure, sentence, shown.attention);
        draw();
        onChange();
      },
    });
    means = emptyMeans(own.length < 2 ? 0 : own.length);
    refill(ui.grid, [...(headGrid ? [headGrid.root] : []), ...cards.map(({ chart }) => chart.root)]);
    ui.frame.hidden = ui.save.hidden = false;
    ui.frame.inert = false;
    examples = null;
  }

  /** @param {Measured} sentence */
  function tally(sentence) {
    for (const one of cards) count(one.tally, one.figure, sentence, shown);
    countHeads(means, measure, sentence, shown.attention);
  }

  /** Another attention or head. @param {Partial<Shown>} change */
  function show(change) {
    shown = { ...shown, ...change };
    onChange();
    if (!sentences.length) return;
    lay(sentences[0]);
    sentences.forEach(tally);
    list();
    draw();
  }

  /** @param {string} figure @param {number} bin */
  function choose(figure, bin) {
    bar = bar?.figure === figure && bar.bin === bin ? null : { figure, bin };
    list();
    draw();
    onChange();
  }

  /** Show what is in the chosen bar below its figure. */
  function list() {
    examples?.remove();
    examples = null;
    const chosen = bar;
    const card = cards.find(({ figure }) => figure.key === chosen?.figure);
    if (!card || !chosen) return;
    const about = { ...made(), shown, heads: heads(shown.attention), path: location.pathname };
    examples = buildExamples(card.figure, chosen.bin, behind(card.figure, sentences, shown, chosen.bin), about, () => choose(chosen.figure, chosen.bin));
    card.chart.root.after(examples);
  }

  function draw() {
    for (const { figure, chart, tally: counted } of cards) chart.draw(counted, bar?.figure === figure.key ? bar.bin : null, figure.key === "aer" ? aerText() : undefined);
    headGrid?.draw(means, measure, shown.head, theme());
  }

  /** The alignment error rate of the text so far, by links of the same step and of the next one. */
  function aerText() {
    const [same, next] = /** @type {(0 | 1)[]} */ ([0, 1]).map((shift) => alignment(sentences, shown, shift));
    return t("AER {aer}, precision {precision}, recall {recall}; AER {shifted} if each word is linked by the weights of the next step instead.", {
      aer: same.aer.toFixed(3), precision: percent(same.precision), recall: percent(same.recall), shifted: next.aer.toFixed(3),
    });
  }

  return {
    draw,
    /** Another text, or the same one anew. */
    begin() {
      sentences = [];
    },
    /** @param {Measured} sentence */
    add(sentence) {
      if (!sentences.length) lay(sentence);
      sentences.push(sentence);
      tally(sentence);
    },
    /** All sentences are there, or as many as there will be. */
    end() {
      list();
      draw();
    },
    /** The figures are those of other settings until the first sentence comes. */
    outdate() {
      ui.frame.inert = ui.save.hidden = true;
    },
    clear() {
      sentences = [];
      cards = [];
      headGrid = null;
      ui.frame.hidden = ui.save.hidden = true;
    },
    sentences: () => sentences,
    shown: () => shown,
    /** Take the choices from an address. @param {(name: string) => string | null} linked */
    fill(linked) {
      const attention = /** @type {Attention} */ (linked(NAMES.attention));
      shown = { attention: ATTENTIONS.includes(attention) ? attention : "cross", head: null };
      measure = MEASURES.find(({ key }) => key === linked(NAMES.measure)) ?? MEASURES[0];
      const [figure, bin] = (linked(NAMES.bar) ?? "").split(".");
      const found = FIGURES.find(({ key }) => key === figure);
      bar = found && /^\d{1,2}$/.test(bin) && Number(bin) < found.bins.count ? { figure, bin: Number(bin) } : null;
    },
    /** What of the address only a model can tell. @param {(name: string) => string | null} linked */
    fillHead(linked) {
      const [layer, head] = [NAMES.layer, NAMES.head].map((name) => indexIn(linked(name)));
      shown = { ...shown, head: headIndex(heads(shown.attention).map(([inLayer, number]) => ({ layer: inLayer, head: number })), { layer, head }) };
    },
    /** The choices as entries of the address. @returns {Record<string, string | null>} */
    address() {
      const [layer, head] = shown.head === null ? [null, null] : heads(shown.attention)[shown.head].map(String);
      return {
        [NAMES.attention]: shown.attention === "cross" ? null : shown.attention, [NAMES.layer]: layer, [NAMES.head]: head,
        [NAMES.measure]: measure === MEASURES[0] ? null : measure.key, [NAMES.bar]: bar && `${bar.figure}.${bar.bin}`,
      };
    },
  };
}
