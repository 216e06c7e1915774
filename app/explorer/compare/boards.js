// The maps of a comparison, under their legend or the numbers of the cell under the pointer.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { short } from "../../../attn_core/browser/player/core/numbers.js";
import { onFonts } from "../../../attn_core/browser/player/dom/fonts.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { onPrint, isPrinting } from "../../../attn_core/browser/player/dom/print.js";
import { context2d, penOf, unitOf } from "../../../attn_core/browser/player/draw/pen.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../../../attn_core/browser/vendor/hooks.js";
import { cellAt, drawAttention, drawDifference, layOutBoard } from "./maps.js";

/**
 * @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts"
 * @import { Action } from "../../../attn_core/browser/state/types.d.ts"
 * @import { RefObject } from "../../../attn_core/browser/vendor/preact.js"
 * @import { Cell, Layout } from "./maps.js"
 * @import { Side, BoardsData } from "./types.d.ts"
 */

const BELOW = 4; // font sizes under the maps in lecture layout: two lines of the summary, and their margins

/**
 * The attention of each translation, and their difference. A click on a row leads to its step.
 * @param {{ boards: BoardsData, step: number, theme: Theme, dispatch: (action: Extract<Action, { type: "step chosen"
 * }>) => void }} props
 */
export function Boards({ boards, step, theme, dispatch }) {
  const { sides, differences, steps, legend } = boards;
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const layouts = useRef(/** @type {Layout[]} */ ([]));
  const [pointed, setPointed] = useState(/** @type {Cell | null} */ (null));
  const cell = pointed && pointed.row < steps.length && pointed.column < sides[0].source.length ? pointed : null;
  const room = useRoom(root);
  useLayoutEffect(() => {
    if (root.current?.clientWidth)
      layouts.current = paintBoards(root.current, {
        boards,
        theme,
        cell,
        now: steps.findLastIndex((first) => first !== null && first <= step),
      });
  }, [boards, step, theme, cell, room]);
  const board = (/** @type {string} */ title, /** @type {string} */ label, /** @type {number} */ i) => html`<${Board}
    title=${title} label=${label}
      cellAt=${(/** @type {number} */ x, /** @type {number} */ y) =>
        layouts.current[i] && cellAt(layouts.current[i], x, y)}
    onPoint=${(/** @type {Cell | null} */ at) =>
      setPointed((last) =>
        last && at?.row === last.row && at.column === last.column ? last : at && at.column >= 0 ? at : null,
      )}
    onChoose=${(/** @type {Cell} */ { row }) => {
      const chosen = steps.slice(0, row + 1).findLast((at) => at !== null);
      if (chosen != null) dispatch({ type: "step chosen", step: chosen });
    }}
  />`;
  const shares = (differences ?? []).flatMap((row, i) =>
    row ? [`${sides[0].labels[i]?.text} ${Math.round(100 * row.share)}%`] : [],
  );
  return html`<div ref=${root}>
    <p class="cp-read">${cell ? numbersAt(sides, cell) : legend}</p>
    <div class=${`cp-maps ${sides.length > 2 ? "cp-many" : ""}`}>
      ${sides.map(({ name, target, title }, i) =>
        board(title, t("Attention weights of {model}: " + "{words}", { model: name, words: target.join(" ") }), i),
      )}
      ${
        differences &&
        board(
          t("Difference per word, in % of the " + "attention"),
          t("Differences of the attention: {shares}", { shares: shares.join(", ") || t("no shared word") }),
          sides.length,
        )
      }
    </div>
  </div>`;
}

/**
 * One map, which is painted by Boards.
 * @param {{ title: string, label: string, cellAt: (x: number, y: number) => Cell | null, onPoint: (cell: Cell | null)
 * => void, onChoose: (cell: Cell) => void }} props
 */
