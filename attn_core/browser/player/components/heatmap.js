// All steps as a heatmap, with the controls of what it shows and a legend of its colours.

import { withChecked } from "../dom/changes.js";
import { html } from "../dom/html.js";
import { useLayoutEffect, useMemo, useRef, useState } from "../../vendor/hooks.js";
import { heat } from "../core/heat.js";
import { hitMap, layOutMap } from "../core/map-layout.js";
import { t } from "../core/messages.js";
import { joinedRows, openedNumber, viewByWords } from "../core/word-map.js";
import { onFonts } from "../dom/fonts.js";
import { onPrint, isPrinting } from "../dom/print.js";
import { roomFor, roomOnScreen, topInPage, watchRoom } from "../dom/room.js";
import { save } from "../dom/save.js";
import { drawMap, drawTargets } from "../draw/heatmap.js";
import { heatmapSvg } from "../draw/heatmap-svg.js";
import { context2d, fitCanvas, styleReader } from "../draw/pen.js";
import { drawWords } from "../draw/words.js";
import { createBrushing } from "./brushing.js";
import { gestureListeners } from "./gestures.js";
import { columnBox } from "./places.js";
import { createPointing } from "./pointing.js";
import { Tooltip } from "./tooltip.js";

/**
 * @import { Choices, Hover, MapGeometry, Painted, PointedColumn, Spot, View, WordsOfPieces } from "../core/types.d.ts"
 * @import { PlayerProps } from "./types.d.ts"
 *
 * @typedef {object} Props
 * @property {View} view by tokens
 * @property {WordsOfPieces | null} words null: each token is a word
 * @property {boolean | null} eos whether the row of </s> is shown; null: there is none
 * @property {boolean} hasLaterSteps
 * @property {boolean} large whether it has the whole width
 * @property {boolean} fillsScreen whether it has the height of the screen
 * @property {boolean} brief whether it is shown without its controls
 * @property {boolean} canPaint whether the weights can be set by hand
 * @property {string} title of its file
 * @property {string} [hint]
 * @property {(heat: Choices["heat"]) => void} onHeat
 * @property {(eos: boolean) => void} onEos
 * @property {(byPieces: boolean) => void} onPieces
 * @property {(step: number) => void} jump
 * @property {PlayerProps["dispatch"]} dispatch
 */

// Heights in CSS pixels
const COMPACT = { least: 190, most: 300 };
const LEAST_BRIEF = 150; // without its controls
const LARGE = 640;
const ON_PAPER = { large: true, fillsScreen: false, brief: false };

/** @param {Props} props */
export function Heatmap(props) {
  const { view: tokenView, words, hasLaterSteps, large, fillsScreen, brief, hint } = props;
  const joined = tokenView.display.byPieces ? null : words;
  const rowsByWords = useMemo(() => joined && joinedRows(tokenView.rows, joined), [tokenView.rows, joined]);
  const view = useMemo(
    () => (joined && rowsByWords ? viewByWords(tokenView, joined, rowsByWords) : tokenView),
    [tokenView, joined, rowsByWords],
  );
  const { rows, theme, display, targets } = view;
  const plot = useRef(/** @type {HTMLElement | null} */ (null));
  const [pointed, setPointed] = useState(/** @type {{ hover: Hover, rows: View["rows"] } | null} */ (null));
  const hover = pointed?.rows === rows ? pointed.hover : null; // not that of another translation
  const geometry = useRef(/** @type {MapGeometry | null} */ (null));
  const [room, setRoom] = useState(""); // the map is drawn again when it changes
  const style = useRef(/** @type {ReturnType<typeof styleReader> | null} */ (null));
  const latest = useRef({ ...props, shownView: view, joined });
  latest.current = { ...props, shownView: view, joined };

  const draw = () => {
    if (!plot.current) return; // fonts may arrive later
    style.current ??= styleReader(context2d(/** @type {HTMLCanvasElement} */ (plot.current.querySelector(".ap-map"))));
    const size = isPrinting() ? ON_PAPER : { large, fillsScreen, brief };
    geometry.current = drawHeatmap(plot.current, style.current, view, size, hover);
  };
  const drawNow = useRef(draw);
  drawNow.current = draw;
  useLayoutEffect(draw, [view, hover, large, fillsScreen, brief, room]);
  useLayoutEffect(() => {
    const element = /** @type {HTMLElement} */ (plot.current);
    const stops = [
      ...[onPrint, onFonts].map((on) => on(() => drawNow.current())),
      watchRoom(element, () => setRoom(`${element.clientWidth} ${window.innerHeight} ${topInPage(element)}`)),
    ];
    return () => {
      stops.forEach((stop) => stop());
    };
  }, []);

  const listeners = useMemo(() => {
    const readMap = () => pointableMap(latest.current, geometry.current, plot.current, setPointed);
    return gestureListeners([createBrushing(readMap), createPointing(readMap)]);
  }, []);

  const joinedNote = t("Weights of a source word’s pieces are summed, of a target word’s averaged.");
  return html`<section class="ap-heatmap" aria-label=${t("Heatmap")}>
    <div class="ap-map-plot" ref=${plot} ...${listeners}>
      <canvas class="ap-map" aria-hidden="true" /><div class="ap-row" hidden=${!targets.length} />
      ${hover && html`<${Tooltip} hint=${hint} ...${tipOf(tokenView, view, joined, hover)} />`}
    </div>
    <${Controls} ...${props} shownView=${view} />
    <p class="ap-fine ap-joined" hidden=${!joined}>${joinedNote}</p>
    <div class="ap-legend" hidden=${brief} aria-hidden="true"><span>0</span>
      <span class="ap-ramp" style=${{ background: heat(theme).stops }} /><span>${display.scale}</span></div>
    <p class="ap-fine ap-later" hidden=${brief || !hasLaterSteps}><span aria-hidden="true" />
      ${t("small squares: later steps")}</p>
  </section>`;
}

