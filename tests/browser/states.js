// Views, models and translations for the tests of a page's state.

import { firstState } from "../../attn_core/browser/state/first-state.js";
import { reduce } from "../../attn_core/browser/state/reducer.js";
import { requestKey } from "../../attn_core/browser/state/requests.js";

export const [ONE, OTHER, FRENCH, LONG] = ["one", "other", "french", "long"];

export const LIVE = [
  { name: "half_width", symbol: "D", whole: true, least: 0, most: 1000 },
  { name: "sigma", symbol: "σ", whole: false, least: 0.01, most: 5000 },
  { name: "left", symbol: "left", whole: true, least: 0, most: 9 }, // of a window of one's own
  { name: "step", symbol: "D", whole: true, least: 1, most: 9 }, // both names mean something else in a link
];

export const FACTS = {
  model: ONE,
  models: [ONE, OTHER, FRENCH, LONG],
  texts: { [ONE]: "ein hund", [OTHER]: "ein hund", [FRENCH]: "un chien", [LONG]: "ein hund . ein kind ." },
  windows: Object.fromEntries(["global", "local-m", "local-p"].map((name) => [name, { live: LIVE }])),
  types: ["hard-argmax", "hard-sample", "soft"],
  axes: ["score", "window"],
  glosses: ["en", "zh", "none"],
  stops: 7,
};

export const CHOICES = [
  { name: ONE, pair: "de-en", joined: false, examples: ["ein hund", "ein kind"] },
  { name: OTHER, pair: "de-en", joined: false, examples: ["ein hund", "ein kind"] },
  { name: FRENCH, pair: "fr-en", joined: false, examples: ["un chien"] },
  { name: LONG, pair: "de-en", joined: true, examples: ["ein hund . ein kind .", "ein kind . ein hund ."] },
];

export const RUN = {
  model: ONE,
  window: null,
  live: {},
  centers: null,
  type: null,
  beam: 1,
  normalise: "length",
  alpha: 1,
  unk: false,
  draw: 0,
  edits: [],
  keep: false,
};

export const VIEW = {
  ...RUN,
  text: "ein hund",
  step: 0,
  layer: null,
  head: null,
  compared: null,
  race: null,
  gloss: "en",
  tour: null,
  present: false,
  level: "story",
};

export const EDITS = [
  { kind: "weights", step: 0, layer: null, head: null, weights: [0.25, 0.75] },
  { kind: "off", layer: 0, head: 1 },
  { kind: "word", step: 3, word: "a&b=c" },
];

/** A translation with uniform weights, as far as the state reads it. */
export function makeTrace(source, target, heads = 1) {
  const [words, tokens] = [source.split(" "), target.split(" ")];
  const weights = words.map(() => 1 / words.length);
  const looks = Array.from({ length: heads }, (_, head) => ({ weights, layer: Math.floor(head / 2), head: head % 2 }));
  const steps = tokens.map((token, t) => ({ t, token, top: [[token, -0.1]], looks }));
  return { model: ONE, settings: {}, source: words, target: tokens, steps };
}

/** The state after each of the actions. */
export function reduceAll(actions, view = VIEW, shown = makeTrace("ein hund", "a dog </s>")) {
  let state = firstState(view, shown);
  return actions.map((action) => {
    const key = action.key === "" ? { key: requestKey(state.view) } : {};
    state = reduce(state, { ...action, ...key }, CHOICES);
    return state;
  });
}

/** The action of a translation that has arrived; without a key, it is the one that the view asks for. */
export function answered(text, trace, { key = "", swapped = false, ...more } = {}) {
  const words = text.split(" ");
  const reading = { known: words, unknown: [], swapped };
  const answer = { trace, text: "", words: words.length, most: 60, unit: "words", reading, ...more };
  return { type: "translated", key, text, how: {}, files: null, answer };
}
