// The figures of a text: they grow with each sentence; an attention and a head are chosen above them, and the examples
// behind a bar are listed below its figure.

import { headIndex, headName, MEAN } from "../../../attn_core/browser/player/core/looks.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { refill } from "../../../attn_core/browser/player/dom/focus.js";
import { indexIn } from "../../shell/address.js";
import { alignment } from "./alignment.js";
import { Chart } from "./chart.js";
import { buildExamples } from "./examples.js";
import { countFigure, emptyTally, examplesIn, FIGURES, figuresOf, percent } from "./figures.js";
import { buildHeadGrid } from "./headgrid.js";
import { countHeads, emptyMeans, MEASURES } from "./heads.js";
import { offerOptions } from "./parts.js";

/** @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts" */
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
const NAMES = {
  attention: "corpus_attention",
  layer: "corpus_layer",
  head: "corpus_head",
  measure: "corpus_measure",
  bar: "corpus_bar",
};

export class Board {
  /**
   * @param {CorpusUi} ui
   * @param {Given} given
   */
  constructor(ui, given) {
    this.ui = ui;
    this.given = given;
    this.names = {
      cross: t("cross-attention"),
      encoder: t("encoder self-attention"),
      decoder: t("decoder self-attention"),
    };
    /** @type {Measured[]} */
    this.sentences = [];
    /** @type {Shown} */
    this.shown = { attention: "cross", head: null };
    /** @type {HeadMeasure} */
    this.measure = MEASURES[0];
    /** @type {{ figure: string, bin: number } | null} */
    this.bar = null;
    /** @type {{ figure: Figure, chart: Chart, tally: Tally }[]} */
    this.cards = [];
    /** @type {ReturnType<typeof buildHeadGrid> | null} */
    this.headGrid = null;
    this.means = emptyMeans(0);
    /** @type {HTMLElement | null} */
    this.examplesList = null;

    this.ui.attention.addEventListener("change", () =>
      this.changeShown({ attention: /** @type {Attention} */ (this.ui.attention.value), head: null }),
    );
    this.ui.head.addEventListener("change", () =>
      this.changeShown({ head: this.ui.head.value === MEAN ? null : Number(this.ui.head.value) }),
    );
  }

  /** Build the figures that the text and the attention on show have. @param {Measured} first */
  buildFigures(first) {
    const { ui } = this;
    const attentions = ATTENTIONS.filter((one) => first.weighed[one]);
    if (!attentions.includes(this.shown.attention)) this.shown = { attention: "cross", head: null };
    const modelHeads = this.given.heads(this.shown.attention);
    if (this.shown.head !== null && !modelHeads[this.shown.head]) this.shown = { ...this.shown, head: null };
    offerOptions(
      ui.attention,
      attentions.map((one) => [one, this.names[one]]),
      this.shown.attention,
    );
    ui.attentionChip.hidden = attentions.length < 2;
    offerOptions(
      ui.head,
      [
        [MEAN, t("mean of all heads")],
        ...modelHeads.map(
          ([layer, head], i) => /** @type {[string, string]} */ ([String(i), headName({ layer, head })]),
        ),
      ],
      this.shown.head === null ? MEAN : String(this.shown.head),
    );
    ui.headChip.hidden = modelHeads.length < 2;
    ui.choices.hidden = ui.attentionChip.hidden && ui.headChip.hidden;
    this.cards = figuresOf(first, this.shown).map((figure) => ({
      figure,
      chart: new Chart(figure, this.shown.attention, (bin) => this.chooseBar(figure.key, bin)),
      tally: emptyTally(figure),
    }));
    this.headGrid =
      modelHeads.length < 2
        ? null
        : buildHeadGrid(modelHeads, {
            choose: (head) => this.changeShown({ head }),
            measure: (chosen) => this.chooseMeasure(chosen),
          });
    this.means = emptyMeans(modelHeads.length < 2 ? 0 : modelHeads.length);
    refill(ui.grid, [...(this.headGrid ? [this.headGrid.root] : []), ...this.cards.map(({ chart }) => chart.root)]);
    ui.frame.hidden = ui.save.hidden = false;
    ui.frame.inert = false;
    this.examplesList = null;
  }

  /** @param {HeadMeasure} chosen */
  chooseMeasure(chosen) {
    this.measure = chosen;
    this.means = emptyMeans(this.means.length);
    for (const sentence of this.sentences) countHeads(this.means, this.measure, sentence, this.shown.attention);
    this.draw();
    this.given.onChange();
  }

  /** @param {Measured} sentence */
  countSentence(sentence) {
    for (const one of this.cards) countFigure(one.tally, one.figure, sentence, this.shown);
    countHeads(this.means, this.measure, sentence, this.shown.attention);
  }

