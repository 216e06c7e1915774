// The window lab's elements and their texts.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { exact, short } from "../../../attn_core/browser/player/core/numbers.js";
import { NARROWEST } from "../../../attn_core/browser/player/core/settings.js";
import { choice, el, iconButton, slider } from "../../../attn_core/browser/player/dom/elements.js";
import { markStep, off } from "../../../attn_core/browser/player/dom/steps.js";
import { lowered } from "../../../attn_core/browser/player/dom/symbols.js";
import { placeTip } from "../../../attn_core/browser/player/dom/tip.js";
import { numberTable } from "../kit/number-table.js";
import { disputed, slots } from "./treatments.js";

/** @import { PointedColumn } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { GripName, AdjustedWindow, KnobName, ModelWindow, Treated } from "./types.d.ts" */

/** @typedef {{ source: string[], scores: number[], look: Treated }} Numbers */

/**
 * The names of the treatments; `key` is the key of its row of bars.
 * @type {Record<string, { key: string, row: string, name: string, how: string }>}
 */
export const TREATMENTS = {
  after_softmax: { key: "weights", row: t("paper"), name: t("the paper"), how: t("alignment weights × Gaussian") },
  renorm: {
    key: "renorm",
    row: t("÷ sum"),
    name: t("renormalised"),
    how: t("alignment weights × Gaussian, divided by their sum"),
  },
  on_scores: {
    key: "on_scores",
    row: t("on scores"),
    name: t("authors' normLocalAttn"),
    how: "softmax(score × Gaussian)",
  },
};

let labs = 0;

/**
 * Build the lab inside `host`; returns every element that is used later, by name.
 * @param {HTMLElement} host
 */
export function buildWindowLab(host) {
  const id = `wl${++labs}`;
  const root = el("div", { class: "ap-root wl-root" });
  const words = el("div", { class: "ap-sentence wl-words", role: "group", "aria-label": t("Decoding steps") });
  const back = iconButton("back", t("Step back"), "ArrowLeft");
  const forward = iconButton("forward", t("Step forward"), "ArrowRight");
  const count = el("span", { class: "ap-count" });
  const gutter = el("canvas", { class: "ap-gutter", "aria-hidden": "true" });
  const bars = el("canvas", { class: "ap-bars" });
  const grip = (/** @type {GripName} */ name) =>
    el("span", { class: `wl-grip wl-grip-${name}`, "data-grip": name, title: GRIPS[name] });
  const grips = { center: grip("center"), lo: grip("lo"), hi: grip("hi"), sigma: grip("sigma") };
  const plot = el("div", { class: "ap-plot wl-plot", role: "img" }, bars, ...Object.values(grips));
  const scroll = el("div", { class: "ap-scroll" }, plot);
  const plots = el("div", { class: "ap-plots" }, gutter, scroll);
  const tip = el("div", { class: "ap-tip", role: "tooltip", hidden: true });
  const stage = el("div", { class: "ap-stage" }, plots, tip);
  const tableBody = el("div", { class: "ap-table" });
  const table = el(
    "details",
    { class: "ap-details" },
    el("summary", { text: t("The same numbers as a table") }),
    tableBody,
  );
  const live = el("div", { class: "ap-hidden", "aria-live": "polite" });
  const { section: windowSection, ...windowUi } = buildWindowSection(id);
  const { section: waysSection, ways } = buildWays();
  const { section: edgesSection, ...edgesUi } = buildEdges();
  const side = el("div", { class: "ap-side" }, windowSection, waysSection, edgesSection);
  const buttons = el("div", { class: "ap-line" }, back, count, forward);
  const frame = el(
    "div",
    {
      class: "ap wl",
      role: "group",
      tabindex: "0",
      "aria-label": t("Adjustable window"),
      "aria-keyshortcuts": "ArrowLeft ArrowRight",
    },
    el("div", { class: "ap-head" }, words, buttons),
    el("div", { class: "ap-body" }, stage, side),
    table,
    live,
  );
  root.append(frame);
  host.append(root);
  return {
    root,
    words,
    back,
    forward,
    count,
    gutter,
    bars,
    grips,
    plot,
    scroll,
    plots,
    tip,
    stage,
    tableBody,
    table,
    live,
    frame,
    ...windowUi,
    ways,
    ...edgesUi,
  };
}

