// What the tests of Python ask of the page's tokenizers: each function takes and returns JSON.

import { read } from "../../attn_core/browser/engine/reading.js";
import { createMoses } from "../../attn_core/browser/engine/tokenizer/moses.js";
import { createTokenizer } from "../../attn_core/browser/engine/tokenizer/tokenizer.js";

/** What each function of a tokenizer makes of each text; `beside`: the record of the vocabulary that it shares. */
export function results({ record, beside, rules, texts }) {
  const tokenizer = createTokenizer(record, rules, beside);
  const { line } = createMoses(rules, record.lang, record.sentences, record.form);
  return texts.map((text) => {
    const tokens = tokenizer.tokens(text);
    const split = tokenizer.tokens(text, true);
    const [ids, unknown] = [tokenizer.ids(tokens), tokenizer.unknown(tokens)];
    const back = { text: tokenizer.text(tokens), detokenized: tokenizer.detokenize(tokens) };
    return { line: line(text), tokens, ids, unknown, split, split_ids: tokenizer.ids(split), ...back };
  });
}

/** The lines of texts by the rules of a language, and the texts of lists of tokens. */
export function byRules(rules, lang, texts, tokens = []) {
  const { line, detokenize } = createMoses(rules, lang);
  return [texts.map((text) => line(text)), tokens.map((list) => detokenize(list))];
}

/** The token of an id. */
export const tokenOf = (record, rules, id) => createTokenizer(record, rules).token(id);

/** The text of tokens, and the text as people write it. */
export function textOf(record, rules, tokens) {
  const { text, detokenize } = createTokenizer(record, rules);
  return [text(tokens), detokenize(tokens)];
}

/** The texts of lists of tokens by a vocabulary. */
export const detokenized = (record, rules, lines) => lines.map(createTokenizer(record, rules).detokenize);

/** The pieces of each word. */
export function pieces(record, rules, words) {
  const { tokens } = createTokenizer(record, rules);
  return words.map((word) => tokens(word, true));
}

export function vocabulary(record, rules, beside) {
  const { lang, kind, size, token } = createTokenizer(record, rules, beside);
  return { lang, kind, tokens: Array.from({ length: size }, (_, id) => token(id)) };
}

/** Which words of texts a model knows, from the records of both its vocabularies. */
export function readings([source, target], rules, texts) {
  const [own, other] = [createTokenizer(source, rules), createTokenizer(target, rules, source)];
  return texts.map((text) => read(own.text(own.tokens(text)).split(" ").filter(Boolean), own, other));
}
