// Everything that the player draws, derived from the trace and the user's choices.

import { sameHead } from "./looks.js";
import { glossOf } from "./pieces.js";
import { previewed, recorded, scaleOf, scoreRange } from "./rows.js";
import { decodedWith, isLocal, same, sigmaOf, trainedWith } from "./settings.js";

/** @import { Choices, Options, Row, Settings, Shown, Theme, Trace, View } from "./types.d.ts" */

/**
 * The recorded rows, and those for the settings of the sliders; the same objects until something changes them.
 * @returns {(trace: Trace, look: number | null, now: Settings, preview: boolean) => Rows}
 */
export function rowsKept() {
  /** @type {(Rows & { trace: Trace, look: number | null, key: string }) | null} */
  let made = null;
  return (trace, look, now, preview) => {
    const key = JSON.stringify([look, preview && now]);
    if (made?.trace === trace && made.key === key) return made;
    const truth = made?.trace === trace && made.look === look ? made.truth : recorded(trace, look);
    made = { trace, key, look, truth, frozen: preview ? previewed(trace, look, now) : null };
    return made;
  };
}

/** @typedef {{ truth: Row[], frozen: Row[] | null }} Rows recorded, and recomputed with the states frozen */

/**
 * The number of steps to show; the step of </s> may be omitted.
 * @param {Trace} trace
 * @param {boolean} eos
 */
export function stepsOf({ steps }, eos) {
  return !eos && steps.length > 1 && steps[steps.length - 1].token === "</s>" ? steps.length - 1 : steps.length;
}

/**
 * The number of heads that the weights are averaged over; 0 if one head is shown.
 * @param {Trace} trace
 * @param {number | null} look
 */
function averaged(trace, look) {
  const { length } = trace.steps[0]?.looks ?? [];
  return look === null && length > 1 ? length : 0;
}

/**
 * What was set by hand at the current step, in the head on show; the mean has only what all heads have.
 * @param {Trace} trace
 * @param {Choices} state
 * @returns {Shown["edited"]}
 */
function editedAt({ settings, steps }, { step, look }) {
  const { looks = [] } = steps[0] ?? {};
  const own = looks.length === 1 ? looks[0] : looks[look ?? -1];
  const found = (settings.edits ?? []).filter(({ step: at = step, layer = null, head }) => at === step && (head === null || own && head !== undefined && sameHead(own, { layer, head }))).map(({ kind }) => kind);
  return /** @type {const} */ (["off", "context", "weights"]).find((kind) => found.includes(kind)) ?? null;
}

/**
 * The view of `trace`; `rowsOf` is the result of `rowsKept`.
 * @param {Trace} trace
 * @param {Choices} state
 * @param {ReturnType<typeof rowsKept>} rowsOf
 * @param {Theme} theme
 * @param {boolean} live whether every change is decoded, so that nothing is previewed
 * @param {Pick<Options, "glosses" | "paint" | "map">} [options]
 * @returns {View}
 */
export function viewOf(trace, state, rowsOf, theme, live, { glosses = {}, paint = false, map = true } = {}) {
  const decoded = decodedWith(trace);
  const trained = trainedWith(trace);
  const now = state.draft ?? decoded;
  const preview = !live && !same(now, decoded);
  const { truth, frozen } = rowsOf(trace, state.look, now, preview);
  const unknowable = preview && !frozen;
  const rows = frozen ?? truth;
  const shownWith = live || unknowable ? decoded : now;
  const local = isLocal(shownWith);
  const mode = trace.settings.gaussian ?? "after_softmax";
  const bell = local && (shownWith.window === "local-p" || sigmaOf(shownWith) !== null);
  const hard = (trace.settings.attention_type ?? "soft") !== "soft"; // the weights are then 1 at one word
  const mean = averaged(trace, state.look);
  const onlyOne = mean > 0 || (!hard && (!bell || mode === "on_scores")); // alignment and attention weights are equal
  return {
    decoded, trained, now, preview, unknowable, rows, theme, onlyOne, map: map || (state.look !== null && (trace.steps[0]?.looks.length ?? 0) > 1),
    source: trace.source, targets: trace.steps.slice(0, stepsOf(trace, state.eos)).map((step) => step.token),
    look: {
      normalizer: trace.settings.normalizer, mean,
      step: state.step, local, bell, mode, hard, sigma: sigmaOf(shownWith), heat: onlyOne ? "weights" : state.heat,
      edited: editedAt(trace, state), paint, scale: hard || paint ? 1 : Math.max(scaleOf(rows), scaleOf(truth)), range: scoreRange(truth),
      farthest: Math.max(0, ...rows.map((row) => row.center ?? 0)), source: trace.source,
      unknown: new Set(trace.unknown), gloss: glossOf(trace.source, glosses),
      hover: state.hover?.part === "column" ? state.hover.column : null,
      cell: state.hover?.part === "map" ? state.hover : null,
    },
  };
}
