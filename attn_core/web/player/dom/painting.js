// Drag the bars of the attention weights of the current step, where a host lets readers set them by hand.

import { hit } from "../core/layout.js";
import { axisOf } from "../draw/bars.js";

/** @import { Acts, Geometry, Painted, Shown } from "../core/types.d.ts" */
/** @import { Ui } from "./types.d.ts" */

const ABOVE = 8; // CSS pixels around the row of bars

/**
 * Tell the host what is painted (types.d.ts, Painted): a drag in the row of weights, or a click on a source word or on a
 * cell of the current step.
 * @param {Ui} ui
 * @param {Acts} act
 * @param {() => Geometry | null} geometry
 * @param {() => number | null} painted the step whose weights can be set; null: none
 */
export function wirePainting(ui, act, geometry, painted) {
  /** @type {number | null} the word whose bar is held */
  let held = null;
  let dragged = false; // the click at the end opens nothing

  /** The word at a point of the bars, and the weight that a bar up to there has. @param {{ clientX: number, clientY: number }} at */
  const spot = ({ clientX, clientY }) => {
    const g = geometry();
    const row = g?.bars.find(({ key }) => key === "weights");
    if (!g || !row || painted() === null || ui.row.hidden) return null;
    const box = ui.plot.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    const { zero, unit } = axisOf(row, g, /** @type {Shown} */ ({ scale: 1 }));
    const place = Math.round(g.place(x));
    const near = place >= 0 && place < g.n && y >= row.y - ABOVE && y <= row.y + row.h + ABOVE;
    return { near, place, weight: Math.min(Math.max((zero - y) / unit, 0), 1) };
  };
  /** @param {Painted} detail */
  const tell = (detail) => ui.frame.dispatchEvent(new CustomEvent("attention-paint", { detail, bubbles: true, composed: true }));

  ui.plot.addEventListener("pointerdown", (event) => {
    const found = spot(event);
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
    if (held === null || !found) return;
    event.stopImmediatePropagation();
    tell({ place: held, weight: found.weight, phase: "move" });
  });
  const letGo = () => {
    if (held !== null) tell({ place: held, weight: 0, phase: "end" });
    held = null;
  };
  ui.plot.addEventListener("pointerup", letGo);
  ui.plot.addEventListener("pointercancel", letGo);
  ui.plot.addEventListener("click", (event) => {
    const place = dragged ? null : wordAt(event);
    if (dragged || place !== null) event.stopImmediatePropagation();
    dragged = false;
    if (place !== null) tell({ place, weight: null, phase: "end" });
  });
  // A finger on the bars paints instead of scrolling the page.
  ui.plot.addEventListener("touchstart", (event) => { if (spot(event.touches[0])?.near) event.preventDefault(); }, { passive: false });

  /** The word of a click on a source word or on a cell of the current step. @param {MouseEvent} event */
  function wordAt({ clientX, clientY }) {
    const g = geometry();
    if (!g || painted() === null || ui.row.hidden) return null;
    const box = ui.plot.getBoundingClientRect();
    const found = hit(g, clientX - box.left, clientY - box.top);
    if (found?.part === "map") return found.row === painted() ? found.column : null;
    const inWords = clientY - box.top >= g.words.y && clientY - box.top <= g.words.y + g.words.h;
    return found?.part === "column" && inWords ? found.column : null;
  }
}
