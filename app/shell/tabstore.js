// What a reader leaves behind on a page for the next one: the sentence, and the view of the Explorer. It stays in the tab.

/** @typedef {"left" | `said-${string}`} Name `said-` and the code of the sentence's language */

/** @param {Name} name @param {string} value */
export function storeLeft(name, value) {
  try {
    sessionStorage.setItem(`attention-${name}`, value);
  } catch {
    // this browser stores nothing
  }
}

/**
 * Whether the reader typed this page's bare address, or followed a bookmark: once for each time that a document is loaded. A link
 * from another page, a reload, and the browser's way back go on with what was left.
 */
export function isFreshVisit() {
  const root = document.documentElement;
  const [load] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (root.dataset.attentionArrived || !load) return false;
  root.dataset.attentionArrived = "true";
  const here = new URL(load.name);
  return load.type === "navigate" && !document.referrer && here.pathname === location.pathname && !here.search;
}

/** What was left; null if there is nothing. @param {Name} name */
export function readLeft(name) {
  try {
    return sessionStorage.getItem(`attention-${name}`);
  } catch {
    return null;
  }
}
