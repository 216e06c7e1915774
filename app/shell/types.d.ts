// Types shared by the stages of all pages; not part of any bundle.

/** The interface of a stage; `update` is called when the page has changed, but not the data. */
export interface Stage {
  update(): void;
  destroy(): void;
  /** The settings that stay when another sentence is typed, by their names in the address. */
  settings?(): Record<string, string | number | null>;
}

/** The value of a setting with which a stage begins, by its name in the address; null for its default. */
export type From = (name: string) => string | null;

/** One stop of the tour; `page` and `link` are its address, `notebook` is where to read on. */
export interface Stop {
  page: string;
  link: Record<string, string>;
  question: string;
  todo: string;
  notebook: string;
}

/** The server's /share.json: scheme, name and port under which others reach it, and the pages that are at /site/ too. */
export interface Served {
  origin: string;
  pages: string[];
}
