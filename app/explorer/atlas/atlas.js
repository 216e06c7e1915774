// The translation of the sentence for all values of two settings, as a map: regions with the same words, and the
// borders at which a word changes. A click goes to those settings.

import { heat, shade } from "../../../attn_core/browser/player/core/heat.js";
import { t, tn } from "../../../attn_core/browser/player/core/messages.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { isComposing } from "../../../attn_core/browser/player/dom/typing.js";
import { useMemo, useState } from "../../../attn_core/browser/vendor/hooks.js";
import { significant } from "../../../attn_core/browser/player/core/numbers.js";
import { useFilling } from "./filling.js";
import { borders, flipped, regions } from "./regions.js";

/**
 * @import { TraceJSON } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts"
 * @import { Chart, ChartAction } from "./charts.js"
 * @import { Filling, Translate } from "./filling.js"
 * @import { Found, Region } from "./regions.js"
 *
 * @typedef {{ chart: Chart, trace: TraceJSON, theme: Theme, dispatch: (action: ChartAction) => void }} MapProps
 */

/**
 * @param {object} props
 * @param {Chart} props.chart the two settings
 * @param {TraceJSON} props.trace
 * @param {number} [props.sample] its number
 * @param {Translate} props.translate
 * @param {Theme} props.theme
 * @param {(action: ChartAction) => void} props.dispatch
 */
export function Atlas({ chart, trace, sample = 0, translate, theme, dispatch }) {
  const places = chart.places(trace);
  const key = JSON.stringify([chart.measure, trace.source, trace.model, sample, chart.rest(trace)]);
  const filling = useFilling(key, chart, places, translate);
  return html`
    <div class="at">
      <p class="at-about">${t(
        "Each cell is the translation with one pair of settings. Cells with the same letter " +
          "have the same translation; thick lines separate different ones. The stronger the colour, the higher the " +
          "log p per word. Click a cell to use its settings; the current ones are outlined if they have a cell. In " +
          "the list, words that differ from the first translation are marked.",
      )}</p>
      <${Picture} key=${key} chart=${chart} trace=${trace} places=${places} filling=${filling} theme=${theme}
        dispatch=${dispatch} />
    </div>`;
}

/** @param {MapProps & { places: ReturnType<Chart["places"]>, filling: Filling }} props */
function Picture({ chart, trace, places, filling, theme, dispatch }) {
  const { rows, columns, current } = places;
  const { translations, problem } = filling;
  const all = useMemo(() => regions(translations, translations[current]?.text ?? null), [translations, current]);
  const cells = { rows, columns, current, translations, all };
  return html`
    <div class="at-body">
      <div class="at-map">
        <p class="at-axis">${chart.axes[0]}</p>
        <${Cells} chart=${chart} trace=${trace} theme=${theme} dispatch=${dispatch} ...${cells} />
        <p class="at-axis at-across">${chart.axes[1]}</p>
      </div>
      <div class="at-side">
        <p class="at-status" role="status">${problem || statusOf(translations, all.length)}</p>
        <ol class="at-list">${all.map(
          (region) => html`<${Translation} key=${region.letter} region=${region} first=${all[0].words} />`,
        )}</ol>
      </div>
    </div>`;
}

/**
 * One cell is in the tab order; the arrow keys go from cell to cell.
 * @param {MapProps & { rows: number[], columns: number[], current: number, translations: (Found | null)[], all:
 * Region[] }} props
 */
function Cells({ chart, trace, theme, dispatch, rows, columns, current, translations, all }) {
  const [reached, setReached] = useState(/** @type {number | null} */ (null));
  const scores = translations.flatMap((translation) => translation?.score ?? []);
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  const { fill, ink } = heat(theme);
  const letters = Object.fromEntries(all.flatMap(({ letter, places }) => places.map((place) => [place, letter])));

  /** What a translated cell has. @param {number} place @param {number} row @param {number} column */
  const shown = (place, row, column) => {
    const translation = translations[place];
    if (!translation) return { sides: "" };
    const tone = shade(0.1 + 0.9 * (translation.score - least), 0.1 + Math.max(most - least, 1e-6));
    const settings = `${chart.names[0]} = ${chart.row(row)}, ${chart.names[1]} = ${chart.column(column)}`;
    const title = `${settings}: ${translation.text} (${significant(translation.score)})`;
    const sides = Object.entries(borders(translations, place, columns.length))
      .map(([side, yes]) => (yes ? `at-${side}` : ""))
      .join(" ");
    return {
      title,
      sides,
      "aria-label": `${letters[place]}: ${title}`,
      style: { background: fill[tone], color: ink[tone] },
    };
  };
  const cell = (/** @type {number} */ place, /** @type {number} */ row, /** @type {number} */ column) => {
    const { sides, ...attributes } = shown(place, row, column);
    const choose = () => {
      setReached(place);
      dispatch(chart.action(row, column, trace));
    };
    return html`<button type="button" class=${`at-cell ${place === current ? "at-own" : ""} ${sides}`}
      tabindex=${
        place === (reached ?? Math.max(current, 0)) ? 0 : -1
      } onClick=${choose} ...${attributes}>${letters[place]}</button>`;
  };
  const move = (/** @type {KeyboardEvent & { currentTarget: HTMLElement }} */ event) => {
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const next = isComposing(event)
      ? null
      : neighbour(event.key, buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target)), columns.length);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (!buttons[next]) return;
    setReached(next);
    buttons[next].focus();
  };
  return html`
    <div class="at-grid" role="group" aria-label=${chart.title}
      style=${{ gridTemplateColumns: `auto repeat(${columns.length}, minmax(26px, 1fr))` }} onKeyDown=${move}>
      ${rows.map((row, r) => [
        html`<span class="at-name" title=${chart.hint(row) ?? undefined}>${chart.row(row)}</span>`,
        ...columns.map((column, c) => cell(r * columns.length + c, row, column)),
      ])}
      <span></span>
      ${columns.map((column) => html`<span class="at-name">${chart.column(column)}</span>`)}
    </div>`;
}

/**
 * A translation of the map.
 * @param {{ region: Region, first: string[] }} props `first`: the words with which its own are compared
 */
function Translation({ region: { letter, words, places }, first }) {
  const marks = flipped(words, first);
  return html`
    <li>
      <b>${letter}</b>
      <span>${words.map((word, i) => [marks[i] ? html`<mark>${word}</mark>` : word, " "])}</span>
      <small>${tn("{n} cell", "{n} cells", places.length)}</small>
    </li>`;
}

/**
 * The place to which an arrow key leads from another; it may be outside the map. Null for another key, or from no
 * place.
 * @param {string} key
 * @param {number} place
 * @param {number} columns
 */
function neighbour(key, place, columns) {
  if (place < 0) return null;
  const [left, right] = [place % columns ? place - 1 : place, (place + 1) % columns ? place + 1 : place];
  switch (key) {
    case "ArrowLeft":
      return left;
    case "ArrowRight":
      return right;
    case "ArrowUp":
      return place - columns;
    case "ArrowDown":
      return place + columns;
    default:
      return null;
  }
}

/** How far a map is filled, and what it shows. @param {(Found | null)[]} translations @param {number} distinct */
function statusOf(translations, distinct) {
  const [n, all] = [translations.filter(Boolean).length, translations.length];
  if (!n) return t("Translating …");
  if (n < all) return t("{n} of {all} cells", { n, all });
  if (distinct === 1)
    return t("All {all} cells give the same translation. Longer or more unusual sentences give more variety.", { all });
  return t("{n} distinct translations in {all} cells", { n: distinct, all });
}