  /** Another attention or head. @param {Partial<Shown>} change */
  changeShown(change) {
    this.shown = { ...this.shown, ...change };
    this.given.onChange();
    if (!this.sentences.length) return;
    this.buildFigures(this.sentences[0]);
    this.sentences.forEach((sentence) => this.countSentence(sentence));
    this.listExamples();
    this.draw();
  }

  /** @param {string} figure @param {number} bin */
  chooseBar(figure, bin) {
    this.bar = this.bar?.figure === figure && this.bar.bin === bin ? null : { figure, bin };
    this.listExamples();
    this.draw();
    this.given.onChange();
  }

  /** Show what is in the chosen bar below its figure. */
  listExamples() {
    this.examplesList?.remove();
    this.examplesList = null;
    const chosen = this.bar;
    const card = this.cards.find(({ figure }) => figure.key === chosen?.figure);
    if (!card || !chosen) return;
    const about = {
      ...this.given.made(),
      shown: this.shown,
      heads: this.given.heads(this.shown.attention),
      path: location.pathname,
    };
    this.examplesList = buildExamples(
      card.figure,
      chosen.bin,
      examplesIn(card.figure, this.sentences, this.shown, chosen.bin),
      about,
      () => this.chooseBar(chosen.figure, chosen.bin),
    );
    card.chart.root.after(this.examplesList);
  }

  draw() {
    for (const { figure, chart, tally: counted } of this.cards)
      chart.draw(
        counted,
        this.bar?.figure === figure.key ? this.bar.bin : null,
        figure.key === "aer" ? this.aerText() : undefined,
      );
    this.headGrid?.draw(this.means, this.measure, this.shown.head, this.given.theme());
  }

  /** The alignment error rate of the text so far, by links of the same step and of the next one. */
  aerText() {
    const [same, next] = /** @type {(0 | 1)[]} */ ([0, 1]).map((shift) => alignment(this.sentences, this.shown, shift));
    return t(
      "AER {aer}, precision {precision}, recall {recall}; AER {shifted} if each word is linked by the weights of " +
        "the next step instead.",
      {
        aer: same.aer.toFixed(3),
        precision: percent(same.precision),
        recall: percent(same.recall),
        shifted: next.aer.toFixed(3),
      },
    );
  }

  /** Another text, or the same one anew. */
  begin() {
    this.sentences = [];
  }

  /** @param {Measured} sentence */
  add(sentence) {
    if (!this.sentences.length) this.buildFigures(sentence);
    this.sentences.push(sentence);
    this.countSentence(sentence);
  }

  /** All sentences are there, or as many as there will be. */
  end() {
    this.listExamples();
    this.draw();
  }

  /** The figures are those of other settings until the first sentence comes. */
  outdate() {
    this.ui.frame.inert = this.ui.save.hidden = true;
  }

  clear() {
    this.sentences = [];
    this.cards = [];
    this.headGrid = null;
    this.ui.frame.hidden = this.ui.save.hidden = true;
  }

  /** Take the choices from an address. @param {(name: string) => string | null} linked */
  fill(linked) {
    const attention = /** @type {Attention} */ (linked(NAMES.attention));
    this.shown = { attention: ATTENTIONS.includes(attention) ? attention : "cross", head: null };
    this.measure = MEASURES.find(({ key }) => key === linked(NAMES.measure)) ?? MEASURES[0];
    const [linkedKey, bin] = (linked(NAMES.bar) ?? "").split(".");
    const figure = FIGURES.find(({ key }) => key === linkedKey);
    this.bar =
      figure && /^\d{1,2}$/.test(bin) && Number(bin) < figure.bins.count
        ? { figure: figure.key, bin: Number(bin) }
        : null;
  }

  /** What of the address only a model can tell. @param {(name: string) => string | null} linked */
  fillHead(linked) {
    const [layer, head] = [NAMES.layer, NAMES.head].map((name) => indexIn(linked(name)));
    this.shown = {
      ...this.shown,
      head: headIndex(
        this.given.heads(this.shown.attention).map(([inLayer, number]) => ({ layer: inLayer, head: number })),
        { layer, head },
      ),
    };
  }

  /** The choices as entries of the address. @returns {Record<string, string | null>} */
  address() {
    const [layer, head] =
      this.shown.head === null ? [null, null] : this.given.heads(this.shown.attention)[this.shown.head].map(String);
    return {
      [NAMES.attention]: this.shown.attention === "cross" ? null : this.shown.attention,
      [NAMES.layer]: layer,
      [NAMES.head]: head,
      [NAMES.measure]: this.measure === MEASURES[0] ? null : this.measure.key,
      [NAMES.bar]: this.bar && `${this.bar.figure}.${this.bar.bin}`,
    };
  }
}
