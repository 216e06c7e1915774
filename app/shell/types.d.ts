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

/** One stop of the tour. In its texts, a subscript is written as in p_{t}. */
export interface Stop {
  /** Its address. */
  page: string;
  link: Record<string, string>;
  /**
   * What a reader needs besides the sentence and the picture: names of axes, "edit" or "head". The rest may be hidden.
   */
  needs: string[];
  question: string;
  /** What a reader has to know before. */
  intro?: string;
  /** One of them is right. */
  guesses: { text: string; isRight?: true }[];
  /** After the guess: the answer in one sentence, and one thing to try. */
  answer: string;
  todo: string;
  /** A button that does it: what it changes in the link. */
  act?: { label: string; link: Record<string, string> };
  /** For the glossary. */
  term: { name: string; meaning: string };
  /** Where to read on: the notebook's name, and the heading of a section without its number. */
  notebook: string;
  section: string;
  /** For a speaker. */
  notes: string[];
}

/** What a speaker says about a page: its question, what to point at, the answer, what to try, and how long it takes. */
export interface Notes {
  question: string;
  points: string[];
  answer: string;
  todo?: string;
  minutes: number;
}

/**
 * The server's /share.json: scheme, name and port under which others reach it, and the pages that are at /site/ too.
 */
export interface Served {
  origin: string;
  pages: string[];
}
