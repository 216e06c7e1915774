// The Corpus page by hand: figures, examples and their addresses, heads, CSV, alignment scores, and files of text.

import assert from "node:assert/strict";
import { test } from "node:test";

import { csvOf } from "../../../app/lab/corpus/csv.js";
import { addressOf } from "../../../app/lab/corpus/examples.js";
import { binOf, countFigure, emptyTally, examplesIn, FIGURES, spread } from "../../../app/lab/corpus/figures.js";
import { countHeads, emptyMeans, MEASURES } from "../../../app/lab/corpus/heads.js";
import { attentionRows } from "../../../app/lab/corpus/rows.js";
import { readText } from "../../../app/lab/corpus/text.js";
import { alignmentScores } from "../../../attn_core/browser/engine/measures.js";
import { sum } from "../../../attn_core/browser/engine/vectors.js";
import { near } from "../../helpers/near.js";

const CROSS = { attention: "cross", head: null };

/** A measured sentence with these weights, by [row][column]; with several heads the rows of a step follow in turn. */
function makeSentence(number, text, target, rows, { heads = 1, isListed = true, local } = {}) {
  const source = text.toLowerCase().match(/[a-z]+|\./g);
  const kinds = ["function", "content", "punctuation"].slice(0, source.length);
  const weights = { rows: rows.length / heads, heads, columns: source.length, weights: Float32Array.from(rows.flat()) };
  return {
    line: { number, text },
    forced: null,
    kinds: { source: kinds, inputs: [] },
    listed: { source: isListed, inputs: isListed },
    weighed: { source, target, unknown: [], decoder: null, encoder: null, cross: weights, ...(local && { local }) },
  };
}

// Two steps over three words, and one step over two words.
const ROWS = [
  [0.5, 0.5, 0],
  [0, 0.25, 0.75],
];
const makeFirst = (rows = ROWS, more = {}) => makeSentence(1, "Der Hund.", ["a", "dog"], rows, more);
const makeSecond = (more = {}) => makeSentence(2, 'Ein "Hund', ["cat"], [[0.25, 0.75]], more);
const BOTH = [makeFirst(), makeSecond()];

const figureOf = (key) => FIGURES.find((figure) => figure.key === key);

function tallyOf(key, sentences = BOTH) {
  const figure = figureOf(key);
  const tally = emptyTally(figure);
  for (const sentence of sentences) countFigure(tally, figure, sentence, CROSS);
  return { ...tally, finding: figure.finding(tally) };
}

// s - t: 0.5 + 0.25 + 0.25 on 0, 0.5 + 0.75 + 0.75 on +1, none elsewhere; uniform: 2/3 + 1/2 on 0.
test("weight is counted by distance", () => {
  const { bars, marks, finding } = tallyOf("distance");
  near(bars.slice(7, 11), [0, 1, 2, 0]);
  near(sum(bars), 3);
  near(marks.slice(7, 11), [1 / 3, 2 / 3 + 1 / 2, 2 / 3 + 1 / 2, 1 / 3]);
  assert.ok(finding.startsWith("100% of the weight"));
});

test("entropy is counted by step, beside that of uniform weights", () => {
  const tally = tallyOf("entropy");
  const skewed = -0.25 * Math.log(0.25) - 0.75 * Math.log(0.75);
  const nats = Math.log(2) + 2 * skewed; // 0.69 + 2 · 0.56
  assert.equal(tally.bars[2], 3);
  near(tally.sum, nats);
  near(tally.markSum, 2 * Math.log(3) + Math.log(2));
  assert.ok(tally.finding.includes((nats / 3).toFixed(2)));
});

test("the largest entropy is that of uniform weights", () => {
  near(spread(Float32Array.from([0.1, 0.1, 0.1, 0.1])), Math.log(4));
  assert.equal(spread(Float32Array.from([0, 0])), null);
});

// 0.5, 0.75, 0.75 and 0.25, 0.75: mean 0.6, standard deviation 0.2.
test("coverage is counted by word", () => {
  const { bars, finding } = tallyOf("coverage");
  assert.deepEqual(bars.slice(0, 4), [0, 1, 1, 3]);
  assert.ok(finding.includes("0.60 on average"));
  assert.ok(finding.includes("0.20"));
});