/**
 * The map as it is now, and what a reader's gestures on it do.
 * @param {Props & { shownView: View, joined: WordsOfPieces | null }} props `shownView`: by words or by tokens
 * @param {MapGeometry | null} geometry
 * @param {HTMLElement | null} plot
 * @param {(pointed: { hover: Hover, rows: View["rows"] } | null) => void} setPointed
 */
const pointableMap = (
  { shownView: { rows, display }, view, joined, canPaint, jump, dispatch },
  geometry,
  plot,
  setPointed,
) => ({
  geometry,
  step: display.step,
  canPaint,
  tipParent: /** @type {HTMLElement} */ (plot),
  spotAt: (/** @type {number} */ x, /** @type {number} */ y) => geometry && hitMap(geometry, x, y),
  columnOf: (/** @type {Spot} */ spot) => columnBox(geometry, spot, geometry?.y ?? 0),
  onHover: (/** @type {Spot & PointedColumn | null} */ spot) =>
    setPointed(spot?.part === "map" ? { hover: spot, rows } : null),
  onPaint: (/** @type {Painted} */ painted) => dispatch({ type: "weights painted", ...painted }),
  onSpot: (/** @type {Spot} */ spot) => {
    if (spot.part === "map") {
      const number = joined
        ? openedNumber(view, joined, spot)
        : { key: display.heat, position: spot.column, row: spot.row };
      dispatch({ type: "number opened", ...number });
    }
    if (spot.part !== "column") jump(joined ? joined.target[spot.row].first : spot.row);
  },
});

/**
 * The controls of what the heatmap shows: its numbers, its last row, and rows by words or by their pieces.
 * @param {Props & { shownView: View }} props `shownView`: by words or by tokens
 */
function Controls({
  view: { display, onlyOne },
  words,
  eos,
  brief,
  canPaint,
  title,
  shownView,
  onHeat,
  onEos,
  onPieces,
}) {
  const name = useMemo(() => `heat-${Math.random()}`, []); // of this player's radio buttons
  const names = { weights: t("weights"), alignment: t("alignment") };
  /** @param {Choices["heat"]} value */
  const choice = (value) => html`<label class="ap-choice">
    <input type="radio" name=${name} value=${value} checked=${display.heat === value} onChange=${() => onHeat(value)} />
      <span>${names[value]}</span>
  </label>`;
  const numbersTitle = t("Alignment weights: before the Gaussian is applied; attention weights: after it");
  const saveFile = () => save("heatmap.svg", "image/svg+xml", heatmapSvg(shownView, title, names[display.heat]));
  const eosTitle = t("Show the last step, in which the model writes </s>, the end of the sentence");
  return html`<div class="ap-view" hidden=${brief}>
    <div class="ap-choices" role="radiogroup" aria-label=${t("Heatmap shows")} title=${numbersTitle}
        hidden=${onlyOne}>
      ${choice("weights")}${choice("alignment")}
    </div>
    <label class="ap-check" title=${eosTitle} hidden=${eos === null}>
      <input type="checkbox" checked=${eos !== false} onChange=${withChecked(onEos)} />
      <span>${t("</s> row")}</span>
    </label>
    ${!brief && words && html`<${PiecesSwitch} byPieces=${display.byPieces} ...${{ canPaint, onPieces }} />`}
    <button type="button" class="ap-button" title=${t("Download")} onClick=${saveFile}>SVG</button>
  </div>`;
}

