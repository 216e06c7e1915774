// The ways in which models differ, and which model another value on one of them leads to. Changing a value changes
// nothing else: a value without a trained model is disabled, and says with what it exists. Only the languages are
// chosen whatever else changes, since few models exist for most of them; the page names what changed with them.

import { valueIn } from "../../../attn_core/browser/engine/lookup.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";

/**
 * @import { Axis, Offered, Point, Wording } from "../../../attn_core/browser/hosts/types.d.ts"
 * @typedef {{ name: string, point: Point, setup?: Record<string, string> }} Placed a model's name, its value on each
 * axis, and its other settings
 * @typedef {{ value: string, model: number, others: Axis[] }} Reached `others`: the axes that would change too
 */

// The axis of the languages: the others are chosen within a pair, and it is chosen whatever they are
export const PAIR = "pair";

/** The languages of a model, as they are named on the axis of languages. @param {{ point?: Point }} model */
export const pairOf = ({ point }) => point?.[PAIR] ?? "";

/**
 * The examples that the page offers for a model. Each is three successive sentences if the model was trained on such
 * texts; after the last sentence comes the first.
 * @param {Record<string, string[]>} examples sentences by languages
 * @param {Pick<Offered, "point" | "joined">} model
 */
export function textsOf(examples, model) {
  const list = valueIn(examples, pairOf(model)) ?? [];
  return model.joined ? list.map((_, i) => [0, 1, 2].map((n) => list[(i + n) % list.length]).join(" ")) : list;
}

/**
 * Whether two values can belong to models that differ elsewhere only; null: the axis does not apply.
 * @param {string | null} one
 * @param {string | null} other
 */
const agree = (one, other) => one === null || other === null || one === other;

/**
 * The settings beside the axes in which two models differ. One that only one of them has is part of what an axis names,
 * such as the order.
 * @param {Record<string, string>} one
 * @param {Record<string, string>} other
 */
export const setupApart = (one, other) => Object.keys(one).filter((name) => name in other && one[name] !== other[name]);

/**
 * How many settings differ, with those that only one has.
 * @param {Record<string, string>} one
 * @param {Record<string, string>} other
 */
const unequal = (one, other) => Object.keys({ ...one, ...other }).filter((name) => one[name] !== other[name]).length;

/**
 * The names of the axes on which two models differ because of a value of another axis.
 * @param {Axis[]} axes
 * @param {Point} point
 * @param {Point} other
 */
function brought(axes, point, other) {
  return axes.flatMap(({ name, brings = {} }) =>
    point[name] === other[name] ? [] : [point, other].flatMap((one) => valueIn(brings, one[name]) ?? []),
  );
}

/**
 * The axes on which `point` would have to change too for the value of `axis` in `other`.
 * @param {Axis[]} axes
 * @param {string} axis
 * @param {Point} point
 * @param {Point} other
 */
export function apart(axes, axis, point, other) {
  const follow = brought(axes, point, other);
  return axes.filter(({ name }) => name !== axis && !follow.includes(name) && !agree(point[name], other[name]));
}

/** The value that most models have on each axis. @param {Axis[]} axes @param {Placed[]} models */
function usual(axes, models) {
  return Object.fromEntries(
    axes.map(({ name, values }) => {
      const counts = values.map(([value]) => models.filter(({ point }) => point[name] === value).length);
      return [name, values[counts.indexOf(Math.max(...counts))]?.[0] ?? null];
    }),
  );
}

/**
 * For each value of an axis the model that it leads to from `current`: the one that differs on the fewest axes, of the
 * same languages unless these are chosen. Ties are broken by (1) usual values on axes that `current` lacks, (2) the
 * fewest other settings that differ, (3) the most usual values.
 * @param {Axis[]} axes
 * @param {Placed[]} models
 * @param {Axis} axis
 * @param {number} current
 * @returns {Reached[]}
 */
