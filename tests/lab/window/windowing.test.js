// Windows that a reader moves: the labs' functions have the weights of a slow implementation of the paper's equations.

import assert from "node:assert/strict";
import { test } from "node:test";

import { gaussian, monotonic, softmaxInside, weigh, windowOf } from "../../../app/lab/kit/windowing.js";
import { disputed, slots } from "../../../app/lab/window/treatments.js";
import { massOutside } from "../../../attn_core/browser/engine/measures.js";
import { sum } from "../../../attn_core/browser/engine/vectors.js";
import { near } from "../../helpers/near.js";
import { createRandom } from "../../helpers/random.js";

/** Attention by Luong 2015, section 3.2, with the functions of the labs' kit. */
function attentionOf({ scores, window, halfWidth, sigma, rule, mode, localM, t, center: given }) {
  const n = scores.length;
  const center = window === "local-m" ? monotonic(t, n, localM) : given;
  const stays = !(window === "local-m" && localM === "text");
  const span = center === null ? { lo: 0, hi: n - 1 } : windowOf(center, halfWidth, n, rule, stays);
  const bells = gaussian(center, center === null ? null : sigma, n, span);
  return { center, span, gaussian: bells, ...weigh(scores, span, bells, mode) };
}

/** The same, one word at a time. */
function slowAttention({ scores, window, halfWidth, sigma, rule, mode, localM, t, center: given }) {
  const n = scores.length;
  const isText = window === "local-m" && localM === "text";
  const center = window === "local-m" ? (isText ? t : Math.min(t, n - 1)) : given;
  const isInside = scores.map((_, s) => {
    if (window === "global") return true;
    if (rule === "real") return Math.abs(s - center) <= halfWidth;
    const middle = halfWidth === 0 && !isText ? Math.min(Math.floor(center), n - 1) : Math.floor(center);
    return middle - halfWidth <= s && s <= middle + halfWidth;
  });
  const hasBell = window !== "global" && sigma;
  const bells = isInside.map((inside, s) =>
    !inside ? 0 : hasBell ? Math.exp(-((s - center) ** 2) / (2 * sigma ** 2)) : 1,
  );
  const softmax = (values) => {
    const highest = Math.max(...values.filter((_, s) => isInside[s]));
    const raised = values.map((value, s) => (isInside[s] ? Math.exp(value - highest) : 0));
    return isInside.includes(true) ? raised.map((value) => value / sum(raised)) : raised;
  };
  const alignment = softmax(mode === "on_scores" ? scores.map((score, s) => score * bells[s]) : scores);
  const product = alignment.map((share, s) => share * bells[s]);
  const divided = mode === "renorm" && isInside.includes(true) ? product.map((share) => share / sum(product)) : product;
  const weights = mode === "on_scores" ? alignment : divided;
  const span = isInside.includes(true) ? { lo: isInside.indexOf(true), hi: isInside.lastIndexOf(true) } : null;
  return { center, span, gaussian: bells, alignment, weights };
}

const SETTINGS = {
  window: ["global", "local-m", "local-p"],
  rule: ["floor", "real"],
  mode: ["after_softmax", "renorm", "on_scores"],
  localM: ["clamp", "text"],
};

/** Every combination of the settings. */
const COMBINATIONS = Object.entries(SETTINGS).reduce(
  (all, [name, values]) => all.flatMap((settings) => values.map((value) => ({ ...settings, [name]: value }))),
  [{}],
);

const { integer, next, pick } = createRandom(20151);
const between = (low, high) => low + next() * (high - low);

/** A random sentence, step and window. */
function randomCase(settings) {
  const n = pick([1, 2, 3, 6, 13, 50]);
  const { window } = settings;
  const halfWidth = pick([0, 1, 2, 3, 10]);
  const isLinked = next() < 0.4;
  const sigma = isLinked ? (window === "local-p" ? halfWidth / 2 : null) : between(0.3, 8);
  const center = window === "local-p" ? pick([0, n, n - 1, n / 2, between(0, n), between(0, n), between(0, n)]) : null;
  const scores = Array.from({ length: n }, () => between(-6, 6));
  return { ...settings, scores, halfWidth, sigma, t: integer(0, n + 4), center };
}

