// What a reader leaves behind on a page for the next one: the sentence, and the view of the Explorer, which stay in the
// tab; and how much the Explorer shows, which stays in the browser.

/**
 * @typedef {"left" | "terms" | "touring" | `said-${string}`} Name `terms` and `touring` of the tour; `said-` and the
 * code of the sentence's language
 */

/** @param {Name} name @param {string} value */
export const storeLeft = (name, value) => write(() => sessionStorage, name, value);

/** What was left; null if there is nothing. @param {Name} name */
export const readLeft = (name) => read(() => sessionStorage, name);

/** Whether `value` was left; it is taken away then. @param {Name} name @param {string} value */
export function takeLeft(name, value) {
  const isLeft = readLeft(name) === value;
  if (isLeft) storeLeft(name, "");
  return isLeft;
}

/** @param {string} level */
export const storeLevel = (level) => write(() => localStorage, "level", level);

/** The level that the reader chose last; null if there is none. */
export const readLevel = () => read(() => localStorage, "level");

/**
 * Whether the reader typed this page's bare address, or followed a bookmark: once for each time that a document is
 * loaded. A link from another page, a reload, and the browser's way back go on with what was left.
 */
export function isFreshVisit() {
  const root = document.documentElement;
  const [load] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (root.dataset.attentionArrived || !load) return false;
  root.dataset.attentionArrived = "true";
  const here = new URL(load.name);
  return load.type === "navigate" && !document.referrer && here.pathname === location.pathname && !here.search;
}

/** @param {() => Storage} storage @param {string} name @param {string} value */
function write(storage, name, value) {
  try {
    storage().setItem(`attention-${name}`, value);
  } catch {
    // this browser stores nothing
  }
}

/** @param {() => Storage} storage @param {string} name */
function read(storage, name) {
  try {
    return storage().getItem(`attention-${name}`);
  } catch {
    return null;
  }
}
