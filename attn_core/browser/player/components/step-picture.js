// The step as a picture, on canvases, with the numbers under the pointer.

import { html } from "../dom/html.js";
import { useLayoutEffect, useMemo, useRef, useState } from "../../vendor/hooks.js";
import { t } from "../core/messages.js";
import { onFonts } from "../dom/fonts.js";
import { onPrint } from "../dom/print.js";
import { watchRoom } from "../dom/room.js";
import { onKey } from "../dom/typing.js";
import { animate } from "../draw/animation.js";
import { createCenterDrag } from "./center-drag.js";
import { gestureListeners } from "./gestures.js";
import { createPainting } from "./painting.js";
import { columnAt, columnBox, isInRow } from "./places.js";
import { createPointing } from "./pointing.js";
import { Tooltip } from "./tooltip.js";

/**
 * @import { Hover, Painted, PointedColumn, Spot, View } from "../core/types.d.ts"
 * @import { PlayerProps } from "./types.d.ts"
 *
 * @typedef {object} Props
 * @property {View} view
 * @property {number} pace ms per step while playing, else 0
 * @property {string} spoken the step in words
 * @property {boolean} presented whether it is in lecture layout
 * @property {string} [hint]
 * @property {boolean} canPaint whether the weights can be set by hand
 * @property {number | null} center p_t of the step; null if it cannot be dragged
 * @property {(center: number) => void} onCenter
 * @property {PlayerProps["dispatch"]} dispatch
 */

/** @param {Props} props */
export function StepPicture(props) {
  const { view, pace, spoken, presented, hint } = props;
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const [pointed, setPointed] = useState(/** @type {{ hover: Hover, rows: View["rows"] } | null} */ (null));
  const hover = pointed?.rows === view.rows ? pointed.hover : null; // not that of another translation
  const latest = useRef(props);
  latest.current = props;
  const clearHover = () => setPointed(null);
  const drawing = useDrawing(root, clearHover);
  useLayoutEffect(() => {
    drawing.current?.show({ ...view, display: { ...view.display, hover: hover ? hover.column : null } }, pace);
  }, [view, hover, pace, presented]);

  const listeners = useMemo(() => {
    const readPicture = () => {
      const {
        view: { rows },
        canPaint,
        center,
        onCenter,
        dispatch,
      } = latest.current;
      const geometry = rows.length ? (drawing.current?.geometry() ?? null) : null;
      /** The row of bars at a height; over the words it is that of the weights. @param {number} y */
      const keyAt = (y) => {
        const row = geometry?.bars.findLast(({ key }) => isInRow(geometry, key, y));
        return row?.key ?? (geometry && y < geometry.words.y + geometry.words.h ? "weights" : null);
      };
      return {
        geometry,
        canPaint,
        center,
        onCenter,
        tipParent: /** @type {HTMLElement} */ (root.current),
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
          if (spot.part === "column" && key) dispatch({ type: "number opened", key, position: spot.column, row: null });
        },
      };
    };
    return gestureListeners([createCenterDrag(readPicture), createPainting(readPicture), createPointing(readPicture)]);
  }, []);

  return html`<div class="ap-picture" ref=${root}>
    <p class="ap-vector-note" hidden=${view.rows.length > 0}>${
      view.targets.length
        ? t("This model has no attention: one fixed-length vector represents the sentence.")
        : t("Nothing was decoded: there is no word to show.")
    }</p>
    <div class="ap-plots">
      <canvas class="ap-gutter" aria-hidden="true" />
      <div class="ap-scroll" onScroll=${clearHover}>
        <div class="ap-plot" role="img" aria-label=${spoken || null} ...${listeners}><canvas class="ap-bars" /></div>
      </div>
    </div>
    ${hover && html`<${Tooltip} view=${view} hover=${hover} hint=${hint} />`}
  </div>`;
}

/**
 * The drawing on the canvases of a picture. It is drawn again for print, when fonts arrive and when its room changes.
 * @param {{ current: HTMLElement | null }} root the element with the canvases
 * @param {() => void} onEscape
 */
function useDrawing(root, onEscape) {
  const drawn = useRef(/** @type {ReturnType<typeof animate> | null} */ (null));
  useLayoutEffect(() => {
    const picture = /** @type {HTMLElement} */ (root.current);
    const partOf = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (picture.querySelector(selector));
    const canvasOf = (/** @type {string} */ selector) => /** @type {HTMLCanvasElement} */ (partOf(selector));
    const frame = /** @type {HTMLElement} */ (picture.closest(".ap"));
    const plots = partOf(".ap-plots");
    const drawing = (drawn.current = animate({
      root: /** @type {HTMLElement} */ (picture.closest(".ap-root")),
      frame,
      plots,
      scroll: partOf(".ap-scroll"),
      gutter: canvasOf(".ap-gutter"),
      bars: canvasOf(".ap-bars"),
    }));
    const stops = [onPrint(drawing.drawNow), onFonts(drawing.ask), watchRoom(plots, drawing.ask)];
    onKey(frame, ({ key }) => {
      if (key === "Escape") onEscape();
    });
    return () => {
      drawing.stop();
      stops.forEach((stop) => stop());
    };
  }, []);
  return drawn;
}
