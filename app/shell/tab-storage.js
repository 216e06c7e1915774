// Storage for what pages share: the sentence and the view of the Explorer are stored for the tab, and how much the
// Explorer shows for the browser.

/**
 * @typedef {"left" | "terms" | "touring" | `sentence-${string}`} Name `left`: the view that the reader left; `terms`
 * and `touring`: of the tour; `sentence-` and the code of a language: the last sentence in it
 */

/** @param {Name} name @param {string} value */
export const storeInTab = (name, value) => write(() => sessionStorage, name, value);

/** A value of the tab; null if there is none. @param {Name} name */
export const readFromTab = (name) => read(() => sessionStorage, name);

/** The last sentence in a language that was typed on any page; null if there is none. @param {string} language */
export const readSentence = (language) => readFromTab(`sentence-${language}`);

/** @param {string} language @param {string} sentence */
export const storeSentence = (language, sentence) => storeInTab(`sentence-${language}`, sentence);

/** Whether the tab has this value, which is removed then. @param {Name} name @param {string} value */
export function takeFromTab(name, value) {
  const isLeft = readFromTab(name) === value;
  if (isLeft) storeInTab(name, "");
  return isLeft;
}

/** @param {string} level */
export const storeLevel = (level) => write(() => localStorage, "level", level);

/** The level that the reader chose last; null if there is none. */
export const readLevel = () => read(() => localStorage, "level");

/**
 * Whether the reader typed this page's bare address or followed a bookmark, and did not come by a link, a reload or the
 * browser's Back. It is true at most once for each loaded document.
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
    // This browser stores nothing
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
