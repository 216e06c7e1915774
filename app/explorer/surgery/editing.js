// Editing a translation: at the step on show, a reader sets attention weights, the context vector or the word, or
// switches a head off. The engine decodes the rest of the sentence with it.

import { looksOf } from "../../../attn_core/browser/player/core/looks.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { readable } from "../../../attn_core/browser/player/core/pieces.js";
import { isHard } from "../../../attn_core/browser/player/core/rows.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { editedHead } from "../../../attn_core/browser/state/editing.js";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "../../../attn_core/browser/vendor/hooks.js";
import { beforeAndAfter } from "./compared.js";
import { ContextMenu, HeadSwitch, WeightControls, WordMenu } from "./controls.js";
import { EditList } from "./edit-list.js";

/**
 * @import { Stroke } from "../../../attn_core/browser/state/editing.js"
 * @import { RefObject } from "../../../attn_core/browser/vendor/preact.js"
 * @import { Side } from "../compare/types.d.ts"
 * @import { EditingProps } from "./types.d.ts"
 */

/** @param {EditingProps} props */
export function Editing({ trace, unedited, edits, at, stroke = null, canUndo, canRedo, dispatch }) {
  const [root, undo] = [useRef(null), useRef(null)];
  const [position, setPosition] = usePosition(stroke, trace.source.length);
  useBarsInSight(root, !edits.length);
  const edited = editedHead({ edits, trace, at });
  const shared = { trace, edits, step: at.step, dispatch };
  return html`<section class="su live" aria-label=${t("Edit the attention")} ref=${root}>
    <div class="su-line">
      <strong class="su-step">${t("Step {n}, “{word}”", {
        n: at.step + 1,
        word: readable(trace).target[at.step] ?? "",
      })}</strong>
      ${
        edited &&
        html`<${WeightControls} ...${shared} edited=${edited} position=${position} onPosition=${setPosition} />
        <${ContextMenu} ...${shared} edited=${edited} unedited=${unedited ?? trace} />`
      }
      <${WordMenu} ...${shared} />
      ${edited?.head != null && html`<${HeadSwitch} ...${shared} edited=${edited} />`}
    </div>
    <p class="su-rule">${ruleFor(trace, edited)}</p>
    <div class="su-line">
      <${BothTexts} trace=${trace} unedited=${unedited} edits=${edits} at=${at} />
      <div class="su-buttons">
        <${Button} text=${t("Undo")} title="Ctrl+Z" ready=${canUndo} act=${() => dispatch({ type: "edits undone" })}
          element=${undo} />
        <${Button} text=${t("Redo")} title="Ctrl+Shift+Z" ready=${canRedo}
          act=${() => dispatch({ type: "edits redone" })} />
        <${Button} text=${t("Remove all edits")} ready=${edits.length > 0}
          act=${() => dispatch({ type: "edits set", edits: [] })} />
        <button type="button" class="live-button" onClick=${() => dispatch({ type: "editing ended" })}>
          ${t("End editing")}</button>
      </div>
    </div>
    <${EditList} trace=${trace} edits=${edits} dispatch=${dispatch} otherwise=${undo} />
  </section>`;
}

/**
 * The source word whose weight the slider sets: the one that was chosen in the list or painted last.
 * @param {Stroke | null} stroke
 * @param {number} length of the source
 * @returns {[position: number, setPosition: (position: number) => void]}
 */
function usePosition(stroke, length) {
  const [chosen, setChosen] = useState({ position: stroke?.position ?? 0, after: stroke });
  const position = stroke === chosen.after ? chosen.position : (stroke?.position ?? 0);
  return [Math.min(position, length - 1), (next) => setChosen({ position: next, after: stroke })];
}

/**
 * While a reader edits who began here, and not by a link, the player is scrolled to the top of the screen. The class
 * comes before the step is drawn, for the room that it has then.
 * @param {RefObject<HTMLElement | null>} section
 * @param {boolean} scrolls when the editing begins
 */
function useBarsInSight(section, scrolls) {
  const began = useRef(scrolls);
  const frame = () => /** @type {HTMLElement} */ (section.current).closest(".ap");
  useLayoutEffect(() => {
    const player = began.current && frame();
    if (!player) return undefined;
    player.classList.add("su-scrolled");
    return () => player.classList.remove("su-scrolled");
  }, []);
  useEffect(() => {
    if (began.current) frame()?.scrollIntoView({ block: "start", behavior: "smooth" });
  }, []);
}

/**
 * A button that keeps its place in the tab order, and the focus, while there is nothing to do.
 * @param {{ text: string, title?: string, ready: boolean, act: () => void, element?: RefObject<HTMLElement | null> }}
 * props
 */
const Button = ({ text, title = "", ready, act, element }) =>
  html`<button type="button" class="live-button" title=${title} aria-disabled=${String(!ready)}
    onClick=${ready ? act : null} ref=${element}>${text}</button>`;

/** The words before and after the edits. @param {Pick<EditingProps, "trace" | "unedited" | "edits" | "at">} props */
function BothTexts({ trace, unedited, edits, at }) {
  const {
    sides: [before, after],
  } = useMemo(() => beforeAndAfter(trace, unedited, edits, at), [trace, unedited]);
  return html`<div class="su-both">
    <p><b>${t("Before")}: </b>${wordsOf(before)}</p>
    <p role="status"><b>${t("After")}: </b>${edits.length ? wordsOf(after) : t("no edits yet")}</p>
  </div>`;
}

/** @param {Side} side */
const wordsOf = ({ labels }) =>
  labels.flatMap((label) => (label ? [label.differs ? html`<mark>${label.text}</mark>` : label.text, " "] : []));

/**
 * What a reader can do, and what an edit does.
 * @param {EditingProps["trace"]} trace
 * @param {ReturnType<typeof editedHead>} edited
 */
function ruleFor(trace, edited) {
  const parts = [];
  if (!edited) parts.push(t("This model has no attention: only its words can be set."));
  else if (isHard(trace)) parts.push(t("Click a source word: hard attention has all its weight on one word."));
  else
    parts.push(
      t(
        "Drag a bar: the other weights keep their ratios. Click a source word to give it all the weight, or drag " +
          "across cells of this step's row in the heatmap to share it.",
      ),
    );
  if (edited) parts.push(t("The scores do not change."));
  if (edited?.head === null && looksOf(trace).length > 1)
    parts.push(t("An edit applies to all heads; choose a layer and head to edit only that one."));
  if (trace.settings.beam > 1) parts.push(t("The edits apply to every hypothesis of the beam."));
  return parts.join(" ");
}
