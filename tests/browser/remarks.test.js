// What a page says of a sentence: the remarks on it, why it is not translated, and which model may read it better.

import assert from "node:assert/strict";
import { test } from "node:test";

import { betterModel } from "../../app/explorer/settings/better.js";
import { refusal, remarks } from "../../attn_core/browser/widget/remarks.js";

const MODEL = { languages: ["German", "English"] };

function answerOf(target = "a dog </s>", { known = ["ein"], unknown = [], swapped = false, source = "ein" } = {}) {
  return { trace: { source: source.split(" "), target: target.split(" ") }, reading: { known, unknown, swapped } };
}
const read = (known, unknown) => answerOf(undefined, { known: [...known], unknown });

for (const [name, text, answer, remark] of [
  ["a sentence of the model", "Ein Hund.", answerOf(), ""],
  [
    "a sentence in the target language",
    "A dog.",
    answerOf(undefined, { swapped: true, unknown: ["dog"] }),
    "This looks like English. The model translates German into English, so expect nonsense.",
  ],
  [
    "mostly unknown words",
    "der blimblam quxquax",
    read(["der"], ["blimblam", "quxquax"]),
    "2 of 3 words are not in the model's vocabulary (“blimblam”, “quxquax”) and are read as <unk>. Expect a poor " +
      "translation.",
  ],
  [
    "an unknown word",
    "Ein Blimblam tanzt",
    read(["ein", "tanzt"], ["blimblam"]),
    "Not in this model's vocabulary and read as <unk>: “blimblam”",
  ],
  ["an unknown word, twice", "a a b", read("abc", ["a", "a", "b"]), "vocabulary and read as <unk>: “a”, “b”"],
  [
    "long unknown words",
    "x",
    read("abc", ["x".repeat(41), "y".repeat(40)]),
    `“${"x".repeat(39)}…”, “${"y".repeat(40)}”`,
  ],
  ["many unknown words", "x", read("abcdefghijkl", [..."abcdefghi"]), "“h” and 1 more"],
  [
    "a translation without an end",
    "Ein Hund.",
    answerOf("a dog"),
    "The translation was cut off after 2 words, the limit for this source sentence.",
  ],
  ["pieces without an end", "Ein Hund.", answerOf("▁a dog"), "cut off after 2 word pieces"],
  ["a word in pieces", "Ein Hund.", answerOf("▁a ▁do g ▁. </s>"), "A dot marks a word piece that continues a word."],
  ["pieces that are words", "Ein Hund.", answerOf("▁a ▁dog ▁. </s>"), ""],
  [
    "a source word in pieces",
    "Ein Hund.",
    answerOf("▁a ▁dog ▁. </s>", { source: "▁ein ▁hu nd </s>" }),
    "A dot marks a word piece",
  ],
  ["two sentences", "Ein Hund läuft. Eine Katze schläft.", answerOf(), "This looks like several sentences."],
  [
    "a full stop inside a word",
    "Ein Hund läuft. Eine Katze schläft.",
    answerOf(undefined, { source: "ein hund läuft. eine katze schläft ." }),
    "A full stop inside the text is read as part of the word before it.",
  ],
  ["a full stop at the end", "Ein Hund läuft.", answerOf(), ""],
  ["an abbreviation", "Ein Hund, z. B. dieser, läuft.", answerOf(), ""],
  ["an ordinal", "Um 3. Platz kämpfen sie !", answerOf(), ""],
]) {
  test(`the remark on ${name}`, () => {
    const found = remarks(text, answer, MODEL);
    assert.ok(found.includes(remark), found);
    assert.equal(Boolean(found), Boolean(remark), found);
  });
}

test("two sentences are nothing odd to a model of several", () => {
  assert.equal(remarks("Ein Hund läuft. Eine Katze schläft.", answerOf(), { ...MODEL, joined: true }), "");
});

test("a refusal names the limit and its unit", () => {
  for (const [words, most, unit, said] of [
    [61, 60, "words", "This sentence has 61 words; the limit is 60."],
    [2, 60, "words", "This text contains punctuation but no words."],
    [0, 60, "words", "Type a sentence to translate it."],
    [61, 60, "characters", "This sentence has 61 characters; the limit is 60."],
    [301, 300, "pieces", "This sentence has 301 word pieces; the limit is 300."],
  ])
    assert.equal(refusal({ words, most, unit }), said);
});

const [GERMAN, FRENCH] = [
  ["German", "English"],
  ["English", "French"],
];
const MODELS = [
  { languages: FRENCH, point: { corpus: "everyday" } },
  { languages: GERMAN, point: { corpus: "captions" } },
  { languages: GERMAN, point: { corpus: "everyday" } },
  { languages: GERMAN, point: { corpus: "captions" }, joined: true },
  { languages: GERMAN },
];
const NONE = { place: -1, reason: "", label: "" };
const ASKED = "The model was trained on image captions, which are hardly ever questions: expect a worse translation.";
const UNSURE = "The model is unsure of this translation.";

