// Small components that several parts of a page share.

import { html } from "./html.js";

/** @typedef {import("../../vendor/preact.js").ComponentChildren} ComponentChildren */

/** "c_{i-1}" as text and subscripts. @param {{ text: string }} props */
export const WithSubscripts = ({ text }) =>
  text.split(/_\{([^}]*)\}/).map((part, i) => (i % 2 ? html`<sub>${part}</sub>` : part));

/**
 * A setting in a line of settings. Its control needs a label of its own, since the text of a <label> would include all
 * options of a list.
 * @param {{ name: string, after?: string, title?: string, hidden?: boolean, className?: string, children?:
 * ComponentChildren }} props `after`: words after the control; `className`: further classes
 */
export const Chip = ({ name, after = "", title = "", hidden = false, className = "", children }) =>
  html`<label class=${`live-chip ${className}`} title=${title} hidden=${hidden}><span>${name}</span>${children}
    ${after && html`<span>${after}</span>`}</label>`;

/**
 * The options of a list under the names of their groups; those without a group are not indented.
 * @param {{ options: { value: string, text: string, group?: string | null }[] }} props
 */
export const GroupedOptions = ({ options }) =>
  [...new Set(options.map(({ group }) => group))].map((name) => {
    const inGroup = options
      .filter(({ group }) => group === name)
      .map(({ value, text }) => html`<option value=${value}>${text}</option>`);
    return name ? html`<optgroup label=${name}>${inGroup}</optgroup>` : inGroup;
  });
