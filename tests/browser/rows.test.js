// What the player draws is what a trace records: its rows, windows and Gaussians, and the settings of its window.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heat } from "../../attn_core/browser/player/core/heat.js";
import { barRows } from "../../attn_core/browser/player/core/layout.js";
import { clearestHeadIndex } from "../../attn_core/browser/player/core/looks.js";
import { isHard, recordedRows, shapeOf } from "../../attn_core/browser/player/core/rows.js";
import {
  decodedWith,
  narrowWindow,
  rangeOf,
  trainedWith,
  windowChoice,
} from "../../attn_core/browser/player/core/settings.js";
import { sum } from "../../attn_core/browser/engine/vectors.js";
import { data } from "../helpers/data.js";
import { near } from "../helpers/near.js";

const { windows, trained } = data;

test("the rows are those of the record", () => {
  for (const trace of data.grid) {
    const [rows, { local, bell, width }] = [recordedRows(trace, 1), shapeOf(trace, 1)];
    assert.equal(rows.length, trace.steps.length);
    trace.steps.forEach(({ looks: [, look], center, window }, t) => {
      for (const name of ["alignment", "gaussian", "weights"]) assert.deepEqual(rows[t][name], look[name]);
      assert.equal(rows[t].center, center);
      assert.deepEqual(rows[t].span, window && { lo: window[0], hi: window[1] });
    });
    assert.equal(local, trace.settings.window !== "global");
    const hasGaussian = trace.steps.some(({ looks }) => looks[1].gaussian.some((value) => value > 0 && value < 1));
    assert.equal(bell, hasGaussian);
    near(width, hasGaussian ? trace.settings.sigma : null, 7e-4);
    assert.equal(isHard(trace), false);
  }
});

test("a Gaussian of another shape has no width", () => {
  const trace = structuredClone(trained["local-p"]);
  for (const {
    looks,
    window: [low, high],
    center,
  } of trace.steps) {
    const triangle = trace.source.map((_, s) => (low <= s && s <= high ? 1 - Math.abs(s - center) / 9 : 0));
    for (const look of looks) look.gaussian = triangle;
  }
  const { bell, width } = shapeOf(trace, 0);
  assert.deepEqual([bell, width], [true, null]);
});

test("attention is hard where each weight is 0 or 1, unless all were set by hand", () => {
  const trace = structuredClone(trained["local-p"]);
  for (const {
    looks: [look],
  } of trace.steps) {
    const best = look.weights.indexOf(Math.max(...look.weights));
    look.weights = look.weights.map((_, s) => Number(s === best));
  }
  assert.equal(isHard(trace), true);
  trace.settings.edits = trace.steps.map((_, step) => ({ kind: "weights", step, head: null, weights: [] }));
  assert.equal(isHard(trace), false);
});

test("the settings of a trace are those of its window", () => {
  const live = (name) => decodedWith(trained[name], windows).live;
  assert.deepEqual(live("local-p, wider"), { half_width: 3, sigma: null }); // in force is D / 2
  assert.deepEqual(live("local-p, with a width"), { half_width: 3, sigma: 2 });
  assert.deepEqual(live("local-m"), { half_width: 3, sigma: null });
  assert.deepEqual(live("global"), {});
});

test("a window is chosen only where it is not that of training", () => {
  const choice = (live, centers = null) =>
    windowChoice({ window: "local-p", live, centers, keep: false }, trainedWith(trained["local-p"], windows), windows);
  const [usual, none] = [
    { half_width: 2, sigma: null },
    { window: null, live: {}, centers: null },
  ];
  assert.deepEqual(choice(usual), none);
  assert.deepEqual(choice({ ...usual, sigma: 1 }), none); // D / 2, whether it is linked or set
  const wider = { half_width: 3, sigma: null };
  assert.deepEqual(choice(wider), { window: "local-p", live: wider, centers: null });
  assert.deepEqual(choice(usual, { 1: 2.5 }).centers, { 1: 2.5 });
});

