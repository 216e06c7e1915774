// Reads the values of a link, and collects a line about each one that cannot be used.

import { MOST_LETTERS, MOST_STEPS } from "../engine/limits.js";
import { MEAN } from "../player/core/looks.js";
import { t } from "../player/core/messages.js";
import { readEdits } from "./edits.js";
import { wholeNumber } from "./kinds.js";

/** @import { Kind, View } from "./types.d.ts" */

const LONGEST = 40; // letters of a link's value in a notice
const FOREIGN = /^(utm_\w+|embed(_options)?|fbclid|gclid|ref)$/; // names that others add to links

const LAYER = { ...wholeNumber(0, MOST_STEPS), wanted: () => t("a whole number from 0") };
/** @type {Kind<number | "mean">} */
const HEAD = {
  read: (written) => (written === MEAN ? MEAN : LAYER.read(written)),
  write: String,
  wanted: () => t("{mean}, or a whole number from 0", { mean: MEAN }),
};

export class LinkReader {
  /** @param {URLSearchParams} link */
  constructor(link) {
    this.query = new Map(link);
    this.unread = new Set(this.query.keys());
    /** @type {string[]} */
    this.problems = [];
  }

  /** What a link has under a name, if it is not empty. @param {string} name */
  written(name) {
    this.unread.delete(name);
    return this.query.get(name) || undefined;
  }

  /**
   * The value of a name; undefined if there is none, or none of its kind.
   * @template T
   * @param {string} name
   * @param {Kind<T>} kind
   */
  value(name, kind) {
    const written = this.written(name);
    if (kind.bare !== undefined && this.query.get(name) === "") return kind.bare;
    const value = written === undefined ? undefined : kind.read(written);
    if (written !== undefined && value === undefined) this.reject(name, kind.wanted(), written);
    return value;
  }

  /**
   * The model of a name; the usual one for a model that is not there.
   * @param {string} name
   * @param {string[]} models
   * @param {string} usual
   */
  model(name, models, usual) {
    const model = this.written(name) ?? usual;
    if (model === usual || models.includes(model)) return model;
    this.problems.push(
      t("There is no model “{name}” here; {other} is shown instead.", { name: shortened(model), other: usual }),
    );
    return usual;
  }

  /** The sentence, cut to the longest that a page reads. @param {string} usual */
  text(usual) {
    this.unread.delete("text");
    const text = this.query.get("text") ?? usual;
    if (text.length > MOST_LETTERS)
      this.problems.push(t("The sentence in the link was cut to {most} characters.", { most: MOST_LETTERS }));
    return text.slice(0, MOST_LETTERS);
  }

  /** Both numbers of a head, or the mean. @returns {Pick<View, "layer" | "head">} */
  head() {
    const [layer, head] = [this.value("layer", LAYER), this.value("head", HEAD)];
    if (head === MEAN) return { layer: null, head };
    if (layer !== undefined && head !== undefined) return { layer, head };
    const named = ["layer", "head"].filter((name) => this.query.get(name));
    if (named.length === 1)
      this.problems.push(
        t("A head in the link needs both layer and head; {name} alone was ignored.", { name: named[0] }),
      );
    return { layer: null, head: null };
  }

  /** @param {string} name */
  edits(name) {
    const { edits, bad } = readEdits(this.written(name) ?? "");
    if (bad.length) this.reject(name, t("edits such as w3-0.2_0.8 or n4-dog"), bad.join(" "));
    return edits;
  }

  /** A line about each value that cannot be used, and each name that is none of a view's. */
  notices() {
    const unknown = [...this.unread].filter((name) => !FOREIGN.test(name));
    return [
      ...this.problems,
      ...unknown.map((name) =>
        t("The link has “{name}”, which this page does not know; it was ignored.", { name: shortened(name) }),
      ),
    ];
  }

  /** @param {string} name @param {string} wanted @param {string} written */
  reject(name, wanted, written) {
    const value = shortened(written);
    this.problems.push(
      t("{name} in the link must be {wanted}, not “{value}”; it was ignored.", { name, wanted, value }),
    );
  }
}

/** @param {string} text */
const shortened = (text) => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`);
