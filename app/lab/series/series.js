// The Series page's component: a series of the past, its forecast by a trained model that runs in the page, and the
// attention of each forecast day over the past. The series, the step and the moved values are in the address.

import { Forecaster } from "../../../attn_core/web/engine/forecaster.js";
import { filesAt, stored } from "../../../attn_core/web/hosts/fetched.js";
import { t } from "../../../attn_core/web/player/core/messages.js";
import { fixed } from "../../../attn_core/web/player/core/numbers.js";
import { off, onClick, showPlaying } from "../../../attn_core/web/player/dom/steps.js";
import { fromAddress, inAddress, numberFromAddress } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { mounted } from "../kit/mount.js";
import { buildSeries, showTable, showTold } from "./parts.js";
import { lastWeek, movedIn, movedText } from "./past.js";
import { drawn, scaleOf } from "./plot.js";
import { valueIn } from "../../../attn_core/web/player/core/lookup.js";
import { onKey } from "../../../attn_core/web/player/dom/typing.js";

/** @import { Stage } from "../../shell/types.d.ts" */
/** @import { Forecasted, Moved, SeriesPage } from "./types.d.ts" */
/** @import { Scale } from "./plot.js" */

const BEAT = 700; // ms between two days while playing
const REACH = 22; // CSS pixels from a value within which it can be dragged
const FARTHEST = 20; // of a value that a link may set

/**
 * @param {HTMLElement} host
 * @param {SeriesPage} data
 * @param {boolean} opening
 * @returns {Stage}
 */
