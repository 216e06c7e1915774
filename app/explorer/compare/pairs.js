// Two translations of one sentence: which words they share, how much of the attention moved, and which settings differ.

import { attends, named, PAIR, setupApart } from "../settings/axes.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { inForce } from "../../../attn_core/browser/engine/defaults.js";
import { liveOf } from "../../../attn_core/browser/player/core/settings.js";
import { typeName } from "../../../attn_core/browser/player/core/attention-types.js";
import { ruleName } from "../beam/rules.js";

/**
 * @import { TraceJSON } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { Axis, Point } from "../../../attn_core/browser/hosts/types.d.ts"
 * @import { Page } from "../types.d.ts"
 * @import { Apart, Pair } from "./types.d.ts"
 */

/**
 * The steps of two translations side by side: those of a longest common subsequence of their words, and between them
 * the words that differ, the first beside the first; null where only the other one has a word.
 * @param {string[]} one
 * @param {string[]} other
 * @returns {Pair[]}
 */
export function paired(one, other) {
  const common = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1)); // from i and j on
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      common[i][j] = one[i] === other[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  /** @type {Pair[]} */
  const pairs = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const [from, fromOther] = [i, j];
    while ((i < one.length || j < other.length) && (i === one.length || j === other.length || one[i] !== other[j])) {
      if (j === other.length || (i < one.length && common[i + 1][j] >= common[i][j + 1])) i += 1;
      else j += 1;
    }
    for (let k = 0; k < Math.max(i - from, j - fromOther); k++) {
      pairs.push([from + k < i ? from + k : null, fromOther + k < j ? fromOther + k : null]);
    }
    if (i < one.length && j < other.length) pairs.push([i++, j++]);
  }
  return pairs;
}

/**
 * The share of the attention that is on other words: the total variation distance of two rows of weights with sum 1; 1
 * if one of them is all 0, as where no word is in the window.
 * @param {number[]} one
 * @param {number[]} other
 */
export function moved(one, other) {
  let [more, less] = [0, 0];
  one.forEach((weight, s) => {
    more += Math.max(weight - other[s], 0);
    less += Math.max(other[s] - weight, 0);
  });
  return Math.max(more, less);
}

/**
 * The settings in which two translations differ: by the axes of their models, then those of the run.
 * @param {Axis[]} axes
 * @param {{ point: Point, trace: TraceJSON }} one
 * @param {{ point: Point, trace: TraceJSON }} other
 * @param {Pick<Page, "windows" | "types">} known
 * @returns {Apart[]}
 */
export function settingsApart(axes, one, other, { windows, types }) {
  const both = [one, other];
  const [first, second] = both.map(({ trace }) => trace.settings);
  /** @type {Apart[]} */
  const apart = [];
  const add = (/** @type {string} */ label, /** @type {unknown[]} */ [a, b]) => {
    if (a !== b) apart.push({ label, one: String(a ?? "–"), other: String(b ?? "–") });
  };
  const haveAttention = both.map(({ point }) => attends(point));
  for (const axis of axes) {
    const values = both.map(({ point, trace }) =>
      axis.name === "window" ? (trace.settings.window ?? point.window) : point[axis.name],
    );
    if (values[0] === values[1]) continue;
    const words = values.map((value, i) =>
      value === null || (axis.unattended && !haveAttention[i] && haveAttention[1 - i])
        ? null
        : named(axis, both[i].point, value).word,
    );
    add(named(axis, haveAttention[0] ? one.point : other.point, null).label, words);
  }
  if (first.window === second.window) {
    const live = liveOf(windows, first.window);
    const defaults = (/** @type {TraceJSON["settings"]} */ run) =>
      inForce(
        live,
        Object.fromEntries(live.map(({ name, nullable }) => [name, nullable ? null : (run[name] ?? null)])),
      );
    for (const { name, symbol, label = symbol, nullable } of live) {
      const follows = nullable && [first, second].every((run) => run[name] === defaults(run)[name]); // as sigma = D / 2
      if (!follows) add(label, [first[name], second[name]]);
    }
    add(
      "p_t",
      [first, second].map(({ centers }) => (centers ? t("set by hand") : t("not changed"))),
    );
  }
  add(
    t("attention type"),
    [first, second].map(({ attention_type: type }) => typeName(type, types)),
  );
  add(
    t("words and states"),
    [first, second].map(({ keep_states: keep }) => (keep ? t("of the trained model") : t("of this run"))),
  );
  add(t("beam"), [first.beam, second.beam]);
  if (first.beam === second.beam)
    add(
      t("ranking of the beam"),
      [first, second].map(({ normalise }) => normalise && ruleName(normalise)),
    );
  add(
    t("edits by hand"),
    [first, second].map(({ edits = [] }) => (edits.length ? edits.length : t("none"))),
  );
  add(
    t("Replace <unk>"),
    [first, second].map((settings) => (settings.replace_unk ? t("yes") : t("no"))),
  );
  return apart;
}

/**
 * What came with the choice of a value on one axis: the axis, and the other settings in which the two models differ, by
 * name; null if there are none, or if readers chose a model and not a value. The languages are chosen whatever else
 * changes, and of a model of other languages only the axes are named. An axis that does not apply to one of the models
 * is part of what the choice adds or removes.
 * @param {Axis[]} axes
 * @param {{ point: Point, setup: Record<string, string> }} one
 * @param {{ point: Point, setup: Record<string, string> }} other
 */
export function besides(axes, one, other) {
  const moved = movedOn(axes, one, other);
  const chips = moved.filter(({ chip }) => chip);
  const languages = moved.find(({ name }) => name === PAIR);
  const [chosen, second] = languages ? [languages] : chips.length ? chips : moved;
  const others = moved.filter((axis) => axis !== chosen).map(({ label }) => label.toLowerCase());
  if (!languages) others.push(...setupApart(one.setup, other.setup));
  return chosen && !second && others.length ? { axis: chosen, others } : null;
}

/**
 * The axes on which two models differ, without those that do not apply to one of them.
 * @param {Axis[]} axes
 * @param {{ point: Point }} one
 * @param {{ point: Point }} other
 */
export function movedOn(axes, { point: one }, { point: other }) {
  return axes.filter(({ name }) => one[name] !== other[name] && ![one[name], other[name]].includes(null));
}
