// The Pointer page's component: the choice of a task and a constraint above the stage. Both are in the address, and so
// are the reader's inputs. The networks run in this page; their files are fetched when a task is chosen.

import { PointerNet } from "../../../attn_core/browser/engine/pointer.js";
import { fetchModelFiles, loadOnce, fetchStored } from "../../../attn_core/browser/hosts/model-files.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { radioGroup, el } from "../../../attn_core/browser/player/dom/elements.js";
import { readFromAddress, keepInAddress } from "../../shell/address.js";
import { buildTourBox } from "../../shell/tour.js";
import { absentNote } from "../kit/linked.js";
import { mounted } from "../kit/mount.js";
import { onPage } from "../../shell/onpage.js";
import { inputsIn, inputsText } from "./net.js";
import { Playground } from "./playground.js";
import { valueIn } from "../../../attn_core/browser/engine/lookup.js";

/** @import { Constraint } from "../../../attn_core/browser/engine/pointer.js" */
/** @import { Stage } from "../../shell/types.d.ts" */
/** @import { Beside, Input, PointerStage, PointingData, Problem, ProblemData } from "./types.d.ts" */

let stageCount = 0;

/** @implements {Stage} */
class PointerPage {
  /** @param {HTMLElement} host @param {PointingData} data @param {boolean} opening */
  constructor(host, data, opening) {
    this.data = data;
    this.problems = this.data.problems.filter(({ model }) => valueIn(this.data.addresses, model));
    this.note = el("p", { class: "live-note", role: "status" });
    this.task = radioGroup(
      `pt-task-${++stageCount}`,
      t("Task"),
      this.problems.map(({ problem, title }) => [problem, title]),
    );
    this.rule = radioGroup(`pt-rule-${stageCount}`, t("Constraint"), this.data.rules);
    const about = t(
      "In the paper, the network may choose an input again. The other options mask inputs before the softmax; the " +
        "network is not retrained.",
    );
    const root = el(
      "div",
      { class: "ap-root pt-choices" },
      el("div", { class: "pt-tool" }, el("span", { text: t("Task") }), this.task),
      el("div", { class: "pt-tool" }, el("span", { text: t("Constraint") }), this.rule),
      el("p", { class: "ap-fine", text: about }),
      this.note,
    );
    this.playgroundHost = el("div");
    this.tour = buildTourBox();
    host.append(...(this.tour ? [this.tour.root] : []), root, this.playgroundHost);
    this.page = onPage(root, () => {});
    this.address = keepInAddress();
    /** @type {Map<string, Promise<PointerNet>>} */
    this.networks = new Map();
    /** @type {Partial<Record<Problem, Input[]>>} what the reader has drawn */
    this.drawnInputs = {};
    /** @type {PointerStage | null} */
    this.playground = null;
    this.latestRequest = 0;

    if (this.problems.length) {
      choose(this.task, this.problems[0].problem);
      choose(this.rule, this.data.rules[0][0]);
      if (opening) this.readAddress();
      this.task.addEventListener("change", () => {
        this.note.textContent = "";
        this.showProblem();
      });
      this.rule.addEventListener("change", () => {
        this.playground?.constrain(/** @type {Constraint} */ (valueOf(this.rule)));
        this.keepAddress();
      });
      this.showProblem();
    } else this.note.textContent = t("There is no trained pointer network in pretrained/.");
  }

  /** @param {string} name */
  openNetwork(name) {
    const { record, weights } = this.data.addresses[name];
    return loadOnce(this.networks, name, () =>
      fetchModelFiles(record, weights, fetchStored).then(
        ({ graphs, weights: bytes }) => new PointerNet(graphs, /** @type {Uint8Array} */ (bytes)),
      ),
    );
  }

  /** Show the problem that is chosen. */
  async showProblem() {
    const request = ++this.latestRequest;
    const chosenProblem = /** @type {ProblemData} */ (
      this.problems.find(({ problem }) => problem === valueOf(this.task))
    );
    const { problem, model, plain, longest, least, trained, start } = chosenProblem;
    try {
      const [network, plainNetwork] = await Promise.all([
        this.openNetwork(model),
        plain && longest && valueIn(this.data.addresses, plain) ? this.openNetwork(plain) : null,
      ]);
      if (request !== this.latestRequest) return;
      this.playground?.destroy();
      /** @type {Beside | null} */
      const beside = plainNetwork && plain && longest ? { model: plain, longest, net: plainNetwork } : null;
      const constraint = /** @type {Constraint} */ (valueOf(this.rule));
      this.playground = new Playground(
        this.playgroundHost,
        {
          problem,
          least,
          most: this.data.most,
          trained,
          constraint,
          inputs: this.drawnInputs[problem] ?? start,
          net: network,
          beside,
        },
        (inputs) => {
          this.drawnInputs[problem] = inputs;
          this.keepAddress();
        },
      );
      this.keepAddress();
    } catch (error) {
      if (request !== this.latestRequest) return;
      this.playground?.destroy(); // that of another task
      this.playground = null;
      this.note.textContent = t("{name} cannot be used: {error}.", {
        name: model,
        error: /** @type {Error} */ (error).message,
      });
    }
  }

  keepAddress() {
    const [problem, constraint] = [valueOf(this.task), valueOf(this.rule)];
    const inputs = this.drawnInputs[/** @type {Problem} */ (problem)];
    this.address.keep({
      pointer_task: problem === this.problems[0].problem ? null : problem,
      pointer_rule: constraint === this.data.rules[0][0] ? null : constraint,
      points: inputs ? inputsText(inputs) : null,
    });
  }

  /** The choices and inputs of the address, and in the note what cannot be used. */
  readAddress() {
    const names = this.problems.map(({ problem }) => problem);
    for (const [name, control, values] of /** @type {[string, HTMLElement, string[]][]} */ ([
      ["pointer_task", this.task, names],
      ["pointer_rule", this.rule, this.data.rules.map(([value]) => value)],
    ])) {
      const value = readFromAddress(name);
      if (value !== null && values.includes(value)) choose(control, value);
      else if (value) this.note.textContent = absentNote(value);
    }
    const problem = /** @type {Problem} */ (valueOf(this.task));
    const points = readFromAddress("points");
    const inputs = points === null ? null : inputsIn(points, problem === "sort" ? 1 : 2, this.data.most);
    if (inputs) this.drawnInputs[problem] = inputs;
    else if (points)
      this.note.textContent = t("The points in this link are not valid; the default points are shown instead.");
  }

  update() {
    this.page.restyle();
    this.playground?.update();
  }

  destroy() {
    this.latestRequest += 1;
    this.playground?.destroy();
    this.address.stop();
    this.page.stop();
    this.tour?.remove();
    this.playgroundHost.remove();
  }
}

/** @param {HTMLElement} control */
function valueOf(control) {
  return /** @type {HTMLInputElement} */ (control.querySelector("input:checked")).value;
}

/** @param {HTMLElement} control @param {string} value */
function choose(control, value) {
  for (const radio of control.querySelectorAll("input")) radio.checked = radio.value === value;
}

export default mounted((host, /** @type {PointingData} */ data, opening) => new PointerPage(host, data, opening));
