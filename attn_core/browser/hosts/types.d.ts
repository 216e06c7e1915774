// Types of the arguments that hosts pass to a component. Not part of a bundle.

import type { ModelJSON, TraceJSON } from "../engine/types";
import type { MosesRules, TokenizerRecord } from "../engine/tokenizer/types";
import type { Options } from "../player/core/types";

/** The argument of a Streamlit component (v2); it is called again at every change of its data. */
export interface Streamlit<Data> {
  /** In bytes, for `readData` in component-data.js. */
  data: Data | Uint8Array;
  parentElement: HTMLElement;
  setStateValue(name: string, value: unknown): void;
  setTriggerValue(name: string, value: unknown): void;
}

/** A model in a page that translates: its files without the weights, and the label of the sentence box. */
export interface LiveModel {
  graphs: ModelJSON;
  source: TokenizerRecord;
  target: TokenizerRecord;
  rules: MosesRules;
  label: string;
  /** The names of the languages it translates from and into. */
  languages: [string, string];
}

/** The value of a model on each axis; null where the axis does not apply. */
export type Point = Record<string, string | null>;

/**
 * The label of an axis, what it means, and its values with their names in the order of display. `phrase`: a value with
 * the words around it in a sentence; by default the label is before it.
 */
export interface Wording {
  label: string;
  phrase?: string;
  help: string;
  values: [value: string, word: string][];
}

/**
 * A way in which models differ. `chip`: it always has a menu; the others have one where their value prevents other
 * choices. `unattended`: its wording for models without attention. `brings`: maps a value to the axes that it fixes, so
 * that a reader has no choice on them.
 */
export interface Axis extends Wording {
  name: string;
  chip: boolean;
  unattended?: Wording;
  brings?: Record<string, string[]>;
}

/**
 * A model that can be chosen in a page that translates; without `load` it cannot run there, and `label` is that of the
 * sentence box. `about` has its scores, `measured` what they were measured on, and `caveat` a warning about its
 * quality. `setup`: the settings beside the axes in which the models differ, by name.
 */
export interface Offered {
  name: string;
  label?: string;
  languages: [string, string];
  load?(): LiveFiles | Promise<LiveFiles>;
  point?: Point;
  about?: string;
  measured?: string;
  caveat?: string;
  setup?: Record<string, string>;
  /** The heading under which menus list it. */
  group?: string;
  /** Whether it was trained on texts of several sentences. */
  joined?: boolean;
}

/** The files of a model; its weights may be in base64. */
export type LiveFiles = LiveModel & { weights: Uint8Array | string };

/** Destroys a component. */
export type End = () => void;

/** The traitlets of the notebook widget (jupyter.py). */
export interface WidgetState {
  trace_json: string;
  theme: string;
  known: Pick<Options, "windows" | "types">;
  models: (LiveModel & { weights: DataView })[];
  text: string;
}

/** anywidget's model: the traitlets of the kernel's object. */
export interface WidgetModel {
  get<Name extends keyof WidgetState>(name: Name): WidgetState[Name];
  set<Name extends keyof WidgetState>(name: Name, value: WidgetState[Name]): void;
  on(event: string, action: () => void): void;
  off(event: string, action: () => void): void;
  save_changes(): void;
}
