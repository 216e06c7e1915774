// Types of the Training page; not part of any bundle.

/** A sentence at one update: its attention weights, the log probabilities of its words, and p_t. */
export interface Recorded {
  weights: number[][];
  log_probs: (number | null)[];
  centers: number[] | null;
}

export interface Sentence {
  source: string[];
  target: string[];
}

/** snapshots.json, as attn_core/training/snapshots.py describes it. */
export interface Snapshots {
  updates: number;
  per_epoch: number;
  sentences: Sentence[];
  losses: [update: number, loss: number | null][];
  snapshots: Snapshot[];
}

/** The four sentences after an update. */
export interface Snapshot {
  update: number;
  sentences: Recorded[];
}

/** The points of a curve, by update; a null breaks it. */
export type Points = [update: number, value: number | null][];

/** The snapshots and the curves of a training, see attn_core/training/course.py. */
export interface TrainingRecord {
  snapshots: Snapshots | null;
  curves: { training: Points; validation: Points; bleu: Points; largest_weights: Points };
}

export interface Status {
  update: number;
  updates: number;
  epoch: number;
  epochs: number;
  loss: number | null;
  words_per_second: number;
  seconds_left: number;
}

export type State = "recorded" | "training" | "paused" | "finished" | "stopped" | "damaged";

/** The answer of /training/record; `record` only if it has changed. */
export interface Answer {
  state: State;
  stamp: string;
  status?: Partial<Status>;
  record?: TrainingRecord;
}

/** The answer of /training/list. */
export interface Listed {
  /** `reason`: why the files of a training cannot be read; null if they can. */
  trainings: { name: string; state: State; own: boolean; reason: string | null }[];
  may: boolean;
  /** Why this reader may not start a training. */
  refusal: string | null;
  starting: string | null;
  failure: string | null;
}

export interface TrainingData {
  tasks: string[];
  presets: string[];
}

/** A curve: its label, the class of its line, and its points. */
export interface Curve {
  label: string;
  kind: "train" | "valid" | "bleu" | "focus";
  points: Points;
}

/** A panel of curves with a common axis from 0 to `most`. */
export interface Panel {
  title: string;
  most: number;
  curves: Curve[];
  digits: number;
}