/** @typedef {ReturnType<typeof buildWindowLab>} WindowUi */

const GRIPS = {
  center: t("Drag to move p_t"),
  lo: t("Drag to change D"),
  hi: t("Drag to change D"),
  sigma: t("Drag to change σ"),
};

/** @param {string} id */
function buildWindowSection(id) {
  /** @type {[name: KnobName, symbol: string, label: string, step: number][]} */
  const rows = [
    ["center", "p", t("Centre p_t, a position in the sentence"), 0.01],
    ["halfWidth", "D", t("Half-width D in words"), 1],
    ["sigma", "σ", t("Sigma of the Gaussian in words"), 0.05],
  ];
  const knobs = /** @type {Record<KnobName, HTMLInputElement>} */ ({});
  const values = /** @type {Record<KnobName, HTMLElement>} */ ({});
  const lines = rows.map(([name, symbol, label, step]) => {
    knobs[name] = slider(label, { class: "ap-knob", step, min: name === "sigma" ? NARROWEST : 0 });
    values[name] = el("output", { class: "ap-value" });
    const sign = el("span", { class: "ap-symbol" }, symbol, ...(name === "center" ? [el("sub", { text: "t" })] : []));
    return el("div", { class: "ap-knob-row" }, sign, knobs[name], values[name]);
  });
  const note = el("p", { class: "ap-note wl-note" });
  const link = el("button", {
    type: "button",
    class: "ap-button ap-link",
    text: "σ = D / 2",
    title: t("Link σ to D / 2, as in the paper"),
  });
  const again = el("button", { type: "button", class: "ap-button", text: t("Reset") });
  const rule = choice(`${id}-rule`, t("Centre of the window"), [
    ["floor", t("⌊pₜ⌋ ± D (pₜ rounded down)")],
    ["real", "|s − pₜ| ≤ D"],
  ]);
  const section = el(
    "section",
    { class: "ap-section", "aria-label": t("Window") },
    el("h3", { class: "ap-title", text: t("Window") }),
    note,
    ...lines,
    el("div", { class: "ap-knob-buttons" }, link, again),
    el("div", { class: "wl-rule" }, rule),
  );
  return { section, knobs, values, note, link, again, rule };
}

function buildWays() {
  const ways = el("tbody");
  const head = [t("sum"), t("missing"), "|c|"].map((text) => el("th", { text, scope: "col" }));
  const section = el(
    "section",
    { class: "ap-section", "aria-label": t("Treatments of the Gaussian") },
    el("h3", { class: "ap-title", text: t("Three uses of the Gaussian") }),
    el("table", { class: "wl-ways" }, el("thead", {}, el("tr", {}, el("td"), ...head)), ways),
  );
  return { section, ways };
}

function buildEdges() {
  const slots = el("div", { class: "wl-slots", "aria-hidden": "true" });
  const [clipped, disputed] = [el("p", { class: "ap-fine" }), el("p", { class: "ap-fine" })];
  const title = el("h3", { class: "ap-title", text: t("Edges of the window") });
  return {
    section: el(
      "section",
      { class: "ap-section", "aria-label": t("Edges of the window") },
      title,
      slots,
      clipped,
      disputed,
    ),
    slots,
    clipped,
    disputed,
  };
}

/**
 * Mark the current step.
 * @param {WindowUi} ui
 * @param {number} step
 * @param {number} steps
 */
export function showStep(ui, step, steps) {
  markStep(ui.words, step);
  ui.count.textContent = t("step {n} of {all}", { n: step + 1, all: steps });
  off(ui.back, step <= 0);
  off(ui.forward, step >= steps - 1);
}

