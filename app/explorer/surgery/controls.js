// The controls that edit a step: a weight, the context vector, the next word, and the head on show.

import { sameHead } from "../../../attn_core/browser/player/core/looks.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { readable } from "../../../attn_core/browser/player/core/pieces.js";
import { isHard } from "../../../attn_core/browser/player/core/rows.js";
import { sum } from "../../../attn_core/browser/engine/vectors.js";
import { withChecked, withValue } from "../../../attn_core/browser/player/dom/changes.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { Chip } from "../../../attn_core/browser/player/dom/parts.js";
import { wordEdit } from "../../../attn_core/browser/state/editing.js";
import { withEdit, withoutEdit } from "../../../attn_core/browser/state/edits.js";

/**
 * @import { Edit, TraceJSON } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { Painted } from "../../../attn_core/browser/player/core/types.d.ts"
 * @import { ControlProps } from "./types.d.ts"
 */

const WORDS = 8; // most probable next words that are offered

/**
 * The weight of one source word, by a slider, and weights for all of them.
 * @param {ControlProps & { position: number, onPosition: (position: number) => void }} props `position`: of the source
 * word
 */
export function WeightControls({ trace, step, edited: { row }, position, onPosition, dispatch }) {
  const { source } = readable(trace);
  const weight = row[position] ?? 0;
  const most = Math.max(Math.round(sum(row) * 100) / 100, 0.01);
  const paint = (/** @type {Omit<Painted, "position">} */ painted) =>
    dispatch({ type: "weights painted", position, ...painted });
  const inView = () => row.flatMap((_, s) => (isInView(trace, step, s) ? [s] : []));
  const hard = isHard(trace);
  return html`<div class="su-weights">
    <${Chip} name=${t("Weight of")}>
      <${Menu} name=${t("Weight of")} value=${String(position)} options=${source.map((word, s) => [String(s), word])}
        onChoose=${(/** @type {string} */ chosen) => onPosition(Number(chosen))} />
    <//>
    ${
      !hard &&
      html`
      <input type="range" aria-label=${t("Weight")} aria-valuetext=${t("{weight} on “{word}”", {
        weight: weight.toFixed(2),
        word: source[position] ?? "",
      })}
        min="0" max=${most} step="0.01" value=${weight}
        onInput=${withValue((value) => paint({ weight: Number(value), phase: "move" }))}
        onChange=${() => paint({ weight: 0, phase: "end" })} />
      <output class="su-value">${weight.toFixed(2)}</output>
    `
    }
    <button type="button" class="live-button" onClick=${() => paint({ weight: null, phase: "end" })}>
      ${t("All weight here")}</button>
    ${
      !hard &&
      html`<button type="button" class="live-button"
      onClick=${() => paint({ weight: null, positions: inView(), phase: "start" })}>${t("Uniform")}</button>`
    }
  </div>`;
}

/** @param {ControlProps & { unedited: TraceJSON }} props */
export function ContextMenu({ unedited, step, edits, edited: { layer, head }, dispatch }) {
  const { target } = readable(unedited);
  const edit = edits.find((each) => each.kind === "context" && each.step === step && sameHead(each, { layer, head }));
  const steps = target
    .map((word, from) => [String(from), t("step {n}, “{word}”", { n: from + 1, word })])
    .filter(([from]) => Number(from) !== step);
  const choose = (/** @type {string} */ from) => {
    const chosen = /** @type {Edit} */ ({ kind: "context", step, layer, head, from: Number(from) });
    dispatch({ type: "edits set", edits: (from ? withEdit : withoutEdit)(edits, chosen) });
  };
  return html`<${Chip} name=${t("Context of")} title=${t(
    "Use the context vector of another step of the unedited " + "translation.",
  )}>
    <${Menu} name=${t("Context of")} value=${edit?.kind === "context" ? String(edit.from) : ""}
      options=${[["", t("this step")], ...steps]} onChoose=${choose} />
  <//>`;
}

/** @param {Omit<ControlProps, "edited">} props */
export function WordMenu({ trace, step, edits, dispatch }) {
  const { target, steps } = readable(trace);
  const edit = edits.find((each) => each.kind === "word" && each.step === step);
  const set = edit?.kind === "word" ? edit.word : "";
  const words = (trace.steps[step]?.top ?? []).slice(0, WORDS).map(([word], rank) => [word, steps[step].top[rank][0]]);
  if (set && !words.some(([word]) => word === set)) words.push([set, target[step] ?? set]);
  const choose = (/** @type {string} */ word) => dispatch({ type: "edits set", edits: wordEdit(edits, step, word) });
  return html`<${Chip} name=${t("Next word")} title=${t("The word of this step; the rest is decoded after it.")}>
    <${Menu} name=${t("Next word")} value=${set} options=${[["", t("as decoded")], ...words]} onChoose=${choose} />
  <//>`;
}

/** @param {ControlProps} props */
export function HeadSwitch({ edits, edited: { layer, head }, dispatch }) {
  const off = /** @type {Edit} */ ({ kind: "off", layer, head });
  const change = withChecked((used) =>
    dispatch({ type: "edits set", edits: (used ? withoutEdit : withEdit)(edits, off) }),
  );
  return html`<${Chip} name=${t("Use this head")} title=${t("Off: the context vector of this head is 0 at all steps.")}>
    <input type="checkbox" aria-label=${t("Use this head")}
      checked=${!edits.some((edit) => edit.kind === "off" && sameHead(edit, { layer, head }))} onChange=${change} />
  <//>`;
}

/**
 * @param {{ name: string, value: string, options: string[][], onChoose: (value: string) => void }} props `options`: the
 * value and the text of each
 */
function Menu({ name, value, options, onChoose }) {
  const items = options.map(([each, text]) => html`<option value=${each}>${text}</option>`);
  return html`<select aria-label=${name} value=${value} onChange=${withValue(onChoose)}>${items}</select>`;
}

/** Whether a source position is in view at a step. @param {TraceJSON} trace @param {number} step @param {number} s */
function isInView({ steps }, step, s) {
  const { window = null, excluded = [] } = steps[step] ?? {};
  return Boolean(window && s >= window[0] && s <= window[1] && !excluded.includes(s));
}
