// The types of the engine. Not part of a bundle.

export type * from "./types/plan.d.ts";
export type * from "./types/document.d.ts";
export type * from "./types/request.d.ts";
export type * from "./types/translation.d.ts";
export type * from "./types/origin.d.ts";
export type * from "./types/service.d.ts";
