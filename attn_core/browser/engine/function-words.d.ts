// function-words.js is not a file: the bundler generates it from attn_core/data/function_words.json.

/** The function words of a language, by its code, with spaces between them. */
export const FUNCTION_WORDS: Record<string, string>;
