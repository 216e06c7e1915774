// Drag the bars of the attention weights of the current step, or across its cells in the heatmap, where a host lets readers
// set them by hand.

import { hit } from "../core/layout.js";

/** @import { Acts, Geometry, Paints, Painted } from "../core/types.d.ts" */
/** @import { Ui } from "./types.d.ts" */

const ABOVE = 8; // CSS pixels around a row of bars, with the numbers over them

/**
 * Whether a height is that of a row of bars.
 * @param {Geometry} g
 * @param {string} key of the row
 * @param {number} y
 */
export function inRow(g, key, y) {
  const row = g.bars.find((bar) => bar.key === key);
  return row !== undefined && y >= row.y - ABOVE && y < row.y + row.h + ABOVE;
}

/**
 * Tell the host what is painted (types.d.ts, Painted): a drag in the row of weights or across cells of the current step, or
 * a click on a source word or on such a cell.
 * @param {Ui} ui
 * @param {Acts} act
 * @param {() => Geometry | null} geometry
 * @param {Paints} paints
 */
export function wirePainting(ui, act, geometry, paints) {
  /** @type {number | null} the word whose bar is held */
  let held = null;
  /** @type {number[] | null} the cells that a drag across the current step has touched, in their order */
  let brushed = null;
  let dragged = false; // the click at the end opens nothing

  /** The word at a point of the bars, and the weight that a bar up to there has. @param {{ clientX: number, clientY: number }} at */
  const spot = ({ clientX, clientY }) => {
    const g = geometry();
    const row = g?.bars.find(({ key }) => key === "weights");
    if (!g || !row || paints.step() === null || ui.row.hidden) return null;
    const box = ui.plot.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    const place = Math.round(g.place(x));
    const near = place >= 0 && place < g.n && inRow(g, "weights", y);
    return { near, place, weight: paints.weight(g, row, y) };
  };
  /** The column of a cell of the current step at a point; null elsewhere. @param {{ clientX: number, clientY: number }} at */
  const cellAt = ({ clientX, clientY }) => {
    const g = geometry();
    if (!g || paints.step() === null || ui.row.hidden) return null;
    const box = ui.plot.getBoundingClientRect();
    const found = hit(g, clientX - box.left, clientY - box.top);
    return found?.part === "map" && found.row === paints.step() ? found.column : null;
  };
  /** @param {Painted} detail */
  const tell = (detail) => ui.frame.dispatchEvent(new CustomEvent("attention-paint", { detail, bubbles: true, composed: true }));

  ui.plot.addEventListener("pointerdown", (event) => {
    const [found, cell] = [spot(event), cellAt(event)];
    dragged = false; // a finger's drag ends without a click
    if (event.button === 0 && !found?.near && cell !== null) {
      brushed = [cell];
      ui.plot.setPointerCapture(event.pointerId);
    }
    if (event.button !== 0 || !found?.near) return;
    held = found.place;
    dragged = true;
    ui.plot.setPointerCapture(event.pointerId);
    act.leave();
    tell({ ...found, phase: "start" });
  });
  ui.plot.addEventListener("pointermove", (event) => {
    const found = spot(event);
    ui.plot.classList.toggle("ap-plot-paint", held !== null || Boolean(found?.near));
    ui.plot.classList.toggle("ap-plot-brush", brushed !== null || cellAt(event) !== null);
    if (brushed) {
      event.stopImmediatePropagation();
      brush(event.clientX);
    }
    if (held === null || !found) return;
    event.stopImmediatePropagation();
    tell({ place: held, weight: found.weight, phase: "move" });
  });
  /** The cells up to a point are touched too, wherever the pointer is above or below them. @param {number} clientX */
  function brush(clientX) {
    const g = geometry();
    if (!g || !brushed) return;
    const across = (clientX - ui.plot.getBoundingClientRect().left - g.map.left(0)) / g.map.col;
    const place = Math.min(Math.max(Math.floor(across), 0), g.n - 1);
    const last = brushed[brushed.length - 1];
    if (place === last) return;
    const towards = Math.sign(place - last);
    for (let s = last + towards; s !== place + towards; s += towards) brushed = [...brushed.filter((one) => one !== s), s];
    tell({ place, weight: null, places: brushed, phase: dragged ? "move" : "start" });
    dragged = true;
  }

  const letGo = () => {
    const place = held ?? (dragged ? brushed?.at(-1) : undefined);
    if (place !== undefined) tell({ place, weight: 0, phase: "end" });
    held = brushed = null;
  };
  ui.plot.addEventListener("pointerup", (event) => {
    const tapped = brushed && !dragged && event.pointerType === "touch" ? brushed[0] : null;
    letGo();
    if (tapped !== null) tell({ place: tapped, weight: null, phase: "end" }); // no click follows
  });
  ui.plot.addEventListener("pointercancel", letGo);
  ui.plot.addEventListener("click", (event) => {
    const place = dragged ? null : wordAt(event);
    if (dragged || place !== null) event.stopImmediatePropagation();
    dragged = false;
    if (place !== null) tell({ place, weight: null, phase: "end" });
  });
  // A finger on the bars or on the cells of the current step paints instead of scrolling the page.
  ui.plot.addEventListener("touchstart", (event) => {
    const [finger] = event.touches;
    if (spot(finger)?.near || cellAt(finger) !== null) event.preventDefault();
  }, { passive: false });

  /** The word of a click on a source word or on a cell of the current step. @param {MouseEvent} event */
  function wordAt({ clientX, clientY }) {
    const g = geometry();
    if (!g || paints.step() === null || ui.row.hidden) return null;
    const box = ui.plot.getBoundingClientRect();
    const found = hit(g, clientX - box.left, clientY - box.top);
    if (found?.part === "map") return cellAt({ clientX, clientY });
    const inWords = clientY - box.top >= g.words.y && clientY - box.top <= g.words.y + g.words.h;
    return found?.part === "column" && inWords ? found.column : null;
  }
}
