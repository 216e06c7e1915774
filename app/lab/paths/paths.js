// The Paths page's component: the steps of two models on a sentence of the reader's. Bahdanau's step is shown as the
// model computes it or, for a model of the authors' code, also as printed in the paper.

import { t } from "../../../attn_core/web/player/core/messages.js";
import { choice, el } from "../../../attn_core/web/player/dom/elements.js";
import { lowered } from "../../../attn_core/web/player/dom/symbols.js";
import { onPage } from "../../shell/onpage.js";
import { buildBox } from "../../shell/tour.js";
import { partners } from "../kit/steps.js";
import { translating } from "../kit/translating.js";
import { drawn, followsCode, SHOWN } from "./diagrams.js";
import { createPaths } from "./pair.js";

/** @import { LiveData, Translation } from "../kit/types.d.ts" */
/** @import { From, Stage } from "../../shell/types.d.ts" */
/** @import { FormsData, Walked } from "./types.d.ts" */

let stages = 0;

/**
 * @param {HTMLElement} host
 * @param {FormsData} data
 * @param {From} from
 * @returns {Stage}
 */
function createForms(host, data, from) {
  if (!data.bare) return createPaths(host, data, from);
  const { bare, paths, ...others } = data;
  const [own, ...rest] = paths;
  const form = choice(`pl-form-${++stages}`, t("Bahdanau's step"), [["code", t("authors' code")], ["paper", t("paper, equation 4")]]);
  const radios = form.querySelectorAll("input");
  const told = el("p", { class: "pl-from" });
  const root = el("div", { class: "ap-root pl-form" }, el("span", { text: t("Bahdanau's step") }), form, told);
  const shown = onPage(root, () => {});
  const place = el("div");
  host.append(root, place);
  radios[from("paths_update") === "paper" ? 1 : 0].checked = true;
  let stage = made(from, null);

  /** @param {From} begins @param {Walked | null} at */
  function made(begins, at) {
    const printed = radios[1].checked;
    const name = own.model;
    told.replaceChildren(...lowered(printed
      ? t("This is the step of the paper's equation 4: s_{i} = f(s_{i-1}, y_{i-1}, c_{i}), and the output layer uses s_{i}. (In appendix A.2.2 of the paper, the output layer uses s_{i-1} instead, as in the model bahdanau-printed.) {name} was trained with the step of the authors' code instead, so there are no numbers.", { name })
      : t("{name} was trained with the step of the authors' code, GroundHog, which first chooses y_{i} and then computes s_{i} from it. The paper has y_{i-1} instead. Both attend before they update.", { name })));
    const address = { ...data.address, settings: { ...data.address.settings, paths_update: printed ? "paper" : null } };
    return createPaths(place, { ...others, at, paths: [printed ? bare : own, ...rest], address }, begins);
  }

  form.addEventListener("change", () => {
    const at = stage.at();
    stage.destroy();
    stage = made(() => null, at);
  });
  return {
    settings: () => ({ paths_update: radios[1].checked ? "paper" : null }),
    update() {
      shown.restyle();
      stage.update();
    },
    destroy() {
      stage.destroy();
      shown.stop();
      place.remove();
    },
  };
}

/**
 * @param {Translation[]} translations
 * @param {LiveData} _given
 * @param {number} step
 */
function dataOf(translations, _given, step) {
  const [one, other] = translations;
  return {
    paths: translations.map((translation) => drawn(translation)),
    bare: followsCode(one) ? drawn(one, true) : null,
    pairs: [partners(one.trace, other.trace), partners(other.trace, one.trace)],
    step,
  };
}

export default translating(createForms, dataOf, SHOWN, buildBox);
