// Types shared by the stages of several pages; not part of any bundle.

import type { TraceJSON } from "../../../attn_core/browser/engine/types.d.ts";
import type { LiveModel } from "../../../attn_core/browser/hosts/types.d.ts";

/** Further entries of the page's address. */
export type Kept = import("../../shell/address.js").Entries;

export type Point = [x: number, y: number];

/** A model that the reader chooses: its name in the address, its label, the models' names, and the one at the start. */
export interface Choice {
  name: string;
  label: string;
  models: string[];
  first: string;
}

/** What a stage with models needs (translating.js); see Live in live.py. */
export interface LiveData {
  live: {
    text: string;
    /** The code of the language of its sentences. */
    language: string;
    sentences: string[];
    needed: Record<string, string>;
    choices: Choice[];
    addresses: Record<string, { record: string; weights: string }>;
  };
}

/** What a chosen model makes of the sentence; `shown` is its trace with tokens as they are shown. */
export interface Translation {
  name: string;
  trace: TraceJSON;
  shown: TraceJSON;
  text: string;
  files: LiveModel;
}
