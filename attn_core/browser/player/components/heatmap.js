// All steps as a heatmap, with what it shows, and its colours.

import { withChecked } from "../dom/changes.js";
import { html } from "../dom/html.js";
import { useLayoutEffect, useMemo, useRef, useState } from "../../vendor/hooks.js";
import { heat } from "../core/heat.js";
import { hitMap, layOutMap } from "../core/map-layout.js";
import { t } from "../core/messages.js";
import { joinedRows, openedNumber, viewByWords } from "../core/word-map.js";
import { onFonts } from "../dom/fonts.js";
import { onPrint, printing } from "../dom/print.js";
import { roomFor, roomOnScreen, topInPage, watchRoom } from "../dom/room.js";
import { drawMap, drawTargets } from "../draw/heatmap.js";
import { context2d, fitCanvas, styleReader } from "../draw/pen.js";
import { drawWords } from "../draw/words.js";
import { brushing } from "./brushing.js";
import { gestures } from "./gestures.js";
import { columnBox } from "./places.js";
import { pointing } from "./pointing.js";
import { Tooltip } from "./tooltip.js";

/**
 * @import { Choices, Hover, MapGeometry, Painted, PointedColumn, Spot, View, WordsOfPieces } from "../core/types.d.ts"
 * @import { PlayerProps } from "./types.d.ts"
 *
 * @typedef {object} Props
 * @property {View} view by tokens
 * @property {WordsOfPieces | null} words null: each token is a word
 * @property {boolean | null} eos whether the row of </s> is shown; null: there is none
 * @property {boolean} later whether there are later steps
 * @property {boolean} large whether it has the whole width
 * @property {boolean} fills whether it fills the height of the screen
 * @property {boolean} brief whether it stands without the controls of what it shows
 * @property {boolean} paint whether the weights can be set by hand
 * @property {string} [hint]
 * @property {(heat: Choices["heat"]) => void} onHeat
 * @property {(eos: boolean) => void} onEos
 * @property {(byPieces: boolean) => void} onPieces
 * @property {(step: number) => void} jump
 * @property {PlayerProps["dispatch"]} dispatch
 */

const COMPACT = { least: 190, most: 300 }; // CSS pixels: the height of the small one
const BRIEF = 150; // of one that stands without its controls, at least
const LARGE = 640; // of the large one
const ON_PAPER = { large: true, fills: false, brief: false };

/** @param {Props} props */
export function Heatmap(props) {
  const { view: tokens, words, later, large, fills, brief, hint } = props;
  const joined = tokens.look.byPieces ? null : words;
  const rowsByWords = useMemo(() => joined && joinedRows(tokens.rows, joined), [tokens.rows, joined]);
  const view = useMemo(
    () => (joined && rowsByWords ? viewByWords(tokens, joined, rowsByWords) : tokens),
    [tokens, joined, rowsByWords],
  );
  const { rows, theme, look, targets } = view;
  const plot = useRef(/** @type {HTMLElement | null} */ (null));
  const [pointed, setPointed] = useState(/** @type {{ hover: Hover, rows: View["rows"] } | null} */ (null));
  const hover = pointed?.rows === rows ? pointed.hover : null; // not that of another translation
  const geometry = useRef(/** @type {MapGeometry | null} */ (null));
  const [room, setRoom] = useState(""); // another one draws it again
  const style = useRef(/** @type {ReturnType<typeof styleReader> | null} */ (null));
  const latest = useRef({ ...props, shownView: view, joined });
  latest.current = { ...props, shownView: view, joined };

  const draw = () => {
    if (!plot.current) return; // fonts may arrive later
    style.current ??= styleReader(context2d(/** @type {HTMLCanvasElement} */ (plot.current.querySelector(".ap-map"))));
    geometry.current = paint(plot.current, style.current, view, printing() ? ON_PAPER : { large, fills, brief }, hover);
  };
  const drawNow = useRef(draw);
  drawNow.current = draw;
  useLayoutEffect(draw, [view, hover, large, fills, brief, room]);
  useLayoutEffect(() => {
    const around = /** @type {HTMLElement} */ (plot.current);
    const ends = [
      ...[onPrint, onFonts].map((on) => on(() => drawNow.current())),
      watchRoom(around, () => setRoom(`${around.clientWidth} ${window.innerHeight} ${topInPage(around)}`)),
    ];
    return () => {
      ends.forEach((end) => end());
    };
  }, []);

  const pointer = useMemo(() => {
    const shown = () => pointedMap(latest.current, geometry.current, plot.current, setPointed);
    return gestures([brushing(shown), pointing(shown)]);
  }, []);

  const joinedNote = t("Weights of a source word’s pieces are summed, of a target word’s averaged.");
  return html`<section class="ap-heatmap" aria-label=${t("Heatmap")}>
    <div class="ap-map-plot" ref=${plot} ...${pointer}>
      <canvas class="ap-map" aria-hidden="true" /><div class="ap-row" hidden=${!targets.length} />
      ${hover && html`<${Tooltip} hint=${hint} ...${tipOf(tokens, view, joined, hover)} />`}
    </div>
    <${Controls} ...${props} />
    <p class="ap-fine ap-joined" hidden=${!joined}>${joinedNote}</p>
    <div class="ap-legend" hidden=${brief} aria-hidden="true"><span>0</span>
      <span class="ap-ramp" style=${{ background: heat(theme).stops }} /><span>${look.scale}</span></div>
    <p class="ap-fine ap-later" hidden=${brief || !later}><span aria-hidden="true" />
      ${t("small squares: later steps")}</p>
  </section>`;
}

