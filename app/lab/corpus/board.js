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
/** @import { Attention, Figure, HeadMeasure, Head, How, Measured, AttentionChoice, Tally } from "./types.d.ts" */

/**
 * What the figures need of their page.
 * @typedef {object} BoardPage
 * @property {(attention: Attention) => Head[]} headsOf the heads of the model
 * @property {() => { model: string, how: How }} measuredWith the model and the window of the sentences
 * @property {() => Theme} theme
 * @property {() => void} onChange the reader chose something that belongs in the address
 */

/** @type {Attention[]} */
const ATTENTIONS = ["cross", "encoder", "decoder"];
/** The names of the choices in the address. */
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
   * @param {BoardPage} page
   */
  constructor(ui, page) {
    this.ui = ui;
    this.page = page;
    this.names = {
      cross: t("cross-attention"),
      encoder: t("encoder self-attention"),
      decoder: t("decoder self-attention"),
    };
    /** @type {Measured[]} */
    this.sentences = [];
    /** @type {AttentionChoice} */
    this.choice = { attention: "cross", head: null };
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
      this.changeChoice({ attention: /** @type {Attention} */ (this.ui.attention.value), head: null }),
    );
    this.ui.head.addEventListener("change", () =>
      this.changeChoice({ head: this.ui.head.value === MEAN ? null : Number(this.ui.head.value) }),
    );
  }

  /** Build the figures that the text and the attention on show have. @param {Measured} first */
  buildFigures(first) {
    const { ui } = this;
    const attentions = ATTENTIONS.filter((attention) => first.weighed[attention]);
    if (!attentions.includes(this.choice.attention)) this.choice = { attention: "cross", head: null };
    const modelHeads = this.page.headsOf(this.choice.attention);
    if (this.choice.head !== null && !modelHeads[this.choice.head]) this.choice = { ...this.choice, head: null };
    this.offerChoices(attentions, modelHeads);
    this.cards = figuresOf(first, this.choice).map((figure) => ({
      figure,
      chart: new Chart(figure, this.choice.attention, (bin) => this.chooseBar(figure.key, bin)),
      tally: emptyTally(figure),
    }));
    const hasHeads = modelHeads.length > 1;
    const actions = {
      choose: (/** @type {number | null} */ head) => this.changeChoice({ head }),
      measure: (/** @type {HeadMeasure} */ measure) => this.chooseMeasure(measure),
    };
    this.headGrid = hasHeads ? buildHeadGrid(modelHeads, actions) : null;
    this.means = emptyMeans(hasHeads ? modelHeads.length : 0);
    refill(ui.grid, [...(this.headGrid ? [this.headGrid.root] : []), ...this.cards.map(({ chart }) => chart.root)]);
    ui.frame.hidden = ui.save.hidden = false;
    ui.frame.inert = false;
    this.examplesList = null;
  }

  /** Offer the attentions and the heads of the model. @param {Attention[]} attentions @param {Head[]} heads */
  offerChoices(attentions, heads) {
    const { ui } = this;
    const { attention, head } = this.choice;
    const attentionOptions = attentions.map((key) => /** @type {const} */ ([key, this.names[key]]));
    const headOptions = heads.map(([layer, number], i) => [String(i), headName({ layer, head: number })]);
    offerOptions(ui.attention, attentionOptions, attention);
    const options = [[MEAN, t("mean of all heads")], ...headOptions];
    offerOptions(ui.head, /** @type {[string, string][]} */ (options), head === null ? MEAN : String(head));
    ui.attentionChip.hidden = attentions.length < 2;
    ui.headChip.hidden = heads.length < 2;
    ui.choices.hidden = ui.attentionChip.hidden && ui.headChip.hidden;
  }

  /** @param {HeadMeasure} measure */
  chooseMeasure(measure) {
    this.measure = measure;
    this.means = emptyMeans(this.means.length);
    for (const sentence of this.sentences) countHeads(this.means, this.measure, sentence, this.choice.attention);
    this.draw();
    this.page.onChange();
  }

  /** @param {Measured} sentence */
  countSentence(sentence) {
    for (const { tally, figure } of this.cards) countFigure(tally, figure, sentence, this.choice);
    countHeads(this.means, this.measure, sentence, this.choice.attention);
  }

  /** Another attention or head. @param {Partial<AttentionChoice>} change */
  changeChoice(change) {
    this.choice = { ...this.choice, ...change };
    this.page.onChange();
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
    this.page.onChange();
  }

  /** Show what is in the chosen bar below its figure. */
  listExamples() {
    this.examplesList?.remove();
    this.examplesList = null;
    const chosen = this.bar;
    const card = this.cards.find(({ figure }) => figure.key === chosen?.figure);
    if (!card || !chosen) return;
    const examples = examplesIn(card.figure, this.sentences, this.choice, chosen.bin);
    const heads = this.page.headsOf(this.choice.attention);
    const context = { ...this.page.measuredWith(), choice: this.choice, heads, path: location.pathname };
    const close = () => this.chooseBar(chosen.figure, chosen.bin);
    this.examplesList = buildExamples(card.figure, chosen.bin, examples, context, close);
    card.chart.root.after(this.examplesList);
  }

  draw() {
    for (const { figure, chart, tally } of this.cards) {
      const chosenBin = this.bar?.figure === figure.key ? this.bar.bin : null;
      chart.draw(tally, chosenBin, figure.key === "aer" ? this.aerText() : undefined);
    }
    this.headGrid?.draw(this.means, this.measure, this.choice.head, this.page.theme());
  }

  /** The alignment error rate of the text so far, by links of the same step and of the next one. */
  aerText() {
    const [same, next] = /** @type {(0 | 1)[]} */ ([0, 1]).map((shift) =>
      alignment(this.sentences, this.choice, shift),
    );
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

  /** Start with another text, or with the same one again. */
  begin() {
    this.sentences = [];
  }

  /** @param {Measured} sentence */
  add(sentence) {
    if (!this.sentences.length) this.buildFigures(sentence);
    this.sentences.push(sentence);
    this.countSentence(sentence);
  }

  /** Show everything that was measured. */
  end() {
    this.listExamples();
    this.draw();
  }

  /** Disable the figures, which are those of other settings, until the first sentence comes. */
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
  readAddress(linked) {
    const attention = /** @type {Attention} */ (linked(NAMES.attention));
    this.choice = { attention: ATTENTIONS.includes(attention) ? attention : "cross", head: null };
    this.measure = MEASURES.find(({ key }) => key === linked(NAMES.measure)) ?? MEASURES[0];
    const [linkedKey, bin] = (linked(NAMES.bar) ?? "").split(".");
    const figure = FIGURES.find(({ key }) => key === linkedKey);
    this.bar =
      figure && /^\d{1,2}$/.test(bin) && Number(bin) < figure.bins.count
        ? { figure: figure.key, bin: Number(bin) }
        : null;
  }

  /** Take the head from an address, as far as the model has it. @param {(name: string) => string | null} linked */
  readAddressForModel(linked) {
    const [layer, head] = [NAMES.layer, NAMES.head].map((name) => indexIn(linked(name)));
    const heads = this.page.headsOf(this.choice.attention);
    const named = heads.map(([modelLayer, modelHead]) => ({ layer: modelLayer, head: modelHead }));
    this.choice = { ...this.choice, head: headIndex(named, { layer, head }) };
  }

  /** The choices as entries of the address. @returns {Record<string, string | null>} */
  address() {
    const [layer, head] =
      this.choice.head === null ? [null, null] : this.page.headsOf(this.choice.attention)[this.choice.head].map(String);
    return {
      [NAMES.attention]: this.choice.attention === "cross" ? null : this.choice.attention,
      [NAMES.layer]: layer,
      [NAMES.head]: head,
      [NAMES.measure]: this.measure === MEASURES[0] ? null : this.measure.key,
      [NAMES.bar]: this.bar && `${this.bar.figure}.${this.bar.bin}`,
    };
  }
}
