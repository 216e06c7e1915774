// Glosses of the source words in the player.

import assert from "node:assert/strict";
import { test } from "node:test";

import { glossOf } from "../../attn_core/browser/player/core/pieces.js";
import { fitOrDrop } from "../../attn_core/browser/player/draw/text.js";

test("several sentences have the glosses of each", () => {
  const known = { "ein hund .": ["a", "dog", ""], "ja !": ["yes", ""] };
  const glosses = (source) => glossOf(source.split(" "), known);
  assert.deepEqual(glosses("ein hund . </s>"), ["a", "dog", "", ""]);
  assert.deepEqual(glosses("ein hund . ja ! ein hund ."), ["a", "dog", "", "yes", "", "a", "dog", ""]);
  assert.deepEqual(glosses("ja ! eine katze . </s>"), ["yes", "", "", "", "", ""]); // none of the unknown sentence
  assert.equal(glosses("eine katze . ein hund"), undefined);
});

test("a gloss is cut to its room, but not to one or two letters", () => {
  const pen = { font: "", measureText: (text) => ({ width: 10 * text.length }) };
  const cut = [50, 49, 40, 39, 0].map((room) => fitOrDrop(pen, "catch", room));
  assert.deepEqual(cut, ["catch", "cat…", "cat…", "", ""]);
  assert.equal(fitOrDrop(pen, "to", 20), "to");
});

test("pieces and unescaped tokens have the glosses of their words, at the first piece", () => {
  const known = { "the dog &apos;s ball .": ["D", "H", "G", "B", ""] };
  for (const source of ["▁the ▁do g ▁&apos;s ▁ball .", "the do ·g 's ball ·.", "▁the ▁do g 's ▁ball. </s>"]) {
    assert.deepEqual(glossOf(source.split(" "), known).slice(0, 6), ["D", "H", "", "G", "B", ""], source);
  }
});
