// A button that copies the address of the view, after the page's address.js has brought it up to date.

import { t } from "../../attn_core/web/player/core/messages.js";

/**
 * @param {HTMLElement} button
 * @param {HTMLElement} words the part of it that is text
 */
export function copies(button, words = button) {
  button.title = t("Copy a link to this view");
  words.textContent = t("Copy link");
  button.onclick = async () => {
    document.dispatchEvent(new Event("view-link"));
    words.textContent = (await copied(location.href)) ? t("Copied") : t("Copy it from the address bar");
    setTimeout(() => { words.textContent = t("Copy link"); }, 2500);
  };
}

/**
 * The clipboard needs https or localhost; elsewhere the deprecated execCommand may still work.
 * @param {string} text
 */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
