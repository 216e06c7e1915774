// Copies the address of the view, brought up to date first (address.js of the player listens).

/**
 * @import { Streamlit } from "../../attn_core/web/hosts/types.d.ts"
 * @param {Streamlit<unknown>} given
 */
export default function ({ parentElement }) {
  const button = /** @type {HTMLElement} */ (parentElement.querySelector("button"));
  const words = /** @type {HTMLElement} */ (button.querySelector("span"));
  button.onclick = async () => {
    document.dispatchEvent(new Event("view-link"));
    words.textContent = (await copied(location.href)) ? "Copied" : "Copy the address";
    setTimeout(() => { words.textContent = "Link"; }, 2500);
  };
}

/**
 * The clipboard needs https or this machine; elsewhere the old way may still work.
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
