// The layouts of the step and of the heatmap beside it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { barRows, isLabelled, layOut, lengthsOf, wordsIn } from "../../attn_core/browser/player/core/layout.js";
import { hitMap, layOutMap } from "../../attn_core/browser/player/core/map-layout.js";
import { near } from "../helpers/near.js";

const measure = (text, size) => 0.55 * size * text.length; // a letter is 0.55 of the font size wide
const sourceOf = (n) => Array.from({ length: n }, (_, s) => "Straßenbahn".slice(0, 2 + (s % 9)));
const targetOf = (n) => Array.from({ length: n }, (_, t) => "sidewalks".slice(0, 1 + (t % 8)));

const mapOf = (n, words, width, height) =>
  layOutMap({ width, height, u: 1, source: sourceOf(n), target: targetOf(words), measure });

test("labels and cells of the heatmap are within its width", () => {
  for (const n of [1, 12, 30]) {
    for (const width of [240, 900]) {
      const map = mapOf(n, 12, width, 300);
      const label = map.targets.right - map.targets.most;
      assert.ok(label >= 0 && label < map.left(0) && map.left(0) < map.left(n) && map.left(n) <= width);
      assert.ok(map.rowHeight >= 9);
      assert.equal(map.words !== null, map.col >= 9);
    }
  }
});

test("the heatmap is as high as there is room", () => {
  const [low, high] = [300, 600].map((height) => mapOf(12, 12, 900, height).height);
  assert.ok(low <= 300 && high > 300 && high <= 600);
});

test("a plain heatmap of many words fits where its target words do not", () => {
  const options = { width: 340, height: 240, u: 1.6, source: sourceOf(12), target: targetOf(29), measure };
  assert.ok(layOutMap(options).height > 240);
  assert.ok(layOutMap({ ...options, plain: true }).height <= 240);
});

test("a point of the heatmap belongs to a target word or a cell", () => {
  const map = mapOf(12, 9, 300, 300);
  const middle = (row) => map.y + (row + 0.5) * map.rowHeight;
  for (let row = 0; row < 9; row++) {
    assert.deepEqual(hitMap(map, map.x(11), middle(row)), { part: "map", row, column: 11 });
    assert.deepEqual(hitMap(map, map.targets.right, middle(row)), { part: "target", row });
  }
  const outside = [
    [map.left(12) + 1, middle(0)],
    [map.x(0), middle(9)],
    [map.x(0), map.y - 2],
  ];
  assert.deepEqual(
    outside.map(([x, y]) => hitMap(map, x, y)),
    [null, null, null],
  );
});

function assertLayout(width, n, farthest, vectors) {
  const rows = barRows({ bell: true, mode: "after_softmax" }); // those of local-p
  const geometry = layOut({ width, u: 1, v: 1, source: sourceOf(n), rows, farthest, measure, vectors, flow: true });
  const { words, states, query, bars, ruler, flow } = geometry;
  const parts = [words, states, query, ...bars, ruler, flow].filter(Boolean);
  const ends = parts.flatMap(({ y, h }) => [y, y + h]);
  assert.deepEqual(
    ends,
    [...ends].sort((a, b) => a - b),
  );
  assert.equal(parts.length, vectors ? 9 : 7);
  assert.ok(ends.at(-1) <= geometry.height);
  assert.ok(geometry.left(0) > 0 && geometry.left(0) < geometry.left(n) && geometry.left(n) <= geometry.zone.left);
  assert.ok(geometry.zone.left < geometry.zone.right);
  assert.equal(geometry.zone.right, geometry.content);
  assert.ok(geometry.content >= width - geometry.gutter);
  for (let s = 0; s < n; s++) near(geometry.place(geometry.x(s)), s);
}

test("the parts of a step follow each other and end in the context vector", () => {
  for (const width of [340, 960]) {
    for (const n of [1, 12, 40]) {
      for (const vectors of [false, true]) {
        for (const farthest of [0, n + 0.4]) assertLayout(width, n, farthest, vectors);
      }
    }
  }
});

test("labels do not touch and the strongest is among them", () => {
  for (const [every, strongest] of [
    [1, 4],
    [2, -1],
    [2, 5],
    [3, 4],
    [3, 9],
  ]) {
    const labelled = Array.from({ length: 10 }, (_, at) => at).filter((at) => isLabelled(at, strongest, every));
    assert.ok(strongest === -1 || labelled.includes(strongest));
    assert.ok(labelled.slice(1).every((after, at) => after - labelled[at] >= every));
    assert.ok(labelled.length >= 10 / every - 1);
  }
});

test("slanted words do not touch each other", () => {
  const widths = { word: 6, gloss: 0 };
  const lengths = { ...widths, column: widths, each: [{ ...widths, count: 1, after: 0.5 }] };
  for (const column of [12, 15, 19, 23, 30, 60]) {
    for (const u of [1, 1.6]) {
      const { font, every, angle } = wordsIn(column, lengths, u, false);
      assert.ok(font >= 14);
      assert.ok(every * column * Math.sin(angle) > 0.88 * font);
      assert.ok(every === 1 || (every - 1) * column < font);
    }
  }
});

test("slanted words end before the edge", () => {
  /** The room beyond the last of the columns of 30 pixels, by the widths of words relative to the font. */
  const leanOf = (...words) => {
    const widths = { word: Math.max(...words), gloss: 0 };
    const after = (s) => words.length - s - 0.5;
    const each = words.map((word, s) => ({ word, gloss: 0, after: after(s) }));
    const { lean, font, most, angle } = wordsIn(30, { ...widths, column: widths, each }, 1, false);
    const beyond = words.map((word, s) => Math.min(word * font, most) * Math.cos(angle) - after(s) * 30 + 4);
    near(lean, Math.max(...beyond, 0));
    return lean;
  };
  assert.ok(leanOf(1, 1, 5, 0.3) > 0); // a long word before a final full stop
  assert.equal(leanOf(5, 1, 1, 0.3), 0);
  assert.ok(leanOf(1, 1, 0.3, 5) > leanOf(1, 1, 5, 0.3));
});

test("a word of several pieces has the room of its columns", () => {
  const layOutWord = (text) => {
    const words = [
      { text: "am", first: 0, count: 1 },
      { text, first: 1, count: 2 },
    ];
    const halfWidth = (word, size) => 0.5 * size * word.length;
    const lengths = lengthsOf(["am", "kirch", "platz"], ["", "", ""], 1, halfWidth, words);
    return { angle: wordsIn(40, lengths, 1, false).angle, after: lengths.each[1].after };
  };
  // At 14 pixels a letter is 7 wide; each column has 40 - 6 = 34: up to 68 pixels, 9 letters, are upright.
  const fits = layOutWord("kirchplat");
  assert.deepEqual(fits, { angle: 0, after: 1 }); // its middle is between the two last columns
  assert.ok(layOutWord("kirchplatz").angle > 0);
});
