// What the Training page draws of a record: its panels of curves, and texts about its progress.

import { valueIn } from "../../../attn_core/browser/engine/lookup.js";
import { t, tn } from "../../../attn_core/browser/player/core/messages.js";
import { grouped } from "../../../attn_core/browser/player/core/numbers.js";

/** @import { Curve, Listed, Panel, State, Status, TrainingRecord } from "./types.d.ts" */

/**
 * The panels of the loss and, in percent, of BLEU and of the largest weights, up to the update `until`.
 * @param {TrainingRecord} record
 * @param {number} [until]
 * @returns {Panel[]}
 */
export function panels({ curves: { training, validation, bleu, largest_weights } }, until = Infinity) {
  const reached = (/** @type {Curve["points"]} */ points) => points.filter(([update]) => update <= until);
  const most = Math.max(1, ...[...training, ...validation].map(([, value]) => value ?? 0));
  return [
    {
      title: t("Loss"),
      most: Math.ceil(most),
      digits: 2,
      curves: [
        { label: t("training"), kind: "train", points: reached(training) },
        { label: t("validation"), kind: "valid", points: reached(validation) },
      ],
    },
    {
      title: "%",
      most: 100,
      digits: 1,
      curves: [
        { label: "BLEU", kind: "bleu", points: reached(bleu) },
        { label: t("mean largest weight"), kind: "focus", points: reached(largest_weights) },
      ],
    },
  ];
}

/**
 * The index of the update that is nearest to `update` in log scale.
 * @param {number[]} updates in increasing order
 * @param {number} update
 */
export function nearest(updates, update) {
  const distances = updates.map((candidate) => Math.abs(Math.log(candidate / update)));
  return distances.indexOf(Math.min(...distances));
}

/**
 * A training's progress in one line.
 * @param {State} state
 * @param {Partial<Status>} status
 */
export function progressText(state, status) {
  if (state !== "training")
    return {
      recorded: "",
      paused: t("Paused. Its state is saved."),
      finished: t("Finished."),
      stopped: t("Stopped."),
      damaged: "",
    }[state];
  const { update, updates = 1, epoch = 0, epochs = 1, loss = null, words_per_second = 0, seconds_left = 0 } = status;
  if (update === undefined) return t("Training is starting.");
  return (
    [
      t("Epoch {epoch} of {epochs}", { epoch: Math.min(epoch + 1, epochs), epochs }),
      t("update {update} of {updates}", { update: grouped(update), updates: grouped(updates) }),
      ...(loss === null ? [] : [t("loss {loss}", { loss: loss.toFixed(2) })]),
      t("{n} words/s", { n: grouped(Math.round(words_per_second)) }),
      timeLeft(seconds_left),
    ].join(" · ") + "."
  );
}

/**
 * A training in the list: its name and state.
 * @param {Listed["trainings"][number]} training
 */
export function trainingLabel({ name, state }) {
  const [folder, ...rest] = name.split("/");
  const states = {
    recorded: folder === "shipped" ? t("shipped model") : t("recorded"),
    training: t("training now"),
    paused: t("paused"),
    finished: t("finished"),
    stopped: t("stopped"),
    damaged: t("damaged"),
  };
  return `${rest.at(-1) ?? folder} (${valueIn(states, state) ?? state})`;
}

/** @param {number} seconds */
function timeLeft(seconds) {
  if (seconds < 90) return tn("{n} second left", "{n} seconds left", Math.round(seconds));
  if (seconds < 5400) return tn("{n} minute left", "{n} minutes left", Math.round(seconds / 60));
  return tn("{n} hour left", "{n} hours left", Math.round(seconds / 3600));
}
