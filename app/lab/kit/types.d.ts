// Types shared by the stages of several pages; not part of any bundle.

/** The interface of a stage; `update` is called when the page has changed, but not the data. */
export interface Stage {
  update(): void;
  destroy(): void;
}

/** Further entries of the page's address: a value by name, null for none. */
export type Kept = Record<string, string | number | null>;

export type Point = [x: number, y: number];
