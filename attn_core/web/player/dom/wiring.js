// Input: keys, buttons, sliders, pointer. Listeners are added once; they call the player's actions.

import { hit } from "../core/layout.js";
import { MEAN } from "../core/looks.js";
import { onClick } from "./steps.js";

/** @import { Acts, Geometry } from "../core/types.d.ts" */
/** @import { Ui } from "./types.d.ts" */

const KEYBOARD_SETTLES = 350; // ms after the last arrow key on a slider, so that holding a key is one change

/**
 * Connect the elements of `ui` to `act`; `geometry()` is the last drawn layout. Returns a function that stops the timers.
 * @param {Ui} ui
 * @param {Acts} act
 * @param {() => Geometry | null} geometry
 */
export function wire(ui, act, geometry) {
  onClick(ui.first, () => act.jump(0));
  onClick(ui.back, () => act.move(-1));
  onClick(ui.play, act.toggle);
  onClick(ui.forward, () => act.move(1));
  onClick(ui.last, () => act.jump(Infinity));
  onClick(ui.give, act.give);
  onClick(ui.link, act.link);
  onClick(ui.trained, act.asTrained);
  ui.keepBox.addEventListener("change", () => act.keep(ui.keepBox.checked));
  ui.scrub.addEventListener("input", () => act.jump(Number(ui.scrub.value)));
  ui.speed.addEventListener("change", () => act.speed(Number(ui.speed.value)));
  ui.heat.addEventListener("change", () => act.heat(ui.heat.querySelector("input")?.checked ? "weights" : "alignment"));
  ui.eosBox.addEventListener("change", () => act.eos(ui.eosBox.checked));
  ui.look.addEventListener("change", () => act.look(ui.look.value === MEAN ? null : Number(ui.look.value)));
  ui.table.addEventListener("toggle", act.tables);
  const stop = [wireKnob(ui.d, act.halfWidth, act), wireKnob(ui.sigma, act.sigma, act)];
  wireKeys(ui, act);
  wirePointer(ui, act, geometry);
  return () => stop.forEach((end) => end());
}

/**
 * A slider that calls `set` while it moves, and settles once, when it is released.
 * @param {HTMLInputElement} knob
 * @param {(value: number) => void} set
 * @param {Acts} act
 */
function wireKnob(knob, set, act) {
  let timer = 0;
  let held = false;
  const letGo = () => {
    clearTimeout(timer);
    timer = 0;
    held = false;
    act.busy(false);
    act.settle();
  };
  knob.addEventListener("pointerdown", () => {
    held = true;
    act.busy(true);
  });
  knob.addEventListener("input", () => {
    act.busy(true);
    set(Number(knob.value));
  });
  knob.addEventListener("change", () => {
    clearTimeout(timer);
    if (held) letGo();
    else timer = setTimeout(letGo, KEYBOARD_SETTLES);
  });
  // A slider released where it was grabbed fires no change event; otherwise `change` precedes this.
  const up = () => setTimeout(() => held && letGo());
  knob.addEventListener("pointerup", up);
  knob.addEventListener("pointercancel", up);
  return () => clearTimeout(timer);
}

/**
 * @param {Ui} ui
 * @param {Acts} act
 */
function wireKeys(ui, act) {
  ui.frame.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { tagName, type } = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
    const own = type === "range" || type === "radio" || tagName === "SELECT";
    const presses = tagName === "BUTTON" || tagName === "SELECT" || tagName === "SUMMARY" || type === "radio" || type === "checkbox";
    /** @type {Record<string, () => void>} */
    const actions = { ArrowLeft: () => act.move(-1), ArrowRight: () => act.move(1), Home: () => act.jump(0), End: () => act.jump(Infinity) };
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
  const point = (/** @type {MouseEvent} */ event) => act.hover(under(event), ...place(event));
  ui.plot.addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(event));
  ui.plot.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && act.leave());
  ui.plot.addEventListener("click", (event) => {
    const spot = under(event);
    if (spot?.part === "map") act.jump(spot.row);
    point(event);
  });
  ui.scroll.addEventListener("scroll", () => act.leave(), { passive: true });
  ui.gutter.addEventListener("click", (event) => {
    const g = geometry();
    const row = g ? Math.floor((event.offsetY - g.map.y) / g.map.rowHeight) : -1;
    if (g && row >= 0 && row < g.map.rows) act.jump(row);
  });
  ui.frame.addEventListener("keydown", (event) => event.key === "Escape" && act.leave());
}