function Board({ title, label, cellAt: cellOf, onPoint, onChoose }) {
  const at = (/** @type {MouseEvent} */ { offsetX, offsetY }) => cellOf(offsetX, offsetY);
  const choose = (/** @type {MouseEvent} */ event) => {
    const cell = at(event);
    onPoint(cell); // a tap sends no pointermove
    if (cell) onChoose(cell);
  };
  return html`<figure class="cp-figure">
    <figcaption>${title}</figcaption>
    <canvas role="img" aria-label=${label} onClick=${choose}
      onPointerMove=${(/** @type {PointerEvent} */ event) => onPoint(at(event))}
      onPointerLeave=${
        (/** @type {PointerEvent} */ event) =>
          event.pointerType === "mouse" && onPoint(null) /* a lifted finger leaves too */
      } />
  </figure>`;
}

/**
 * A text that changes with the room for canvases in an element, and with their fonts.
 * @param {RefObject<HTMLElement | null>} element
 */
function useRoom(element) {
  const [room, setRoom] = useState("");
  useEffect(() => {
    let arrivals = 0;
    const measure = () =>
      setRoom(
        [element.current?.clientWidth, window.innerHeight, window.devicePixelRatio, arrivals, isPrinting()].join(" "),
      );
    const resized = new ResizeObserver(measure);
    resized.observe(/** @type {HTMLElement} */ (element.current));
    const letPrint = onPrint(measure);
    const ended = onFonts(() => {
      arrivals++;
      measure();
    });
    return () => {
      ended();
      letPrint();
      resized.disconnect();
    };
  }, []);
  return room;
}

/**
 * Paint all maps with the same room. In lecture layout they have the height that is left, if they stand side by side.
 * @param {HTMLElement} root of Boards
 * @param {{ boards: BoardsData, theme: Theme, cell: Cell | null, now: number }} shown `now`: the row of the current
 * step, or -1
 */
function paintBoards(root, { boards: { sides, differences, steps }, theme, cell, now }) {
  const canvases = [...root.querySelectorAll("canvas")];
  const maps = /** @type {HTMLElement} */ (root.lastElementChild);
  const style = getComputedStyle(root);
  const paint = penOf(style, theme);
  const width = Math.floor(/** @type {HTMLElement} */ (canvases[0].parentElement).clientWidth);
  const below =
    Math.max(...canvases.map(({ offsetTop }) => offsetTop)) -
    maps.offsetTop +
    BELOW * Number.parseFloat(style.fontSize);
  const presented = root.closest(".ap-presented") && canvases.length * width <= root.clientWidth;
  const height = presented ? window.innerHeight - maps.getBoundingClientRect().top - below : null;
  const words = sides.flatMap(({ labels }) => labels.map((label) => label?.text ?? ""));
  return canvases.map((canvas, i) => {
    const { source, unknown, rows, labels } = sides[i] ?? sides[0];
    const pen = { ...paint, ctx: context2d(canvas) };
    const layout = layOutBoard({
      width,
      height,
      u: unitOf(style),
      source,
      labels: words,
      rows: steps.length,
      ctx: pen.ctx,
      family: paint.family,
    });
    const picture = { source, unknown: new Set(unknown), labels, now, cell };
    if (i < sides.length) drawAttention(canvas, pen, layout, { ...picture, rows });
    else if (differences) drawDifference(canvas, pen, layout, { ...picture, rows: differences });
    return layout;
  });
}

/**
 * The numbers of a cell: "catch ← fangen: 0.98 | 0.61".
 * @param {Side[]} sides
 * @param {Cell} cell
 */
function numbersAt(sides, { row, column }) {
  const words = sides.map(({ labels }) => labels[row]?.text ?? "–");
  const values = sides.map(({ rows }) => rows[row]?.weights[column]);
  const word = new Set(words).size > 1 ? words.join(" | ") : words[0];
  return `${word} ← ${
    sides[0].source[column] ?? "–"
  }: ${values.map((value) => (value === undefined ? "–" : short(value))).join(" | ")}`;
}
