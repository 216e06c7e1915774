// The state of a page that translates. Not part of a bundle.

import type { Stroke } from "./editing.js";
import type { EditHistory } from "./history.js";
import type { LiveModel } from "../hosts/types.d.ts";
import type { Clicked, HeadChoice, How, Painted } from "../player/core/types.d.ts";
import type { Answer, Edit, NumberAsked, Request, TraceJSON, Unfit, WindowFacts } from "../engine/types.d.ts";

/** A length normalisation of a beam's scores. */
export type Rule = NonNullable<Request["normalise"]>;

/**
 * How a sentence is translated: what a second translation beside the first one may change. null: as in the trained
 * model.
 */
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
  /** The exponent of the length normalisation. */
  alpha: number;
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
  /** How much the page shows: what explains a step, or all tools. */
  level: "story" | "workbench";
  /** Whether the page is in lecture layout. */
  present: boolean;
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
  /** The value of a name without one: `?present`. */
  bare?: T;
}

/**
 * A property of a view: its name in a link, the level that shows its controls, its kind in a link, and its usual value,
 * which links leave out.
 */
export interface Property<T> {
  link: string;
  level: View["level"];
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

/** The model of the view: it opens, it runs in the page or on the server, or it could not be opened. */
export interface OpenModel {
  status: "opening" | "page" | "server" | "closed";
  /** Of a model that runs in the page. */
  files: LiveModel | null;
}

/** The translation on show, which stays while the next one is made. */
export interface Shown {
  trace: TraceJSON;
  /** The model that made it, by its name in the page, and the sentence. */
  model: string;
  text: string;
  /** The window and the attention type of its run. */
  how: How;
  /** The request that it answers (requestKey); null for what a page shows that opens by a link. */
  key: string | null;
  /** Of the model, if it runs in the page. */
  files: LiveModel | null;
  /** The translation without the edits. */
  unedited: TraceJSON | null;
}

/** What became of the last request. */
export interface Result {
  key: string;
  text: string;
  /** Without a trace: the text cannot be translated, and says why. null: the translation failed. */
  answer: Answer | null;
  /** Why the model could not be opened, or the translation failed. */
  problem: string | null;
}

/** A translation beside the one on show. */
export interface Beside {
  text: string;
  trace: TraceJSON | null;
  problem: string | null;
}

/** The state of a page: the view, and what is remembered beside it. */
export interface State {
  view: View;
  model: OpenModel;
  shown: Shown;
  result: Result | null;
  /** Whether the reader has waited for a model or a translation for longer than one notices. */
  isSlow: boolean;
  /** Whether the view is that of a link, of which nothing has been translated yet. */
  isLinked: boolean;
  /** Lines on what of a link, or of the action before, had no effect. */
  notices: string[];
  /** What the last action removed although the reader did not ask for it. */
  removed: ("window" | "edits")[];
  /** Edits that the translation could not have. */
  unfit: Unfit[];
  /** The model that the last action left; null: it chose none. */
  modelBefore: string | null;
  /** The last sentence in each language that a model reads. */
  sentences: Record<string, string>;
  /** How many sentences readers began to type: each is an entry of the browser's history, not each letter. */
  begun: number;
  isEditing: boolean;
  /** Whether maps are by word pieces, where some words are of several. */
  byPieces: boolean;
  history: EditHistory;
  /** What was painted last; a drag goes on from its start. */
  stroke: Stroke | null;
  /** Translations beside the one on show, by runKey. */
  beside: Record<string, Beside>;
  /** The number that is taken apart. */
  number: NumberAsked | null;
}

/** What a reader does. */
export type Act =
  | { type: "view opened"; view: View; notices: string[] }
  | { type: "trace given"; trace: TraceJSON; view: View }
  | { type: "model chosen"; model: string; text?: string }
  /** `begins`: this is the first change since the field was left, and makes an entry of the browser's history. */
  | { type: "sentence typed"; text: string; begins?: boolean }
  /** null in `live`: the window's own default. */
  | {
      type: "window set";
      window: string | null;
      live: Record<string, number | null>;
      centers: Record<number, number> | null;
    }
  | { type: "states kept"; keep: boolean }
  | { type: "search chosen"; beam?: number; normalise?: Rule; unk?: boolean }
  | { type: "attention type chosen"; attention: string | null }
  | { type: "sample drawn" }
  | { type: "editing begun" }
  | { type: "editing ended" }
  | { type: "edits set"; edits: Edit[] }
  | { type: "edits undone" }
  | { type: "edits redone" }
  | ({ type: "weights painted" } & Painted)
  | ({ type: "number opened" } & Clicked)
  | { type: "number asked"; number: NumberAsked | null }
  | { type: "step chosen"; step: number }
  | ({ type: "head chosen" } & HeadChoice)
  | { type: "gloss chosen"; gloss: string }
  | { type: "level chosen"; level: View["level"] }
  | { type: "tour left" }
  | { type: "lecture set"; presented: boolean }
  | { type: "pieces chosen"; byPieces: boolean }
  | { type: "comparison begun"; with: Run }
  | { type: "race begun"; axis: string }
  | { type: "comparison ended" }
  | { type: "sides swapped" };

/** What has arrived. */
export type Arrival =
  | { type: "model opened"; model: string; files: LiveModel | null }
  | { type: "model failed"; model: string; key: string; text: string; problem: string }
  | { type: "waiting" }
  | { type: "translated"; key: string; text: string; how: How; answer: Answer; files: LiveModel | null }
  | { type: "translation failed"; key: string; text: string; problem: string }
  | { type: "translated beside"; run: string; text: string; trace: TraceJSON | null; problem: string | null };

export type Action = Act | Arrival;

/** The state after an action of a type; `choices`: the models that the page offers. */
export type Handler<Type extends Action["type"]> = (
  state: State,
  action: Extract<Action, { type: Type }>,
  choices: Choice[],
) => State;

export type Dispatch = (action: Act) => void;
