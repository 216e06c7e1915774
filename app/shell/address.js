// What a reader chose on a page of the dashboard, in the page's address, so that a link reopens the view. Nothing is
// sent to the server. Another view (a model, a sentence) becomes an entry of the browser's history; steps and settings
// within a view replace its entry, so that Back leaves the view and not the step.

import { PRESENT } from "./layout.js";

const PAUSE = 300; // ms; a replacement costs some, and browsers refuse more than a few hundred a minute

/** @typedef {{ path: string, view: string, href: string }} Entry the entry of the history that the reader is at */
/** @typedef {Record<string, string | number | null>} Kept values by their names in the address, null for none */
/** @typedef {{ view?: Kept, settings?: Kept, typed?: Kept, begun?: number }} Entries see inAddress */

/** Of this document: the components of a page share it. */
const kept = /** @type {{ attentionEntry?: Entry }} */ (globalThis);

/**
 * The value of `name` in the address of this page; null if there is none.
 * @param {string} name
 */
export function fromAddress(name) {
  return new URLSearchParams(location.search).get(name);
}

/**
 * The page that an address leads to: its name, "" for the first page, and the ending of its file, "" in the dashboard.
 * The address of the first page need not have the ending that the other pages of a site have.
 * @param {{ pathname: string }} address
 */
export function pageIn({ pathname }) {
  const [, name, ending = ""] = /** @type {RegExpExecArray} */ (/([^/]*?)(\.html)?$/.exec(pathname));
  return { name: name === "index" ? "" : name, ending };
}

/**
 * Whether the reader has just come to this view by a link, or by going back or forward: its settings are in the
 * address.
 */
export const arrived = () => kept.attentionEntry?.path !== location.pathname;

/**
 * A number of the address from `low` to `high`; null if there is none.
 * @param {string} name
 * @param {number} low
 * @param {number} high
 */
export const numberFromAddress = (name, low, high) => numberIn(fromAddress(name), low, high);

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

/** Begin another entry of the history. @param {URL} url */
export function enter(url) {
  history.pushState(null, "", url);
  delete kept.attentionEntry;
}

/**
 * Puts `address()`, a URL, into the address bar a while after `soon()`, and before it is copied, until `stop()`.
 * @param {() => URL} address
 * @param {(url: URL) => string} viewOf the part of an address that tells one view from another
 * @param {() => void} [onReturn] called when the browser goes back or forward on this page
 */
export function inBar(address, viewOf, onReturn = () => {}) {
  const { pathname } = location;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later;
  const put = () => {
    if (location.pathname !== pathname) return; // the reader has gone to another page
    const next = address();
    const [view, last] = [viewOf(next), kept.attentionEntry];
    if (last && last.path === pathname && last.view !== view) {
      history.replaceState(history.state, "", last.href); // widgets of Streamlit may have written the new view into it
      history.pushState({}, "", next);
    } else if (next.href !== location.href) history.replaceState(history.state, "", next);
    kept.attentionEntry = { path: pathname, view, href: next.href };
  };
  const went = () => {
    clearTimeout(later);
    delete kept.attentionEntry; // the entry that the reader came to is brought up to date, whatever its view
    if (location.pathname === pathname) onReturn();
  };
  document.addEventListener("view-link", put); // the address is about to be copied
  window.addEventListener("popstate", went);
  return {
    now: put,
    soon() {
      clearTimeout(later);
      later = setTimeout(put, PAUSE);
    },
    stop() {
      clearTimeout(later);
      document.removeEventListener("view-link", put);
      window.removeEventListener("popstate", went);
    },
  };
}

/**
 * Keeps settings of a view in the address of this page: `keep({name: value})`, null for none, until `stop()`;
 * `settings` are kept from the start. What else the address holds is the view, and `view` is put there too. So is
 * `typed`, which changes with each letter: it is another view only when `begun` changes, the number of texts that the
 * reader began.
 * @param {Entries} [entries]
 */
export function inAddress({ view = {}, settings = {}, typed = {}, begun = 0 } = {}) {
  /** @type {Kept} */
  const values = { ...settings };
  const viewOf = (/** @type {URL} */ url) => {
    const rest = new URLSearchParams(url.search);
    for (const name of Object.keys({ ...typed, ...values })) rest.delete(name);
    rest.delete(PRESENT); // the same view in another layout
    rest.sort();
    return `${begun} ${rest}`;
  };
  const bar = inBar(() => {
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
