// The choices of a reader in the address of the page, so that a link reopens the view. Nothing is sent to the server.
// A new view (another model or sentence) becomes an entry of the browser's history; steps and settings within a view
// replace its entry, so that Back leaves the view and not the step.

import { PRESENT } from "./layout.js";

const PAUSE = 300; // ms; a replacement takes time, and browsers refuse more than a few hundred per minute

/** @typedef {{ path: string, view: string, href: string }} Entry the entry of the history that the reader is at */
/** @typedef {Record<string, string | number | null>} Kept values by their names in the address, null for none */
/** @typedef {{ view?: Kept, settings?: Kept, typed?: Kept, begun?: number }} Entries see keepInAddress */

/** The state that the components of a page share. */
const shared = /** @type {{ attentionEntry?: Entry }} */ (globalThis);

/**
 * The value of `name` in the address of this page; null if there is none.
 * @param {string} name
 */
export function readFromAddress(name) {
  return new URLSearchParams(location.search).get(name);
}

/**
 * The page that an address leads to: its name ("" for the first page) and the ending of its file ("" in the dashboard).
 * On a site, the address of the first page may lack the ending that the other pages have.
 * @param {{ pathname: string }} address
 */
export function pageIn({ pathname }) {
  const [, name, ending = ""] = /** @type {RegExpExecArray} */ (/([^/]*?)(\.html)?$/.exec(pathname));
  return { name: name === "index" ? "" : name, ending };
}

/**
 * Whether the reader has just come to this page by a link, or by going back or forward, so that its settings are in the
 * address.
 */
export const hasArrived = () => shared.attentionEntry?.path !== location.pathname;

/**
 * A number of the address from `low` to `high`; null if there is none.
 * @param {string} name
 * @param {number} low
 * @param {number} high
 */
export const numberFromAddress = (name, low, high) => numberIn(readFromAddress(name), low, high);

/**
 * A written number from `low` to `high`; null for anything else.
 * @param {string | null} written
 * @param {number} low
 * @param {number} high
 */
export function numberIn(written, low, high) {
  const value = Number(written);
  return written && value >= low && value <= high ? value : null;
}

/**
 * A written position or step, from 0; null for anything else.
 * @param {string | null | undefined} written
 */
export const indexIn = (written) => (/^\d+$/.test(written ?? "") ? Number(written) : null);

/** Begin a new entry of the history. @param {URL} url */
export function pushEntry(url) {
  history.pushState(null, "", url);
  delete shared.attentionEntry;
}

/**
 * Put the current address into the address bar a while after `soon()`, and before it is copied, until `stop()`.
 * @param {() => URL} address
 * @param {(url: URL) => string} viewOf the part of an address that tells one view from another
 * @param {() => void} [onReturn] called when the browser goes back or forward on this page
 */
export function keepInBar(address, viewOf, onReturn = () => {}) {
  const { pathname } = location;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const update = () => {
    if (location.pathname !== pathname) return; // the reader has gone to another page
    const next = address();
    const [view, last] = [viewOf(next), shared.attentionEntry];
    if (last && last.path === pathname && last.view !== view) {
      history.replaceState(history.state, "", last.href); // widgets of Streamlit may have written the new view into it
      history.pushState({}, "", next);
    } else if (next.href !== location.href) history.replaceState(history.state, "", next);
    shared.attentionEntry = { path: pathname, view, href: next.href };
  };
  const returnToEntry = () => {
    clearTimeout(timer);
    delete shared.attentionEntry; // the next update replaces the entry that the reader came to, whatever its view
    if (location.pathname === pathname) onReturn();
  };
  document.addEventListener("view-link", update); // the address is about to be copied
  window.addEventListener("popstate", returnToEntry);
  return {
    now: update,
    soon() {
      clearTimeout(timer);
      timer = setTimeout(update, PAUSE);
    },
    stop() {
      clearTimeout(timer);
      document.removeEventListener("view-link", update);
      window.removeEventListener("popstate", returnToEntry);
    },
  };
}

/**
 * Keep the settings of a view in the address of this page: `keep({name: value})`, null for none, until `stop()`;
 * `settings` are kept from the start. All other parameters of the address tell which view it is; those of `view` are
 * set too. `typed` is text that changes with each letter, and is a new view only when `begun` changes, the number of
 * texts that the reader has begun.
 * @param {Entries} [entries]
 */
export function keepInAddress({ view = {}, settings = {}, typed = {}, begun = 0 } = {}) {
  /** @type {Kept} */
  const values = { ...settings };
  const viewOf = (/** @type {URL} */ url) => {
    const rest = new URLSearchParams(url.search);
    for (const name of Object.keys({ ...typed, ...values })) rest.delete(name);
    rest.delete(PRESENT); // the same view in another layout
    rest.sort();
    return `${begun} ${rest}`;
  };
  const bar = keepInBar(() => {
    const url = new URL(location.href);
    for (const [name, value] of Object.entries({ ...view, ...typed, ...values })) {
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, String(value));
    }
    return url;
  }, viewOf);
  return {
    /** @param {typeof values} changed */
    keep(changed) {
      Object.assign(values, changed);
      bar.soon();
    },
    stop: bar.stop,
  };
}
