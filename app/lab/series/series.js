// The Series page's stage: a series of the past, its forecast by a trained model that runs in the page, and the
// attention of each forecast day over the past. The series, the forecast day and the moved values are in the address.

import { Forecaster } from "../../../attn_core/browser/engine/forecaster.js";
import { fetchModelFiles, fetchStored } from "../../../attn_core/browser/hosts/model-files.js";
import { valueIn } from "../../../attn_core/browser/engine/lookup.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { fixed } from "../../../attn_core/browser/player/core/numbers.js";
import { setDisabled, onClick } from "../../../attn_core/browser/player/dom/steps.js";
import { readFromAddress, keepInAddress, numberFromAddress } from "../../shell/address.js";
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

/** @implements {Stage} */
class SeriesStage {
  /** @param {HTMLElement} host @param {SeriesPage} data @param {boolean} opening */
  constructor(host, data, opening) {
    this.data = data;
    /** @type {Forecaster | null} */
    this.forecaster = null;
    this.chosenSeries = 0;
    this.step = 0; // of the forecast
    this.chosenDay = data.series[0].history.length - data.week; // of the past
    /** @type {MovedValues} */
    this.movedValues = {};
    /** @type {Forecast} */
    this.forecast = { values: [], weights: [] };
    /** @type {Scale | null} */
    this.scale = null;
    this.isDragging = false;
    this.failure = ""; // why there is no forecast
    this.deck = createDeck({
      label: t("Forecast day"),
      pace: PACE,
      count: () => this.current().future.length,
      step: () => this.step,
      jump: (to) => this.jump(to),
      advance: (to) => this.jump(to),
      draw: () => this.page.ask(),
    });
    this.ui = buildSeries(host, this.data.series.length, this.deck);
    this.page = onPage(this.ui.root, () => this.draw());
    this.address = keepInAddress();

    if (opening) this.readAddress();
    this.ui.which.value = String(this.chosenSeries);
    this.openForecaster();

    this.listen();
    this.deck.listenToKeys(this.ui.frame);
    this.page.watch(this.ui.plot);
    this.page.ask();
  }

  listen() {
    const { ui } = this;
    ui.plot.addEventListener("pointerdown", (event) => {
      const { day, isPast, isNear, value } = this.pointAt(event);
      if (event.button || day < 0) return;
      if (!isPast) return this.jump(day - this.current().history.length);
      if (!isNear) return this.chooseDay(day);
      ui.plot.setPointerCapture(event.pointerId);
      event.preventDefault();
      this.isDragging = true;
      if (event.pointerType !== "touch") this.moveValue(day, value);
      else this.chosenDay = day; // a finger that only touches a value does not move it
    });
    // A finger on a value drags it instead of the page.
    ui.plot.addEventListener(
      "touchstart",
      (event) => {
        if (this.pointAt(event.touches[0]).isNear) event.preventDefault();
      },
      { passive: false },
    );
    ui.plot.addEventListener("pointermove", (event) => {
      if (this.isDragging && this.scale) this.moveValue(this.chosenDay, this.pointAt(event).value);
    });
    for (const name of ["pointerup", "pointercancel"])
      ui.plot.addEventListener(name, () => this.isDragging && this.endDrag());
    ui.day.addEventListener("input", () => this.chooseDay(Number(ui.day.value)));
    ui.value.addEventListener("input", () => {
      this.isDragging = true; // the slider keeps its ends
      this.moveValue(this.chosenDay, Number(ui.value.value));
    });
    ui.value.addEventListener("change", () => this.endDrag());
    ui.which.addEventListener("change", () => {
      this.chosenSeries = Number(ui.which.value);
      [this.movedValues, this.step, this.scale] = [{}, 0, null];
      ui.note.textContent = this.failure; // without what the link could not have
      this.keepAddress();
      this.forecastAgain();
    });
    onClick(ui.reset, () => {
      this.movedValues = {};
      this.keepAddress();
      this.forecastAgain();
    });
    ui.table.addEventListener("toggle", this.page.ask);
  }

  openForecaster() {
    const files = valueIn(this.data.addresses, this.data.model);
    if (!files) {
      this.ui.note.textContent = t("There is no trained forecaster in pretrained/.");
      return;
    }
    fetchModelFiles(files.record, files.weights, fetchStored)
      .then(({ graphs, weights }) => {
        this.forecaster = new Forecaster(graphs, /** @type {Uint8Array} */ (weights));
        this.forecastAgain();
      })
      .catch((error) => {
        this.ui.note.textContent = this.failure = t("{name} cannot be used: {error}.", {
          name: this.data.model ?? "",
          error: error.message,
        });
      });
  }

