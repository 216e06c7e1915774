// The step as a picture, on canvases, with the numbers under the pointer.

import { html } from "../dom/html.js";
import { useLayoutEffect, useMemo, useRef, useState } from "../../vendor/hooks.js";
import { t } from "../core/messages.js";
import { onPrint } from "../dom/print.js";
import { onKey } from "../dom/typing.js";
import { animate } from "../draw/animation.js";
import { gestures } from "./gestures.js";
import { Tooltip } from "./tooltip.js";

/**
 * @import { Hover, View } from "../core/types.d.ts"
 * @import { PlayerProps } from "./types.d.ts"
 *
 * @typedef {object} Props
 * @property {View} view
 * @property {number} pace the time of a step in ms while playing, else 0
 * @property {string} spoken the step in words
 * @property {boolean} presented whether it is in presenter view
 * @property {string} [hint]
 * @property {boolean} paint whether the weights can be set by hand
 * @property {number | null} place p_t of the step, if it can be dragged
 * @property {(place: number) => void} onPlace
 * @property {(step: number) => void} jump
 * @property {PlayerProps["dispatch"]} dispatch
 */

/** @param {Props} props */
export function Figure(props) {
  const { view, pace, spoken, presented, hint } = props;
  const stage = useRef(/** @type {HTMLElement | null} */ (null));
  const drawn = useRef(/** @type {ReturnType<typeof animate> | null} */ (null));
  const [pointed, setPointed] = useState(/** @type {{ hover: Hover, rows: View["rows"] } | null} */ (null));
  const hover = pointed?.rows === view.rows ? pointed.hover : null; // not that of another translation
  const latest = useRef(props);
  latest.current = props;
  const leave = () => setPointed(null);

  useLayoutEffect(() => {
    const around = /** @type {HTMLElement} */ (stage.current);
    const found = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (around.querySelector(selector));
    const canvas = (/** @type {string} */ selector) => /** @type {HTMLCanvasElement} */ (found(selector));
    const frame = /** @type {HTMLElement} */ (around.closest(".ap"));
    const plots = found(".ap-plots");
    const drawing = drawn.current = animate({
      root: /** @type {HTMLElement} */ (around.closest(".ap-root")), frame, plots, scroll: found(".ap-scroll"),
      gutter: canvas(".ap-gutter"), bars: canvas(".ap-bars"), map: canvas(".ap-map"), row: found(".ap-row"),
    });
    const ended = onPrint(drawing.drawNow);
    const resized = new ResizeObserver(drawing.ask);
    resized.observe(plots);
    window.addEventListener("resize", drawing.ask);
    document.fonts?.ready.then(drawing.ask);
    onKey(frame, ({ key }) => { if (key === "Escape") leave(); });
    return () => {
      drawing.stop();
      ended();
      resized.disconnect();
      window.removeEventListener("resize", drawing.ask);
    };
  }, []);
  useLayoutEffect(() => {
    const look = { ...view.look, hover: hover?.part === "column" ? hover.column : null, cell: hover?.part === "map" ? hover : null };
    drawn.current?.show({ ...view, look }, pace);
  }, [view, hover, pace, presented]);

  const pointer = useMemo(() => gestures(() => {
    const { view: { look, rows, map }, paint, place, onPlace, jump, dispatch } = latest.current;
    return {
      geometry: rows.length ? drawn.current?.geometry() ?? null : null, stage: /** @type {HTMLElement} */ (stage.current), map, heat: look.heat,
      step: look.step, paint, place, onPlace, jump,
      onHover: (hover) => setPointed(hover && { hover, rows }),
      onNumber: (clicked) => dispatch({ type: "number opened", ...clicked }),
      onPaint: (painted) => dispatch({ type: "weights painted", ...painted }),
    };
  }), []);

  return html`<div class="ap-stage" ref=${stage}>
    <p class="ap-vector-note" hidden=${view.rows.length > 0}>${view.targets.length
      ? t("This model has no attention: one fixed-length vector represents the sentence.")
      : t("Nothing was decoded: there is no word to show.")}</p>
    <div class="ap-plots">
      <canvas class="ap-gutter" aria-hidden="true" onClick=${pointer.onGutter} />
      <div class="ap-scroll" onScroll=${leave}>
        <div class="ap-plot" role="img" aria-label=${spoken || null} ...${pointer.onPlot}>
          <canvas class="ap-bars" /><canvas class="ap-map" /><div class="ap-row" hidden=${!view.rows.length || !view.map} />
        </div>
      </div>
    </div>
    <${Tooltip} view=${view} hover=${hover} hint=${hint} />
  </div>`;
}
