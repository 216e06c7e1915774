// Maps of a translation over two settings: their regions, and the settings of their cells.

import assert from "node:assert/strict";
import { test } from "node:test";

import { searchChart, windowChart } from "../../app/explorer/atlas/charts.js";
import { borders, flipped, letter, outward, regions } from "../../app/explorer/atlas/regions.js";
import { data } from "../helpers/data.js";

/** A translation of one word for each letter; a dot: not there yet. */
const translationsOf = (texts) => [...texts].map((text) => (text === "." ? null : { text, words: [text], score: -1 }));

test("the translation of the page comes first, then the most frequent", () => {
  const found = regions(translationsOf("xyyyzz.x"), "z").map(({ letter: name, text, places }) => [name, text, places]);
  assert.deepEqual(found, [
    ["A", "z", [4, 5]],
    ["B", "y", [1, 2, 3]],
    ["C", "x", [0, 7]],
  ]);
});

test("letters go on after Z", () => {
  assert.deepEqual(
    [0, 25, 26, 27, 51, 52].map((place) => letter(place)),
    ["A", "Z", "AA", "AB", "AZ", "BA"],
  );
});

// In a map of two rows and three columns; not at its edge, nor beside a cell that is not there yet.
test("a border is where two translations meet", () => {
  const translations = translationsOf("xyxxz.");
  const sides = translations.map((_, place) =>
    Object.entries(borders(translations, place, 3))
      .filter(([, isBorder]) => isBorder)
      .map(([side]) => side),
  );
  assert.deepEqual(sides, [["right"], ["right", "bottom", "left"], ["left"], ["right"], ["top", "left"], []]);
});

test("the nearest settings are translated first", () => {
  const order = outward(9, 3, 4);
  assert.equal(order[0], 4);
  assert.deepEqual(order.slice(1, 5).sort(), [1, 3, 5, 7]);
  assert.deepEqual([...order].sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test("the words that another translation does not have are marked", () => {
  const [one, other] = [
    ["a", "man", "is", "holding", "it"],
    ["a", "girl", "is", "trying", "it"],
  ];
  assert.deepEqual(flipped(one, other), [false, true, false, true, false]);
});

const WINDOWS = windowChart("local-p", data.windows);
const SEARCHES = searchChart(data.windows);
const differentRests = (chart, allSettings) =>
  new Set(allSettings.map((settings) => JSON.stringify(chart.rest({ settings })))).size;

test("a map belongs to the edits and replaced words of the translation", () => {
  const edit = { kind: "word", step: 0, word: "dog" };
  for (const chart of [WINDOWS, SEARCHES]) {
    assert.equal(differentRests(chart, [{}, { edits: [edit] }, { replace_unk: true }]), 3);
  }
});

test("a map of searches belongs to the window, and one of windows does not", () => {
  const allSettings = [1, 2].map((width) => ({ window: "local-p", half_width: width, sigma: width / 2 }));
  assert.equal(differentRests(WINDOWS, allSettings), 1);
  assert.equal(differentRests(SEARCHES, allSettings), 2);
});

test("a translation that is not on the map has no place there", () => {
  const placeOf = (chart, settings) => chart.places({ source: [..."abc"], settings }).current;
  const window = { half_width: 2, sigma: "0.5" };
  assert.equal(placeOf(WINDOWS, window), 29);
  for (const change of [{ centers: { 0: 1.5 } }, { sigma: "0.55" }, { half_width: 3 }]) {
    assert.equal(placeOf(WINDOWS, { ...window, ...change }), -1);
  }
  assert.ok(placeOf(SEARCHES, { beam: 2, normalise: "length" }) > 0);
  assert.ok(placeOf(SEARCHES, { beam: 7, normalise: "length" }) < 0);
});

// Its columns are the first whole-number setting, its rows the first real-valued one; its texts are theirs.
test("the map of a window is made from its live settings", () => {
  const live = [
    { name: "slope", symbol: "k", meaning: "how steep the edge is", whole: false, least: 0.3, most: 2 },
    { name: "left", symbol: "L", meaning: "words before", label: "Words before", whole: true, least: 1 },
    { name: "right", symbol: "R", meaning: "words after", whole: true, least: 0, most: 100 },
  ].map((setting) => ({ multiple: null, nullable: false, most: null, ...setting }));
  const chart = windowChart("own", { own: { live } });
  const trace = { source: [..."abc"], settings: { window: "own", slope: 0.4, left: 2, right: 7, centers: null } };
  assert.equal(chart.title, "Map of windows: the translation for each L and k");
  assert.deepEqual(chart.axes, ["Rows: how steep the edge is", "Columns: Words before"]);
  assert.deepEqual(chart.names, ["k", "L"]);
  const rows = [2, 1.8, 1.6, 1.4, 1.2, 1, 0.8, 0.6, 0.4];
  assert.deepEqual(chart.places(trace), { rows, columns: [1, 2, 3], current: 25 });
  assert.deepEqual(chart.request(0.4, 3), { slope: 0.4, left: 3, centers: null });
  const action = { type: "window set", window: "own", live: { slope: 0.4, left: 3, right: 7 }, centers: null };
  assert.deepEqual(chart.action(0.4, 3, trace), action);
});

test("a window without a whole and a real setting has no map", () => {
  assert.equal(windowChart("global", data.windows), null);
  assert.equal(windowChart(null, data.windows), null);
});
