// The settings of a model, one menu for each way in which the models differ: as a line of chips, or as the words of a
// sentence.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { withValue } from "../../../attn_core/browser/player/dom/changes.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { Chip } from "../../../attn_core/browser/player/dom/parts.js";
import { useState } from "../../../attn_core/browser/vendor/hooks.js";
import { isOffered, menus, named, PAIR, reachable, textWithOthers } from "./axes.js";

/**
 * @import { Axis } from "../../../attn_core/browser/hosts/types.d.ts"
 * @import { Dispatch } from "../../../attn_core/browser/state/types.d.ts"
 * @import { Placed, Reached } from "./axes.js"
 *
 * @typedef {object} AxisChipsProps
 * @property {Axis[]} axes
 * @property {Placed[]} models
 * @property {string} model the name of that of the view
 * @property {string | null} window that of the run, if it is not the trained one
 * @property {boolean} onlyLanguages the menu of languages, which stands apart; otherwise all others
 * @property {boolean} [sentence] whether they are words of a sentence
 * @property {string[] | null} [needs] the names of the axes that a stop of the tour needs; null: all of them
 * @property {Dispatch} dispatch
 */

/** @param {AxisChipsProps} props */
export function AxisChips({ axes, models, model, window, onlyLanguages, sentence = false, needs = null, dispatch }) {
  const [focused, setFocused] = useState("");
  const current = models.findIndex(({ name }) => name === model);
  const { point } = models[current];
  const shown = menus(axes, models, current);
  return axes
    .filter(({ name }) => (name === PAIR) === onlyLanguages)
    .map((axis) => {
      // The way back stays until the reader is elsewhere
      const isFocused = focused === axis.name && point[axis.name] !== null;
      const reached =
        shown.find((menu) => menu.axis === axis)?.reached ?? (isFocused ? reachable(axes, models, axis, current) : []);
      const own = point[axis.name];
      const { label, help, phrase } = named(axis, point, own);
      const isMoved = axis.name === "window" && window && own && window !== own;
      const title = isMoved
        ? t("The model was trained with the window {other}.", { other: named(axis, point, own).word })
        : help;
      const [before, after] = phrase.split("{value}");
      const around = sentence ? { name: before, after, className: "live-phrase" } : { name: label };
      return html`<${Chip} key=${axis.name} ...${around}
        hidden=${!reached.length || needs?.includes(axis.name) === false}>
      <select aria-label=${label} title=${title} onFocus=${() => setFocused(axis.name)} onBlur=${() => setFocused("")}
        value=${isMoved ? MOVED : model}
          onChange=${withValue((chosen) => dispatch({ type: "model chosen", model: chosen }))}>
        ${reached.map(
          (value) => html`
          <${AxisValue} axis=${axis} models=${models} point=${point} shown=${shown} reached=${value} />`,
        )}
        ${
          isMoved &&
          html`<option value=${MOVED}>
          ${t("{value} (intervention)", { value: named(axis, point, window).word })}</option>`
        }
      </select>
    <//>`;
    });
}

const MOVED = ""; // the value of the window of an intervention

/**
 * @param {{ axis: Axis, models: Placed[], point: Placed["point"], shown: ReturnType<typeof menus>, reached: Reached }}
 * props
 */
function AxisValue({ axis, models, point, shown, reached: { value, model, others } }) {
  const { word } = named(axis, point, value);
  const text = others.length
    ? textWithOthers(word, others, point, models[model], !isOffered(shown, models[model].point, others))
    : word;
  return html`<option value=${models[model].name} disabled=${others.length > 0}>${text}</option>`;
}
