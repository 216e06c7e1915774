// The settings of a model as a line of chips, one for each way in which the models differ. Changing a chip changes nothing
// else: a value without a trained model is disabled, and says with what it exists. Only the languages are chosen whatever
// else changes, since few models exist for most of them; a page can name what changed with them.

import { t } from "../player/core/messages.js";
import { el } from "../player/dom/elements.js";
import { valueIn } from "../player/core/lookup.js";

/**
 * @import { Axis, Point, Wording } from "./types.d.ts"
 * @typedef {{ name: string, point: Point, setup?: Record<string, string> }} Placed a model's name, its value on each axis, and
 * its other settings
 * @typedef {{ value: string, model: number, others: Axis[] }} Reached `others`: the axes that would change too
 */

export const PAIR = "pair"; // the axis of the languages: the others are chosen within a pair, and it is chosen whatever they are

/** Whether two values can belong to models that differ elsewhere only; null: the axis does not apply. @param {string | null} one @param {string | null} other */
const agree = (one, other) => one === null || other === null || one === other;

/**
 * The settings beside the axes in which two models differ. One that only one of them has is part of what an axis names,
 * such as the order.
 * @param {Record<string, string>} one
 * @param {Record<string, string>} other
 */
export const setupApart = (one, other) => Object.keys(one).filter((name) => name in other && one[name] !== other[name]);

/** How many settings differ, with those that only one has. @param {Record<string, string>} one @param {Record<string, string>} other */
const unequal = (one, other) => Object.keys({ ...one, ...other }).filter((name) => one[name] !== other[name]).length;

/**
 * The names of the axes on which two models differ because of a value of another axis.
 * @param {Axis[]} axes
 * @param {Point} point
 * @param {Point} other
 */
function brought(axes, point, other) {
  return axes.flatMap(({ name, brings = {} }) => (point[name] === other[name] ? [] : [point, other].flatMap((one) => valueIn(brings, one[name]) ?? [])));
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
  return Object.fromEntries(axes.map(({ name, values }) => {
    const counts = values.map(([value]) => models.filter(({ point }) => point[name] === value).length);
    return [name, values[counts.indexOf(Math.max(...counts))]?.[0] ?? null];
  }));
}

/**
 * For each value of an axis the model that it leads to from `current`: the one that differs least, of the same languages
 * unless these are chosen. Of several that differ on equally many axes, it is one with the usual values on the axes that do
 * not apply to `current`; then the one with the fewest other settings that differ; then one with more of the usual values.
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
      const unlike = axis.brings ? others : within.filter(({ name }) => name !== axis.name && !agree(point[name], other[name]));
      const unusual = within.filter(({ name }) => name !== axis.name && other[name] !== null && other[name] !== point[name] && other[name] !== common[name]);
      const unasked = unusual.filter(({ name }) => point[name] === null);
      return [{ value, model, others, far: [unlike.length, unasked.length, unequal(setup, settings), unusual.length] }];
    });
    found.sort(({ far: one }, { far: other }) => one.map((count, i) => count - other[i]).find(Boolean) ?? 0);
    return found.slice(0, 1).map(({ model, others }) => ({ value, model, others: axis.name === PAIR ? [] : others }));
  });
}

/** The wording of an axis for a model. @param {Axis} axis @param {Point} point @returns {Wording} */
const wording = (axis, point) => (axis.unattended && point.score === "none" ? axis.unattended : axis);

/**
 * The label of an axis, and the name of a value, as a model's page has them.
 * @param {Axis} axis
 * @param {Point} point of the model
 * @param {string | null} value
 */
export function named(axis, point, value) {
  const { label, help, values } = wording(axis, point);
  return { label, help, word: [...values, ...axis.values].find(([one]) => one === value)?.[1] ?? value ?? "" };
}

/**
 * The axes with a menu for a model, and where their values lead. An axis that is not a reader's choice has one where a value
 * of another axis is only there with another value of this one, and where the model's own value is unusual.
 * @param {Axis[]} axes
 * @param {Placed[]} models
 * @param {number} current
 */
export function menus(axes, models, current) {
  const { point } = models[current];
  const common = usual(axes, models);
  const all = axes.filter(({ name }) => point[name] !== null).map((axis) => ({ axis, reached: reachable(axes, models, axis, current) }));
  const own = axes.flatMap(({ name, brings = {} }) => valueIn(brings, point[name]) ?? []);
  const shown = all.filter(({ axis: { name, chip }, reached }) => chip || reached.length > 1 && point[name] !== common[name] && !own.includes(name));
  for (const { reached } of shown) { // grows by the axes that are named in what it has
    const wanted = reached.flatMap(({ others }) => others);
    shown.push(...all.filter((one) => !shown.includes(one) && wanted.includes(one.axis)));
  }
  return shown;
}

/**
 * @param {Axis[]} axes
 * @param {Placed[]} models
 * @param {(model: number) => void} choose
 */
export function buildChips(axes, models, choose) {
  const chips = axes.map((axis) => {
    const select = el("select", {});
    const label = el("span", {});
    select.addEventListener("change", () => choose(Number(select.value)));
    return { axis, select, label, root: el("label", { class: "live-chip", hidden: true }, label, select) };
  });

  return {
    chips,
    /**
     * Show a model, and the window in force where it is not the trained one.
     * @param {number} current
     * @param {string | null} [window]
     */
    show(current, window = null) {
      const { point } = models[current];
      const shown = menus(axes, models, current);
      for (const { axis, select, label, root } of chips) {
        const own = point[axis.name];
        const focused = root.matches(":focus-within") && own !== null; // the way back stays until the reader is elsewhere
        const reached = shown.find((one) => one.axis === axis)?.reached ?? (focused ? reachable(axes, models, axis, current) : []);
        root.hidden = !reached.length;
        if (root.hidden) continue;
        const { label: name, help } = named(axis, point, own);
        label.textContent = name;
        select.setAttribute("aria-label", name);
        select.title = help;
        const offered = reached.map(({ value, model, others }) => {
          const { word } = named(axis, point, value);
          const text = others.length ? only(word, others, point, models[model], !leads(shown, models[model].point, others)) : word;
          return el("option", { value: model, disabled: others.length > 0, selected: value === own, text });
        });
        if (axis.name === "window" && window && own && window !== own) {
          offered.forEach((option) => { option.selected = false; });
          const [value, other] = [window, own].map((one) => named(axis, point, one).word);
          offered.push(el("option", { value: current, selected: true, text: t("{value} (intervention)", { value }) }));
          select.title = t("The model was trained with the window {other}.", { other });
        }
        select.replaceChildren(...offered);
      }
    },
  };
}

/**
 * Whether one of the menus leads to the value of `point` on one of the axes.
 * @param {ReturnType<typeof menus>} shown
 * @param {Point} point
 * @param {Axis[]} axes
 */
function leads(shown, point, axes) {
  return shown.some(({ axis, reached }) => axes.includes(axis) && reached.some(({ value, others }) => value === point[axis.name] && !others.length));
}

/**
 * The text of a value that is only there together with others.
 * @param {string} value
 * @param {Axis[]} axes that would change too
 * @param {Point} point of the model on show
 * @param {Placed} model that has the value
 * @param {boolean} byName whether only the menu of models leads there
 */
function only(value, axes, point, model, byName) {
  const others = axes.map((axis) => {
    const { label, word } = named(axis, point, model.point[axis.name]);
    return `${label.toLowerCase()}: ${word}`;
  }).join(", ");
  return byName ? t("{value} (no model; try {model}, with {others})", { value, others, model: model.name }) : t("{value} (no model; try {others})", { value, others });
}
