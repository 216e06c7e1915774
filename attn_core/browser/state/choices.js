// The models that a page offers, and the last sentence in each language that they read.

/** @import { Choice, State } from "./types.d.ts" */

/** @param {Choice[]} choices @param {string} model its name */
export const choiceOf = (choices, model) => /** @type {Choice} */ (choices.find(({ name }) => name === model));

/** The languages that a model reads and writes. @param {Choice} choice */
export const languagesOf = ({ pair }) => pair.split("-");

/**
 * The last sentence in each language, after a model has read one. Joined sentences and those in another language are
 * not remembered.
 * @param {State["sentences"]} sentences
 * @param {Choice} choice the model
 * @param {string} text
 * @param {boolean} isSwapped whether the text is in another language
 * @returns {State["sentences"]}
 */
export const rememberSentence = (sentences, choice, text, isSwapped) =>
  choice.joined || isSwapped ? sentences : { ...sentences, [languagesOf(choice)[0]]: text };
