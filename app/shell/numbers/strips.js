// Vectors as strips of cells, and a matrix to scale with one of its rows.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { significant } from "../../../attn_core/browser/player/core/numbers.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { context2d } from "../../../attn_core/browser/player/draw/pen.js";
import { useLayoutEffect, useRef } from "../../../attn_core/browser/vendor/hooks.js";
import { typeset } from "./spelling.js";

const LARGEST = 110; // CSS pixels of a matrix's longer side

/**
 * A vector as a strip of cells, coloured by sign and size. A click opens the number under the pointer.
 * @param {{ values: number[], label: string, marked?: number, open?: (index: number) => void }} props `marked`: the
 * index of the number with a frame
 */
export function Strip({ values, label, marked, open }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  useLayoutEffect(() => {
    // The panel has a size only in the next frame
    const frame = requestAnimationFrame(() => canvas.current && drawStrip(canvas.current, values, marked));
    return () => cancelAnimationFrame(frame);
  }, [values, marked]);
  /**
   * The index of the number under the pointer, which may be on the border.
   * @param {MouseEvent & { currentTarget: HTMLElement }} event
   */
  const indexAt = ({ offsetX, currentTarget }) =>
    Math.max(0, Math.min(Math.floor((offsetX / currentTarget.clientWidth) * values.length), values.length - 1));
  const point = (/** @type {MouseEvent & { currentTarget: HTMLElement }} */ event) => {
    event.currentTarget.title = `${label}, ${indexAt(event)}: ${significant(values[indexAt(event)])}`;
  };
  return html`<canvas class=${open ? "no-strip no-opens" : "no-strip"} role="img" aria-label=${label} title=${label}
    ref=${canvas}
    onPointerMove=${point} onClick=${
      open && ((/** @type {MouseEvent & { currentTarget: HTMLElement }} */ event) => open(indexAt(event)))
    }></canvas>`;
}

/** @param {HTMLCanvasElement} canvas @param {number[]} values @param {number} [marked] */
function drawStrip(canvas, values, marked) {
  const style = getComputedStyle(canvas);
  const ratio = devicePixelRatio;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const ctx = context2d(canvas);
  ctx.scale(ratio, ratio);
  const largest = Math.max(...values.map(Math.abs), 1e-12);
  const cell = width / values.length;
  values.forEach((value, i) => {
    ctx.fillStyle = style.getPropertyValue(value < 0 ? "--ap-negative" : "--ap-weight");
    ctx.globalAlpha = Math.abs(value) / largest;
    ctx.fillRect(i * cell, 0, Math.max(cell, 0.5), height);
  });
  ctx.globalAlpha = 1;
  if (marked === undefined) return;
  ctx.strokeStyle = style.getPropertyValue("--ap-ink");
  ctx.lineWidth = 2;
  ctx.strokeRect(Math.max(marked * cell - 1, 1), 1, Math.max(cell, 3) + 1, height - 2);
}

/**
 * A matrix to scale, with the row that was used.
 * @param {{ name: string, rows: number, columns: number, row: number }} props
 */
export function Matrix({ name, rows, columns, row }) {
  const unit = LARGEST / Math.max(rows, columns);
  const style = {
    width: `${Math.max(columns * unit, 6)}px`,
    height: `${Math.max(rows * unit, 6)}px`,
    "--no-at": String(row / Math.max(rows - 1, 1)),
  };
  return html`
    <figure class="no-figure">
      <span class="no-matrix" style=${style}><span class="no-matrix-row"></span></span>
      <figcaption>${typeset(
        t("row {row} (from 0) of {name}, {rows} × " + "{columns}", { row, name, rows, columns }),
      )}</figcaption>
    </figure>`;
}
