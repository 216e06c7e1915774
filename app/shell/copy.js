// Copies the address of the view, brought up to date first (address.js of the player listens).

export default function ({ parentElement }) {
  const button = parentElement.querySelector("button");
  const words = button.querySelector("span");
  button.onclick = async () => {
    document.dispatchEvent(new Event("view-link"));
    words.textContent = (await copied(location.href)) ? "Copied" : "Copy the address";
    setTimeout(() => { words.textContent = "Link"; }, 2500);
  };
}

/** The clipboard needs https or this machine; elsewhere the old way may still work. */
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
