// The sentence box above a player, with the translation, the remarks on it, and the line of settings: in the Explorer,
// in notebooks and in handouts.

import { MOST_LETTERS } from "../engine/limits.js";
import { t } from "../player/core/messages.js";
import { usePassedFocus } from "../player/components/use-passed-focus.js";
import { html, Part } from "../player/dom/html.js";
import { Chip, WithSubscripts } from "../player/dom/parts.js";
import { onTyped } from "../player/dom/typing.js";
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from "../vendor/hooks.js";
import { LOWER_CASE_NOTE } from "./remarks.js";
import { SettingsLine } from "./settings-line.js";

/**
 * @import { Offered } from "../hosts/types.d.ts"
 * @import { Dispatch } from "../state/types.d.ts"
 * @import { SettingsLineProps } from "./settings-line.js"
 * @typedef {import("../vendor/preact.js").ComponentChildren} ComponentChildren
 *
 * @typedef {object} SentenceBoxProps
 * @property {string} text
 * @property {string} output the translation
 * @property {string} note the remarks on it
 * @property {Offered} model
 * @property {{ label: string, source: string, target: string }} labels the label of the field, and the codes of both
 * texts' languages
 * @property {string[]} [examples]
 * @property {ComponentChildren} [languages] the menu of languages, if there is one
 * @property {{ model: string, label: string } | null} [better] another model for this sentence
 * @property {Omit<SettingsLineProps, "card" | "menu" | "dispatch">} settings
 * @property {Dispatch} dispatch
 */

/** @param {SentenceBoxProps} props */
export function SentenceBox({
  text,
  output,
  note,
  model,
  labels,
  examples = [],
  languages,
  better = null,
  settings,
  dispatch,
}) {
  const box = /** @type {{ current: HTMLDivElement | null }} */ (useRef(null));
  const menu = /** @type {{ current: HTMLSelectElement | null }} */ (useRef(null));
  const betterButton = usePassedFocus(!better, menu);
  const card = useMemo(() => html`<${ModelCard} key=${model.name} ...${model} />`, [model]);
  const field = html`<${SentenceField} text=${text} labels=${labels} examples=${examples} box=${box}
    dispatch=${dispatch} />`;
  return html`<div class="live" ref=${box}>
    ${languages ? html`<div class="live-said">${languages}${field}</div>` : field}
    <div class="live-answer">
      <output class="live-output" dir="auto" lang=${labels.target} aria-label=${t("Translation")}>${output}</output>
    </div>
    <div class="live-remark">
      <p class="live-note" role="status" aria-label=${t("Remarks on the translation")}>${note}</p>
      <button type="button" class="live-button" ref=${betterButton} hidden=${!better}
        onClick=${() => better && dispatch({ type: "model chosen", model: better.model, text })}>
          ${better?.label}</button>
    </div>
    <${Part} of=${SettingsLine} ...${settings} card=${card} menu=${menu} dispatch=${dispatch} />
  </div>`;
}

/**
 * The field of the sentence. Its value is set only when the text of the state changes: while an input method composes,
 * the field has letters that the state does not have yet.
 * @param {Pick<SentenceBoxProps, "text" | "labels" | "dispatch"> & { examples: string[], box: { current: HTMLElement |
 * null } }} props
 */
function SentenceField({ text, labels, examples, box, dispatch }) {
  const input = /** @type {{ current: HTMLInputElement }} */ (useRef(/** @type {any} */ (null)));
  const isTyping = useRef(false);
  const listId = useId();
  const markLongText = () => {
    box.current?.classList.remove("live-long");
    box.current?.classList.toggle("live-long", input.current.scrollWidth > input.current.clientWidth);
  };
  useLayoutEffect(() => {
    if (input.current.value !== text) {
      input.current.value = text;
      isTyping.current = false; // the next letter begins another sentence
    }
    markLongText();
  }, [text]);
  useEffect(() => {
    onTyped(input.current, () => {
      dispatch({ type: "sentence typed", text: input.current.value, begins: !isTyping.current });
      isTyping.current = true;
    });
    const observer = new ResizeObserver(markLongText);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return html`<${Chip} name=${labels.label} title=${LOWER_CASE_NOTE} className="live-sentence">
    <input type="text" dir="auto" maxlength=${MOST_LETTERS} spellcheck="false" autocomplete="off" list=${listId}
      lang=${labels.source}
      aria-label=${labels.label} ref=${input} onChange=${() => {
        isTyping.current = false;
      }} />
    <datalist id=${listId}>${examples.map((example) => html`<option value=${example} />`)}</datalist>
  <//>`;
}

/**
 * A button that shows the scores of a model, how they were measured, and a note on its quality.
 * @param {Offered} model
 */
function ModelCard({ about = "", measured = "", caveat = "" }) {
  const id = useId();
  if (!about && !caveat) return null;
  const title = t("The scores of this model, and how they were measured");
  return html`<button type="button" class="live-button" popovertarget=${id} title=${title}>${t("About")}</button>
    <div class="live-card" popover="auto" id=${id}>
      ${[about, measured].map((text) => text && html`<p>${text}</p>`)}
      ${caveat && html`<p><${WithSubscripts} text=${caveat.replace(/\bp_t\b/g, "p_{t}")} /></p>`}
    </div>`;
}
