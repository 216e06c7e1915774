// The Series page's stage: a series of the past, its forecast by a trained model that runs in the page, and the attention
// of each forecast day over the past. The series, the forecast day and the moved values are in the address.

import { Forecaster } from "../../../attn_core/web/engine/forecaster.js";
import { filesAt, stored } from "../../../attn_core/web/hosts/fetched.js";
import { valueIn } from "../../../attn_core/web/player/core/lookup.js";
import { t } from "../../../attn_core/web/player/core/messages.js";
import { fixed } from "../../../attn_core/web/player/core/numbers.js";
import { off, onClick } from "../../../attn_core/web/player/dom/steps.js";
import { fromAddress, inAddress, numberFromAddress } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { createDeck } from "../kit/deck.js";
import { mounted } from "../kit/mount.js";
import { buildSeries, showFinding, showTable } from "./parts.js";
import { lastWeek, movedValuesIn, movedValuesText } from "./past.js";
import { drawSeries, scaleOf } from "./plot.js";

/** @import { Stage } from "../../shell/types.d.ts" */
/** @import { Forecast, MovedValues, SeriesPage } from "./types.d.ts" */
/** @import { Scale } from "./plot.js" */

const PACE = 700; // ms between two days while playing
const REACH = 22; // CSS pixels from a value within which it can be dragged
const FARTHEST = 20; // of a value that a link may set

/**
 * @param {HTMLElement} host
 * @param {SeriesPage} data
 * @param {boolean} opening
 * @returns {Stage}
 */
