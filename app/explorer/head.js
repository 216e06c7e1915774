// The head of the Explorer: what the page is for or, on the tour, a stop; and its level.

import { FocusRow } from "../../attn_core/browser/player/components/focus-row.js";
import { t } from "../../attn_core/browser/player/core/messages.js";
import { activeElementAround } from "../../attn_core/browser/player/dom/focus.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { useLayoutEffect, useRef } from "../../attn_core/browser/vendor/hooks.js";
import { setUpShareButton } from "../shell/share.js";
import { addressOf, passFocusTo, TourStop } from "../shell/tour.js";

/**
 * @import { View } from "../../attn_core/browser/state/types.d.ts"
 * @import { PageAct } from "./stage.js"
 * @import { Page } from "./types.d.ts"
 */

/**
 * The two buttons get the focus when what they began has ended by another button, which is gone then; in Story, which
 * has neither, the button of the workbench gets it.
 * @param {Pick<Page, "title" | "about" | "ending"> & { stop: number | null, level: View["level"], comparing: boolean,
 * editing: boolean, canEdit: boolean, dispatch: (act: PageAct) => void }} props `stop`: of the tour, from 1
 */
export function Head({ title, about, ending, stop, level, comparing, editing, canEdit, dispatch }) {
  const share = useRef(/** @type {HTMLElement | null} */ (null));
  const workbench = useRef(/** @type {HTMLElement | null} */ (null));
  const [compare, edit] = [useReturnedFocus(comparing, workbench), useReturnedFocus(editing, workbench)];
  const isStory = level === "story";
  useLayoutEffect(() => setUpShareButton(/** @type {HTMLElement} */ (share.current)), []);
  const takeTour = (/** @type {MouseEvent} */ event) => {
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    passFocusTo(1); // the link that was clicked is hidden then
    dispatch({ type: "tour stop chosen", stop: 1 });
  };
  return html`
    <header class=${stop ? "ex-head ex-touring" : "ex-head"}>
      ${
        stop
          ? html`<${TourStop} key=${stop} pageName="" ending=${ending} stop=${stop} dispatch=${dispatch} />`
          : html`<h1>
        ${title}</h1><p>${about}</p>`
      }
      <${FocusRow} class="ex-actions" role="toolbar" aria-label=${t("This page")}>
        <a class="live-button tour-next" href=${addressOf(1, ending)} hidden=${Boolean(stop)} onClick=${takeTour}>
          ${t("Take the tour")}</a>
        <button type="button" class="live-button" ref=${workbench} aria-pressed=${!isStory}
          title=${t("All settings and tools: compare, edit, beam search, maps, downloads")}
          onClick=${() => dispatch({ type: "level chosen", level: isStory ? "workbench" : "story" })}>
            ${t("Workbench")}</button>
        <button type="button" class="live-button" hidden=${isStory} ref=${compare} aria-pressed=${comparing}
          title=${t("Add a second translation: by another model, or with other settings")}
          onClick=${() => dispatch(comparing ? { type: "comparison ended" } : { type: "comparison begun" })}>
            ${t("Compare")}</button>
        ${
          canEdit &&
          !isStory &&
          html`<button type="button" class="live-button su-begin" ref=${edit} aria-pressed=${editing}
          title=${
            editing
              ? t("End editing and remove the edits. To bring them back, edit again and undo.")
              : t("Set weights, a context vector or a word by hand; the rest is decoded with it.")
          }
          onClick=${() =>
            dispatch({ type: editing ? "editing ended" : "editing begun" })}>${t("Edit attention")}</button>`
        }
        <button type="button" class="live-button" ref=${share}></button>
      <//>
    </header>`;
}

/**
 * The ref of a button that gets the focus when `active` ends and the element that had the focus is gone or hidden. That
 * element is in a component that is drawn later: here it is still there.
 * @param {boolean} active
 * @param {{ current: HTMLElement | null }} instead gets it where the button is not there or hidden
 */
function useReturnedFocus(active, instead) {
  const button = useRef(/** @type {HTMLElement | null} */ (null));
  const before = useRef({ active, focused: /** @type {Element | null} */ (null) });
  before.current.focused = instead.current && activeElementAround(instead.current);
  useLayoutEffect(() => {
    const { active: was, focused } = before.current;
    before.current.active = active;
    if (!was || active || !focused || (focused.isConnected && !focused.closest("[hidden]"))) return;
    (button.current && !button.current.hidden ? button : instead).current?.focus();
  }, [active]);
  return button;
}
