// Elements, buttons, sliders and choices: building blocks of the player and of the lab's stages.

/** @typedef {string | number | boolean | null | undefined} Attribute */

/**
 * An element with attributes and children; text is inserted as text, never as markup.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "text") node.textContent = String(value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children);
  return node;
}

/** SVG paths in a box of 24 by 24. */
export const ICONS = {
  first: "M6 5h2.4v14H6zM19 5v14L9.5 12z",
  back: "M17 5v14L6.5 12z",
  play: "M7 4.5v15L20 12z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  forward: "M7 5v14l10.5-7z",
  last: "M15.6 5H18v14h-2.4zM5 5v14l9.5-7z",
  present: "M4 4h6v2.2H6.2V10H4zM14 4h6v6h-2.2V6.2H14zM4 14h2.2v3.8H10V20H4zM17.8 14H20v6h-6v-2.2h3.8z",
};

/** @type {Record<string, string>} */
const ARROWS = { ArrowLeft: "←", ArrowRight: "→" };

/** A label with its keyboard shortcut. @param {string} label @param {string} keys */
export const withKeys = (label, keys) => `${label} (${ARROWS[keys] ?? keys})`;

/**
 * Draw icon `name` into a button.
 * @param {HTMLElement} button
 * @param {keyof typeof ICONS} name
 */
export function setIcon(button, name) {
  if (button.dataset.icon === name) return;
  button.dataset.icon = name;
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  button.replaceChildren(svg);
}

/**
 * A round button with an icon, and its keyboard shortcut.
 * @param {keyof typeof ICONS} name
 * @param {string} label
 * @param {string} keys
 */
export function iconButton(name, label, keys) {
  const button = el("button", {
    type: "button",
    class: "ap-icon",
    "aria-label": label,
    title: withKeys(label, keys),
    "aria-keyshortcuts": keys,
  });
  setIcon(button, name);
  return button;
}

/**
 * A range input; its label is for screen readers.
 * @param {string} label
 * @param {Record<string, Attribute>} attributes
 */
export function rangeInput(label, attributes) {
  return el("input", { type: "range", "aria-label": label, ...attributes });
}

/**
 * A group of radio buttons. Each of `options` is [value, text].
 * @param {string} name
 * @param {string} label
 * @param {[value: string | number, text: string][]} options
 */
export function radioGroup(name, label, options) {
  const radios = options.map(([value, text]) => {
    const input = el("input", { type: "radio", name, value });
    return el("label", { class: "ap-choice" }, input, el("span", { text }));
  });
  return el("div", { class: "ap-choices", role: "radiogroup", "aria-label": label }, ...radios);
}