export function reachable(axes, models, axis, current) {
  const { point, setup = {} } = models[current];
  const within = axes.filter(({ name }) => name !== PAIR);
  const common = usual(within, models);
  const reached = (/** @type {Point} */ other) => axis.name === PAIR || other[PAIR] === point[PAIR];
  return axis.values.flatMap(([value]) => {
    if (point[axis.name] === value) return [{ value, model: current, others: [] }];
    const found = models.flatMap(({ point: other, setup: settings = {} }, model) => {
      const follow = brought(axes, point, other);
      if (other[axis.name] !== value || !reached(other) || follow.includes(axis.name)) return [];
      const others = apart(within, axis.name, point, other);
      const unlike = axis.brings
        ? others
        : within.filter(({ name }) => name !== axis.name && !agree(point[name], other[name]));
      const unusual = within.filter(
        ({ name }) =>
          name !== axis.name && other[name] !== null && other[name] !== point[name] && other[name] !== common[name],
      );
      const unasked = unusual.filter(({ name }) => point[name] === null);
      return [{ value, model, others, far: [unlike.length, unasked.length, unequal(setup, settings), unusual.length] }];
    });
    found.sort(({ far: one }, { far: other }) => one.map((count, i) => count - other[i]).find(Boolean) ?? 0);
    return found.slice(0, 1).map(({ model, others }) => ({ value, model, others: axis.name === PAIR ? [] : others }));
  });
}

/** Whether a model has attention: only then it has a window. @param {Point} point */
export const attends = ({ window }) => window !== null;

/** The wording of an axis for a model. @param {Axis} axis @param {Point} point @returns {Wording} */
const wording = (axis, point) => (axis.unattended && !attends(point) ? axis.unattended : axis);

/**
 * The label of an axis, its place in a sentence, and the name of a value, as a model's page has them.
 * @param {Axis} axis
 * @param {Point} point of the model
 * @param {string | null} value
 */
export function named(axis, point, value) {
  const { label, help, phrase = `${label}: {value}`, values } = wording(axis, point);
  return { label, help, phrase, word: [...values, ...axis.values].find(([one]) => one === value)?.[1] ?? value ?? "" };
}

/**
 * The axes with a menu for a model, and where their values lead. An axis that is not a reader's choice has one where a
 * value of another axis is only there with another value of this one, and where the model's own value is unusual.
 * @param {Axis[]} axes
 * @param {Placed[]} models
 * @param {number} current
 */
export function menus(axes, models, current) {
  const { point } = models[current];
  const common = usual(axes, models);
  const all = axes
    .filter(({ name }) => point[name] !== null)
    .map((axis) => ({ axis, reached: reachable(axes, models, axis, current) }));
  const own = axes.flatMap(({ name, brings = {} }) => valueIn(brings, point[name]) ?? []);
  const shown = all.filter(
    ({ axis: { name, chip }, reached }) =>
      chip || (reached.length > 1 && point[name] !== common[name] && !own.includes(name)),
  );
  for (const { reached } of shown) {
    // grows by the axes that are named in what it has
    const wanted = reached.flatMap(({ others }) => others);
    shown.push(...all.filter((one) => !shown.includes(one) && wanted.includes(one.axis)));
  }
  return shown;
}

/**
 * Whether one of the menus leads to the value of `point` on one of the axes.
 * @param {ReturnType<typeof menus>} shown
 * @param {Point} point
 * @param {Axis[]} axes
 */
export function isOffered(shown, point, axes) {
  return shown.some(
    ({ axis, reached }) =>
      axes.includes(axis) && reached.some(({ value, others }) => value === point[axis.name] && !others.length),
  );
}

/**
 * The text of a value that is only there together with others.
 * @param {string} value
 * @param {Axis[]} axes that would change too
 * @param {Point} point of the model on show
 * @param {Placed} model that has the value
 * @param {boolean} byName whether only the menu of models leads there
 */
export function textWithOthers(value, axes, point, model, byName) {
  const others = axes
    .map((axis) => {
      const { label, word } = named(axis, point, model.point[axis.name]);
      return `${label.toLowerCase()}: ${word}`;
    })
    .join(", ");
  return byName
    ? t("{value} (no model; try {model}, with {others})", { value, others, model: model.name })
    : t("{value} (no model; try {others})", { value, others });
}
