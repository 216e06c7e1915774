// The tokens that stand for no word of a sentence, as in attn_core/data/tokenizer.py.

export const PAD = "<pad>";
export const UNKNOWN = "<unk>";
export const START = "<s>";
export const END = "</s>";

/** By id, from 0. */
export const SPECIALS = [PAD, UNKNOWN, START, END];
