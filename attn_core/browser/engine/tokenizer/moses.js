// Moses preprocessing of one language, as attn_core.data.moses does it: raw text to a tokenised line, and back.

import { createPatterns } from "./patterns.js";
import { createUnicode } from "./unicode.js";
import { createDetokenizer } from "./detokenizer.js";

/** @import { Compiled, Form, Moses, MosesRules } from "./types.d.ts" */

const FORMAT = "attn_core.moses";
const VERSION = 1;
/** @type {Form} */
const LOWER = { lower: true, unicode: "NFC" };
const NO_LANGUAGE = "zxx"; // ISO 639: symbols of a toy task, only split at spaces

/**
 * Throws an Error that says what is wrong if the rules are damaged or lack the language.
 * @param {MosesRules} rules
 * @param {string} lang
 * @param {boolean} [sentences] whether each sentence of a text is tokenised by itself
 * @param {Form} [form] of the tokens
 * @returns {Moses}
 */
export function createMoses(rules, lang, sentences = false, form = LOWER) {
  try {
    return createRules(rules, lang, sentences, form);
  } catch (error) {
    throw new Error(`no tokenisation rules for '${lang}', or damaged ones (${/** @type {Error} */ (error).message})`);
  }
}

/**
 * @param {MosesRules} rules
 * @param {string} lang
 * @param {boolean} sentences
 * @param {Form} form
 * @returns {Moses}
 */
function createRules({ format, version, classes, text, languages }, lang, sentences, form) {
  if (format !== FORMAT || version !== VERSION) throw new Error(`expected format '${FORMAT}' and version ${VERSION}`);
  const patterns = createPatterns(classes);
  const unicode = createUnicode({ ...patterns, text });
  const { split, strip, readable, oneLine, lower } = unicode;
  const conform = unicode.createForm(form);
  if (lang === NO_LANGUAGE) {
    return {
      split,
      line: (raw) => split(readable(raw)).join(" "),
      conform,
      detokenize: (tokens) => tokens.join(" "),
      separated: (text) => text,
    };
  }
  if (!Object.hasOwn(languages, lang)) throw new Error(`the languages are ${Object.keys(languages)}`);
  const compiled = { ...patterns, lang, text, rules: languages[lang] };
  const normalize = patterns.substitute(compiled.rules.normalize);
  const tokenize = createTokenize(compiled, split);
  const { characters } = compiled.rules;
  const character = characters && patterns.pattern(characters, "gu");
  const composed = unicode.createForm({ ...form, unicode: "NFC" }); // letters apart from their marks would be split
  // The newline is needed by the normaliser's rule for a full stop before a final quotation mark.
  const composedTokens = (/** @type {string} */ text) => tokenize(strip(normalize(`${composed(text)}\n`)));
  const tokenized = (/** @type {string} */ text) =>
    form.unicode === "NFD" ? conform(composedTokens(text)) : composedTokens(text);
  const parts = sentences ? createSentences(compiled.rules, lower) : (/** @type {string} */ text) => [text];
  return {
    split,
    line: (raw) =>
      parts(oneLine(readable(raw)))
        .map(tokenized)
        .join(" "),
    conform,
    detokenize: createDetokenizer(compiled, unicode, form),
    separated: (text) => (character ? text.replace(character, " $& ") : text),
  };
}

/**
 * A function that splits a line into sentences. One ends with . ! or ? before a capital letter, unless it ends an
 * abbreviation.
 * @param {Compiled["rules"]} rules
 * @param {(text: string) => string} lower
 */
function createSentences({ prefixes }, lower) {
  const known = new Set(prefixes);
  return (/** @type {string} */ text) => {
    /** @type {string[][]} */
    const sentences = [[]];
    text
      .split(" ")
      .filter(Boolean)
      .forEach((word, i, words) => {
        sentences[sentences.length - 1].push(word);
        const [first = ""] = words[i + 1] ?? "";
        const before = word.slice(0, -1);
        const abbreviated = word.endsWith(".") && (before.includes(".") || known.has(before));
        if (/[.!?]$/.test(word) && lower(first) !== first && !abbreviated) sentences.push([]);
      });
    return sentences.map((words) => words.join(" "));
  };
}

/**
 * @param {Compiled} compiled
 * @param {(text: string) => string[]} split
 */
function createTokenize({ pattern, substitute, rules }, split) {
  const [symbols, commas, final, escape] = [rules.symbols, rules.commas, rules.final, rules.escape].map(substitute);
  const dots = pattern(rules.dots, "gu");
  const marker = pattern(rules.dots_marker, "gu");
  const separatePeriods = createPeriods({ pattern, rules }, split);

  /**
   * A run of full stops as one word, which the next rules leave alone.
   * @param {string} text
   */
  const hideDots = (text) =>
    text.replace(dots, (run, /** @type {number} */ at) => {
      const word = ` ${"DOT".repeat(run.length)}MULTI`;
      return at + run.length < text.length ? `${word} ` : word;
    });

  /** @param {string} text */
  const showDots = (text) => text.replace(marker, (word) => ".".repeat((word.length - "MULTI".length) / "DOT".length));

  return (/** @type {string} */ text) => escape(showDots(final(separatePeriods(commas(hideDots(symbols(text)))))));
}

/**
 * A function that separates the full stops at the ends of words, except those of abbreviations before another word.
 * @param {Pick<Compiled, "pattern" | "rules">} compiled
 * @param {(text: string) => string[]} split
 */
function createPeriods({ pattern, rules }, split) {
  const prefixes = new Set(rules.prefixes);
  const numericPrefixes = new Set(rules.numeric_prefixes);
  const alphabetic = pattern(rules.alphabetic);
  const startsLowercase = pattern(`^${rules.lowercase}`);

  /**
   * @param {string} prefix the word without its full stop
   * @param {string} next the next word
   */
  const abbreviates = (prefix, next) =>
    (prefix.includes(".") && alphabetic.test(prefix)) ||
    (prefixes.has(prefix) && !numericPrefixes.has(prefix)) ||
    startsLowercase.test(next) ||
    (numericPrefixes.has(prefix) && /^[0-9]/.test(next));

  return (/** @type {string} */ text) =>
    split(text)
      .map((word, i, words) => {
        const prefix = word.slice(0, -1);
        const kept = !prefix || !word.endsWith(".") || (i < words.length - 1 && abbreviates(prefix, words[i + 1]));
        return kept ? word : `${prefix} .`;
      })
      .join(" ");
}
