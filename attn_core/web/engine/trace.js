// The trace of a translation made in the page: the document that attn_core.trace.dump writes of attn_core.translate.

import { beamSearch, best } from "./beam.js";
import { dice } from "./dice.js";
import { changeOf, fitting } from "./edits.js";
import { liveValues } from "./live.js";
import { Model } from "./model.js";
import { Frames } from "./frames.js";
import { Origins } from "./origins.js";
import { greedy } from "./search.js";
import { growTree } from "./tree.js";
import { createTokenizer } from "./tokenizer/tokenizer.js";
import { SPECIALS } from "./tokenizer/vocabulary.js";
import { replaceUnknown } from "./unknown.js";

/** @typedef {import("./plan.js").Plan} Plan */
/** @typedef {import("./types").Change} Change */
/** @typedef {import("./types").Files} Files */
/** @typedef {import("./types").How} How */
/** @typedef {import("./model.js").Stepper} Stepper */
/** @typedef {import("./types").LookJSON} LookJSON */
/** @typedef {import("./types").Request} Request */
/** @typedef {import("./types").StepTrace} StepTrace */
/** @typedef {import("./types").TraceJSON} TraceJSON */
/** @typedef {import("./types").TreeJSON} TreeJSON */
/** @typedef {import("./types").Unfit} Unfit */

/**
 * @typedef {{ ids: number[], words: number[], how: How, draw: number, contexts: import("./edits.js").Context[][], replayed: boolean }} Last
 * `replayed`: the random numbers of its sampled positions can be drawn again
 */

const SCHEMA = 2; // of a trace
const TOP = 8; // most probable words kept for each step, as in attn_core.translate
const END = "</s>";

export class Translator {
  /**
   * Throws an Error that names the problem if a file is damaged.
   * @param {Files} files
   * @param {{ simd?: boolean, random?: () => number }} options as for Model; by default positions are sampled by `draw`
   */
  constructor({ graphs, weights, source, target, rules }, options = {}) {
    /** @type {() => number} */
    this.uniform = Math.random;
    /** @type {Last | null} the last translation */
    this.last = null;
    /** @type {TreeJSON | null} of the last translation, if it was by a beam */
    this.tree = null;
    /** @type {{ key: string, trace: TraceJSON, contexts: Last["contexts"] } | null} the last translation without edits, by its request */
    this.plain = null;
    /** @type {TraceJSON | null} of the last translation, if edits changed it: the one without edits */
    this.unedited = null;
    /** @type {Unfit[]} edits of the last translation that were left out */
    this.unfit = [];
    this.model = new Model(graphs, weights, { random: () => this.uniform(), ...options });
    this.source = createTokenizer(source, rules);
    this.target = createTokenizer(target, rules, source);
  }

  /**
   * The trace of a sentence; null for a text without a word. `tokens` are those of the text, if they are known. With edits
   * the sentence is first translated without them.
   * @param {Request} request
   * @param {string[]} tokens
   * @returns {TraceJSON | null}
   */
  translate({ edits, ...request }, tokens = this.source.tokens(request.text)) {
    Object.assign(this, { unedited: null, unfit: [] });
    const key = JSON.stringify(request);
    if (!edits?.length || this.plain?.key !== key) {
      const found = this.once(request, tokens);
      this.plain = found && { key, trace: found, contexts: /** @type {Last} */ (this.last).contexts };
    }
    if (!this.plain || !edits?.length) return this.plain?.trace ?? null;
    const { trace, contexts } = this.plain;
    const heads = this.model.json.heads.looks;
    const id = (/** @type {string} */ word) => (SPECIALS.includes(word) ? SPECIALS.indexOf(word) : this.target.ids([word])[0]);
    const knows = (/** @type {string} */ word) => this.target.token(id(word)) === word;
    const { fit, unfit } = fitting(edits, { heads, n: trace.source.length, steps: trace.steps.length, knows });
    this.unfit = unfit;
    if (!fit.length) return this.once(request, tokens); // `last` may be another one
    const change = changeOf(fit, { heads, id, contexts: (step) => contexts[step] });
    this.unedited = trace;
    const edited = this.once({ ...request, change }, tokens);
    return edited && { ...edited, settings: { ...edited.settings, edits: fit } };
  }

