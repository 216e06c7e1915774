// What the player says of the window and the edits of a run.

import assert from "node:assert/strict";
import { test } from "node:test";

import { editsText, windowText } from "../../attn_core/browser/player/core/interventions.js";
import { data } from "../helpers/data.js";

const settingsOf = (window, live = {}, centers = null) => ({ window, live, centers, keep: false });
const TRAINED = settingsOf("local-p", { half_width: 2, sigma: null });
const say = (now, trained = now) => windowText(now, trained, data.windows);

test("a window as trained is described", () => {
  for (const [settings, words] of [
    [settingsOf("global"), "attention to every source word"],
    [settingsOf("local-m", { half_width: 2, sigma: null }), "one word per step"],
    [TRAINED, "predicts"],
    [settingsOf("lopsided", { left: 1, right: 2 }), "words before p"], // the docstring of a class of one's own
  ])
    assert.ok(say(settings).includes(words), say(settings));
  assert.equal(say(settingsOf("spiral")), "spiral, as trained."); // one that is not known
});

test("another window than the trained one names that, with its values", () => {
  const wider = settingsOf("local-p", { half_width: 4, sigma: null });
  assert.equal(say(wider, TRAINED), "Intervention: trained with local-p, D = 2, σ = 1.");
  const lopsided = settingsOf("lopsided", { left: 1, right: 3 });
  assert.equal(say(TRAINED, lopsided), "Intervention: trained with lopsided, L = 1, R = 3.");
  assert.equal(say(TRAINED, settingsOf("global")), "Intervention: the model was trained without a window.");
});

test("centres and edits that were set by hand are counted", () => {
  const moved = (centers) => say({ ...TRAINED, centers }, TRAINED);
  assert.equal(moved({ 1: 2.5 }), "Intervention: p_{t} of 1 step is set by hand.");
  assert.equal(moved({ 1: 2.5, 3: 0 }), "Intervention: p_{t} of 2 steps is set by hand.");
  assert.deepEqual([0, 1, 2].map(editsText), ["", "intervention: 1 edit", "intervention: 2 edits"]);
});