test("weight is counted by kind of word", () => {
  const { bars, marks } = tallyOf("kinds");
  near(bars, [0.75, 1.5, 0.75, 0, 0]);
  near(marks, [2 / 3 + 1 / 2, 2 / 3 + 1 / 2, 2 / 3, 0, 0]);
});

test("a window is counted where there is one", () => {
  assert.equal(tallyOf("lost").amount, 0);
  const numbers = { centers: [1.4, 1.5], lost: [0.3, 0], outside: [0.05, 1] };
  const local = Object.fromEntries(Object.entries(numbers).map(([name, all]) => [name, Float32Array.from(all)]));
  const barsOf = (key) => tallyOf(key, [makeFirst(ROWS, { local })]).bars;
  assert.deepEqual(barsOf("lost"), [1, 0, 0, 1, 0, 0, 0, 0, 0, 0]); // 0.3 belongs to 0.3 to 0.4
  assert.deepEqual(barsOf("outside"), [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  assert.deepEqual(barsOf("gap").slice(0, 4), [0, 1, 1, 0]); // |1.4 - 0| in 1 to 1.5, |1.5 - 2| in 0.5 to 1
});

test("a value on the edge of two bars belongs to the upper one", () => {
  const bins = { from: 0, width: 0.1, count: 10 };
  const values = [0, 0.3, 0.299, 1, -0.01]; // 0.3 / 0.1 is below 3
  assert.deepEqual(
    values.map((value) => binOf(bins, value)),
    [0, 3, 2, 9, 0],
  );
});

test("examples of a bar are sorted by the measure", () => {
  const examples = examplesIn(FIGURES[0], BOTH, CROSS, 9);
  assert.deepEqual(
    examples.map(({ amount, row, sentence }) => [amount, row, sentence.line.number]),
    [
      [0.75, 1, 1],
      [0.75, 0, 2],
      [0.5, 0, 1],
    ],
  );
  assert.deepEqual(examplesIn(FIGURES[0], BOTH, CROSS, 0), []);
});

test("an example opens its sentence, model and step", () => {
  const example = { sentence: { line: { text: "Der Hund & die Katze" } }, row: 3 };
  const heads = [
    [0, 0],
    [0, 1],
  ];
  const addressWith = (how, attention) =>
    addressOf(example, { model: "m", how, choice: { attention, head: 1 }, heads, path: "/below/corpus.html" });
  const [page, query] = addressWith({ half_width: 2 }, "cross").split("?");
  assert.equal(page, "./");
  const { text } = example.sentence.line;
  const entries = { text, model: "m", step: "3", layer: "0", head: "1", D: "2" };
  assert.deepEqual(Object.fromEntries(new URLSearchParams(query)), entries);
  const ofHeads = addressWith({}, "encoder");
  assert.ok(ofHeads.startsWith("heads.html?heads_text=Der+Hund"));
  assert.ok(ofHeads.includes("heads_attention=encoder&heads_layer=0&heads_head=1"));
});

// Two heads of one step: all weight on the previous position, and all on the next one.
test("heads are measured by themselves and shown as their mean", () => {
  const [left, right] = [
    [1, 0, 0],
    [0, 0, 1],
  ];
  const sentence = makeFirst([left, right, left, right], { heads: 2 });
  const meansOf = (key) => {
    const means = emptyMeans(2);
    const measure = MEASURES.find((one) => one.key === key);
    countHeads(means, measure, sentence, "cross");
    return means.map(({ sum, rows }) => [sum, rows]);
  };
  assert.deepEqual(
    meansOf("previous"),
    [1, 0].map((total) => [total, 1]),
  ); // step 0 has no previous one
  assert.deepEqual(
    meansOf("last"),
    [0, 2].map((total) => [total, 2]),
  );
  assert.deepEqual(
    meansOf("distance"),
    [0 + 1, 2 + 1].map((total) => [total, 2]),
  );
  const rows = attentionRows(sentence, CROSS).rows.map((row) => [...row]);
  assert.deepEqual(rows, Array(2).fill([0.5, 0, 0.5]));
});

/** The lines of the CSV of sentences, by column. */
function csvLines(sentences) {
  const rows = csvOf(sentences, CROSS)
    .trim()
    .split("\n")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
      ),
    );
  return rows.slice(1).map((row) => Object.fromEntries(rows[0].map((name, column) => [name, row[column]])));
}