test("the attention in a window is that of the paper's equations", () => {
  assert.equal(COMBINATIONS.length, 36);
  for (const settings of COMBINATIONS) {
    for (let n = 0; n < 42; n++) {
      const given = randomCase(settings);
      near(attentionOf(given), slowAttention(given), 1e-12);
    }
  }
});

// p_t = S: floor(p_t) = S, so the window is [S - D, S - 1]; with D = 0 it moves to the last word.
test("a saturated centre keeps the last words in view", () => {
  assert.deepEqual(windowOf(5, 2, 5, "floor"), { lo: 3, hi: 4 });
  assert.deepEqual(windowOf(5, 0, 5, "floor"), { lo: 4, hi: 4 });
  assert.equal(windowOf(5, 0, 5, "real"), null);
  assert.deepEqual(windowOf(4.2, 1, 5, "real"), { lo: 4, hi: 4 });
  assert.deepEqual(windowOf(0, 1, 1, "floor"), { lo: 0, hi: 0 });
});

// Uniform alignment weights, the whole window inside, an integer p_t, sigma = D / 2.
test("uniform scores lose the mass that the paper loses", () => {
  const given = { window: "local-p", rule: "floor", mode: "after_softmax", localM: "clamp", t: 0, center: 2 };
  const { weights } = attentionOf({ ...given, scores: [0, 0, 0, 0, 0], halfWidth: 2, sigma: 1 });
  near(sum(weights), (1 + 2 * Math.exp(-0.5) + 2 * Math.exp(-2)) / 5);
  near(sum(weights), 0.497, 5e-4);
});

test("large scores do not overflow", () => {
  near(softmaxInside([1000, 999, 5000], { lo: 0, hi: 1 }), [Math.E / (1 + Math.E), 1 / (1 + Math.E), 0]);
});

test("slots are all places of the window, clipped or not", () => {
  let clipped = 0;
  for (let count = 0; count < 200; count++) {
    const [n, halfWidth, rule] = [pick([1, 2, 7, 16]), pick([0, 1, 2, 4, 20]), pick(SETTINGS.rule)];
    const center = Math.round(between(0, n) * 100) / 100;
    const { from, to } = slots({ center, halfWidth, rule }, n);
    const inside = Array.from({ length: n }, (_, s) => s).filter((s) => from <= s && s <= to);
    const span = inside.length ? { lo: inside[0], hi: inside.at(-1) } : null;
    assert.deepEqual(windowOf(center, halfWidth, n, rule), span);
    if (rule === "floor") assert.equal(to - from, 2 * halfWidth);
    if (from < 0 || to >= n) clipped += 1;
  }
  assert.ok(clipped > 0 && clipped < 200);
});

// p_t = 3.6, D = 2: the floor sees 1 to 5, the real centre 2 to 5 (1.6 to 5.6).
test("disputed words are those of one rule only", () => {
  assert.deepEqual(disputed({ center: 3.6, halfWidth: 2 }, 9), { floor: [1], real: [] });
  assert.deepEqual(disputed({ center: 3, halfWidth: 2 }, 9), { floor: [], real: [] });
  assert.deepEqual(disputed({ center: 0.4, halfWidth: 0 }, 9), { floor: [0], real: [] });
});

test("the mass outside a span is what a softmax over all words puts there", () => {
  const scores = [0, Math.log(2), Math.log(5), 0]; // shares 1, 2, 5 and 1 of 9
  near(massOutside(scores, { lo: 1, hi: 2 }), 2 / 9);
  near(massOutside(scores, { lo: 0, hi: 0 }), 8 / 9);
  near(massOutside(scores, { lo: 0, hi: 3 }), 0);
  near(massOutside(scores, null), 1);
});
