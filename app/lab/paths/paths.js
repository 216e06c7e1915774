// The Paths page's component: the steps of two models on a sentence of the reader's. Bahdanau's step is shown as the
// model computes it or, for a model of the authors' code, also as printed in the paper.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { radioGroup, el } from "../../../attn_core/browser/player/dom/elements.js";
import { withSubscripts } from "../../../attn_core/browser/player/dom/symbols.js";
import { onPage } from "../../shell/onpage.js";
import { buildTourBox } from "../../shell/tour.js";
import { partners } from "../kit/steps.js";
import { translating } from "../kit/translating.js";
import { diagramOf, followsCode, QUANTITIES } from "./diagrams.js";
import { PathPair } from "./pair.js";

/** @import { LiveData, Translation } from "../kit/types.d.ts" */
/** @import { From, Stage } from "../../shell/types.d.ts" */
/** @import { ChosenStep, FormsData } from "./types.d.ts" */

let stageCount = 0;

/**
 * @param {HTMLElement} host
 * @param {FormsData} data
 * @param {From} from
 * @returns {Stage}
 */
function createForms(host, data, from) {
  if (!data.bare) return new PathPair(host, data, from);
  const { bare, paths, ...others } = data;
  const [bahdanau, ...otherPaths] = paths;
  const form = radioGroup(`pl-form-${++stageCount}`, t("Bahdanau's step"), [
    ["code", t("authors' code")],
    ["paper", t("paper, equation 4")],
  ]);
  const radios = form.querySelectorAll("input");
  const explanation = el("p", { class: "pl-from" });
  const root = el("div", { class: "ap-root pl-form" }, el("span", { text: t("Bahdanau's step") }), form, explanation);
  const page = onPage(root, () => {});
  const pairHost = el("div");
  host.append(root, pairHost);
  radios[from("paths_update") === "paper" ? 1 : 0].checked = true;
  let stage = openPair(from, null);

  /** @param {From} pairFrom @param {ChosenStep | null} chosenStep */
  function openPair(pairFrom, chosenStep) {
    const printed = radios[1].checked;
    const name = bahdanau.model;
    explanation.replaceChildren(
      ...withSubscripts(
        printed
          ? t(
              "This is the step of the paper's equation 4: s_{i} = f(s_{i-1}, y_{i-1}, c_{i}), and the output layer " +
                "uses s_{i}. (In appendix A.2.2 of the paper, the output layer uses s_{i-1} instead, as in the " +
                "model bahdanau-printed.) {name} was trained with the step of the authors' code instead, so there " +
                "are no numbers.",
              { name },
            )
          : t(
              "{name} was trained with the step of the authors' code, GroundHog, which first chooses y_{i} and then " +
                "computes s_{i} from it. The paper has y_{i-1} instead. Both attend before they update.",
              { name },
            ),
      ),
    );
    const address = { ...data.address, settings: { ...data.address.settings, paths_update: printed ? "paper" : null } };
    return new PathPair(
      pairHost,
      { ...others, at: chosenStep, paths: [printed ? bare : bahdanau, ...otherPaths], address },
      pairFrom,
    );
  }

  form.addEventListener("change", () => {
    const chosenStep = stage.chosenStep;
    stage.destroy();
    stage = openPair(() => null, chosenStep);
  });
  return {
    settings: () => ({ paths_update: radios[1].checked ? "paper" : null }),
    update() {
      page.restyle();
      stage.update();
    },
    destroy() {
      stage.destroy();
      page.stop();
      pairHost.remove();
    },
  };
}

/**
 * @param {Translation[]} translations
 * @param {LiveData} _given
 * @param {number} step
 */
function dataOf(translations, _given, step) {
  const [first, second] = translations;
  return {
    paths: translations.map((translation) => diagramOf(translation)),
    bare: followsCode(first) ? diagramOf(first, true) : null,
    pairs: [partners(first.trace, second.trace), partners(second.trace, first.trace)],
    step,
  };
}

export default translating(createForms, dataOf, QUANTITIES, buildTourBox);