/**
 * Update sliders and buttons. `modelWindow`: the model's own window at this step, or its replacement.
 * @param {WindowUi} ui
 * @param {AdjustedWindow} adjusted
 * @param {ModelWindow} modelWindow
 * @param {boolean} linked
 * @param {number} length
 */
export function showWindow(ui, adjusted, modelWindow, linked, length) {
  const { center, halfWidth, sigma } = ui.knobs;
  const widest = Math.max(length - 1, modelWindow.halfWidth, 1);
  center.max = String(length);
  halfWidth.max = String(widest);
  sigma.max = String(Math.max(5, Math.ceil(widest / 2)));
  center.value = String(adjusted.center);
  halfWidth.value = String(adjusted.halfWidth);
  sigma.value = String(adjusted.sigma);
  ui.values.center.textContent = adjusted.center.toFixed(2);
  ui.values.halfWidth.textContent = String(adjusted.halfWidth);
  ui.values.sigma.textContent = String(Number(adjusted.sigma.toFixed(2)));
  sigma.classList.toggle("ap-linked", linked);
  ui.link.setAttribute("aria-pressed", String(linked));
  for (const radio of ui.rule.querySelectorAll("input")) radio.checked = radio.value === adjusted.rule;
  ui.again.title = modelWindow.isReplacement ? "" : t("Reset p_t, D and σ to the model's own");
}

/**
 * State what is the model's own at this step and what the reader has changed.
 * @param {WindowUi} ui
 * @param {{ modelWindow: ModelWindow, adjusted: AdjustedWindow, moved: boolean, trained: string }} given
 */
export function showOrigin(ui, { modelWindow, adjusted, moved, trained }) {
  ui.frame.classList.toggle("wl-moved", moved);
  const note = modelWindow.isReplacement
    ? t("{trained}; the p_{t} here is that of local-m.", { trained })
    : t("The model's p_{t} is {center}.", { center: modelWindow.center.toFixed(2) });
  ui.note.replaceChildren(
    ...lowered(
      `${note} ${
        moved
          ? t("Yours is {center}. The scores are the " + "model's.", { center: adjusted.center.toFixed(2) })
          : t("Drag p_{t}, D or σ.")
      }`,
    ),
  );
}

/**
 * Show sum, missing mass and length of the context vector for every treatment.
 * @param {WindowUi} ui
 * @param {Treated} look
 */
export function showWays(ui, look) {
  ui.ways.replaceChildren(
    ...look.ways.map(({ mode, massKept, length }) => {
      const { name, how } = TREATMENTS[mode];
      const bar = el("span", { class: "ap-meter-lost" });
      bar.style.transform = `scaleX(${Math.max(0, 1 - massKept)})`;
      const head = el(
        "th",
        { scope: "row", title: how },
        el("span", { class: "wl-way", text: name }),
        el("code", { class: "wl-source", text: mode }),
        el("span", { class: "ap-meter" }, bar),
      );
      const cells = [short(massKept), short(Math.max(0, 1 - massKept) < 5e-4 ? 0 : 1 - massKept), length.toFixed(2)];
      return el(
        "tr",
        { "data-mode": mode },
        head,
        ...cells.map((text, i) => el("td", { text, "data-name": ["sum", "missing", "length"][i] })),
      );
    }),
  );
}

/**
 * Show the positions of the window, hatched beyond the sentence, and the words on which the two rules differ.
 * @param {WindowUi} ui
 * @param {AdjustedWindow} adjusted
 * @param {Treated} look
 * @param {string[]} source
 */