/**
 * The map on show, and what a reader's gestures on it do.
 * @param {Props & { shownView: View, joined: WordsOfPieces | null }} props `shownView`: by words or by tokens
 * @param {MapGeometry | null} geometry
 * @param {HTMLElement | null} plot
 * @param {(pointed: { hover: Hover, rows: View["rows"] } | null) => void} setPointed
 */
const pointedMap = (
  { shownView: { rows, look }, view, joined, paint: canPaint, jump, dispatch },
  geometry,
  plot,
  setPointed,
) => ({
  geometry,
  step: look.step,
  paint: canPaint,
  stage: /** @type {HTMLElement} */ (plot),
  spotAt: (/** @type {number} */ x, /** @type {number} */ y) => geometry && hitMap(geometry, x, y),
  columnOf: (/** @type {Spot} */ spot) => columnBox(geometry, spot, geometry?.y ?? 0),
  onHover: (/** @type {Spot & PointedColumn | null} */ spot) =>
    setPointed(spot?.part === "map" ? { hover: spot, rows } : null),
  onPaint: (/** @type {Painted} */ painted) => dispatch({ type: "weights painted", ...painted }),
  onSpot: (/** @type {Spot} */ spot) => {
    if (spot.part === "map") {
      const number = joined ? openedNumber(view, joined, spot) : { key: look.heat, place: spot.column, row: spot.row };
      dispatch({ type: "number opened", ...number });
    }
    if (spot.part !== "column") jump(joined ? joined.target[spot.row].first : spot.row);
  },
});

/**
 * What the heatmap shows: its numbers, its last row, and whether it is by words or by their pieces.
 * @param {Props} props
 */
function Controls({ view: { look, onlyOne }, words, eos, brief, paint: isEdited, onHeat, onEos, onPieces }) {
  const name = useMemo(() => `heat-${Math.random()}`, []); // of this player's radio buttons
  /** @param {Choices["heat"]} value @param {string} text */
  const choice = (value, text) => html`<label class="ap-choice">
    <input type="radio" name=${name} value=${value} checked=${look.heat === value} onChange=${() => onHeat(value)} />
      <span>${text}</span>
  </label>`;
  const numbersTitle = t("Alignment weights: before the Gaussian is applied; attention weights: after it");
  const eosTitle = t("Show the last step, in which the model writes </s>, the end of the sentence");
  return html`<div class="ap-view" hidden=${brief}>
    <div class="ap-choices" role="radiogroup" aria-label=${t("Heatmap shows")} title=${numbersTitle}
        hidden=${onlyOne}>
      ${choice("weights", t("weights"))}${choice("alignment", t("alignment"))}
    </div>
    <label class="ap-check" title=${eosTitle} hidden=${eos === null}>
      <input type="checkbox" checked=${eos !== false} onChange=${withChecked(onEos)} />
      <span>${t("</s> row")}</span>
    </label>
    ${!brief && words && html`<${PiecesSwitch} byPieces=${look.byPieces} ...${{ isEdited, onPieces }} />`}
  </div>`;
}

