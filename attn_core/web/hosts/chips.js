// The settings of a model as a line of chips, one for each way in which the models differ. Changing a chip changes nothing
// else: a value without a trained model is disabled, and says with what it exists.

import { t } from "../player/core/messages.js";
import { el } from "../player/dom/elements.js";

/**
 * @import { Axis, Point } from "./types.d.ts"
 * @typedef {{ name: string, point: Point }} Placed a model's name and its value on each axis
 * @typedef {{ value: string, model: number, others: Axis[] }} Reached `others`: the axes that would change too
 */

export const PAIR = "pair"; // the axis of the languages: the others are chosen within a pair, and it is chosen whatever they are

/** Whether two values can belong to models that differ elsewhere only; null: the axis does not apply. @param {string | null} one @param {string | null} other */
const agree = (one, other) => one === null || other === null || one === other;

/**
 * The axes on which `point` would have to change too for the value of `axis` in `other`.
 * @param {Axis[]} axes
 * @param {string} axis
 * @param {Point} point
 * @param {Point} other
 */
export function apart(axes, axis, point, other) {
  return axes.filter(({ name }) => name !== axis && !agree(point[name], other[name]));
}

/**
 * For each value of an axis the model that it leads to from `current`: the one that differs least, of the same languages
 * unless these are chosen.
 * @param {Axis[]} axes
 * @param {Placed[]} models
 * @param {Axis} axis
 * @param {number} current
 * @returns {Reached[]}
 */
export function reachable(axes, models, axis, current) {
  const { point } = models[current];
  const within = axes.filter(({ name }) => name !== PAIR);
  const reached = (/** @type {Point} */ other) => axis.name === PAIR || other[PAIR] === point[PAIR];
  return axis.values.map(([value]) => {
    const found = models.flatMap(({ point: other }, model) => (other[axis.name] === value && reached(other) ? [{
      value, model, others: apart(within, axis.name, point, other),
      missing: axes.filter(({ name }) => (point[name] === null) !== (other[name] === null)).length,
    }] : []));
    if (point[axis.name] === value) return { value, model: current, others: [] };
    found.sort((one, other) => one.others.length - other.others.length || one.missing - other.missing);
    return found[0] && axis.name === PAIR ? { ...found[0], others: [] } : found[0];
  }).filter(Boolean);
}

/**
 * @param {Axis[]} axes
 * @param {Placed[]} models
 * @param {(model: number) => void} choose
 */
export function buildChips(axes, models, choose) {
  const chips = axes.filter(({ chip }) => chip).map((axis) => {
    const select = el("select", { "aria-label": axis.label, title: axis.help });
    select.addEventListener("change", () => choose(Number(select.value)));
    return { axis, select, root: el("label", { class: "live-chip" }, el("span", { text: axis.label }), select) };
  });

  /** The name of a value on the page. @param {Axis} axis @param {string} value */
  const word = ({ values }, value) => values.find(([one]) => one === value)?.[1] ?? value;

  /**
   * The text of a value that is only there together with others.
   * @param {Axis} axis @param {string} value @param {Axis[]} others @param {Point} point
   */
  const only = (axis, value, others, point) => {
    const wanted = others.map((one) => `${one.label.toLowerCase()} ${word(one, point[one.name] ?? "")}`).join(", ");
    return t("{value} (only with {others})", { value: word(axis, value), others: wanted });
  };

  return {
    chips,
    /**
     * Show a model, and the window in force where it is not the trained one.
     * @param {number} current
     * @param {string | null} [window]
     */
    show(current, window = null) {
      for (const { axis, select, root } of chips) {
        const own = models[current].point[axis.name];
        root.hidden = own === null;
        const offered = reachable(axes, models, axis, current).map(({ value, model, others }) => el("option", {
          value: model, disabled: others.length > 0, selected: value === own,
          text: others.length ? only(axis, value, others, models[model].point) : word(axis, value),
        }));
        if (axis.name === "window" && window && own && window !== own) {
          offered.forEach((option) => { option.selected = false; });
          offered.push(el("option", { value: current, selected: true, text: t("{value} (intervention; trained with {other})", { value: word(axis, window), other: word(axis, own) }) }));
        }
        select.replaceChildren(...offered);
      }
    },
  };
}