export function showEdges(ui, adjusted, look, source) {
  const { from, to } = slots(adjusted, source.length);
  const real = look.span ? look.span.hi - look.span.lo + 1 : 0;
  const all = to - from + 1;
  ui.slots.replaceChildren(
    ...Array.from({ length: all }, (_, i) => {
      const s = from + i;
      return el("span", {
        class: s < 0 || s >= source.length ? "wl-slot wl-off" : "wl-slot",
        text: s < 0 || s >= source.length ? "" : String(s),
      });
    }),
  );
  const off = all - real;
  ui.clipped.textContent =
    real === 0
      ? t("No word is in the window: all weights and the context vector are 0.")
      : off
        ? t(
            "{off} of {all} positions lie beyond the sentence. They are removed before the softmax, so the " +
              "alignment weights of the other {real} sum to 1.",
            { off, all, real },
          )
        : t("All {all} positions of the window are inside the sentence.", { all });
  const { floor, real: other } = disputed(adjusted, source.length);
  const named = (/** @type {number[]} */ places) => places.map((s) => `“${source[s]}” (${s})`).join(", ");
  const parts = [
    floor.length ? t("only the rule with pₜ rounded down includes {words}", { words: named(floor) }) : "",
    other.length ? t("only the rule |s − pₜ| ≤ D includes {words}", { words: named(other) }) : "",
  ].filter(Boolean);
  ui.disputed.textContent = parts.length
    ? t("The two rules differ: {parts}.", { parts: parts.join("; ") })
    : t("Both rules for the centre include the same words here.");
}

/**
 * Show the numbers of the word under the pointer, beside its column.
 * @param {WindowUi} ui
 * @param {Numbers & { s: number }} numbers
 * @param {PointedColumn} pointed
 */
export function showNumbers(ui, { source, scores, look, s }, pointed) {
  /** @type {[name: string, value: number][]} */
  const rows = [
    [t("score"), scores[s]],
    [t("alignment"), look.alignment[s]],
    [t("Gaussian"), look.gaussian[s]],
    ...look.ways.map(({ mode, weights }) => /** @type {[string, number]} */ ([TREATMENTS[mode].name, weights[s]])),
  ];
  ui.tip.replaceChildren(
    el("div", { class: "ap-tip-pair" }, el("b", { text: source[s] }), `, ${t("position {s}", { s })}`),
    el(
      "table",
      {},
      el(
        "tbody",
        {},
        ...rows.map(([name, value]) => el("tr", {}, el("th", { text: name }), el("td", { text: exact(value) }))),
      ),
    ),
  );
  ui.tip.hidden = false;
  placeTip(ui.tip, pointed);
}

/**
 * Fill the table with all numbers of the step.
 * @param {WindowUi} ui
 * @param {Numbers} numbers
 */
export function fillNumbers(ui, { source, scores, look }) {
  const head = [
    t("position"),
    t("word"),
    t("score"),
    t("alignment"),
    t("Gaussian"),
    ...look.ways.map(({ mode }) => mode),
  ];
  const cells = (/** @type {number} */ s) => [
    s,
    source[s],
    exact(scores[s]),
    exact(look.alignment[s]),
    exact(look.gaussian[s]),
    ...look.ways.map(({ weights }) => exact(weights[s])),
  ];
  ui.tableBody.replaceChildren(
    numberTable(
      head,
      source.map((_, s) => cells(s)),
    ),
  );
}

/**
 * The step in one sentence, for screen readers.
 * @param {{ source: string[], look: Treated, adjusted: AdjustedWindow }} given
 */
export function spokenLook({ source, look, adjusted }) {
  const set = { center: adjusted.center.toFixed(2), halfWidth: adjusted.halfWidth, sigma: adjusted.sigma.toFixed(2) };
  if (!look.span) return t("p_t {center}, D {halfWidth}, sigma {sigma}: no word in the window; all weights are 0", set);
  const [paper] = look.ways;
  const best = paper.weights.indexOf(Math.max(...paper.weights));
  const where = t("positions {lo} to {hi} in the window", { lo: look.span.lo, hi: look.span.hi });
  return t("p_t {center}, D {halfWidth}, sigma {sigma}: {where}; largest weight on {word}; missing mass {missing}", {
    ...set,
    where,
    word: source[best],
    missing: Math.max(0, 1 - paper.massKept).toFixed(2),
  });
}