test("the CSV has a line for each step", () => {
  const lines = csvLines(BOTH.toReversed());
  assert.deepEqual(
    lines.map(({ line, row, word, largest_word }) => [line, row, word, largest_word]),
    [
      ["1", "0", "a", "der"],
      ["1", "1", "dog", "."],
      ["2", "0", "cat", "hund"],
    ],
  );
  assert.equal(lines[2].sentence, 'Ein "Hund');
  assert.deepEqual(
    lines.map(({ mean_distance }) => Number(mean_distance)),
    [0.5, 0.75, 0.75],
  );
  near(Number(lines[0].entropy_nats), Math.log(2));
  assert.deepEqual([lines[0].p_t, lines[0].weight_function, lines[0].sentence_aer], ["", "0.5", ""]);
});

// A Gaussian takes weight from a row, or all of it.
test("the mean distance in the CSV is that of a unit of weight", () => {
  const rows = [
    [0.25, 0.25, 0],
    [0, 0, 0],
  ];
  assert.deepEqual(
    csvLines([makeFirst(rows)]).map(({ weight_sum, mean_distance }) => [weight_sum, mean_distance]),
    [
      ["0.5", "0.5"],
      ["0", ""],
    ],
  );
});

test("kinds are not counted without a list of function words", () => {
  const unlisted = [makeFirst(ROWS, { isListed: false }), makeSecond({ isListed: false })];
  assert.equal(tallyOf("kinds", unlisted).amount, 0);
  const [{ weight_function, weight_punctuation }] = csvLines(unlisted);
  assert.deepEqual([weight_function, weight_punctuation], ["", "0"]);
});

// |A| = 3, |S| = 2, one sure and two possible hits: AER = 1 - (1 + 2) / (3 + 2).
test("alignment scores", () => {
  const pair = { sure: ["00", "11"], possible: ["21"], links: ["00", "21", "33", "33"] };
  const links = Object.entries(pair).map(([name, all]) => [name, all.map((link) => [...link].map(Number))]);
  const { aer, links: count, possible, precision, recall } = alignmentScores([Object.fromEntries(links)]);
  near([aer, count, possible, precision, recall], [1 - 3 / 5, 3, 3, 2 / 3, 0.5]);
  const none = { links: 0, sure: 0, possible: 0, sureHits: 0, possibleHits: 0, aer: 0, precision: 1, recall: 1 };
  assert.deepEqual(alignmentScores([]), none);
});

const read = (text) => readText("my.txt", typeof text === "string" ? new TextEncoder().encode(text) : text);

test("a file is read line by line", () => {
  const { lines, more, long } = read("\ufeffEins.\r\n\r\n  Zwei.\n");
  assert.deepEqual(lines, [
    { number: 1, text: "Eins." },
    { number: 3, text: "Zwei." },
  ]);
  assert.deepEqual([more, long], [0, []]);
});

test("lines beyond the limits are counted", () => {
  const { lines, more, long } = read(["x".repeat(1001), ...Array(1004).fill("Ein Hund.")].join("\n"));
  assert.deepEqual([lines.length, more], [999, 5]);
  assert.deepEqual(
    long.map(({ number }) => number),
    [1],
  );
});

test("a file that cannot be used is named, and what to choose", () => {
  const [noText, noUnicode] = ["my.txt has no text", "my.txt is not UTF-8 text"];
  for (const [content, message] of [
    ["", noText],
    [" \n\n", noText],
    [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0), noUnicode], // a picture
    ["a\0b", noUnicode],
    [Uint8Array.from(Buffer.from("Mädchen", "latin1")), noUnicode],
    ["x".repeat(2_000_001), "my.txt is 2.0 MB; the limit is 2 MB"],
  ])
    assert.throws(
      () => read(content),
      ({ message: said }) => said.startsWith(message) && said.includes("Choose"),
    );
});