/** The index of the offered model; -1 for a reason without a model, -2 without a reason. `sure`: p of each word. */
function offered(known, unknown, options = {}) {
  const { current = 1, sure = [0.9], text = "x", asTrained = true, swapped = false, models = MODELS } = options;
  const reading = { known: Array(known).fill("a"), unknown: Array(unknown).fill("b"), swapped };
  const trace = { steps: sure.map((p) => ({ log_prob: Math.log(p) })) };
  const better = betterModel(text, { reading, trace }, models, current, [], asTrained);
  const isNone = JSON.stringify(better) === JSON.stringify(NONE);
  const hasReason = !isNone && 3 * unknown <= known + unknown; // else the unknown words are the reason
  assert.equal(better.reason, hasReason ? (text.includes("?") ? ASKED : UNSURE) : "");
  assert.equal(Boolean(better.label), better.place >= 0);
  return isNone ? -2 : better.place;
}

test("a model for everyday text is offered where the current one knows few words", () => {
  assert.deepEqual([offered(2, 0), offered(2, 1), offered(1, 1), offered(0, 1)], [-2, -2, 2, 2]);
  for (const asTrained of [true, false]) assert.equal(offered(1, 1, { sure: [0.1], asTrained }), 2);
  assert.equal(offered(0, 1, { swapped: true }), -2); // it reads the same language, and none reads the other one
  assert.equal(offered(0, 1, { current: 3 }), -2); // a model of several sentences has other reasons
  assert.equal(offered(0, 1, { current: 2 }), -2); // no better one, and the unknown words are named anyway
  assert.deepEqual(
    ["Привет мир", "Привет Max"].map((text) => offered(0, 2, { text })),
    [-2, 2],
  );
});

test("a model for everyday text is offered where the current one is unsure", () => {
  assert.deepEqual(
    [0.137, 0.135].map((p) => offered(3, 0, { sure: [0.9, p] })),
    [-2, 2],
  ); // geometric mean about 0.35
  assert.equal(offered(3, 0, { sure: [0.1], asTrained: false }), -2); // it may be the window that makes it unsure
  assert.equal(offered(3, 0, { sure: [0.1], text: "Ein Hund. Eine Katze." }), -2); // or there are several sentences
  assert.deepEqual(
    [0.4, 0.3].map((p) => offered(3, 0, { current: 2, sure: [p] })),
    [-2, -1],
  );
  assert.equal(offered(3, 0, { current: 4, sure: [0.3] }), 2);
});

test("a model for everyday text is offered for a question to a model of captions", () => {
  assert.deepEqual(
    ["Wo ist er? ", "Wo? Dort."].map((text) => offered(3, 0, { text })),
    [2, -2],
  );
  assert.equal(offered(3, 0, { current: 2, text: "Wo ist er?" }), -2); // it knows questions
  const models = [...MODELS.slice(1), { languages: FRENCH, point: { corpus: "captions" } }];
  assert.deepEqual(
    ["Where?", "Here."].map((text) => offered(3, 0, { current: 4, text, models })),
    [-1, -2],
  );
  assert.equal(offered(3, 0, { current: 4, text: "Wo ist er?" }), -2); // its text is not known: it may have questions
});

test("of several models for everyday text the most similar one is offered", () => {
  const points = [
    ["captions", "dot"],
    ["everyday", "general"],
    ["everyday", "dot"],
  ];
  const models = points.map(([corpus, score]) => ({ languages: GERMAN, point: { corpus, score } }));
  const axes = ["corpus", "score"].map((name) => ({ name, chip: true, values: [] }));
  const answer = { reading: { known: [], unknown: ["a"] }, trace: null };
  for (const [current, place] of [
    [models[0], 2],
    [models[1], -1],
    [{ languages: GERMAN }, 1],
  ]) {
    assert.equal(betterModel("x", answer, [current, ...models.slice(1)], 0, axes, true).place, place);
  }
});

test("a text in another language is offered the most similar model that reads it", () => {
  const models = [
    ["one", "de-en", "general"],
    ["two", "en-de", "concat"],
    ["three", "en-de", "general"],
    ["four", "en-fr", "general"],
    ["five", "zh-en", "general"],
  ].map(([name, pair, score]) => ({ name, languages: pair.split("-"), point: { pair, score } }));
  const values = { pair: ["de-en", "en-de", "en-fr", "zh-en"], score: ["general", "concat"] };
  const axes = Object.entries(values).map(([name, all]) => ({
    name,
    chip: true,
    values: all.map((value) => [value, value]),
  }));
  const offer = (current, { swapped = true, text = "A dog." } = {}) => {
    const answer = { reading: { known: [], unknown: ["a"], swapped }, trace: null };
    return betterModel(text, answer, models, current, axes, true);
  };
  assert.deepEqual(offer(0), { place: 2, reason: "", label: "Try three (en → de)" });
  assert.deepEqual(
    [1, 2, 3].map((current) => offer(current).place),
    [0, 0, -1],
  ); // none reads French
  assert.equal(offer(4).place, 2); // none writes Chinese, but it reads English
  assert.equal(offer(0, { swapped: false }).place, -1);
  const chinese = { swapped: false, text: "一只狗在跑。" };
  assert.deepEqual(
    [0, 3, 4].map((current) => offer(current, chinese).place),
    [4, 4, -1],
  );
  for (const text of ["Was heißt 中 ?", "犬が走っている"]) assert.equal(offer(0, { swapped: false, text }).place, -1);
});
