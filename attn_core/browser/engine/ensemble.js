// Several translators as one: the mean of their probabilities at every step, as in attn_core/models/ensemble.py.

/** @typedef {import("./types").Carry} Carry */
/** @typedef {import("./types").How} How */
/** @typedef {import("./types").Sentence} Sentence */
/** @typedef {import("./types").Tensor} Tensor */
/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Stepper} Stepper */
/** @typedef {import("./plan.js").Plan} Plan */

/**
 * A sentence encoded by every member; its own fields are those of the first.
 * @typedef {Sentence & { members: Sentence[] }} Sentences
 */

/** Has the interface of a Model that the searches use. */
export class Ensemble {
  /**
   * The caller sees to it that the models have the same vocabularies.
   * @param {Model[]} models
   */
  constructor(models) {
    if (models.length < 2) throw new Error(`an ensemble needs at least 2 models, not ${models.length}`);
    this.models = models;
    const [first, ...others] = models;
    for (const other of others) {
      if (other.json.special.source_eos !== first.json.special.source_eos) {
        throw new Error(
          `${first.json.name} and ${other.json.name} differ in source_eos: use models with the same value`,
        );
      }
    }
    const longest = Math.min(...models.map((model) => model.json.special.longest ?? Infinity));
    const special = longest < Infinity ? { ...first.json.special, longest } : first.json.special;
    this.json = { ...first.json, special, name: models.map((model) => model.json.name).join("+") };
  }

  /** @param {number[]} ids without </s> @param {boolean} withLooks @returns {Sentences} */
  encode(ids, withLooks = false) {
    const members = this.models.map((model) => model.encode(ids, withLooks));
    const carry = { t: 0, tensors: {}, members: members.map((sentence) => sentence.carry) };
    return { ...members[0], members, carry };
  }

  /** @param {Sentence} sentence of `encode` @param {How} how */
  stepper(sentence, how = {}) {
    const { members } = /** @type {Sentences} */ (sentence);
    return new EnsembleStepper(
      this,
      this.models.map((model, i) => model.stepper(members[i], how)),
    );
  }
}

/** Computes the decoding steps of one sentence. */
class EnsembleStepper {
  /** @param {Ensemble} ensemble @param {Stepper[]} members */
  constructor(ensemble, members) {
    this.ensemble = ensemble;
    this.members = members;
  }

  /** One step after `word`. @param {Carry} carry @param {number} word */
  step(carry, word) {
    const plans = this.members.map((stepper, i) => stepper.step(membersOf(carry)[i], word));
    return new EnsemblePlan(plans, this.ensemble.json.name);
  }

  /**
   * The carry after a step.
   * @param {EnsemblePlan} plan
   * @param {Carry} before
   * @param {Carry | null} reused
   * @returns {Carry}
   */
  after(plan, before, reused = null) {
    const members = this.members.map((stepper, i) =>
      stepper.after(plan.plans[i], membersOf(before)[i], reused && membersOf(reused)[i]),
    );
    return { t: before.t + 1, tensors: {}, members };
  }

  /** As in Stepper, of all members. @param {EnsemblePlan} plan @param {string} id @returns {Tensor[]} */
  quantity(plan, id) {
    if (id === "output") return [{ data: plan.output("log_probs"), shape: plan.outputs.log_probs.shape }];
    return this.members.flatMap((stepper, i) => stepper.quantity(plan.plans[i], id));
  }
}

/** The outputs of every member's step: attention numbered through all members, and the mean of the probabilities. */
class EnsemblePlan {
  /** @param {Plan[]} plans @param {string} name */
  constructor(plans, name) {
    this.plans = plans;
    /** @type {Record<string, { shape: number[], plan: Plan, name: string }>} */
    this.outputs = {};
    let first = 0;
    for (const plan of plans) {
      let looks = 0;
      for (const [memberOutput, { shape }] of Object.entries(plan.outputs)) {
        const [, number, quantity] = /^looks\.(\d+)\.(.*)$/.exec(memberOutput) ?? [];
        if (quantity === undefined) continue;
        looks = Math.max(looks, Number(number) + 1);
        this.outputs[`looks.${first + Number(number)}.${quantity}`] = { shape, plan, name: memberOutput };
      }
      first += looks;
    }
    const { shape } = plans[0].outputs.log_probs;
    this.outputs.log_probs = { shape, plan: plans[0], name: "log_probs" };
    const each = plans.map((plan) => plan.output("log_probs"));
    if (each.some((numbers) => numbers.length !== each[0].length)) {
      throw new Error(`${name} cannot be an ensemble: its models have vocabularies of different sizes`);
    }
    this.logProbs = mean(each);
  }

  /** The numbers of an output. @param {string} name */
  output(name) {
    if (name === "log_probs") return this.logProbs;
    const member = this.outputs[name];
    return member.plan.output(member.name);
  }
}

/** The log of the mean of the probabilities. @param {Float32Array[]} members */
function mean(members) {
  return members[0].map((_, word) => {
    const most = Math.max(...members.map((logProbs) => logProbs[word]));
    if (most === -Infinity) return most;
    const sum = members.reduce((total, logProbs) => total + Math.exp(logProbs[word] - most), 0);
    return most + Math.log(sum / members.length);
  });
}

/** @param {Carry} carry @returns {Carry[]} */
function membersOf(carry) {
  return carry.members ?? [];
}
