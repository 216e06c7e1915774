// The header of the Explorer: the purpose of the page or a stop of the tour, and the buttons of the page.

import { FocusRow } from "../../attn_core/browser/player/components/focus-row.js";
import { t } from "../../attn_core/browser/player/core/messages.js";
import { activeElementAround } from "../../attn_core/browser/player/dom/focus.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { useLayoutEffect, useRef } from "../../attn_core/browser/vendor/hooks.js";
import { setUpShareButton } from "../shell/share.js";
import { addressOf, passFocusTo, TourStop } from "../shell/tour.js";

/**
 * @import { View } from "../../attn_core/browser/state/types.d.ts"
 * @import { Page, PageAct } from "./types.d.ts"
 */

/**
 * The header. When a comparison or the editing ends through a button that then disappears, the focus moves to the
 * button that began it or, in Story, to Workbench.
 * @param {Pick<Page, "title" | "about" | "ending"> & { stop: number | null, level: View["level"], isComparing: boolean,
 * isEditing: boolean, canEdit: boolean, dispatch: (act: PageAct) => void }} props `stop`: of the tour, from 1
 */
export function Header({ title, about, ending, stop, level, isComparing, isEditing, canEdit, dispatch }) {
  const shareButton = useRef(/** @type {HTMLElement | null} */ (null));
  const workbenchButton = useRef(/** @type {HTMLElement | null} */ (null));
  const compareButton = useReturnedFocus(isComparing, workbenchButton);
  const editButton = useReturnedFocus(isEditing, workbenchButton);
  const isStory = level === "story";
  useLayoutEffect(() => setUpShareButton(/** @type {HTMLElement} */ (shareButton.current)), []);
  const takeTour = (/** @type {MouseEvent} */ event) => {
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    passFocusTo(1); // the link that was clicked is hidden on the tour
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
        <button type="button" class="live-button" ref=${workbenchButton} aria-pressed=${!isStory}
          title=${t("All settings and tools: compare, edit, beam search, maps, downloads")}
          onClick=${() => dispatch({ type: "level chosen", level: isStory ? "workbench" : "story" })}>
            ${t("Workbench")}</button>
        <button type="button" class="live-button" hidden=${isStory} ref=${compareButton} aria-pressed=${isComparing}
          title=${t("Add a second translation: by another model, or with other settings")}
          onClick=${() => dispatch(isComparing ? { type: "comparison ended" } : { type: "comparison begun" })}>
            ${t("Compare")}</button>
        ${
          canEdit &&
          !isStory &&
          html`<button type="button" class="live-button su-begin" ref=${editButton} aria-pressed=${isEditing}
          title=${
            isEditing
              ? t("End editing and remove the edits. To bring them back, edit again and undo.")
              : t("Set weights, a context vector or a word by hand; the rest is decoded with it.")
          }
          onClick=${() =>
            dispatch({ type: isEditing ? "editing ended" : "editing begun" })}>${t("Edit attention")}</button>`
        }
        <button type="button" class="live-button" ref=${shareButton}></button>
      <//>
    </header>`;
}

/**
 * The ref of a button that gets the focus when `isActive` becomes false and the element with the focus is gone or
 * hidden. While the header is drawn, that element still exists: its component is drawn later.
 * @param {boolean} isActive
 * @param {{ current: HTMLElement | null }} fallback gets the focus if the button is not there or hidden
 */
function useReturnedFocus(isActive, fallback) {
  const button = useRef(/** @type {HTMLElement | null} */ (null));
  const last = useRef({ isActive, focused: /** @type {Element | null} */ (null) });
  last.current.focused = fallback.current && activeElementAround(fallback.current);
  useLayoutEffect(() => {
    const { isActive: wasActive, focused } = last.current;
    last.current.isActive = isActive;
    if (!wasActive || isActive || !focused || (focused.isConnected && !focused.closest("[hidden]"))) return;
    (button.current && !button.current.hidden ? button : fallback).current?.focus();
  }, [isActive]);
  return button;
}
