// Two computation paths side by side. A step of one is shown beside the step of the other for the same source word.

import { takeKeys } from "../../../attn_core/browser/hosts/keys.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { inAddress, indexIn } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { Diagram, KEYS } from "./diagram.js";

/** @import { From, Stage } from "../../shell/types.d.ts" */
/** @import { Partner, PathsData, Walked } from "./types.d.ts" */

/**
 * @param {HTMLElement} host
 * @param {PathsData} data
 * @param {From} [from]
 * @returns {Stage & { at: () => Walked }}
 */
export function createPaths(host, data, from = () => null) {
  const root = el("div", { class: "ap-root pl-root" });
  const pair = el("div", { class: "pl-pair" });
  const note = el("p", { class: "pl-note", "aria-live": "polite" });
  root.append(pair, note);
  host.append(root);
  const page = onPage(root, () => diagrams.forEach((diagram) => diagram.draw()));
  const address = inAddress(data.address);
  /** @type {Walked} */
  let readerAt = { which: 0, step: 0 };

  /**
   * Go to step `to` of one diagram, and to the other's step for the same source word.
   * @param {number} which
   * @param {number} to
   */
  function jump(which, to) {
    const step = Math.min(Math.max(to, 0), data.paths[which].steps.length - 1);
    const partner = data.pairs?.[which]?.[step];
    diagrams.forEach((diagram, i) => diagram.showStep(i === which ? step : (partner?.step ?? step)));
    readerAt = { which, step };
    explainSteps(which, step, partner);
    host.dispatchEvent(new CustomEvent("path-lab", { detail: { step, which }, bubbles: true, composed: true }));
  }

  /**
   * Explain which steps are shown.
   * @param {number} which
   * @param {number} step
   * @param {Partner | null | undefined} partner
   */
  function explainSteps(which, step, partner) {
    note.hidden = !partner;
    if (!partner) return;
    const [here, there] = [data.paths[which], data.paths[1 - which]];
    const modelName = here.bare ? t("{model} (authors' code)", { model: here.model }) : here.model;
    const words = { model: modelName, word: here.steps[step].token, source: partner.word };
    const first = t("When {model} produces “{word}”, its largest weight is on “{source}”.", words);
    const answer =
      partner.step === null
        ? t("The source of {model} has no “{source}”; its step with the same number is shown.", {
            model: there.model,
            source: partner.word,
          })
        : t("Of all steps of {model}, the one that writes “{word}” gives “{source}” the most weight.", {
            model: there.model,
            word: there.steps[partner.step].token,
            source: partner.word,
          });
    note.replaceChildren(`${first} ${answer}`);
  }

  let lastUsed = 0; // the diagram that was used last: it gets the keys of the page
  const diagrams = data.paths.map(
    (path, i) =>
      new Diagram(pair, page.theme, path, {
        jump(step) {
          jump(i, step);
          address.keep({ paths_step: `${i}.${step}` });
        },
        openNumber: (asked) =>
          host.dispatchEvent(
            new CustomEvent("attention-number", { detail: { which: i, asked }, bubbles: true, composed: true }),
          ),
        onPlay: () => diagrams.forEach((other, j) => i !== j && other.pause()),
      }),
  );
  diagrams.forEach(({ ui }, i) =>
    ui.frame.addEventListener("focusin", () => {
      lastUsed = i;
    }),
  );
  const releaseKeys = takeKeys(host, {
    keys: KEYS,
    playing: () => [diagrams[lastUsed], ...diagrams].find(({ ui }) => isInSight(ui.play))?.ui.frame ?? null,
  });
  const [which, step] = (from("paths_step") ?? "").split(".").map(indexIn);
  const linkedStep = data.at ?? (data.paths[which ?? -1] && step != null ? { which: which ?? 0, step } : null);
  if (linkedStep) jump(linkedStep.which, linkedStep.step);
  else jump(0, data.step ?? 0);
  address.keep({ paths_step: linkedStep && `${linkedStep.which}.${linkedStep.step}` });
  page.watchRoom(pair);

  return {
    at: () => readerAt,
    update: page.restyle,
    destroy() {
      for (const diagram of diagrams) diagram.stop();
      releaseKeys();
      address.stop();
      page.stop();
    },
  };
}

/** @param {HTMLElement} element */
function isInSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}
