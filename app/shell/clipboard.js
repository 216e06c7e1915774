// The clipboard, with a fallback for pages that may not use it.

/**
 * Copy a text; resolves to whether that worked. The clipboard needs https or localhost; elsewhere the deprecated
 * execCommand may still work.
 * @param {string} text
 * @param {HTMLElement} beside the element after which a temporary field is inserted: nothing outside a modal panel can
 * be selected
 */
export async function copyText(text, beside) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    beside.after(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    return isCopied;
  }
}
