// Copies text, also where the page has no access to the clipboard.

/**
 * The clipboard needs https or localhost; elsewhere the deprecated execCommand may still work.
 * @param {string} text
 * @param {HTMLElement} beside the element after which a temporary field is inserted: in a modal panel, nothing outside
 * it can be selected
 */
export async function copied(text, beside) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    beside.after(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