/**
 * What stands beside the heatmap's title: its size and, where it is brief, whether it is by pieces.
 * @param {Pick<Props, "words" | "paint" | "brief" | "large" | "onPieces"> & { look: View["look"], onLarge: (large:
 * boolean) => void }} props
 */
export const HeatmapActions = ({ words, look, paint: isEdited, brief, large, onPieces, onLarge }) => html`
  ${brief && words && html`<${PiecesSwitch} byPieces=${look.byPieces} ...${{ isEdited, onPieces }} />`}
  <button type="button" class="ap-button ap-grow" title=${t("Change the size of the heatmap")}
    onClick=${() => onLarge(!large)}>${large ? t("Smaller") : t("Larger")}</button>`;

/**
 * Whether a map is by pieces, where some words are of several.
 * @param {{ byPieces: boolean, isEdited: boolean, onPieces: Props["onPieces"] }} props
 */
export function PiecesSwitch({ byPieces, isEdited, onPieces }) {
  const title = isEdited
    ? t("Weights are set by hand for each word piece")
    : t("Show a row and a column for each word piece");
  return html`<label class="ap-check" title=${title}>
    <input type="checkbox" class="ap-by-pieces" checked=${byPieces} disabled=${isEdited}
      onChange=${withChecked(onPieces)} />
    <span>${t("pieces")}</span>
  </label>`;
}

/**
 * What the tooltip of a cell shows: the numbers of a cell of whole tokens, or those by words.
 * @param {View} tokens
 * @param {View} view what the heatmap shows
 * @param {WordsOfPieces | null} joined
 * @param {Hover} hover
 */
function tipOf(tokens, view, joined, hover) {
  if (!joined || hover.part !== "map") return { view, hover };
  const words = { source: joined.source[hover.column], target: joined.target[hover.row] };
  if (words.source.count * words.target.count > 1) return { view, hover, words };
  return { view: tokens, hover: { ...hover, row: words.target.first, column: words.source.first } };
}

/**
 * Draws the heatmap on the canvas of its plot, and places the frame around the current row.
 * @param {HTMLElement} plot
 * @param {ReturnType<typeof styleReader>} styleOf
 * @param {View} view
 * @param {{ large: boolean, fills: boolean, brief: boolean }} given
 * @param {Hover | null} hover
 * @returns {MapGeometry | null} null: it has no room yet
 */
function paint(plot, styleOf, { theme, rows, source, targets, look }, { large, fills, brief }, hover) {
  const [canvas, row] = /** @type {[HTMLCanvasElement, HTMLElement]} */ ([
    plot.querySelector(".ap-map"),
    plot.querySelector(".ap-row"),
  ]);
  const width = plot.clientWidth;
  const current = rows[look.step];
  if (!width || !current) return null;
  const { pen, measure, u } = styleOf(/** @type {HTMLElement} */ (plot.closest(".ap")), theme);
  const below = brief ? roomOnScreen(plot) : roomFor(plot, /** @type {HTMLElement} */ (plot.closest(".ap-root")));
  const height = fills ? below : large ? LARGE : Math.min(Math.max(below, brief ? BRIEF : COMPACT.least), COMPACT.most);
  const options = { width, height, u, source, target: targets, measure };
  const named = layOutMap(options);
  // The step beside it has the words, too
  const g = brief && !large && named.height > height ? layOutMap({ ...options, plain: true }) : named;
  fitCanvas(canvas, pen.ctx, g.width, g.height);
  if (g.words) drawWords(pen, { ...g, words: g.words }, current[look.heat], current.span, look);
  drawTargets(pen, g, targets, look.step);
  drawMap(pen, g, rows.slice(0, targets.length), { ...look, cell: hover?.part === "map" ? hover : null });
  Object.assign(row.style, {
    width: `${g.col * g.n + 4}px`,
    height: `${g.rowHeight + 2}px`,
    transform: `translate(${g.left(0) - 2}px, ${g.y - 1 + look.step * g.rowHeight}px)`,
  });
  return g;
}
