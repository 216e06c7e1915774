// What stages of several pages share. Nothing of this is in a bundle.

/** What a page's stage gives to what mounts it; `update`: the page has changed, not the data. */
export interface Stage {
  update(): void;
  destroy(): void;
}

/** What the page's address should say besides: a value by name, null for none. */
export type Kept = Record<string, string | number | null>;

export type Point = [x: number, y: number];
