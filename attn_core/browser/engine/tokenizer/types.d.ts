// JSON that Python writes and the tokeniser reads. Nothing of this is in a bundle.

/** A pattern for `RegExp` with the flag `u`, in which `\p{n}` is the nth of `MosesRules.classes`. */
export type Pattern = string;

/** A pattern and what `String.replace` puts in the place of every match. */
export type Substitution = [pattern: Pattern, replacement: string];

/** `attn_core.data.moses_rules.rules`. */
export interface MosesRules {
  format: string;
  version: number;
  text: {
    assigned: Pattern;
    visible: Pattern;
    /** Joiners, and the letters and marks of the scripts whose words have them. */
    joiner: Pattern;
    joined: Pattern;
    space: Pattern;
    line_end: Pattern;
    alphanumeric: Pattern;
    cjk: Pattern;
  };
  languages: Record<string, LanguageRules>;
  /** The numbers of code points outside and inside the class by turns, from U+0000 on. */
  classes: number[][];
}

export interface LanguageRules {
  normalize: Substitution[];
  symbols: Substitution[];
  dots: Pattern;
  dots_marker: Pattern;
  commas: Substitution[];
  prefixes: string[];
  numeric_prefixes: string[];
  lowercase: Pattern;
  alphabetic: Pattern;
  final: Substitution[];
  escape: Substitution[];
  hyphens: Substitution[];
  unescape: Substitution[];
  currency: Pattern;
  punctuation: Pattern;
  contraction: Pattern;
  elision: Pattern;
  word: Pattern;
  quote: Pattern;
  /** In a language without spaces between words: the characters, each an entry of a vocabulary of words. */
  characters?: Pattern;
}

/** The rules of one language with compiled patterns. */
export interface Compiled {
  lang: string;
  pattern: (pattern: Pattern, flags?: string) => RegExp;
  substitute: (substitutions: Substitution[]) => (text: string) => string;
  text: MosesRules["text"];
  rules: LanguageRules;
}

/** The form of the text of a vocabulary: whether it has no capitals, and its Unicode normalisation, if it has one. */
export interface Form {
  lower: boolean;
  unicode: "NFC" | "NFD" | null;
}

/** source.json and target.json, as `Tokenizer.save` writes them. */
export interface TokenizerRecord {
  format: string;
  version: number;
  lang: string;
  kind: "word" | "bpe";
  form: Form;
  /** Whether each sentence of a raw text is tokenised separately. */
  sentences?: boolean;
  /** The usual capitals of words; in a folder of shared vocabularies, the name of the file with them. */
  truecase?: TruecaseRecord | string;
  /** The vocabulary, or the name of the file beside this one that holds it. */
  tokenizer: { model: { vocab: Record<string, number>; merges?: [string, string][] } } | string;
}

/** A table of `attn_core.data.truecase`: each word without the letters that it shares with the one before. */
export interface TruecaseRecord {
  version: number;
  spellings: string;
}

/** Ids by token, the merges of pieces in order of their rank (words have none), and spellings by word in lower case. */
export interface Vocabulary {
  spellings: Map<string, string>;
  ids: Map<string, number>;
  merges: [string, string][];
}

export interface Moses {
  /** Raw text as one tokenised line. */
  line: (text: string) => string;
  /** Tokenised text in the form of the vocabulary. */
  conform: (text: string) => string;
  detokenize: (tokens: string[]) => string;
  /** The words of a text: `str.split`. */
  split: (text: string) => string[];
  /** A tokenised line with spaces between the entries of a vocabulary of words. */
  separated: (text: string) => string;
}

/** `attn_core.data.tokenizer.Tokenizer`. */
export interface Tokenizer {
  lang: string;
  kind: "word" | "bpe";
  size: number;
  /**
   * The tokens of raw text, or of a tokenised line, which is split at whitespace and brought to the vocabulary's form.
   */
  tokens: (text: string, tokenized?: boolean) => string[];
  /** The id of each token; that of `<unk>` for unknown tokens and for special tokens typed as text. */
  ids: (tokens: string[]) => number[];
  /** The positions of the tokens that the model reads as `<unk>`. */
  unknown: (tokens: string[]) => number[];
  /** The token with this id; throws a RangeError if there is none. */
  token: (id: number) => string;
  /** The tokenised line: pieces joined into words, without `<pad>`, `<s>` and `</s>`. */
  text: (tokens: string[]) => string;
  /** Running text: spaces as in print, entities unescaped, sentences capitalised, words with their usual capitals. */
  detokenize: (tokens: string[]) => string;
}
