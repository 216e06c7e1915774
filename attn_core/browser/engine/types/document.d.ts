// browser.json, the exported model; attn_core/export/document.py writes it.

/** One graph of browser.json; see attn_core/export/graphs.py. */
export interface GraphJSON {
  inputs: string[];
  nodes: any[][];
  outputs: Record<string, any>;
  limits?: Record<string, number>;
  when?: Record<string, number>;
}

/** A setting of a window that may be changed in a trained model; see attn_core/export/document.py. */
export interface LiveSetting {
  name: string;
  symbol: string;
  meaning: string;
  whole: boolean;
  least: number | null;
  most: number | null;
  default: number | null;
  nullable: boolean;
  multiple: [name: string, factor: number] | null;
  /** Of its slider; none: its meaning. */
  label?: string;
  /** Of the button that sets it to null. */
  unset?: { label: string; title: string };
}

/** What a page must know of a window; its texts are those of attn_core/export/facts.py, in the reader's language. */
export interface WindowFacts {
  centered: boolean;
  learned: boolean;
  live: LiveSetting[];
  /** What the window does in a model that was trained with it, in one sentence. */
  about?: string;
}

/** The graphs of a step in one window and attention type. */
export interface StepJSON {
  window: string | null;
  type: string;
  /** The live settings of the window as trained; null stands for their defaults. */
  live: Record<string, number | null>;
  settings: Record<string, any>;
  graphs: GraphJSON[];
  cases: Record<string, string>[];
  quantities: Record<string, QuantityJSON>;
}

/** A quantity of a step; see attn_core/export/document.py. Symbols and lines are places in ModelJSON.equations. */
export interface QuantityJSON {
  tensors: string[];
  later?: string[];
  forms: ({ symbol: number; lines: number[]; first?: number[] } | null)[];
}

/**
 * What a page must know of a quantity; `element`: what one number of it is called, if not by its name; `axis`: the
 * group of its equations; `inputs`: what it is computed from.
 */
export interface QuantityFacts {
  name: string;
  element?: string;
  axis: string;
  roles: string[];
  inputs?: string[];
}

/** An equation in MathML, and the values of the live settings that it shows. */
export interface EquationJSON {
  markup: string;
  values: Record<string, number>;
}

/** A step as a graph; `instead`: the other state, which could be tried as the query. */
export interface DiagramJSON {
  order: string;
  nodes: { id: string; symbol: string; name: string; equation: string; shape: (number | string)[]; given: boolean }[];
  edges: [from: string, to: string][];
  query: string;
  instead: string;
}

export interface EncoderJSON {
  graphs?: GraphJSON[];
  embed?: GraphJSON[];
  layers?: GraphJSON[][][];
  reverse?: boolean;
  finish?: GraphJSON[];
}

/** browser.json; see attn_core/export/document.py. */
export interface ModelJSON {
  format: number;
  name: string;
  kind: string;
  settings: Record<string, any>;
  special: { bos: number; eos: number; pad?: number; unk?: number; source_eos?: boolean; longest?: number };
  /** Of a translator. */
  heads: Record<"looks" | "own" | "encoder", [layer: number, head: number][]>;
  /** The diagrams of a translator's step; see attn_core/export/diagrams.py. */
  diagrams: DiagramJSON[];
  /** Of a pointer network: numbers in each input, and how many inputs there may be. */
  inputs?: { size: number; least: number; most: number | null };
  /** MathML. */
  equations: string[];
  /** By the ids of quantities. */
  quantities: Record<string, QuantityFacts>;
  /** By the names of the windows in `steps`. */
  windows: Record<string, WindowFacts>;
  /** The names of attention types in menus, and what to know of the equations; see attn_core/export/facts.py. */
  types?: Record<string, string>;
  notes?: string[];
  copies: Record<string, string>;
  encoder: EncoderJSON;
  steps: StepJSON[];
}

/** A number, or lists of equally many numbers inside each other. */
export type Numbers = number | Numbers[];

/** A score function by itself; see attn_core/export/scores.py. */
export interface ScoreJSON extends ModelJSON {
  parameters: Record<string, Numbers>;
}