  readAddress() {
    this.chosenSeries = (numberFromAddress("series", 1, this.data.series.length) ?? 1) - 1;
    this.step = Math.floor(numberFromAddress("series_step", 0, this.current().future.length - 1) ?? 0);
    const text = readFromAddress("series_set");
    const linkedValues = text ? movedValuesIn(text, this.current().history.length, FARTHEST) : {};
    if (linkedValues) this.movedValues = linkedValues;
    else this.ui.note.textContent = t("The values in this link are not valid; those of the series are shown instead.");
  }

  keepAddress() {
    this.address.keep({
      series: this.chosenSeries ? this.chosenSeries + 1 : null,
      series_step: this.step || null,
      series_set: movedValuesText(this.movedValues),
    });
  }

  forecastAgain() {
    if (this.forecaster) {
      /** @type {number[][]} */
      const weights = [];
      const values = this.forecaster.forecast(this.past(), this.current().calendar, (plan) =>
        weights.push(Array.from(plan.output("looks.0.weights"))),
      );
      this.forecast = { values, weights };
    }
    this.page.ask();
  }

  draw() {
    const { ui } = this;
    const width = ui.plot.clientWidth;
    if (!width) return;
    const [known, { future, calendar }] = [this.past(), this.current()];
    const last = lastWeek(known, this.data.week, future.length);
    if (!this.isDragging || !this.scale || this.scale.width !== width) {
      // while a value is dragged the picture must not move under it
      const values = [...known, ...future, ...this.forecast.values];
      this.scale = scaleOf(
        width,
        calendar.length,
        Math.floor(Math.min(...values)) - 1,
        Math.ceil(Math.max(...values)) + 1,
      );
    }
    const holidays = calendar.flatMap((features, day) => (features[features.length - 1] ? [day] : []));
    ui.plot.replaceChildren(
      drawSeries(this.scale, {
        past: known,
        truth: future,
        last,
        forecast: this.forecast,
        step: this.step,
        chosenDay: this.chosenDay,
        holidays,
      }),
    );
    const findings = { forecast: this.forecast, truth: future, last, week: this.data.week };
    showFinding(ui, { ...findings, step: this.step, isChanged: Object.keys(this.movedValues).length > 0 });
    if (ui.table.open) showTable(ui, findings);
    ui.day.max = String(known.length - 1);
    ui.day.value = ui.dayOut.textContent = String(this.chosenDay);
    ui.value.min = String(this.scale.least);
    ui.value.max = String(this.scale.most);
    ui.value.value = String(known[this.chosenDay]);
    ui.valueOut.textContent = fixed(known[this.chosenDay], 2);
    this.deck.show();
    setDisabled(ui.reset, !Object.keys(this.movedValues).length);
  }

  /** @param {number} day */
  chooseDay(day) {
    this.chosenDay = day;
    this.page.ask();
  }

  /** @param {number} day @param {number} value */
  moveValue(day, value) {
    this.chosenDay = day;
    this.movedValues = {
      ...this.movedValues,
      [day]: Math.round(Math.min(Math.max(value, -FARTHEST), FARTHEST) * 100) / 100,
    };
    this.forecastAgain();
  }

  endDrag() {
    this.isDragging = false;
    this.keepAddress();
    this.page.ask();
  }

  /** @param {number} to */
  jump(to) {
    this.step = Math.min(Math.max(to, 0), this.current().future.length - 1);
    this.keepAddress();
    this.page.ask();
  }

  /**
   * The day under a pointer or a finger, whether its value is near enough to be dragged, and the value at its height.
   * @param {{ clientX: number, clientY: number }} event
   */
  pointAt({ clientX, clientY }) {
    const { left, top } = this.ui.plot.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    const day = this.scale?.dayAt(x) ?? -1;
    const known = this.past();
    const isPast = day >= 0 && day < known.length;
    return {
      day,
      isPast,
      isNear: isPast && this.scale !== null && Math.abs(this.scale.y(known[day]) - y) <= REACH,
      value: this.scale?.valueAt(y) ?? 0,
    };
  }

  current() {
    return this.data.series[this.chosenSeries];
  }

  past() {
    return this.current().history.map((value, day) => this.movedValues[day] ?? value);
  }

  update() {
    this.page.restyle();
  }

  destroy() {
    this.deck.stop();
    this.address.stop();
    this.page.stop();
  }
}

export default mounted((host, /** @type {SeriesPage} */ data, opening) => new SeriesStage(host, data, opening));
