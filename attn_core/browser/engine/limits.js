// What a request may ask for; browser/limits.py reads these lines.

export const MOST_WORDS = 60; // of a sentence
export const MOST_PIECES = 120; // word pieces of a sentence: one long unknown word is split into its letters
export const MOST_LETTERS = 1000;
export const BEAMS = [1, 2, 3, 5, 8, 12];
export const MOST_DRAWS = 999; // samples that a link can name
export const MOST_STEPS = 9999; // the last step or position that a link can name
