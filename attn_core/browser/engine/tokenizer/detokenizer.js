// Tokens to running text: spaces as in print, entities unescaped, sentences capitalised.

import { SPECIALS, UNKNOWN } from "./specials.js";

/** @import { Compiled, Form } from "./types.d.ts" */
/** @import { createUnicode } from "./unicode.js" */

/**
 * Whether a word is written without a space to the word before it (left) or after it (right); `spaced` puts one anyway.
 * @typedef {{ left?: boolean, right?: boolean, spaced?: boolean }} Place
 */

/**
 * @param {Compiled} compiled
 * @param {ReturnType<typeof createUnicode>} unicode
 * @param {Form} form of the tokens; those with capitals keep theirs
 */
export function createDetokenizer(compiled, { split, strip, capitalized }, { lower }) {
  const { substitute, rules } = compiled;
  const [hyphens, unescape] = [rules.hyphens, rules.unescape].map(substitute);
  const placeOf = createPlace(compiled);

  return (/** @type {string[]} */ tokens) => {
    const written = lower ? capitalizedSentences(tokens, capitalized) : tokens;
    const words = split(unescape(hyphens(` ${written.join(" ")} `)));
    const quotes = new Map();
    let text = "";
    let before = " ";
    for (const i of words.keys()) {
      const { left, right, spaced } = placeOf(words, i, quotes);
      text += `${spaced ? " " : ""}${left ? "" : before}${words[i]}`;
      before = right ? "" : " ";
    }
    return strip(text);
  };
}

/**
 * @param {string[]} tokens
 * @param {(token: string) => string | null} capitalized
 */
function capitalizedSentences(tokens, capitalized) {
  let start = true;
  return tokens.map((token) => {
    if ([".", "!", "?", UNKNOWN].includes(token))
      start = token !== UNKNOWN; // which stands for a word
    else if (start && !SPECIALS.includes(token)) {
      // An entity: a mark, or one with letters (&apos;s)
      const after = token.startsWith("&") ? token.indexOf(";") + 1 : 0;
      const changed = capitalized(token.slice(after));
      start = changed === null;
      return token.slice(0, after) + (changed ?? token.slice(after));
    }
    return token;
  });
}

/**
 * A function for the place of the ith word; it counts quotation marks in `quotes`, so that it is called in order.
 * @param {Compiled} compiled
 * @returns {(words: string[], i: number, quotes: Map<string, number>) => Place}
 */
function createPlace({ lang, pattern, text, rules }) {
  const cjkStart = pattern(`^${text.cjk}`);
  const cjkEnd = pattern(`${text.cjk}$`);
  const currency = pattern(rules.currency);
  const punctuation = pattern(rules.punctuation);
  const contraction = pattern(rules.contraction);
  const elision = pattern(rules.elision);
  const startsWord = pattern(rules.word);
  const quote = pattern(rules.quote);
  const elides = ["fr", "it", "ga"].includes(lang);

  return (words, i, quotes) => {
    const word = words[i];
    const before = words[i - 1] ?? "";
    const after = words[i + 1] ?? "";
    if (cjkStart.test(word) && lang !== "ko") return { left: cjkEnd.test(before) };
    if (currency.test(word)) return { right: true };
    if (punctuation.test(word)) return { left: true, spaced: lang === "fr" && /^[?!:;\\%]$/.test(word) };
    if (lang === "en" && contraction.test(word)) return { left: true };
    if (lang === "cs" && i > 1 && endsInDecimals(words) && isNumber(word)) return { left: true };
    if (elides && elision.test(word) && startsWord.test(after)) return { right: true };
    return quote.test(word) ? placeOfQuote(word, before, lang, quotes) : {};
  };
}

/**
 * An opening quotation mark is set close to the next word, a closing one to the word before it.
 * @param {string} word
 * @param {string} before
 * @param {string} lang
 * @param {Map<string, number>} quotes
 * @returns {Place}
 */
function placeOfQuote(word, before, lang, quotes) {
  const mark = /^[„“”]+$/.test(word) ? '"' : word;
  let count = quotes.get(mark) ?? 0;
  if (lang === "cs" && word === "„") count = 0;
  if (lang === "cs" && word === "“") count = 1;
  const opens = count % 2 === 0;
  if (opens && lang === "en" && word === "'" && before.endsWith("s")) return { left: true }; // the cooks' knives
  quotes.set(mark, count + 1);
  return opens ? { right: true } : { left: true };
}

/**
 * Whether the last two words are a number and a comma; sacremoses asks this of the end of the line, not of the word.
 * @param {string[]} words
 */
const endsInDecimals = (words) => isNumber(words.at(-2) ?? "") && /^[.,]$/.test(words.at(-1) ?? "");

/** @param {string} word */
const isNumber = (word) => /^[0-9]+$/.test(word);