test("a window is given by its facts, not by its name", () => {
  assert.equal(narrowWindow(windows, 9).window, "local-m");
  const { global, lopsided } = windows;
  const own = { global, "local-p": windows["local-p"], lopsided };
  const { window, live } = narrowWindow(own, 9);
  assert.deepEqual([window, live], ["lopsided", { left: 1, right: 2 }]);
  assert.deepEqual(narrowWindow(own, 1).live, { left: 0, right: 0 });
  assert.equal(narrowWindow({ global }, 9), null);
});

for (const [theme, direction] of [
  ["light", -1],
  ["dark", 1],
]) {
  test(`${theme} theme: more weight has more contrast, and text on it is legible`, () => {
    const { fill, ink } = heat(theme);
    const luminance = fill.map((color) => {
      const linear = color
        .slice(4, -1)
        .split(" ")
        .map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    });
    const change = (apart) => luminance.slice(apart).map((value, at) => direction * (value - luminance[at]));
    assert.ok(Math.min(...change(1)) > -1e-3);
    assert.ok(Math.min(...change(16)) > 0);
    luminance.forEach((value, at) => {
      const text = ink[at] === "#ffffff" ? 1 : 0;
      assert.ok((Math.max(value, text) + 0.05) / (Math.min(value, text) + 0.05) >= 4.5);
    });
  });
}

test("a mean over heads averages the weights and has no scores", () => {
  const { heads } = data;
  recordedRows(heads, null).forEach(({ scores, weights }, t) => {
    assert.deepEqual(scores, []);
    const { looks } = heads.steps[t];
    near(
      weights,
      weights.map((_, s) => sum(looks.map((look) => look.weights[s])) / 3),
    );
  });
  near(recordedRows(heads, 1)[0].scores, heads.steps[0].looks[1].scores);
});

// The others attend always to the same word (as sharp), and to all words alike: mutual information 0.
test("the head shown first attends sharply, and to other words at other steps", () => {
  const heads = [
    [
      [1, 0],
      [1, 0],
    ],
    [
      [0.5, 0.5],
      [0.5, 0.5],
    ],
    [
      [0.9, 0.1],
      [0.1, 0.9],
    ],
  ];
  assert.equal(
    clearestHeadIndex({ steps: [0, 1].map((t) => ({ looks: heads.map((head) => ({ weights: head[t] })) })) }),
    2,
  );
  assert.equal(clearestHeadIndex({ steps: [{ looks: [{ weights: [1, 0] }] }] }), null);
  assert.equal(clearestHeadIndex({ steps: [] }), null);
});

test("the bar rows of a step include the softmax for hard attention", () => {
  for (const [display, keys] of [
    [{ bell: false }, ["scores", "weights"]],
    [{ bell: false, hard: true }, ["scores", "alignment", "weights"]],
    [{ bell: true, mode: "after_softmax", hard: true }, ["scores", "alignment", "gaussian", "weights"]],
    [{ bell: true, mode: "on_scores" }, ["scores", "gaussian", "weights"]],
    [{ bell: true, mode: "on_scores", hard: true }, ["scores", "gaussian", "alignment", "weights"]],
    [{ bell: true, mode: "after_softmax", mean: 3 }, ["weights"]],
  ]) {
    const rows = barRows(display);
    assert.deepEqual(
      rows.map(({ key }) => key),
      keys,
    );
    assert.equal(rows.at(-1).name === "= weights", display.bell && !display.hard && !display.mean);
  }
});

test("a slider has the range of its setting", () => {
  const ends = ({ whole = false, nullable = false, least = null, most = null, value = 1 }) => {
    const { min, max } = rangeOf({ whole, nullable, least, most }, value, 8);
    return [min, max];
  };
  assert.deepEqual(ends({ whole: true, least: 0, most: 100 }), [0, 8]); // no more words than the sentence has
  assert.deepEqual(ends({ whole: true, least: 1, most: 3 }), [1, 3]);
  assert.deepEqual(ends({ nullable: true, least: 0.01, most: 1000 }), [0.25, 5]); // a width; none stands for 0
  assert.deepEqual(ends({ nullable: true, least: 0.01, value: 7.5 }), [0.25, 8]);
  assert.deepEqual(ends({ least: -2, most: 2 }), [-2, 2]);
  assert.deepEqual(ends({ least: 0, most: 20 }), [0, 20]);
});
