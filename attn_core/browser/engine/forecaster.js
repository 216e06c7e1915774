// A forecaster: a translator's encoder and decoder on numbers, as in attn_core/synthetic/forecasting.

import { Model, Stepper, copyOutputs } from "./model.js";

/** @typedef {import("./plan.js").Plan} Plan */

export class Forecaster extends Model {
  /**
   * The values of the days after a history, feeding back each forecast.
   * @param {number[]} history of two days or more
   * @param {number[][]} calendar the features of each day of the history and of the days to forecast
   * @param {(plan: Plan, t: number) => void} onStep receives every step's plan, whose outputs are valid until the next
   * @returns {number[]}
   */
  forecast(history, calendar, onStep = () => {}) {
    const n = history.length;
    if (n < 2 || calendar.length <= n)
      throw new Error("give a history of at least 2 days, and a calendar that goes on after it");
    const features = calendar[0].length;
    this.length = calendar.length;
    const known = { data: Float32Array.from(calendar.slice(0, n).flat()), shape: [1, n, features] };
    const days = { history: { data: Float32Array.from(history), shape: [1, n] }, calendar: known };
    const { embedded, mean, deviation } = copyOutputs(this.run(this.json.encoder.embed ?? [], days, {}), () => true);
    const mask = { data: new Float32Array(n).fill(1), shape: [1, n] };
    const plan = this.run(this.json.encoder.finish ?? [], { ...this.recurrent(embedded), mask }, {});
    const memory = copyOutputs(plan, (name) => name.startsWith("memory."));
    let carry = { t: 0, tensors: copyOutputs(plan, (name) => name.startsWith("carry.")) };
    const before = { data: new Float32Array(1), shape: [1, 1] };
    before.data[0] = Math.fround(Math.fround(history[n - 1]) - mean.data[0]) / deviation.data[0];
    const day = { data: new Float32Array(features), shape: [1, 1, features] };
    const [stepJson] = this.json.steps;
    const sentence = { ids: history, memory, looks: {}, named: {}, carry };
    const stepper = new Stepper(this, stepJson, { ...memory, before, mean, deviation, calendar: day }, sentence);
    /** @type {number[]} */
    const forecast = [];
    for (const features of calendar.slice(n)) {
      day.data.set(features);
      const step = stepper.next(carry);
      before.data[0] = step.output("value")[0];
      forecast.push(step.output("forecast")[0]);
      onStep(step, carry.t);
      carry = stepper.after(step, carry);
    }
    return forecast;
  }
}
