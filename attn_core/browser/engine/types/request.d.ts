// How a sentence is translated, and what a reader sets by hand.

/**
 * What a reader sets by hand, in the head of a layer, both from 0; both null: in all heads.
 *
 * weights the attention weights of a step, which multiply the encoder states
 * context the context vector of a step, which takes that of step `from` of the translation without edits
 * off a head at all steps: its context vector is 0
 * word the word of a step
 */
export type Edit =
  | { kind: "weights"; step: number; layer: number | null; head: number | null; weights: number[] }
  | { kind: "context"; step: number; layer: number | null; head: number | null; from: number }
  | { kind: "off"; layer: number; head: number }
  | { kind: "word"; step: number; word: string };

/** An edit that the model, the sentence or its translation cannot have, and what of it does not fit. */
export interface Unfit {
  edit: Edit;
  why: "head" | "length" | "step" | "word";
}

/** Numbers in place of those of a step's output; null: zeros. */
export interface Put {
  output: string;
  numbers: Float32Array | null;
  edit: Edit;
}

/** What is set by hand: at all steps, at a step, and a step's word. */
export interface Change {
  always: Put[];
  at(t: number): Put[];
  word(t: number): number | undefined;
}

/**
 * The window, its live settings and the attention type of a run; what is left out is as in the trained model. Besides D
 * and sigma, a window of one's own may have live settings of other names (see LiveSetting).
 */
export interface How {
  /** Of a pointer network: which positions may be chosen. */
  constraint?: "none" | "distinct" | "permutation";
  window?: string | null;
  half_width?: number | null;
  sigma?: number | null;
  type?: string;
  /** p_t by step, set by hand. */
  centers?: Record<number, number> | null;
  /** See edits.js. */
  change?: Change | null;
}

/**
 * How to translate a sentence, with `edits` by hand, which every hypothesis of a beam gets. `beam` 1 is greedy;
 * `normalise` and `alpha` are the length normalisation of a beam's scores and its exponent; `draw` is the number of the
 * sample for sampled attention; `vectors` are the quantities of explain.step_graph that the steps of the trace hold
 * too.
 */
export interface Request extends Omit<How, "change"> {
  text: string;
  edits?: Edit[] | null;
  beam?: number;
  normalise?: "none" | "length" | "wu";
  alpha?: number;
  replace_unk?: boolean;
  draw?: number;
  vectors?: string[];
  /**
   * Words and states stay those of the model as it was trained: the sentence is decoded with the trained window and
   * attention type, and each of its steps is computed again from the state before it, in the window and with the
   * attention type of this request. What follows from these within a step is that of the request: scores, weights,
   * context, next-word distribution. With a beam the words and states are those of the best hypothesis of the trained
   * model.
   */
  keep_states?: boolean;
}
