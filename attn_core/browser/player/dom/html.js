// Components: their templates, and wrappers that catch their errors and skip needless redraws.

import { Component, h } from "../../vendor/preact.js";
import { htm } from "../../vendor/htm.js";
import { messageOf, t } from "../core/messages.js";

/**
 * The elements of a template: html`<p class=${name}>${text}</p>`, or <${Part} value=${value} /> for a component. Values
 * are inserted as text, never as markup.
 */
export const html = htm.bind(h);

/** @typedef {import("../../vendor/preact.js").ComponentChildren} ComponentChildren */
/** @typedef {{ children?: ComponentChildren }} GuardedProps */
/**
 * @typedef {{ children: ComponentChildren, error: string | null }} GuardedState `children`: those that were drawn last
 */

/**
 * Shows the message of an error in place of the children that threw it, while they were drawn or in one of their
 * effects. The page around them still works, and new children are drawn again.
 * @extends {Component<GuardedProps, GuardedState>}
 */
export class Guarded extends Component {
  /** @type {GuardedState} */
  state = { children: null, error: null };

  /** @param {unknown} problem */
  static getDerivedStateFromError(problem) {
    return { error: messageOf(problem) };
  }

  /**
   * @param {GuardedProps} props
   * @param {GuardedState} state
   */
  static getDerivedStateFromProps({ children }, state) {
    return children === state.children ? null : { children, error: null };
  }

  /** @param {unknown} problem */
  componentDidCatch(problem) {
    console.error(problem);
  }

  render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const message = t("This part of the page cannot be shown: {error}.", { error });
    return html`<p class="ap-failed" role="alert">${message}</p>`;
  }
}

/**
 * A part of a page: <${Part} of=${Component} value=${value} /> draws the component again only when one of its values
 * has changed.
 * @extends {Component<Record<string, any>>}
 */
export class Part extends Component {
  /** @param {Record<string, unknown>} next */
  shouldComponentUpdate(next) {
    return Object.keys({ ...this.props, ...next }).some((name) => !Object.is(this.props[name], next[name]));
  }

  render() {
    const { of, ...values } = this.props;
    return h(of, values);
  }
}