  /**
   * A translation, with `change` by hand.
   * @param {Omit<Request, "edits"> & { change?: Change }} request
   * @param {string[]} tokens
   * @returns {TraceJSON | null}
   */
  once({ text: _, beam = 1, normalise = "length", alpha = 1, replace_unk = false, draw = 0, vectors = [], ...how }, tokens) {
    if (!tokens.length) return null;
    const uniform = dice(draw);
    let sampled = false;
    this.uniform = () => {
      sampled = true;
      return uniform();
    };
    const { model } = this;
    const { source_eos } = model.json.special;
    const source = source_eos ? [...tokens, END] : tokens;
    const found = this.search(this.source.ids(tokens), how, { beam, normalise, alpha }, source.length, vectors);
    const contexts = found.records.map((record) => record.contexts);
    this.last = { ids: this.source.ids(tokens), words: found.words, how, draw, contexts, replayed: beam === 1 || !sampled };
    const words = found.words.map((word) => this.target.token(word));
    const weights = found.records.filter(({ looks }) => looks.length).map(mean);
    const shown = replace_unk ? replaceUnknown(words, tokens, weights) : words;
    const steps = found.records.map(({ contexts: _own, ...record }, t) => ({ ...record, token: shown[t], log_prob: found.logProbs[t] }));
    const encoder = model.json.heads.encoder.length ? { encoder: this.encoder(this.source.ids(tokens)) } : {};
    const settings = {
      ...settingsOf(model, how),
      ...(beam > 1 ? { search: "beam", beam, normalise, alpha } : { search: "greedy", beam: 1 }),
      ...(replace_unk ? { replace_unk: true, unk_shift: 0 } : {}),
    };
    const unknown = this.source.unknown(tokens);
    return { schema: SCHEMA, model: model.json.name, settings, source, unknown, target: shown, steps, ...encoder };
  }

  /** The numbers of the last translation, each with what it was computed from. */
  origins() {
    if (!this.last) throw new Error("nothing was translated");
    const { ids, words, how, draw, replayed } = this.last;
    if (!replayed) throw new Error("every hypothesis of the beam sampled its own positions; choose greedy search to open numbers");
    const { source_eos, eos } = this.model.json.special;
    return new Origins(new Frames(this.model, source_eos ? [...ids, eos] : ids, words, how, dice(draw)));
  }

  /**
   * The words, their log probabilities, and the record of each step.
   * @param {number[]} ids @param {How} how @param {Pick<Request, "normalise" | "alpha"> & { beam: number }} by how to search
   * @param {number} n source positions
   * @param {string[]} vectors quantities of the step graph that are recorded too
   */
  search(ids, how, { beam, normalise, alpha }, n, vectors) {
    const record = (/** @type {Plan} */ plan, /** @type {number} */ t, /** @type {Stepper} */ stepper) =>
      ({ ...this.step(plan, t, n), contexts: this.contexts(plan), ...(vectors.length ? { vectors: vectorsOf(stepper, plan, t, vectors) } : {}) });
    this.tree = null;
    if (beam > 1) {
      const grown = growTree((word) => this.target.token(word), (step) => (step.looks.length ? mean(step) : []));
      const [best] = beamSearch(this.model, ids, { how, width: beam, normalise, alpha, record, onStep: grown.onStep });
      this.tree = grown.finish(best.words);
      return best;
    }
    /** @type {ReturnType<typeof record>[]} */
    const records = [];
    return { ...greedy(this.model, ids, { how, onStep: (plan, _, t, stepper) => records.push(record(plan, t, stepper)) }), records };
  }

