// Playback, the words so far, and where the numbers come from.

import { withValue } from "../dom/changes.js";
import { html } from "../dom/html.js";
import { WithSubscripts } from "../dom/parts.js";
import { typeNote } from "../core/attention-types.js";
import { editsText, windowText } from "../core/interventions.js";
import { t } from "../core/messages.js";
import { isSame } from "../core/settings.js";
import { IconButton } from "./icon-button.js";
import { Words } from "./words.js";

/**
 * @import { Options, Trace, View } from "../core/types.d.ts"
 *
 * @typedef {object} Props
 * @property {Trace} trace
 * @property {View} view
 * @property {NonNullable<Options["windows"]>} windows
 * @property {Options["types"]} types
 * @property {number} step
 * @property {number} steps
 * @property {boolean} playing
 * @property {number} speed 0: the usual one, without motion between steps
 * @property {boolean} brief whether it has only the controls for following the steps
 * @property {boolean} presented whether it is in lecture layout
 * @property {(step: number) => void} jump
 * @property {() => void} toggle
 * @property {(speed: number) => void} onSpeed
 * @property {() => void} present begins and ends lecture layout
 */

const SPEEDS = [0.5, 1, 2, 4];

/** @param {Props} props */
export function Playback({
  trace,
  view,
  windows,
  types,
  step,
  steps,
  playing,
  speed,
  presented,
  brief,
  jump,
  toggle,
  onSpeed,
  present,
}) {
  const count = t("step {n} of {all}", { n: step + 1, all: steps });
  const end = Math.max(steps - 1, 0);
  const [isFirst, isLast] = [step <= 0, step >= steps - 1];
  return html`<div class="ap-top">
    <div class="ap-buttons">
      ${
        !brief &&
        html`<${IconButton} icon="first" label=${t("First step")} keys="Home" isOff=${isFirst}
        onClick=${() => jump(0)} />`
      }
      <${IconButton} icon="back" label=${t("Step back")} keys="ArrowLeft" isOff=${isFirst}
        onClick=${() => jump(step - 1)} />
      <${IconButton} icon=${playing ? "pause" : "play"} label=${playing ? t("Pause") : t("Play")} keys="Space"
        className="ap-play" tabIndex=${0} onClick=${toggle} />
      <${IconButton} icon="forward" label=${t("Step forward")} keys="ArrowRight" isOff=${isLast}
        onClick=${() => jump(step + 1)} />
      ${
        !brief &&
        html`<${IconButton} icon="last" label=${t("Last step")} keys="End" isOff=${isLast}
        onClick=${() => jump(end)} />`
      }
    </div>
    <${Words} target=${trace.target} step=${step} steps=${steps} jump=${jump} />
    <${Status} count=${count} trace=${trace} view=${view} types=${types} brief=${brief} isFirst=${step === 0} />
    ${
      !brief &&
      html`<select class="ap-select" aria-label=${t("Speed")} title=${t("Speed")} value=${speed}
        onChange=${withValue((value) => onSpeed(Number(value)))}>
      ${SPEEDS.map((factor) => html`<option value=${factor}>${factor}×</option>`)}
      <option value="0">${t("1× without motion")}</option>
    </select>`
    }
    <${IconButton} icon="present" label=${t("Lecture layout")} keys="F" className="ap-present"
      title=${presented ? t("Leave lecture layout (F)") : undefined}
      pressed=${presented} onClick=${present}><span class="ap-present-word">${t("Present")}</span><//>
    <input type="range" class="ap-scrub" tabindex="-1" aria-label=${t("Decoding step")} aria-valuetext=${count} min="0"
      max=${end} step="1" value=${step}
      style=${{ "--ap-done": steps > 1 ? step / end : 1 }}
      onInput=${withValue((value) => jump(Number(value)))} />
    <${Departures} trace=${trace} view=${view} windows=${windows} types=${types} />
  </div>`;
}

/**
 * The step, and where its numbers come from.
 * @param {Pick<Props, "trace" | "view" | "types" | "brief"> & { count: string, isFirst: boolean }} props
 */
function Status({
  count,
  trace: { model, settings },
  view: {
    decoded: { keep },
  },
  types,
  brief,
  isFirst,
}) {
  const edits = settings.edits?.length ?? 0;
  const stateNote = isFirst
    ? t("exact at this first step: no state depends on it yet")
    : t("each step begins with the state of the trained model");
  const notes = [
    keep && stateNote,
    editsText(edits),
    // In the story the panel of the window says so, beside the sliders
    !keep && !brief && settings.intervention && t("with a window the model was not trained with"),
    typeNote(settings, types),
  ];
  return html`<div class="ap-status">
    <div class="ap-line">
      <span class="ap-count">${count}</span>
      <span class=${`ap-badge${keep || edits ? " ap-preview" : brief ? " ap-hidden" : ""}`} role="status"
        aria-label=${t("Source of the numbers")}>
        ${keep ? t("words and states kept") : edits ? t("edited by hand") : t("decoded")}
      </span>
    </div>
    <span class="ap-model">${model}</span>
    <span class="ap-note">${notes.filter(Boolean).join("; ")}</span>
  </div>`;
}

/**
 * How this run departs from the model's training, for lecture layout, which hides the panels that say so.
 * @param {Pick<Props, "trace" | "view" | "windows" | "types">} props
 */
function Departures({ trace: { settings }, view: { decoded, trained }, windows, types }) {
  const parts = [
    isSame(decoded, trained, windows) ? "" : windowText(decoded, trained, windows),
    editsText(settings.edits?.length ?? 0),
    typeNote(settings, types),
  ];
  return html`<span class="ap-intervention">
    ${parts.filter(Boolean).map((text) => html`<span><${WithSubscripts} text=${text} /></span>`)}</span>`;
}
