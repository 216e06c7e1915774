// The shown translation beside others: that of another model, of the same model with other settings, or those of all models
// that differ from it on one axis only.

import { PAIR, reachable, setupApart } from "../../../attn_core/web/hosts/chips.js";
import { failure } from "../../../attn_core/web/hosts/remarks.js";
import { chip, modelOptions } from "../../../attn_core/web/hosts/sentence.js";
import { NO_HEAD, sameHead } from "../../../attn_core/web/player/core/looks.js";
import { t } from "../../../attn_core/web/player/core/messages.js";
import { readable } from "../../../attn_core/web/player/core/pieces.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { buildBoards } from "./boards.js";
import { nearest } from "./nearest.js";
import { createOther } from "./other.js";
import { movedOn, settingsApart } from "./pairs.js";
import { raced, sentenceOn, sentenceOnAll, sideBySide } from "./summary.js";

/**
 * @import { TraceJSON } from "../../../attn_core/web/engine/types.d.ts"
 * @import { Serve } from "../../../attn_core/web/hosts/opened.js"
 * @import { Axis, LiveView, Offered, Point } from "../../../attn_core/web/hosts/types.d.ts"
 * @import { HeadChoice, Theme } from "../../../attn_core/web/player/core/types.d.ts"
 * @import { Page, Place } from "../types.d.ts"
 *
 * @typedef {object} Given
 * @property {Offered[]} models
 * @property {Axis[]} axes
 * @property {Pick<Page, "windows" | "types">} known what is known of windows and attention types
 * @property {Serve} [serve]
 * @property {(step: number) => void} jump to a step of the shown translation
 * @property {(view: LiveView) => void} show another view in the player
 * @property {() => Theme} theme of the page
 * @property {() => void} onChange what is compared has changed
 * @property {() => void} onClose the reader ended the comparison with its button, which is hidden now
 * @property {() => void} onEnd the shown model has no languages in common with the others
 */

const ALL = "all "; // before the name of an axis, in the list

