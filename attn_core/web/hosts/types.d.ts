// Types of the arguments that hosts pass to a component. Not part of a bundle.

import type { ModelJSON, Request } from "../engine/types";
import type { MosesRules, TokenizerRecord } from "../engine/tokenizer/types";

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

/** anywidget's model: the traitlets of the kernel's object. */
export interface WidgetModel {
  get(name: string): any;
  set(name: string, value: unknown): void;
  on(event: string, action: () => void): void;
  off(event: string, action: () => void): void;
  save_changes(): void;
}
