// The engine: runs exported models (attn_core/export) in the browser and in node. The entry of its bundle.

import { beamSearch } from "./beam.js";
import { Ensemble } from "./ensemble.js";
import { Forecaster } from "./forecaster.js";
import { Memory } from "./heap.js";
import { Model } from "./model.js";
import { NAMES, operation } from "./operations.js";
import { Arena } from "./plan.js";
import { PointerNet } from "./pointer.js";
import { forced, greedy, sample } from "./search.js";
import { Translator } from "./trace.js";
import { replaceUnknown } from "./unknown.js";
import { places } from "./views.js";

export const engine = {
  Arena,
  beamSearch,
  Ensemble,
  forced,
  Forecaster,
  greedy,
  Memory,
  Model,
  NAMES,
  operation,
  places,
  PointerNet,
  replaceUnknown,
  sample,
  Translator,
};
