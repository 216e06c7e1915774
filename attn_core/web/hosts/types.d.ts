// Types of the arguments that hosts pass to a component. Not part of a bundle.

import type { How, ModelJSON, Request, TraceJSON } from "../engine/types";
import type { MosesRules, TokenizerRecord } from "../engine/tokenizer/types";
import type { Options, Settled } from "../player/core/types";

/** The argument of a Streamlit component (v2); it is called again at every change of its data. */
export interface Streamlit<Data> {
  data: Data;
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
}

/** A model that can be chosen in a page that translates. */
export interface Offered {
  name: string;
  load(): LiveFiles | Promise<LiveFiles>;
}

/** The files of a model; its weights may be in base64. */
export type LiveFiles = LiveModel & { weights: Uint8Array | string };

/** What a reader has chosen. `type` null: as trained. */
export interface LiveView {
  text: string;
  model: string;
  beam: number;
  type: string | null;
  how: How;
}

/** A player with models that translate in the page. */
export interface Live {
  update(trace: TraceJSON, options: Options): void;
  show(view: LiveView, step: number, look: string | null): void;
  destroy(): void;
}

/** The addresses of a model's files, and what to translate with it. */
export interface LiveEngine {
  record: string;
  weights: string;
  request: Request & { type: string };
}

export interface SentenceUi {
  text: HTMLInputElement;
  model: HTMLSelectElement;
  beam: HTMLSelectElement;
  type: HTMLSelectElement;
  output: HTMLOutputElement;
  note: HTMLElement;
}

/** Destroys a component. */
export type End = () => void;

/** The traitlets of the notebook widget (jupyter.py). */
export interface WidgetState {
  trace_json: string;
  theme: string;
  can_decode: boolean;
  settled: Settled | null;
  answered: number;
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
