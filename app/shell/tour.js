// The tour: one stop after the other (stops.js). `?tour=3` opens one.

import { t } from "../../attn_core/web/player/core/messages.js";
import { el } from "../../attn_core/web/player/dom/elements.js";
import { hasFocus } from "../../attn_core/web/player/dom/focus.js";
import { html } from "../../attn_core/web/player/dom/html.js";
import { useLayoutEffect, useRef } from "../../attn_core/web/vendor/hooks.js";
import { render } from "../../attn_core/web/vendor/preact.js";
import { STOPS } from "./stops.js";

/**
 * @import { RefObject } from "../../attn_core/web/vendor/preact.js"
 * @typedef {{ type: "tour stop chosen", stop: number } | { type: "tour left" }} TourAction
 */

/**
 * The stop that a link to a page names, counted from 1; null if it names none of this page.
 * @param {URLSearchParams} link
 * @param {string} here the page
 */
export function stopIn(link, here) {
  const number = Number(link.get("tour"));
  return STOPS[number - 1]?.page === here ? number : null;
}

/**
 * The address of a stop. @param {number} number @param {string} ending of the addresses of pages
 */
export function addressOf(number, ending) {
  const { page, link } = STOPS[number - 1];
  return `${page ? page + ending : "./"}?${new URLSearchParams({ ...link, tour: String(number) })}`;
}

/**
 * Links to the stops before and after the current one. On its own page, a link dispatches an action instead.
 * @param {object} props
 * @param {string} props.here the page
 * @param {string} props.ending of the addresses of pages
 * @param {number} props.stop
 * @param {RefObject<HTMLElement | null>} props.next gets the link to the next stop
 * @param {(action: TourAction) => void} props.dispatch
 */
export function Tour({ here, ending, stop, next, dispatch }) {
  const back = useRef(/** @type {HTMLElement | null} */ (null));
  const focused = [back.current, next.current].find((one) => one && hasFocus(one)); // before this stop is drawn
  useLayoutEffect(() => { // a link that is hidden at this stop passes the focus on
    if (focused?.hidden) (focused === back.current ? next : back).current?.focus();
  }, [stop]);
  const link = (/** @type {number} */ number, /** @type {typeof back} */ ref, /** @type {string} */ kind, /** @type {string} */ text) => {
    const target = STOPS[number - 1];
    const go = (/** @type {MouseEvent} */ event) => {
      if (target.page !== here || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      dispatch({ type: "tour stop chosen", stop: number });
    };
    return html`<a class=${kind} ref=${ref} hidden=${!target} href=${target && addressOf(number, ending)} onClick=${go}>${text}</a>`;
  };
  const leave = (/** @type {MouseEvent} */ event) => {
    event.preventDefault();
    dispatch({ type: "tour left" });
  };
  const { notebook } = STOPS[stop - 1];
  return html`
    <nav class="tour" aria-label=${t("Tour")}>
      <span class="tour-where">${t("Stop {n} of {all}", { n: stop, all: STOPS.length })}</span>
      <span class="tour-book" title=${`notebooks/${notebook}.ipynb`}>${t("Notebook {n}", { n: notebook.slice(0, 2) })}</span>
      ${link(stop - 1, back, "live-button", t("Back"))}
      ${link(stop + 1, next, "live-button tour-next", t("Next"))}
      <a class="live-button" href="?" onClick=${leave}>${t("End the tour")}</a>
    </nav>`;
}

const TOURING = "touring"; // class of the document while a stop takes the place of a lab page's own head

/**
 * A box with the stop of the tour that the address names, for a page of the lab; null if it names none of this page. It
 * takes the place of the page's head until the tour ends.
 * @param {string} here the page
 */
export function buildBox(here) {
  const stop = stopIn(new URLSearchParams(location.search), here);
  if (!stop) return null;
  const { question, todo } = STOPS[stop - 1];
  const root = el("div", { class: "tour-box" });
  const leave = () => {
    const url = new URL(location.href);
    url.searchParams.delete("tour");
    history.replaceState(history.state, "", url);
    remove();
  };
  const next = { current: null };
  render(html`<h1>${question}</h1><p>${todo}</p><${Tour} here=${here} ending="" stop=${stop} next=${next} dispatch=${leave} />`, root);
  document.documentElement.classList.add(TOURING);
  function remove() {
    document.documentElement.classList.remove(TOURING);
    render(null, root);
    root.remove();
  }
  return { root, remove };
}
