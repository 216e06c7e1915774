// catalogue.js is no file: the bundler writes it from the catalogue of the current language.

/** What is not translated has no entry. */
export const CATALOGUE: Record<string, string | string[]>;
/** Which of a message's forms is for n. */
export function plural(n: number): number;
