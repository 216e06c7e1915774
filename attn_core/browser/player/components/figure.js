// The step as a picture, on canvases, with the numbers under the pointer.

import { html } from "../dom/html.js";
import { useLayoutEffect, useMemo, useRef, useState } from "../../vendor/hooks.js";
import { t } from "../core/messages.js";
import { onFonts } from "../dom/fonts.js";
import { onPrint } from "../dom/print.js";
import { watchRoom } from "../dom/room.js";
import { onKey } from "../dom/typing.js";
import { animate } from "../draw/animation.js";
import { centerDrag } from "./center-drag.js";
import { gestures } from "./gestures.js";
import { painting } from "./painting.js";
import { columnAt, columnBox, inRow } from "./places.js";
import { pointing } from "./pointing.js";
import { Tooltip } from "./tooltip.js";

/**
 * @import { Hover, Painted, PointedColumn, Spot, View } from "../core/types.d.ts"
 * @import { PlayerProps } from "./types.d.ts"
 *
 * @typedef {object} Props
 * @property {View} view
 * @property {number} pace the time of a step in ms while playing, else 0
 * @property {string} spoken the step in words
 * @property {boolean} presented whether it is in lecture layout
 * @property {string} [hint]
 * @property {boolean} paint whether the weights can be set by hand
 * @property {number | null} place p_t of the step, if it can be dragged
 * @property {(place: number) => void} onPlace
 * @property {PlayerProps["dispatch"]} dispatch
 */

/** @param {Props} props */
export function Figure(props) {
  const { view, pace, spoken, presented, hint } = props;
  const stage = useRef(/** @type {HTMLElement | null} */ (null));
  const [pointed, setPointed] = useState(/** @type {{ hover: Hover, rows: View["rows"] } | null} */ (null));
  const hover = pointed?.rows === view.rows ? pointed.hover : null; // not that of another translation
  const latest = useRef(props);
  latest.current = props;
  const leave = () => setPointed(null);
  const drawn = useDrawing(stage, leave);
  useLayoutEffect(() => {
    drawn.current?.show({ ...view, look: { ...view.look, hover: hover ? hover.column : null } }, pace);
  }, [view, hover, pace, presented]);

  const pointer = useMemo(() => {
    const shown = () => {
      const {
        view: { rows },
        paint,
        place,
        onPlace,
        dispatch,
      } = latest.current;
      const geometry = rows.length ? (drawn.current?.geometry() ?? null) : null;
      /** The number that a height stands for: that of a row of bars, or the weight of a word. @param {number} y */
      const keyAt = (y) => {
        const row = geometry?.bars.findLast(({ key }) => inRow(geometry, key, y));
        return row?.key ?? (geometry && y < geometry.words.y + geometry.words.h ? "weights" : null);
      };
      return {
        geometry,
        paint,
        place,
        onPlace,
        stage: /** @type {HTMLElement} */ (stage.current),
        onHover: (/** @type {Spot & PointedColumn | null} */ spot) =>
          setPointed(spot && spot.part === "column" ? { hover: spot, rows } : null),
        onPaint: (/** @type {Painted} */ painted) => dispatch({ type: "weights painted", ...painted }),
        /** @param {Spot} spot */
        columnOf: (spot) => columnBox(geometry, spot, geometry ? geometry.words.y + geometry.words.h : 0),
        /** @param {number} x @returns {Spot | null} */
        spotAt: (x) => {
          const column = geometry && columnAt(geometry, x);
          return column === null ? null : { part: "column", column };
        },
        /** @param {Spot} spot @param {number} y */
        onSpot: (spot, y) => {
          const key = keyAt(y);
          if (spot.part === "column" && key) dispatch({ type: "number opened", key, place: spot.column, row: null });
        },
      };
    };
    return gestures([centerDrag(shown), painting(shown), pointing(shown)]);
  }, []);

  return html`<div class="ap-stage" ref=${stage}>
    <p class="ap-vector-note" hidden=${view.rows.length > 0}>${
      view.targets.length
        ? t("This model has no attention: one fixed-length vector represents the sentence.")
        : t("Nothing was decoded: there is no word to show.")
    }</p>
    <div class="ap-plots">
      <canvas class="ap-gutter" aria-hidden="true" />
      <div class="ap-scroll" onScroll=${leave}>
        <div class="ap-plot" role="img" aria-label=${spoken || null} ...${pointer}><canvas class="ap-bars" /></div>
      </div>
    </div>
    ${hover && html`<${Tooltip} view=${view} hover=${hover} hint=${hint} />`}
  </div>`;
}

/**
 * The drawing on the canvases of a stage, which follows print, fonts and the room for it.
 * @param {{ current: HTMLElement | null }} stage
 * @param {() => void} onEscape
 */
function useDrawing(stage, onEscape) {
  const drawn = useRef(/** @type {ReturnType<typeof animate> | null} */ (null));
  useLayoutEffect(() => {
    const around = /** @type {HTMLElement} */ (stage.current);
    const partOf = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (around.querySelector(selector));
    const canvas = (/** @type {string} */ selector) => /** @type {HTMLCanvasElement} */ (partOf(selector));
    const frame = /** @type {HTMLElement} */ (around.closest(".ap"));
    const plots = partOf(".ap-plots");
    const drawing = (drawn.current = animate({
      root: /** @type {HTMLElement} */ (around.closest(".ap-root")),
      frame,
      plots,
      scroll: partOf(".ap-scroll"),
      gutter: canvas(".ap-gutter"),
      bars: canvas(".ap-bars"),
    }));
    const ends = [onPrint(drawing.drawNow), onFonts(drawing.ask), watchRoom(plots, drawing.ask)];
    onKey(frame, ({ key }) => {
      if (key === "Escape") onEscape();
    });
    return () => {
      drawing.stop();
      ends.forEach((end) => end());
    };
  }, []);
  return drawn;
}
