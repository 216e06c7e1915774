// The maps of a comparison on the page: drawn on request, with the numbers of the cell under the pointer.

import { t } from "../../../attn_core/web/player/core/messages.js";
import { short } from "../../../attn_core/web/player/core/numbers.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { context2d, penOf, unitOf } from "../../../attn_core/web/player/draw/pen.js";
import { cellAt, drawAttention, drawDifference, layOutBoard } from "./maps.js";

/**
 * @import { Theme } from "../../../attn_core/web/player/core/types.d.ts"
 * @import { Board, Cell } from "./maps.js"
 * @import { Side, Told } from "./types.d.ts"
 *
 * @typedef {ReturnType<typeof buildFigure>} Figure
 */

const LINES = 6; // of text under the maps in presenter view

/**
 * @param {(step: number) => void} jump
 * @param {() => Theme} theme
 */
export function buildBoards(jump, theme) {
  const read = el("p", { class: "cp-read" });
  const maps = el("div", { class: "cp-maps" });
  const root = el("div", {}, maps, read);
  /** @type {Figure[]} of the translations, and that of the difference */
  const figures = [];
  /** @type {Told | null} */
  let told = null;
  let step = 0;
  /** @type {Cell | null} */
  let cell = null;
  const hooks = {
    /** @param {Cell | null} place */
    point(place) {
      cell = place && place.column >= 0 ? place : null;
      draw();
    },
    /** @param {Cell} place */
    click({ row }) {
      const to = told?.steps.slice(0, row + 1).findLast((one) => one !== null);
      if (to != null) jump(to);
    },
  };

  function draw() {
    if (!told || !root.clientWidth) return;
    const { sides, differences, steps } = told;
    const style = getComputedStyle(root);
    const paint = penOf(style, theme());
    const now = steps.indexOf(step);
    const width = Math.floor(figures[0].root.clientWidth);
    const { top } = maps.getBoundingClientRect();
    const below = Math.max(...figures.map(({ canvas }) => canvas.offsetTop)) - maps.offsetTop + LINES * Number.parseFloat(style.fontSize);
    const height = root.closest(":fullscreen") && figures.length * width <= root.clientWidth ? window.innerHeight - top - below : null;
    const labels = sides.flatMap((side) => side.labels.map((label) => label?.text ?? ""));
    figures.forEach((figure, i) => {
      const { source, unknown, rows, labels: own } = sides[i] ?? sides[0];
      const pen = { ...paint, ctx: figure.ctx };
      const board = layOutBoard({ width, height, u: unitOf(style), source, labels, rows: steps.length, ctx: figure.ctx, family: paint.family });
      const given = { source, unknown: new Set(unknown), labels: own, now, cell };
      figure.board = board;
      if (i < sides.length) drawAttention(figure.canvas, pen, board, { ...given, rows });
      else if (differences) drawDifference(figure.canvas, pen, board, { ...given, rows: differences });
    });
    read.textContent = cell ? reading(sides, cell) : told.legend;
  }

  /** As many figures as there are maps. @param {number} count */
  function provide(count) {
    while (figures.length > count) figures.pop()?.root.remove();
    while (figures.length < count) {
      figures.push(buildFigure(hooks));
      maps.append(figures[figures.length - 1].root);
    }
  }

  return {
    root, draw,
    /** @param {Told} now */
    show(now) {
      told = now;
      const { sides, differences } = now;
      maps.classList.toggle("cp-many", sides.length > 2);
      provide(sides.length + (differences ? 1 : 0));
      sides.forEach(({ name, target, title }, i) => {
        figures[i].name(title, t("Attention weights of {model}: {words}", { model: name, words: target.join(" ") }));
      });
      const shares = (differences ?? []).flatMap((row, i) => (row ? [`${sides[0].labels[i]?.text} ${Math.round(100 * row.share)}%`] : []));
      if (differences) figures[sides.length].name(t("Difference per word, in % of the attention"), t("Differences of the attention: {shares}", { shares: shares.join(", ") || t("no shared word") }));
      draw();
    },
    /** @param {number} now the step of the shown translation */
    at(now) {
      step = now;
      draw();
    },
  };
}

/** @param {{ point: (place: Cell | null) => void, click: (place: Cell) => void }} hooks */
function buildFigure({ point, click }) {
  const [canvas, caption] = [el("canvas", { role: "img" }), el("figcaption")];
  const figure = {
    canvas, root: el("figure", { class: "cp-figure" }, caption, canvas), ctx: context2d(canvas),
    board: /** @type {Board | null} */ (null),
    /** @param {string} title @param {string} label */
    name(title, label) {
      caption.textContent = title;
      canvas.setAttribute("aria-label", label);
    },
  };
  const at = (/** @type {MouseEvent} */ { offsetX, offsetY }) => figure.board && cellAt(figure.board, offsetX, offsetY);
  canvas.addEventListener("pointermove", (event) => point(at(event)));
  canvas.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && point(null)); // a lifted finger leaves too
  canvas.addEventListener("click", (event) => {
    const place = at(event);
    point(place); // a tap sends no pointermove
    if (place) click(place);
  });
  return figure;
}

/**
 * The numbers of a cell: "catch ← fangen: 0.98 | 0.61".
 * @param {Side[]} sides
 * @param {Cell} cell
 */
function reading(sides, { row, column }) {
  const words = sides.map(({ labels }) => labels[row]?.text ?? "–");
  const values = sides.map(({ rows }) => rows[row]?.weights[column]);
  const word = new Set(words).size > 1 ? words.join(" | ") : words[0];
  return `${word} ← ${sides[0].source[column] ?? "–"}: ${values.map((value) => (value === undefined ? "–" : short(value))).join(" | ")}`;
}
