// Input: keys, buttons, sliders, pointer. Listeners are added once; they call the player's actions.

import { hit } from "../core/layout.js";
import { MEAN } from "../core/looks.js";
import { wireKnob } from "./knobs.js";
import { inRow, wirePainting } from "./painting.js";
import { wirePresenter } from "./presenter.js";
import { onClick } from "./steps.js";
import { onKey } from "./typing.js";

/** @import { Acts, Clicked, Geometry, Paints } from "../core/types.d.ts" */
/** @import { Ui } from "./types.d.ts" */

const REACH = 14; // on either side of p_t's line, in sixteenths of the font size

/**
 * Connect the elements of `ui` to `act`; `geometry()` is the last drawn layout. Returns a function that stops the timer.
 * @param {Ui} ui
 * @param {Acts} act
 * @param {() => Geometry | null} geometry
 * @param {Paints} paints
 */
export function wire(ui, act, geometry, paints) {
  onClick(ui.first, () => act.jump(0));
  onClick(ui.back, () => act.move(-1));
  onClick(ui.play, act.toggle);
  onClick(ui.forward, () => act.move(1));
  onClick(ui.last, () => act.jump(Infinity));
  onClick(ui.give, act.give);
  onClick(ui.ownCenter, act.ownCenter);
  onClick(ui.trained, act.asTrained);
  ui.keepBox.addEventListener("change", () => act.keep(ui.keepBox.checked));
  ui.scrub.addEventListener("input", () => act.jump(Number(ui.scrub.value)));
  ui.speed.addEventListener("change", () => act.speed(Number(ui.speed.value)));
  ui.heat.addEventListener("change", () => act.heat(shownHeat(ui)));
  ui.eosBox.addEventListener("change", () => act.eos(ui.eosBox.checked));
  ui.look.addEventListener("change", () => act.look(ui.look.value === MEAN ? null : Number(ui.look.value)));
  ui.table.addEventListener("toggle", act.tables);
  const stop = wireKnob(ui.center, act.center, act);
  wireKeys(ui, act);
  wirePresenter(ui, act);
  wireCenter(ui, act, geometry, paints); // first: what drags p_t paints nothing and points at nothing
  wirePainting(ui, act, geometry, paints);
  wirePointer(ui, act, geometry);
  return stop;
}

/** What the heatmap shows. @param {Ui} ui */
const shownHeat = (ui) => (ui.heat.querySelector("input")?.checked ? "weights" : "alignment");

/**
 * Drag p_t in the picture, by its line; not where its line crosses weights that can be painted.
 * @param {Ui} ui
 * @param {Acts} act
 * @param {() => Geometry | null} geometry
 * @param {Paints} paints
 */
function wireCenter(ui, act, geometry, paints) {
  let held = false;
  let dragged = false; // the click at the end chooses no step
  const across = (/** @type {number} */ clientX) => clientX - ui.plot.getBoundingClientRect().left;
  /** @param {{ clientX: number, clientY: number }} at */
  const near = ({ clientX, clientY }) => {
    const g = geometry();
    if (!g || ui.knobs.hidden || ui.row.hidden) return false;
    const y = clientY - ui.plot.getBoundingClientRect().top;
    const painted = paints.step() !== null && inRow(g, "weights", y);
    return y < g.words.y && !painted && Math.abs(across(clientX) - g.x(Number(ui.center.value))) < REACH * g.u;
  };
  ui.plot.addEventListener("pointerdown", (event) => {
    dragged = false; // a finger's drag ends without a click
    if (event.button !== 0 || !near(event)) return;
    event.stopImmediatePropagation();
    held = dragged = true;
    ui.plot.setPointerCapture(event.pointerId);
    act.busy(true);
    act.leave();
  });
  ui.plot.addEventListener("pointermove", (event) => {
    ui.plot.classList.toggle("ap-plot-grip", held || near(event));
    const g = geometry();
    if (!held || !g) return;
    event.stopImmediatePropagation();
    const place = Math.min(Math.max(g.place(across(event.clientX)), 0), Number(ui.center.max));
    act.center(Math.round(place * 20) / 20); // in steps of the slider
  });
  const letGo = () => {
    if (!held) return;
    held = false;
    act.busy(false);
    act.settle();
  };
  ui.plot.addEventListener("pointerup", letGo);
  ui.plot.addEventListener("pointercancel", letGo);
  ui.plot.addEventListener("click", (event) => {
    if (dragged) event.stopImmediatePropagation();
    dragged = false;
  });
  // A finger on the line drags it instead of the page.
  ui.plot.addEventListener("touchstart", (event) => { if (near(event.touches[0])) event.preventDefault(); }, { passive: false });
}

