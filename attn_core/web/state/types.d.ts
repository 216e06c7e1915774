// The state of the Explorer's view. Not part of a bundle.

import type { Edit, Request, WindowFacts } from "../engine/types.d.ts";

/** A length normalisation of a beam's scores. */
export type Rule = NonNullable<Request["normalise"]>;

/** How a sentence is translated: what a second translation beside the first one may change. null: as in the trained model. */
export interface Run {
  model: string;
  window: string | null;
  /** The live settings of the window that a reader has set, by name. */
  live: Record<string, number>;
  /** p_t by step, set by hand. */
  centers: Record<number, number> | null;
  type: string | null;
  beam: number;
  normalise: Rule;
  /** Whether unknown words are replaced by source words. */
  unk: boolean;
  /** The number of the sample, for sampled attention. */
  draw: number;
  edits: Edit[];
  /** Whether words and states are those of the model as it was trained. */
  keep: boolean;
}

/** What a link holds. */
export interface View extends Run {
  text: string;
  step: number;
  /** The head on show: both numbers from 0; "mean" without a layer; both null for the clearest head. */
  layer: number | null;
  head: number | "mean" | null;
  /** A second translation beside this one. */
  compared: Run | null;
  /** The axis on which all models that differ on it alone are compared. */
  race: string | null;
  /** The language of the glosses. */
  gloss: string;
  /** The stop of the tour, from 1. */
  tour: number | null;
}

/** What a page knows before any model is open. The first value of a list is the usual one. */
export interface Facts {
  /** The model and, by model, the sentence of a link that says nothing. */
  model: string;
  models: string[];
  texts: Record<string, string>;
  /** By their names; with the live settings that readers may move. */
  windows: Record<string, Pick<WindowFacts, "live">>;
  types: string[];
  /** The axes on which readers choose. */
  axes: string[];
  glosses: string[];
  stops: number;
}

/** How the values of a property are spelt in a link. */
export interface Kind<T> {
  /** undefined: the text is none. */
  read(written: string): T | undefined;
  write(value: T): string;
  /** What is expected, in words. */
  wanted(): string;
}

/** A property of a view: its name in a link, its kind there, and its usual value, which links leave out. */
export interface Property<T> {
  link: string;
  kind(facts: Facts): Kind<T>;
  /** `view`: the properties before this one; `beside`: the view that this one stands beside, or null. */
  usual(facts: Facts, view: Partial<View>, beside: Run | null): T;
}

/** A model that a page offers, as far as the state needs it. */
export interface Choice {
  name: string;
  /** The languages that it reads and writes: "de-en". */
  pair: string;
  /** Whether it was trained on texts of several sentences. */
  joined: boolean;
  /** The examples for its sentence. */
  examples: string[];
}

/** The state of a page: the view, and what is remembered beside it. */
export interface State {
  view: View;
  /** The last sentence in each language that a model reads. */
  sentences: Record<string, string>;
  /** What the last action removed although the reader did not ask for it. */
  removed: ("window" | "edits")[];
}

/** What a reader does, or what has arrived. */
export type Action =
  | { type: "view opened"; view: View }
  /** `text`: the sentence to go on with; `swapped`: the sentence is not in the language that the present model reads. */
  | { type: "model chosen"; model: string; text?: string; swapped?: boolean }
  | { type: "sentence typed"; text: string }
  | { type: "window set"; window: string | null; live: Record<string, number>; centers: Record<number, number> | null }
  | { type: "states kept"; keep: boolean }
  | { type: "search chosen"; beam?: number; normalise?: Rule; unk?: boolean }
  | { type: "attention type chosen"; attention: string | null }
  | { type: "sample drawn" }
  | { type: "edits set"; edits: Edit[] }
  | { type: "step chosen"; step: number }
  | { type: "head chosen"; layer: number | null; head: number | "mean" | null }
  | { type: "gloss chosen"; gloss: string }
  | { type: "tour left" }
  | { type: "comparison begun"; with: Run }
  | { type: "race begun"; axis: string }
  | { type: "comparison ended" }
  | { type: "sides swapped" }
  /** A translation has arrived: the numbers of its steps and source words, and the edits that it could not have. */
  | { type: "translated"; steps: number; sameSource: boolean; unfit: Edit[] };
