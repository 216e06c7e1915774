// What a reader leaves behind on a page for the next one: the sentence, and the view of the Explorer. It stays in the tab.

/** @typedef {"left" | `said-${string}`} Name `said-` and the code of the sentence's language */

/** @param {Name} name @param {string} value */
export function leave(name, value) {
  try {
    sessionStorage.setItem(`attention-${name}`, value);
  } catch {
    // this browser stores nothing
  }
}

/** What was left; null if there is nothing. @param {Name} name */
export function found(name) {
  try {
    return sessionStorage.getItem(`attention-${name}`);
  } catch {
    return null;
  }
}