/**
 * The controls beside the heatmap's title: its size and, where it is brief, whether it is by pieces.
 * @param {Pick<Props, "words" | "canPaint" | "brief" | "large" | "onPieces"> & Pick<View, "display"> & { onLarge:
 * (large: boolean) => void }} props
 */
export const HeatmapActions = ({ words, display, canPaint, brief, large, onPieces, onLarge }) => html`
  ${brief && words && html`<${PiecesSwitch} byPieces=${display.byPieces} ...${{ canPaint, onPieces }} />`}
  <button type="button" class="ap-button ap-grow" title=${t("Change the size of the heatmap")}
    onClick=${() => onLarge(!large)}>${large ? t("Smaller") : t("Larger")}</button>`;

/**
 * A switch between rows by words and by their pieces, for a map with words of several pieces.
 * @param {{ byPieces?: boolean, canPaint: boolean, onPieces: Props["onPieces"] }} props
 */
export function PiecesSwitch({ byPieces, canPaint, onPieces }) {
  const title = canPaint
    ? t("Weights are set by hand for each word piece")
    : t("Show a row and a column for each word piece");
  return html`<label class="ap-check" title=${title}>
    <input type="checkbox" class="ap-by-pieces" checked=${byPieces} disabled=${canPaint}
      onChange=${withChecked(onPieces)} />
    <span>${t("pieces")}</span>
  </label>`;
}

/**
 * What the tooltip of a cell shows: the numbers by words or, where both words are single tokens, those of the tokens.
 * @param {View} tokenView
 * @param {View} view what the heatmap shows
 * @param {WordsOfPieces | null} joined
 * @param {Hover} hover
 */
function tipOf(tokenView, view, joined, hover) {
  if (!joined || hover.part !== "map") return { view, hover };
  const words = { source: joined.source[hover.column], target: joined.target[hover.row] };
  if (words.source.count * words.target.count > 1) return { view, hover, words };
  return { view: tokenView, hover: { ...hover, row: words.target.first, column: words.source.first } };
}

/**
 * Draw the heatmap on the canvas of its plot, and place the frame around the current row.
 * @param {HTMLElement} plot
 * @param {ReturnType<typeof styleReader>} styleOf
 * @param {View} view
 * @param {{ large: boolean, fillsScreen: boolean, brief: boolean }} size
 * @param {Hover | null} hover
 * @returns {MapGeometry | null} null: it has no room yet
 */
function drawHeatmap(plot, styleOf, { theme, rows, source, targets, display }, { large, fillsScreen, brief }, hover) {
  const [canvas, row] = /** @type {[HTMLCanvasElement, HTMLElement]} */ ([
    plot.querySelector(".ap-map"),
    plot.querySelector(".ap-row"),
  ]);
  const width = plot.clientWidth;
  const current = rows[display.step];
  if (!width || !current) return null;
  const { pen, measure, u } = styleOf(/** @type {HTMLElement} */ (plot.closest(".ap")), theme);
  const below = brief ? roomOnScreen(plot) : roomFor(plot, /** @type {HTMLElement} */ (plot.closest(".ap-root")));
  const least = brief ? LEAST_BRIEF : COMPACT.least;
  const height = fillsScreen ? below : large ? LARGE : Math.min(Math.max(below, least), COMPACT.most);
  const options = { width, height, u, source, target: targets, measure };
  const named = layOutMap(options);
  // The picture of the step has the words, too
  const g = brief && !large && named.height > height ? layOutMap({ ...options, plain: true }) : named;
  fitCanvas(canvas, pen.ctx, g.width, g.height);
  if (g.words) drawWords(pen, { ...g, words: g.words }, current[display.heat], current.span, display);
  drawTargets(pen, g, targets, display.step);
  drawMap(pen, g, rows.slice(0, targets.length), { ...display, cell: hover?.part === "map" ? hover : null });
  Object.assign(row.style, {
    width: `${g.col * g.n + 4}px`,
    height: `${g.rowHeight + 2}px`,
    transform: `translate(${g.left(0) - 2}px, ${g.y - 1 + display.step * g.rowHeight}px)`,
  });
  return g;
}