export function createSeries(host, { model, week, series, addresses }, opening) {
  /** @type {Forecaster | null} */
  let forecaster = null;
  let [chosenSeries, step, chosenDay] = [0, 0, series[0].history.length - week];
  /** @type {MovedValues} */
  let movedValues = {};
  /** @type {Forecast} */
  let forecast = { values: [], weights: [] };
  /** @type {Scale | null} */
  let scale = null;
  let isDragging = false;
  let failure = ""; // why there is no forecast

  const current = () => series[chosenSeries];
  const past = () => current().history.map((value, day) => movedValues[day] ?? value);
  const deck = createDeck({
    label: t("Forecast day"), pace: PACE, count: () => current().future.length, step: () => step, jump, advance: jump, draw: () => page.ask(),
  });
  const ui = buildSeries(host, series.length, deck);
  const page = onPage(ui.root, draw);
  const address = inAddress();

  if (opening) readAddress();
  ui.which.value = String(chosenSeries);
  openForecaster();

  function openForecaster() {
    const files = valueIn(addresses, model);
    if (!files) {
      ui.note.textContent = t("There is no trained forecaster in pretrained/.");
      return;
    }
    filesAt(files.record, files.weights, stored).then(({ graphs, weights }) => {
      forecaster = new Forecaster(graphs, /** @type {Uint8Array} */ (weights));
      forecastAgain();
    }).catch((error) => { ui.note.textContent = failure = t("{name} cannot be used: {error}.", { name: model ?? "", error: error.message }); });
  }

  function readAddress() {
    chosenSeries = (numberFromAddress("series", 1, series.length) ?? 1) - 1;
    step = Math.floor(numberFromAddress("series_step", 0, current().future.length - 1) ?? 0);
    const text = fromAddress("series_set");
    const linkedValues = text ? movedValuesIn(text, current().history.length, FARTHEST) : {};
    if (linkedValues) movedValues = linkedValues;
    else ui.note.textContent = t("The values in this link are not valid; those of the series are shown instead.");
  }

  function keepAddress() {
    address.keep({ series: chosenSeries ? chosenSeries + 1 : null, series_step: step || null, series_set: movedValuesText(movedValues) });
  }

  function forecastAgain() {
    if (forecaster) {
      /** @type {number[][]} */
      const weights = [];
      const values = forecaster.forecast(past(), current().calendar, (plan) => weights.push(Array.from(plan.output("looks.0.weights"))));
      forecast = { values, weights };
    }
    page.ask();
  }

  function draw() {
    const width = ui.plot.clientWidth;
    if (!width) return;
    const [known, { future, calendar }] = [past(), current()];
    const last = lastWeek(known, week, future.length);
    if (!isDragging || !scale || scale.width !== width) { // while a value is dragged the picture must not move under it
      const values = [...known, ...future, ...forecast.values];
      scale = scaleOf(width, calendar.length, Math.floor(Math.min(...values)) - 1, Math.ceil(Math.max(...values)) + 1);
    }
    const holidays = calendar.flatMap((features, day) => (features[features.length - 1] ? [day] : []));
    ui.plot.replaceChildren(drawSeries(scale, { past: known, truth: future, last, forecast, step, chosenDay, holidays }));
    const findings = { forecast, truth: future, last, week };
    showFinding(ui, { ...findings, step, isChanged: Object.keys(movedValues).length > 0 });
    if (ui.table.open) showTable(ui, findings);
    ui.day.max = String(known.length - 1);
    ui.day.value = ui.dayOut.textContent = String(chosenDay);
    ui.value.min = String(scale.least);
    ui.value.max = String(scale.most);
    ui.value.value = String(known[chosenDay]);
    ui.valueOut.textContent = fixed(known[chosenDay], 2);
    deck.show();
    off(ui.reset, !Object.keys(movedValues).length);
  }

  /** @param {number} day */
  function chooseDay(day) {
    chosenDay = day;
    page.ask();
  }

  /** @param {number} day @param {number} value */
  function moveValue(day, value) {
    chosenDay = day;
    movedValues = { ...movedValues, [day]: Math.round(Math.min(Math.max(value, -FARTHEST), FARTHEST) * 100) / 100 };
    forecastAgain();
  }

  function endDrag() {
    isDragging = false;
    keepAddress();
    page.ask();
  }

  /** @param {number} to */
  function jump(to) {
    step = Math.min(Math.max(to, 0), current().future.length - 1);
    keepAddress();
    page.ask();
  }

  /**
   * The day under a pointer or a finger, whether its value is near enough to be dragged, and the value at its height.
   * @param {{ clientX: number, clientY: number }} event
   */
  function pointAt({ clientX, clientY }) {
    const { left, top } = ui.plot.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    const day = scale?.dayAt(x) ?? -1;
    const known = past();
    const isPast = day >= 0 && day < known.length;
    return { day, isPast, isNear: isPast && scale !== null && Math.abs(scale.y(known[day]) - y) <= REACH, value: scale?.valueAt(y) ?? 0 };
  }

  ui.plot.addEventListener("pointerdown", (event) => {
    const { day, isPast, isNear, value } = pointAt(event);
    if (event.button || day < 0) return;
    if (!isPast) return jump(day - current().history.length);
    if (!isNear) return chooseDay(day);
    ui.plot.setPointerCapture(event.pointerId);
    event.preventDefault();
    isDragging = true;
    if (event.pointerType !== "touch") moveValue(day, value);
    else chosenDay = day; // a finger that only touches a value does not move it
  });
  // A finger on a value drags it instead of the page.
  ui.plot.addEventListener("touchstart", (event) => {
    if (pointAt(event.touches[0]).isNear) event.preventDefault();
  }, { passive: false });
  ui.plot.addEventListener("pointermove", (event) => { if (isDragging && scale) moveValue(chosenDay, pointAt(event).value); });
  for (const name of ["pointerup", "pointercancel"]) ui.plot.addEventListener(name, () => isDragging && endDrag());
  ui.day.addEventListener("input", () => chooseDay(Number(ui.day.value)));
  ui.value.addEventListener("input", () => {
    isDragging = true; // the slider keeps its ends
    moveValue(chosenDay, Number(ui.value.value));
  });
  ui.value.addEventListener("change", endDrag);
  ui.which.addEventListener("change", () => {
    chosenSeries = Number(ui.which.value);
    [movedValues, step, scale] = [{}, 0, null];
    ui.note.textContent = failure; // without what the link could not have
    keepAddress();
    forecastAgain();
  });
  onClick(ui.reset, () => {
    movedValues = {};
    keepAddress();
    forecastAgain();
  });
  ui.table.addEventListener("toggle", page.ask);
  deck.takeKeys(ui.frame);
  page.watch(ui.plot);
  page.ask();

  return {
    update: page.restyle,
    destroy() {
      deck.stop();
      address.stop();
      page.stop();
    },
  };
}

export default mounted(createSeries);
