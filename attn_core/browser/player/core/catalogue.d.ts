// catalogue.js is not a file: the bundler generates it from the catalogue of the current language.

/** Messages without a translation have no entry. */
export const CATALOGUE: Record<string, string | string[]>;
/** The index of the plural form for n. */
export function plural(n: number): number;
