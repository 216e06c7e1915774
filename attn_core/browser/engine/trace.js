// The trace of a translation made in the page: the document that attn_core.trace.dump writes of attn_core.translate.

import { beamSearch, best } from "./beam.js";
import { dice } from "./dice.js";
import { changeOf, fitting } from "./edits.js";
import { liveValues } from "./live.js";
import { Model } from "./model.js";
import { Frames } from "./frames.js";
import { Origins } from "./origins.js";
import { greedy } from "./search.js";
import { END, SPECIALS } from "./tokenizer/specials.js";
import { growTree } from "./tree.js";
import { createTokenizer } from "./tokenizer/tokenizer.js";
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

/** @typedef {import("./edits.js").Context} Context */
/** @typedef {import("./types").Carry} Carry */
/**
 * @typedef {{ ids: number[], words: number[], how: How, draw: number, replayed: boolean, trained?: How }} Last
 * `replayed`: the random numbers of its sampled positions can be drawn again; `trained`: how the states that it keeps
 * were computed
 * @typedef {{ trace: TraceJSON, tree: TreeJSON | null, last: Last, contexts: Context[][], carries: Carry[] }} Run a
 * translation, with the state before each step if a later one may keep them
 * @typedef {{ plain: Run, edited: Run | null, unfit: Unfit[], change: Change | null }} Runs `change`: what the edits
 * set
 * @typedef {Omit<Request, "edits" | "keep_states">} Asked
 */

