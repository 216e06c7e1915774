// The Pointer page's component: the choice of a task and a constraint above the stage. Both are in the address, and so
// are the reader's inputs. The networks run in this page; their files are fetched when a task is chosen.

import { PointerNet } from "../../../attn_core/web/engine/pointer.js";
import { filesAt, once, stored } from "../../../attn_core/web/hosts/fetched.js";
import { t } from "../../../attn_core/web/player/core/messages.js";
import { choice, el } from "../../../attn_core/web/player/dom/elements.js";
import { fromAddress, inAddress } from "../../shell/address.js";
import { buildBox } from "../../shell/tour.js";
import { mounted } from "../kit/mount.js";
import { onPage } from "../../shell/onpage.js";
import { inputsIn, inputsText } from "./net.js";
import { createPointer } from "./playground.js";
import { valueIn } from "../../../attn_core/web/player/core/lookup.js";

/** @import { Constraint } from "../../../attn_core/web/engine/pointer.js" */
/** @import { Stage } from "../../shell/types.d.ts" */
/** @import { Beside, Input, PointerStage, PointingData, Problem, ProblemData } from "./types.d.ts" */

let stages = 0;

/**
 * @param {HTMLElement} host
 * @param {PointingData} data
 * @param {boolean} opening
 * @returns {Stage}
 */
function createPointing(host, { problems: all, rules, most, addresses }, opening) {
  const problems = all.filter(({ model }) => valueIn(addresses, model));
  const note = el("p", { class: "live-note", role: "status" });
  const task = choice(`pt-task-${++stages}`, t("Task"), problems.map(({ problem, title }) => [problem, title]));
  const rule = choice(`pt-rule-${stages}`, t("Constraint"), rules);
  const about = t("In the paper, the network may choose an input again. The other options mask inputs before the softmax; the network is not retrained.");
  const root = el(
    "div", { class: "ap-root pt-choices" },
    el("div", { class: "pt-tool" }, el("span", { text: t("Task") }), task),
    el("div", { class: "pt-tool" }, el("span", { text: t("Constraint") }), rule),
    el("p", { class: "ap-fine", text: about }), note,
  );
  const place = el("div");
  const tour = buildBox();
  host.append(...(tour ? [tour.root] : []), root, place);
  const box = onPage(root, () => {});
  const address = inAddress();
  /** @type {Map<string, Promise<PointerNet>>} */
  const nets = new Map();
  /** @type {Partial<Record<Problem, Input[]>>} what the reader has drawn */
  const drawn = {};
  /** @type {PointerStage | null} */
  let stage = null;
  let turn = 0;

  /** @param {string} name */
  function net(name) {
    const { record, weights } = addresses[name];
    return once(nets, name, () => filesAt(record, weights, stored).then(({ graphs, weights: bytes }) => new PointerNet(graphs, /** @type {Uint8Array} */ (bytes))));
  }

  /** Show the problem that is chosen. */
  async function show() {
    const now = ++turn;
    const one = /** @type {ProblemData} */ (problems.find(({ problem }) => problem === chosen(task)));
    const { problem, model, plain, longest, least, trained, start } = one;
    try {
      const [own, other] = await Promise.all([net(model), plain && longest && valueIn(addresses, plain) ? net(plain) : null]);
      if (now !== turn) return;
      stage?.destroy();
      /** @type {Beside | null} */
      const beside = other && plain && longest ? { model: plain, longest, net: other } : null;
      const constraint = /** @type {Constraint} */ (chosen(rule));
      stage = createPointer(place, { problem, least, most, trained, constraint, inputs: drawn[problem] ?? start, net: own, beside }, (inputs) => {
        drawn[problem] = inputs;
        keep();
      });
      keep();
    } catch (error) {
      if (now !== turn) return;
      stage?.destroy(); // that of another task
      stage = null;
      note.textContent = t("{name} cannot be used: {error}.", { name: model, error: /** @type {Error} */ (error).message });
    }
  }

  function keep() {
    const [problem, constraint] = [chosen(task), chosen(rule)];
    const inputs = drawn[/** @type {Problem} */ (problem)];
    address.keep({
      pointer_task: problem === problems[0].problem ? null : problem, pointer_rule: constraint === rules[0][0] ? null : constraint,
      points: inputs ? inputsText(inputs) : null,
    });
  }

  /** The choices and inputs of the address, and in the note what cannot be used. */
  function fromLink() {
    const names = problems.map(({ problem }) => problem);
    for (const [name, control, values] of /** @type {[string, HTMLElement, string[]][]} */ ([["pointer_task", task, names], ["pointer_rule", rule, rules.map(([value]) => value)]])) {
      const value = fromAddress(name);
      if (value !== null && values.includes(value)) pick(control, value);
      else if (value) note.textContent = t("The link asks for “{value}”, which does not exist here; the default is shown instead.", { value: value.slice(0, 40) });
    }
    const problem = /** @type {Problem} */ (chosen(task));
    const points = fromAddress("points");
    const inputs = points === null ? null : inputsIn(points, problem === "sort" ? 1 : 2, most);
    if (inputs) drawn[problem] = inputs;
    else if (points) note.textContent = t("The points in this link are not valid; the default points are shown instead.");
  }

  if (problems.length) {
    pick(task, problems[0].problem);
    pick(rule, rules[0][0]);
    if (opening) fromLink();
    task.addEventListener("change", () => {
      note.textContent = "";
      show();
    });
    rule.addEventListener("change", () => {
      stage?.constrain(/** @type {Constraint} */ (chosen(rule)));
      keep();
    });
    show();
  } else note.textContent = t("There is no trained pointer network in pretrained/.");

  return {
    update() {
      box.restyle();
      stage?.update();
    },
    destroy() {
      turn += 1;
      stage?.destroy();
      address.stop();
      box.stop();
      tour?.remove();
      place.remove();
    },
  };
}

/** @param {HTMLElement} control */
function chosen(control) {
  return /** @type {HTMLInputElement} */ (control.querySelector("input:checked")).value;
}

/** @param {HTMLElement} control @param {string} value */
function pick(control, value) {
  for (const radio of control.querySelectorAll("input")) radio.checked = radio.value === value;
}

export default mounted(createPointing);