/**
 * Tell the host which number was clicked (types.d.ts, Clicked).
 * @param {Ui} ui
 * @param {Clicked} detail
 */
function clicked(ui, detail) {
  ui.frame.dispatchEvent(new CustomEvent("attention-number", { detail, bubbles: true, composed: true }));
}

/**
 * @param {Ui} ui
 * @param {Acts} act
 */
function wireKeys(ui, act) {
  onKey(ui.frame, (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { tagName, type } = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
    const own = type === "range" || type === "radio" || tagName === "SELECT";
    const presses = tagName === "BUTTON" || tagName === "SELECT" || tagName === "SUMMARY" || type === "radio" || type === "checkbox";
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowLeft: () => act.move(-1), ArrowRight: () => act.move(1), Home: () => act.jump(0), End: () => act.jump(Infinity),
      ...(event.target === ui.frame ? { Enter: () => clicked(ui, { key: "weights", place: null, row: null }) } : {}),
    };
    if (event.key === " " ? presses : own) return;
    const action = event.key === " " ? act.toggle : actions[event.key];
    if (!action) return;
    event.preventDefault(); // the page must not scroll
    action();
  });
}

/**
 * @param {Ui} ui
 * @param {Acts} act
 * @param {() => Geometry | null} geometry
 */
function wirePointer(ui, act, geometry) {
  const under = (/** @type {MouseEvent} */ event) => {
    const g = geometry();
    const box = ui.plot.getBoundingClientRect();
    return g ? hit(g, event.clientX - box.left, event.clientY - box.top) : null;
  };
  /** @returns {[x: number, y: number]} */
  const place = (/** @type {MouseEvent} */ event) => {
    const box = ui.stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  /** The row of bars at a point; what the heatmap shows elsewhere. @param {MouseEvent} event @param {boolean} inMap */
  const keyAt = ({ clientY }, inMap) => {
    const g = geometry();
    const y = clientY - ui.plot.getBoundingClientRect().top;
    const bar = inMap ? null : g?.bars.findLast(({ key }) => inRow(g, key, y));
    return bar?.key ?? (inMap ? shownHeat(ui) : "weights");
  };
  const point = (/** @type {MouseEvent} */ event) => {
    const spot = under(event);
    act.hover(spot?.part === "target" ? null : spot, ...place(event));
  };
  ui.plot.addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(event));
  ui.plot.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && act.leave());
  ui.plot.addEventListener("click", (event) => {
    const spot = under(event);
    if (spot && spot.part !== "target") clicked(ui, { key: keyAt(event, spot.part === "map"), place: spot.column, row: spot.part === "map" ? spot.row : null });
    if (spot && spot.part !== "column") act.jump(spot.row);
    point(event);
  });
  const choose = (/** @type {Event} */ event) => {
    const rank = /** @type {HTMLElement} */ (event.target).closest(".ap-next-row")?.getAttribute("data-rank");
    if (rank) clicked(ui, { rank: Number(rank) });
  };
  ui.next.addEventListener("click", choose);
  onKey(ui.next, (event) => {
    if (!["Enter", " "].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault(); // the space bar would play
    choose(event);
  });
  ui.scroll.addEventListener("scroll", () => act.leave(), { passive: true });
  ui.gutter.addEventListener("click", (event) => {
    const g = geometry();
    const row = g && !g.map.words ? Math.floor((event.offsetY - g.map.y) / g.map.rowHeight) : -1;
    if (g && row >= 0 && row < g.map.rows) act.jump(row);
  });
  onKey(ui.frame, (event) => event.key === "Escape" && act.leave());
}