  /**
   * A step without its word.
   * @param {Plan} plan @param {number} t @param {number} n source positions
   * @returns {Omit<StepTrace, "token" | "log_prob">}
   */
  step(plan, t, n) {
    const { looks, own } = this.model.json.heads;
    const logProbs = plan.output("log_probs");
    const inside = looks.length ? Array.from(plan.output("looks.0.focus.inside")).slice(0, n) : [];
    const seen = [...inside.keys()].filter((s) => inside[s]);
    const window = seen.length ? /** @type {[number, number]} */ ([seen[0], seen[seen.length - 1]]) : null;
    const excluded = window ? [...inside.keys()].filter((s) => s > window[0] && s < window[1] && !inside[s]) : [];
    return {
      t,
      top: best(logProbs, TOP).map((word) => [this.target.token(word), logProbs[word]]),
      center: "looks.0.focus.center" in plan.outputs ? plan.output("looks.0.focus.center")[0] : null,
      window,
      looks: looks.map((place, i) => ({
        ...look(plan, `looks.${i}`, place, n),
        alignment: numbers(plan, `looks.${i}.alignment`, n),
        gaussian: numbers(plan, `looks.${i}.focus.gaussian`, n),
      })),
      ...(excluded.length ? { excluded } : {}),
      ...(own.length ? { own: own.map((place, i) => look(plan, `own.${i}`, place, t + 1)) } : {}),
    };
  }

  /** The context vector of each head. @param {Plan} plan */
  contexts(plan) {
    return this.model.json.heads.looks.map((_, head) => ({ head, numbers: plan.output(`looks.${head}.context`).slice() }));
  }

  /** The encoder's self-attention: for each head the rows of all words. @param {number[]} ids */
  encoder(ids) {
    const { looks } = this.model.encode(ids, true);
    return this.model.json.heads.encoder.map(([layer, head], i) => {
      const rows = (/** @type {string} */ name) => rowsOf(looks[`memory.looks.${i}.${name}`]);
      return { layer, head, scores: rows("scores"), weights: rows("weights") };
    });
  }
}

/**
 * The settings of a model in a trace, as Translator.settings in Python.
 * @param {Model} model
 * @param {How} how
 */
function settingsOf(model, how) {
  const way = model.way(how);
  const { window, settings } = way;
  const live = Object.entries(liveValues(model.json, way, how)).map(([name, value]) => [name, value < Infinity ? value : null]);
  const shown = { window, ...Object.fromEntries(live) };
  const trained = settings.trained_window;
  const centers = Object.keys(how.centers ?? {}).length ? { centers: how.centers } : {};
  const moved = Object.entries(shown).some(([name, value]) => value !== trained[name]);
  return { ...settings, ...shown, intervention: moved || "centers" in centers, ...centers };
}

/** @param {Plan} plan @param {string} name @param {[number, number]} place @param {number} n @returns {LookJSON} */
function look(plan, name, [layer, head], n) {
  return { layer, head, scores: numbers(plan, `${name}.scores`, n), weights: numbers(plan, `${name}.weights`, n) };
}

/**
 * The quantities of a step; the encoder states, which stay the same, at the first one only.
 * @param {Stepper} stepper @param {Plan} plan @param {number} t @param {string[]} ids
 */
function vectorsOf(stepper, plan, t, ids) {
  const changing = ids.filter((id) => t === 0 || id !== "memory");
  return Object.fromEntries(changing.map((id) => [id, stepper.quantity(plan, id)]));
}

/** The first `n` numbers of an output. @param {Plan} plan @param {string} name @param {number} n */
function numbers(plan, name, n) {
  return Array.from(plan.output(name).subarray(0, n));
}

/** A square matrix as rows. @param {import("./types").Tensor} matrix */
function rowsOf({ data, shape }) {
  const n = shape[shape.length - 1];
  return Array.from({ length: data.length / n }, (_, i) => Array.from(data.subarray(i * n, (i + 1) * n)));
}

/** The mean over the heads of a step. @param {{ looks: LookJSON[] }} step */
function mean({ looks }) {
  return looks[0].weights.map((_, s) => looks.reduce((total, { weights }) => total + weights[s], 0) / looks.length);
}
