// The types that the player's modules share. Not part of a bundle.

export type * from "./types/trace.d.ts";
export type * from "./types/choices.d.ts";
export type * from "./types/layout.d.ts";
export type * from "./types/picture.d.ts";