const SCHEMA = 2; // of a trace
const TOP = 8; // most probable words kept for each step, as in attn_core.translate

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
    /** @type {{ key: string, run: Run } | null} the last translation without edits, by its request */
    this.plain = null;
    /** @type {{ key: string, runs: Runs } | null} the last translation whose states were kept, by its request */
    this.trained = null;
    /** @type {TraceJSON | null} of the last translation, if edits changed it: the one without edits */
    this.unedited = null;
    /** @type {Unfit[]} edits of the last translation that were left out */
    this.unfit = [];
    this.model = new Model(graphs, weights, { random: () => this.uniform(), ...options });
    this.source = createTokenizer(source, rules);
    this.target = createTokenizer(target, rules, source);
  }

  /**
   * The trace of a sentence; null for a text without a word. `tokens` are those of the text, if they are known. With
   * edits the sentence is first translated without them.
   * @param {Request} request
   * @param {string[]} tokens
   * @returns {TraceJSON | null}
   */
  translate({ keep_states = false, ...request }, tokens = this.source.tokens(request.text)) {
    Object.assign(this, { unedited: null, unfit: [] });
    if (!tokens.length) return null;
    if (keep_states) return this.keeping(request, tokens);
    const { plain, edited, unfit } = this.runs(request, tokens, false);
    const shown = edited ?? plain;
    Object.assign(this, { unfit, unedited: edited && plain.trace, last: shown.last, tree: shown.tree });
    return shown.trace;
  }

  /**
   * A translation without edits and, if some of them fit, with them. Without edits it is made anew.
   * @param {Omit<Request, "keep_states">} request
   * @param {string[]} tokens
   * @param {boolean} keep whether to keep the states
   * @returns {Runs}
   */
  runs({ edits, ...request }, tokens, keep) {
    const key = JSON.stringify([request, keep]);
    if (!edits?.length || this.plain?.key !== key) this.plain = { key, run: this.run(request, tokens, keep) };
    const plain = this.plain.run;
    if (!edits?.length) return { plain, edited: null, unfit: [], change: null };
    const { trace, contexts } = plain;
    const heads = this.model.json.heads.looks;
    const id = (/** @type {string} */ word) =>
      SPECIALS.includes(word) ? SPECIALS.indexOf(word) : this.target.ids([word])[0];
    const knows = (/** @type {string} */ word) => this.target.token(id(word)) === word;
    const { fit, unfit } = fitting(edits, { heads, n: trace.source.length, steps: trace.steps.length, knows });
    if (!fit.length) return { plain, edited: null, unfit, change: null };
    const change = changeOf(fit, { heads, id, contexts: (step) => contexts[step] });
    const edited = this.run({ ...request, change }, tokens, keep);
    edited.trace.settings = { ...edited.trace.settings, edits: fit };
    return { plain, edited, unfit, change };
  }

  /**
   * The trace of a sentence whose words and states are those of the model as it was trained (see Request.keep_states).
   * The translation of the trained model is kept, so that only the steps are computed while a reader moves the window.
   * @param {Omit<Request, "keep_states">} request
   * @param {string[]} tokens
   * @returns {TraceJSON}
   */
  keeping({ text, edits, beam, normalise, alpha, replace_unk, draw, vectors, ...how }, tokens) {
    const asked = { text, edits, beam, normalise, alpha, replace_unk, draw };
    const key = JSON.stringify(asked);
    if (this.trained?.key !== key) this.trained = { key, runs: this.runs(asked, tokens, true) };
    const { plain, edited, unfit, change } = this.trained.runs;
    Object.assign(this, { unfit, unedited: edited && this.stepped(plain, how, vectors) });
    return this.stepped(edited ?? plain, { ...how, change }, vectors);
  }

  /**
   * The steps of a run in another window or attention type, each from the state of the run before it and after its
   * words.
   * @param {Run} run
   * @param {How} how
   * @param {string[]} vectors
   * @returns {TraceJSON}
   */
  stepped({ trace, tree, last, carries }, how, vectors = []) {
    const { model } = this;
    const { ids, words, draw } = last;
    this.uniform = dice(draw);
    const stepper = model.stepper(model.encode(ids), how);
    const record = this.recorder(trace.source.length, vectors);
    const steps = carries.map((carry, t) => {
      const plan = stepper.step(carry, t ? words[t - 1] : model.json.special.bos);
      const { contexts: _own, ...step } = record(plan, t, stepper);
      return { ...step, token: trace.steps[t].token, log_prob: plan.output("log_probs")[words[t]] };
    });
    const { change: _edits, ...asked } = how;
    Object.assign(this, { tree, last: { ...last, how, trained: last.how } });
    const shared = Object.entries(trace.settings).filter(
      ([name]) => !Object.hasOwn(trace.settings.trained_window, name),
    );
    const settings = { ...Object.fromEntries(shared), ...settingsOf(model, asked), keep_states: true };
    return { ...trace, settings, steps };
  }

  /**
   * A translation, with `change` by hand.
   * @param {Asked & { change?: Change }} request
   * @param {string[]} tokens
   * @param {boolean} keep whether to keep the states
   * @returns {Run}
   */
  run(
    { text, beam = 1, normalise = "length", alpha = 1, replace_unk = false, draw = 0, vectors = [], ...how },
    tokens,
    keep,
  ) {
    const uniform = dice(draw);
    let sampled = false;
    this.uniform = () => {
      sampled = true;
      return uniform();
    };
    const { model } = this;
    const { source_eos } = model.json.special;
    const source = source_eos ? [...tokens, END] : tokens;
    const ids = this.source.ids(tokens);
    const { records, tree, ...found } = this.search(
      ids,
      how,
      { beam, normalise, alpha },
      this.recorder(source.length, vectors, keep),
    );
    const words = found.words.map((word) => this.target.token(word));
    const weights = records.filter(({ looks }) => looks.length).map(mean);
    const shown = replace_unk ? replaceUnknown(words, tokens, weights) : words;
    const steps = records.map(({ contexts: _own, carry: _before, ...record }, t) => ({
      ...record,
      token: shown[t],
      log_prob: found.logProbs[t],
    }));
    const encoder = model.json.heads.encoder.length ? { encoder: this.encoder(ids) } : {};
    const settings = {
      text,
      ...settingsOf(model, how),
      ...(beam > 1 ? { search: "beam", beam, normalise, alpha } : { search: "greedy", beam: 1 }),
      ...(replace_unk ? { replace_unk: true, unk_shift: 0 } : {}),
    };
    const unknown = this.source.unknown(tokens);
    return {
      trace: { schema: SCHEMA, model: model.json.name, settings, source, unknown, target: shown, steps, ...encoder },
      tree,
      last: { ids, words: found.words, how, draw, replayed: beam === 1 || !sampled },
      contexts: records.map(({ contexts }) => contexts),
      carries: records.flatMap(({ carry }) => carry ?? []),
    };
  }

  /** The numbers of the last translation, each with what it was computed from. */
  origins() {
    if (!this.last) throw new Error("nothing was translated");
    const { ids, words, how, draw, replayed, trained } = this.last;
    if (!replayed)
      throw new Error("every hypothesis of the beam sampled its own positions; choose greedy search to open numbers");
    const { source_eos, eos } = this.model.json.special;
    return new Origins(new Frames(this.model, source_eos ? [...ids, eos] : ids, words, how, () => dice(draw), trained));
  }

  /**
   * The words, their log probabilities, the record of each step, and the tree of a beam.
   * @param {number[]} ids @param {How} how @param {Pick<Request, "normalise" | "alpha"> & { beam: number }} by how to
   * search
   * @param {ReturnType<Translator["recorder"]>} record
   */
  search(ids, how, { beam, normalise, alpha }, record) {
    if (beam > 1) {
      const grown = growTree(
        (word) => this.target.token(word),
        (step) => (step.looks.length ? mean(step) : []),
      );
      const [best] = beamSearch(this.model, ids, { how, width: beam, normalise, alpha, record, onStep: grown.onStep });
      return { ...best, tree: grown.finish(best.words) };
    }
    /** @type {ReturnType<typeof record>[]} */
    const records = [];
    const decoded = greedy(this.model, ids, {
      how,
      keepCarries: true,
      onStep: (plan, _, t, ...more) => records.push(record(plan, t, ...more)),
    });
    return { ...decoded, records, tree: null };
  }

  /**
   * Records a step: its part of the trace without its word, and its context vectors.
   * @param {number} n source positions
   * @param {string[]} vectors quantities of the step graph that are recorded too
   * @param {boolean} keep whether to keep the state before the step
   */
  recorder(n, vectors, keep = false) {
    return (
      /** @type {Plan} */ plan,
      /** @type {number} */ t,
      /** @type {Stepper} */ stepper,
      /** @type {Carry | null} */ carry = null,
    ) => {
      const contexts = this.contexts(plan);
      return {
        ...this.step(plan, t, n),
        contexts,
        ...(keep && carry ? { carry } : {}),
        ...(vectors.length
          ? { vectors: vectorsOf(stepper, plan, t, vectors), parts: contexts.map(({ numbers }) => numbers) }
          : {}),
      };
    };
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
      looks: looks.map((head, i) => ({
        ...lookOf(plan, `looks.${i}`, head, n),
        alignment: numbers(plan, `looks.${i}.alignment`, n),
        gaussian: numbers(plan, `looks.${i}.focus.gaussian`, n),
      })),
      ...(excluded.length ? { excluded } : {}),
      ...(own.length ? { own: own.map((head, i) => lookOf(plan, `own.${i}`, head, t + 1)) } : {}),
    };
  }

  /** The context vector of each head. @param {Plan} plan */
  contexts(plan) {
    return this.model.json.heads.looks.map((_, head) => ({
      head,
      numbers: plan.output(`looks.${head}.context`).slice(),
    }));
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
  const step = model.stepFor(how);
  const { window, settings } = step;
  const live = Object.entries(liveValues(model.json, step, how)).map(([name, value]) => [
    name,
    value < Infinity ? value : null,
  ]);
  const shown = { window, ...Object.fromEntries(live) };
  const trained = settings.trained_window;
  const centers = Object.keys(how.centers ?? {}).length ? { centers: how.centers } : {};
  const moved = Object.entries(shown).some(([name, value]) => value !== trained[name]);
  return { ...settings, ...shown, intervention: moved || "centers" in centers, ...centers };
}

/** @param {Plan} plan @param {string} name @param {[number, number]} place @param {number} n @returns {LookJSON} */
function lookOf(plan, name, [layer, head], n) {
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