/** @param {Given} given */
export function buildCompare({ models, axes, known, serve, jump, show, theme, onChange, onClose, onEnd }) {
  const list = el("select", {});
  const apart = el("p", { class: "cp-apart" });
  const swap = el("button", { type: "button", class: "live-button", text: t("Swap") });
  const close = el("button", { type: "button", class: "live-button", text: t("End comparison") });
  const said = el("p", { class: "cp-said", role: "status" });
  const boards = buildBoards(jump, theme);
  const root = el(
    "section", { class: "cp live", "aria-label": t("Comparison"), hidden: true },
    el("div", { class: "cp-head" }, chip(t("Compare with"), list), apart, swap, close), boards.root, said,
  );
  const placed = models.map(({ name, point = {}, setup = {} }) => ({ name, point, setup }));
  /** @type {{ view: LiveView, trace: TraceJSON } | null} what the player shows */
  let shown = null;
  /** @type {string | null} the axis on which all models are compared */
  let axis = null;
  /** @type {ReturnType<typeof createOther>[]} */
  let others = [];
  let asked = ""; // the sentence of the last request
  /** @type {HeadChoice} of the player */
  let choice = NO_HEAD;

  list.addEventListener("change", () => {
    if (list.value.startsWith(ALL)) race(list.value.slice(ALL.length));
    else compare(like(list.value));
  });
  close.addEventListener("click", () => {
    compare(null);
    onClose();
  });
  swap.addEventListener("click", () => {
    if (!shown || others.length !== 1) return;
    const { view } = shown;
    const main = { ...others[0].view, text: view.text };
    show(main);
    compare(view, main);
  });

  /** A model as trained, with the search of the player. @param {string} model @returns {LiveView} */
  function like(model) {
    const { beam = 1, normalise = null, unk = false } = shown?.view ?? {};
    return { text: "", model, beam, normalise, unk, type: null, how: {} };
  }

  /** The models that differ from the shown one on this axis only. @param {string} name */
  function rivals(name) {
    const current = placed.findIndex((model) => model.name === shown?.view.model);
    const wanted = axes.find((one) => one.name === name);
    if (current < 0 || !wanted || wanted.name === PAIR) return [];
    return reachable(axes, placed, wanted, current).filter((one) => one.model !== current && !one.others.length).map((one) => models[one.model].name);
  }

  /** @param {LiveView[]} views */
  function take(views) {
    others.forEach((other) => other.close());
    others = views.map((view) => createOther(/** @type {Offered} */ (models.find(({ name }) => name === view.model)), serve, view, heard));
    root.hidden = !views.length && !axis;
    swap.hidden = views.length !== 1 || Boolean(axis);
    fillList();
    onChange();
    ask();
  }

  /** @param {LiveView | null} view null: no comparison @param {LiveView} [main] what the player is about to show */
  function compare(view, main) {
    if (shown && main) shown.view = main;
    axis = null;
    take(view ? [view] : []);
  }

  /** Compare all models that differ on one axis only. @param {string} name */
  function race(name) {
    axis = name;
    take(rivals(name).map(like));
  }

  /** The models of the languages of the shown one. */
  const together = () => models.filter(({ name }) => !shown || of(name).point[PAIR] === of(shown.view.model).point[PAIR]);

  function fillList() {
    const all = axes.filter(({ name, chip: chosen }) => chosen && (name === axis || rivals(name).length > 0));
    list.replaceChildren(
      ...modelOptions(together().map((model) => ({ ...model, value: model.name }))),
      ...all.map(({ name, label }) => el("option", { value: `${ALL}${name}`, text: t("{setting}: all trained values", { setting: label }) })),
    );
    list.value = axis ? `${ALL}${axis}` : others[0]?.view.model ?? "";
  }

  /** Translate the sentence of the player by all others. */
  function ask() {
    if (!shown) return;
    asked = shown.view.text;
    others.forEach((other) => other.ask(asked));
    if (!others.length) draw();
  }

  /** @param {Error} [problem] */
  function heard(problem) {
    if (!problem) return draw();
    boards.root.hidden = true; // they are of another translation
    apart.textContent = "";
    said.textContent = failure(problem);
  }

  /** Show the translations and what differs; nothing while one of the others is not there. */
  function draw() {
    const traces = others.map((other) => other.trace());
    if (!shown || root.hidden || traces.some((trace) => !trace)) return;
    boards.root.hidden = false;
    const all = [shown.trace, .../** @type {TraceJSON[]} */ (traces)].map((trace) => readable(trace));
    const told = axis ? raced(all, names(all)) : sideBySide(all[0], all[1], { choice });
    const [one, ...rest] = all.map((trace) => ({ ...of(trace.model), trace }));
    const setups = [...new Set(rest.flatMap(({ setup }) => setupApart(one.setup, setup)))];
    const brought = axis ? [...new Set(rest.flatMap((model) => movedOn(axes, one, model)))].filter(({ name }) => name !== axis) : [];
    const also = [...brought.map(({ label }) => label.toLowerCase()), ...setups];
    apart.textContent = axis ? sentenceOnAll(rest.length, also) : sentenceOn(settingsApart(axes, one, rest[0], known), setups);
    apart.title = also.join(", ");
    boards.show(told);
    said.textContent = told.summary;
  }

  /** The values of the models on the axis, as readers see them. @param {TraceJSON[]} traces */
  function names(traces) {
    const { name = "", values = [] } = axes.find((one) => one.name === axis) ?? {};
    return traces.map(({ model }) => {
      const value = of(model).point[name];
      return values.find(([known]) => known === value)?.[1] ?? model;
    });
  }

  /** @param {string} model @returns {{ point: Point, setup: Record<string, string> }} */
  const of = (model) => ({ point: {}, setup: {}, ...models.find(({ name }) => name === model) });

  return {
    root,
    draw: () => boards.draw(),
    /** What is compared, for the link. */
    now: () => ({ compared: axis ? null : others[0]?.view ?? null, race: axis }),
    compare, race,
    /** Compare with the model that differs least from the shown one. */
    begin() {
      if (shown) compare(like(nearest(together(), axes, shown.view.model)));
    },
    /** The player shows another translation. @param {LiveView} view @param {TraceJSON} trace */
    shown(view, trace) {
      const [old, before] = [shown?.view, shown?.view.model];
      shown = { view, trace };
      if (others.some((other) => !together().some(({ name }) => name === other.view.model)) && !axis) {
        compare(null);
        onEnd();
      }
      if (axis && view.model !== before) {
        race(axis);
        return;
      }
      const { beam, normalise } = view;
      const next = others.map((other) => (old && follows(other.view, old, view) ? { ...other.view, beam, normalise } : other.view));
      if (next.some((one, i) => one !== others[i].view)) {
        take(next);
        return;
      }
      if (view.text === asked) draw();
      else ask();
      if (view.model !== before) fillList();
    },
    /** @param {Place} place */
    at({ step, layer, head }) {
      boards.at(step);
      if (sameHead({ layer, head }, choice)) return;
      choice = { layer, head };
      draw();
    },
    destroy() {
      others.forEach((other) => other.close());
    },
  };
}

/**
 * Whether another model, with the search that the shown one had, goes on with its new one. One model with two searches is a
 * comparison of its own.
 * @param {LiveView} other
 * @param {LiveView} before
 * @param {LiveView} now
 */
function follows(other, before, now) {
  const had = other.beam === before.beam && other.normalise === before.normalise;
  return had && other.model !== now.model && (now.beam !== before.beam || now.normalise !== before.normalise);
}
