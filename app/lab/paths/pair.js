// Two computation paths side by side. A step of one is shown beside the step of the other for the same source word.

import { forwardKeys } from "../../../attn_core/browser/hosts/keys.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { onClick } from "../../../attn_core/browser/player/dom/steps.js";
import { keepInAddress, indexIn } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { Diagram, KEYS } from "./diagram.js";

/** @import { From, Stage } from "../../shell/types.d.ts" */
/** @import { ChosenStep, Partner, Path, PathsData } from "./types.d.ts" */

/** @implements {Stage} */
export class PathPair {
  /** @param {HTMLElement} host @param {PathsData} data @param {From} [from] */
  constructor(host, data, from = () => null) {
    this.host = host;
    this.data = data;
    this.pair = el("div", { class: "pl-pair" });
    this.note = el("p", { class: "pl-note", "aria-live": "polite" });
    const root = el("div", { class: "ap-root pl-root" }, this.pair, this.note);
    host.append(root);
    this.page = onPage(root, () => this.diagrams.forEach((diagram) => diagram.draw()));
    this.address = keepInAddress(data.address);
    this.lastUsed = 0; // the diagram that was used last: it gets the keys of the page
    this.diagrams = data.paths.map((path, i) => this.openDiagram(path, i));
    this.showDiagram(0);
    this.releaseKeys = forwardKeys(host, {
      keys: KEYS,
      findPlayer: () =>
        [this.diagrams[this.lastUsed], ...this.diagrams].find(({ ui }) => isInSight(ui.play))?.ui.frame ?? null,
    });
    const linkedStep = data.at ?? stepIn(from("paths_step"), data.paths);
    /** @type {ChosenStep} the step that the reader went to last */
    this.chosenStep = linkedStep ?? { which: 0, step: data.step ?? 0 };
    this.jump(this.chosenStep.which, this.chosenStep.step);
    this.address.keep({ paths_step: linkedStep && `${linkedStep.which}.${linkedStep.step}` });
    this.page.watchRoom(this.pair);
  }

  /** @param {Path} path @param {number} which */
  openDiagram(path, which) {
    const diagram = new Diagram(this.pair, this.page.theme, path, {
      jump: (step) => {
        this.jump(which, step);
        this.address.keep({ paths_step: `${which}.${step}` });
      },
      openNumber: (asked) => this.report("attention-number", { which, asked }),
      onPlay: () => this.diagrams.forEach((other) => other !== diagram && other.pause()),
    });
    const { frame, swap } = diagram.ui;
    for (const used of ["focusin", "click"]) frame.addEventListener(used, () => this.showDiagram(which), true);
    const other = 1 - which;
    swap.textContent = this.data.paths[other].title;
    onClick(swap, () => {
      this.showDiagram(other);
      this.page.ask(); // it was hidden and not drawn
      this.diagrams[other].ui.frame.focus();
    });
    return diagram;
  }

  /** A diagram gets the keys of the page and, in lecture layout, is on show. @param {number} which */
  showDiagram(which) {
    this.lastUsed = which;
    this.diagrams.forEach(({ ui }, i) => ui.frame.classList.toggle("pl-other", i !== which));
  }

  /**
   * Go to step `to` of one diagram, and to the other's step for the same source word.
   * @param {number} which
   * @param {number} to
   */
  jump(which, to) {
    const step = Math.min(Math.max(to, 0), this.data.paths[which].steps.length - 1);
    const partner = this.data.pairs?.[which]?.[step];
    this.diagrams.forEach((diagram, i) => diagram.showStep(i === which ? step : (partner?.step ?? step)));
    this.chosenStep = { which, step };
    this.note.hidden = !partner;
    if (partner) this.note.textContent = stepsText(this.data.paths[which], step, this.data.paths[1 - which], partner);
    this.report("path-lab", { step, which });
  }

  /** @param {string} name @param {object} detail */
  report(name, detail) {
    this.host.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  update() {
    this.page.restyle();
  }

  destroy() {
    for (const diagram of this.diagrams) diagram.stop();
    this.releaseKeys();
    this.address.stop();
    this.page.stop();
  }
}

/**
 * The step of a link, as in "1.3"; null if there is none.
 * @param {string | null} linked
 * @param {Path[]} paths
 * @returns {ChosenStep | null}
 */
function stepIn(linked, paths) {
  const [which, step] = (linked ?? "").split(".").map(indexIn);
  return which !== null && paths[which] && step != null ? { which, step } : null;
}

/**
 * Which steps of both diagrams are shown, and why.
 * @param {Path} chosen the diagram in which the reader chose the step
 * @param {number} step
 * @param {Path} other
 * @param {Partner} partner
 */
function stepsText(chosen, step, other, partner) {
  const model = chosen.bare ? t("{model} (authors' code)", { model: chosen.model }) : chosen.model;
  const largest = t("When {model} produces “{word}”, its largest weight is on “{source}”.", {
    model,
    word: chosen.steps[step].token,
    source: partner.word,
  });
  const names = { model: other.model, source: partner.word };
  const reason =
    partner.step === null
      ? t("The source of {model} has no “{source}”; its step with the same number is shown.", names)
      : t("Of all steps of {model}, the one that writes “{word}” gives “{source}” the most weight.", {
          ...names,
          word: other.steps[partner.step].token,
        });
  return `${largest} ${reason}`;
}

/** @param {HTMLElement} element */
function isInSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}