export function createSeries(host, { model, week, series, addresses }, opening) {
  const ui = buildSeries(host, series.length);
  const box = onPage(ui.root, draw);
  const address = inAddress();
  /** @type {Forecaster | null} */
  let net = null;
  let [which, step, day] = [0, 0, series[0].history.length - week];
  /** @type {Moved} */
  let moved = {};
  /** @type {Forecasted} */
  let forecast = { values: [], weights: [] };
  /** @type {Scale | null} */
  let scale = null;
  let dragging = false;
  let failure = ""; // why there is no forecast
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const one = () => series[which];
  const past = () => one().history.map((value, s) => moved[s] ?? value);

  if (opening) fromLink();
  ui.which.value = String(which);
  const files = valueIn(addresses, model);
  if (!files) ui.note.textContent = t("There is no trained forecaster in pretrained/.");
  else {
    filesAt(files.record, files.weights, stored).then(({ graphs, weights }) => {
      net = new Forecaster(graphs, /** @type {Uint8Array} */ (weights));
      run();
    }).catch((error) => { ui.note.textContent = failure = t("{name} cannot be used: {error}.", { name: model ?? "", error: error.message }); });
  }

  function fromLink() {
    which = (numberFromAddress("series", 1, series.length) ?? 1) - 1;
    step = Math.floor(numberFromAddress("series_step", 0, one().future.length - 1) ?? 0);
    const text = fromAddress("series_set");
    const found = text ? movedIn(text, one().history.length, FARTHEST) : {};
    if (found) moved = found;
    else ui.note.textContent = t("The values in this link are not valid; those of the series are shown instead.");
  }

  function keep() {
    address.keep({ series: which ? which + 1 : null, series_step: step || null, series_set: movedText(moved) });
  }

  /** Forecast again. */
  function run() {
    if (net) {
      /** @type {number[][]} */
      const weights = [];
      const values = net.forecast(past(), one().calendar, (plan) => weights.push(Array.from(plan.output("looks.0.weights"))));
      forecast = { values, weights };
    }
    box.ask();
  }

  function draw() {
    const width = ui.plot.clientWidth;
    if (!width) return;
    const [known, { future, calendar }] = [past(), one()];
    const last = lastWeek(known, week, future.length);
    if (!dragging || !scale || scale.width !== width) { // while a value is dragged the picture must not move under it
      const all = [...known, ...future, ...forecast.values];
      scale = scaleOf(width, calendar.length, Math.floor(Math.min(...all)) - 1, Math.ceil(Math.max(...all)) + 1);
    }
    const holidays = calendar.flatMap((features, at) => (features[features.length - 1] ? [at] : []));
    ui.plot.replaceChildren(drawn(scale, { past: known, truth: future, last, forecast, step, day, holidays }));
    showTold(ui, { forecast, truth: future, last, week, step, changed: Object.keys(moved).length > 0 });
    if (ui.table.open) showTable(ui, { forecast, truth: future, last, week });
    ui.day.max = String(known.length - 1);
    ui.day.value = ui.dayOut.textContent = String(day);
    ui.value.min = String(scale.least);
    ui.value.max = String(scale.most);
    ui.value.value = String(known[day]);
    ui.valueOut.textContent = fixed(known[day], 2);
    ui.scrub.max = String(future.length - 1);
    ui.scrub.value = String(step);
    ui.scrub.style.setProperty("--ap-done", String(step / (future.length - 1)));
    showPlaying(ui.play, Boolean(timer));
    for (const button of [ui.first, ui.back]) off(button, step <= 0);
    for (const button of [ui.forward, ui.last]) off(button, step >= future.length - 1);
    off(ui.reset, !Object.keys(moved).length);
  }

  /** @param {number} at @param {number} value */
  function move(at, value) {
    day = at;
    moved = { ...moved, [at]: Math.round(Math.min(Math.max(value, -FARTHEST), FARTHEST) * 100) / 100 };
    run();
  }

  /** @param {number} to */
  function jump(to) {
    step = Math.min(Math.max(to, 0), one().future.length - 1);
    keep();
    box.ask();
  }

  function stop() {
    clearTimeout(timer);
    timer = undefined;
    box.ask();
  }

  function toggle() {
    if (timer) return stop();
    if (step >= one().future.length - 1) jump(0);
    const beat = () => {
      if (step >= one().future.length - 1) return stop();
      jump(step + 1);
      timer = setTimeout(beat, BEAT);
    };
    timer = setTimeout(beat, BEAT / 2);
    box.ask();
  }

  /** @param {{ clientX: number, clientY: number }} event */
  const at = (event) => {
    const { left, top } = ui.plot.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  /** Whether a height is near the value of a day. @param {number} found @param {number} y */
  const near = (found, y) => scale !== null && Math.abs(scale.y(past()[found]) - y) <= REACH;
  ui.plot.addEventListener("pointerdown", (event) => {
    const [x, y] = at(event);
    const found = scale?.dayAt(x) ?? -1;
    if (event.button || !scale || found < 0) return;
    const known = one().history.length;
    if (found >= known) return jump(found - known);
    if (!near(found, y)) { // only choose the day
      day = found;
      return box.ask();
    }
    ui.plot.setPointerCapture(event.pointerId);
    event.preventDefault();
    dragging = true;
    if (event.pointerType !== "touch") move(found, scale.valueAt(y));
    else day = found; // a finger that only touches a value does not move it
  });
  // A finger on a value drags it instead of the page.
  ui.plot.addEventListener("touchstart", (event) => {
    const [x, y] = at(event.touches[0]);
    const found = scale?.dayAt(x) ?? -1;
    if (scale && found >= 0 && found < one().history.length && near(found, y)) event.preventDefault();
  }, { passive: false });
  ui.plot.addEventListener("pointermove", (event) => { if (dragging && scale) move(day, scale.valueAt(at(event)[1])); });
  for (const name of ["pointerup", "pointercancel"]) {
    ui.plot.addEventListener(name, () => {
      if (!dragging) return;
      dragging = false;
      keep();
      box.ask();
    });
  }
  ui.day.addEventListener("input", () => {
    day = Number(ui.day.value);
    box.ask();
  });
  ui.value.addEventListener("input", () => {
    dragging = true; // the slider keeps its ends
    move(day, Number(ui.value.value));
  });
  ui.value.addEventListener("change", () => {
    dragging = false;
    keep();
    box.ask();
  });
  ui.which.addEventListener("change", () => {
    which = Number(ui.which.value);
    [moved, step, scale] = [{}, 0, null];
    ui.note.textContent = failure; // without what the link could not have
    keep();
    run();
  });
  onClick(ui.reset, () => {
    moved = {};
    keep();
    run();
  });
  onClick(ui.first, () => jump(0));
  onClick(ui.back, () => jump(step - 1));
  onClick(ui.play, toggle);
  onClick(ui.forward, () => jump(step + 1));
  onClick(ui.last, () => jump(one().future.length - 1));
  ui.scrub.addEventListener("input", () => jump(Number(ui.scrub.value)));
  ui.table.addEventListener("toggle", box.ask);
  onKey(ui.frame, (event) => {
    const { tagName, type } = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || type === "range" || tagName === "SELECT") return;
    /** @type {Record<string, () => void>} */
    const acts = { ArrowLeft: () => jump(step - 1), ArrowRight: () => jump(step + 1), Home: () => jump(0), End: () => jump(one().future.length - 1), " ": toggle };
    if (!acts[event.key] || (event.key === " " && (tagName === "BUTTON" || tagName === "SUMMARY"))) return;
    event.preventDefault();
    acts[event.key]();
  });
  box.watch(ui.plot);
  box.ask();

  return {
    update: box.restyle,
    destroy() {
      stop();
      address.stop();
      box.stop();
    },
  };
}

export default mounted(createSeries);
