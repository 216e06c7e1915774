// What stands around the stage: the sentence so far, the next word, the window's knobs, the badge.

import { short } from "../core/numbers.js";
import { removed } from "../core/rows.js";
import { isLocal, same, sigmaOf } from "../core/settings.js";
import { el, setIcon } from "./elements.js";
import { markStep } from "./steps.js";
import { lowered } from "./symbols.js";

/** @import { Row, Settings, Step, Trace, TraceSettings } from "../core/types.d.ts" */
/** @import { Ui } from "./types.d.ts" */

/**
 * @typedef {object} Badge
 * @property {boolean} preview
 * @property {boolean} first
 * @property {boolean} [canDecode]
 * @property {Settings | null | undefined} waiting what the host was asked for
 * @property {boolean | undefined} released whether the hand has let go
 * @property {boolean} unknowable
 * @property {boolean} intervention
 * @property {string} read
 */

/**
 * The words of the target as buttons; made again only when the sentence changes.
 * @param {Ui} ui
 * @param {string[]} target
 * @param {(step: number) => void} jump
 */
export function fillSentence(ui, target, jump) {
  const letters = target.join(" ").length;
  ui.sentence.classList.toggle("ap-long", letters > 56);
  ui.sentence.classList.toggle("ap-very-long", letters > 140);
  ui.sentence.replaceChildren(
    ...target.map((word, i) => {
      const button = el("button", { type: "button", class: "ap-word", text: word, "data-step": i });
      if (word === "</s>" || word === "<unk>") button.classList.add("ap-special");
      button.addEventListener("click", () => jump(i));
      return button;
    }),
  );
}

/**
 * Words up to `step` are said; later ones keep their place but are not seen.
 * @param {Ui} ui
 * @param {number} step
 */
export function showSentence(ui, step) {
  markStep(ui.sentence, step, (button, i) => {
    button.classList.toggle("ap-future", i > step);
    button.tabIndex = i > step ? -1 : 0;
  });
}

/**
 * The distribution over the next word: the best k, the chosen one marked, and what is left for all others.
 * @param {Ui} ui
 * @param {Step} step
 * @param {boolean} stale
 */
export function showNext(ui, step, stale) {
  const best = step.top.map(([word, logProb]) => ({ word, p: Math.exp(logProb), kind: word === step.token ? "chosen" : "" }));
  if (!best.some(({ kind }) => kind)) best.push({ word: step.token, p: Math.exp(step.log_prob), kind: "chosen" });
  const rest = Math.max(0, 1 - best.reduce((total, { p }) => total + p, 0));
  best.push({ word: "all other words", p: rest, kind: "rest" });
  while (ui.next.children.length < best.length) {
    const bar = el("span", { class: "ap-next-bar" });
    ui.next.append(
      el("div", { class: "ap-next-row" }, el("span", { class: "ap-next-word" }), el("span", { class: "ap-next-track" }, bar),
        el("span", { class: "ap-next-p" })),
    );
  }
  Array.from(ui.next.children).forEach((row, i) => {
    if (!(row instanceof HTMLElement)) return;
    row.hidden = i >= best.length;
    if (row.hidden) return;
    const { word, p, kind } = best[i];
    row.className = `ap-next-row ${kind ? `ap-${kind}` : ""}`;
    const [name, track, value] = row.children;
    name.textContent = word;
    name.setAttribute("title", word);
    /** @type {HTMLElement} */ (track.firstChild).style.transform = `scaleX(${p})`;
    value.textContent = short(p);
  });
  ui.nextSection.classList.toggle("ap-stale", stale);
}

/**
 * The window section for the settings in force (`now`).
 * @param {Ui} ui
 * @param {{ trace: Trace, now: Settings, decoded: Settings, trained: Settings }} given
 */
export function showWindow(ui, { trace, now, decoded, trained }) {
  const local = isLocal(now);
  ui.windowSection.hidden = now.window === null;
  ui.give.hidden = local || trace.settings.order === "transformer"; // whose heads have no window to give
  ui.knobs.hidden = !local;
  off(ui.trained, same(now, trained));
  ui.windowText.replaceChildren(...lowered(describe(now, trained)));
  ui.windowText.classList.toggle("ap-warn", !same(now, trained));
  if (!local) return;
  const words = trace.source.length;
  const widest = Math.max(words - 1, trained.half_width ?? 0, decoded.half_width ?? 0, 1);
  ui.d.max = String(widest);
  ui.d.value = String(now.half_width);
  ui.dValue.textContent = `${now.half_width}`;
  ui.d.setAttribute("aria-valuetext", `${now.half_width} words on each side`);
  const sigma = sigmaOf(now);
  ui.sigma.max = String(Math.max(5, Math.ceil(widest / 2), Math.ceil(sigma ?? 0)));
  // Without a Gaussian the knob rests at its wide end, where a Gaussian would change nothing.
  ui.sigma.value = sigma === null ? ui.sigma.max : String(sigma);
  const predictive = now.window === "local-p";
  ui.sigmaValue.textContent = sigma === null ? "none" : String(Number(sigma.toFixed(2)));
  ui.sigma.setAttribute("aria-valuetext", sigma === null ? "no Gaussian" : `${Number(sigma.toFixed(2))} words`);
  ui.sigma.classList.toggle("ap-linked", now.linked);
  ui.link.setAttribute("aria-pressed", String(now.linked));
  ui.link.textContent = predictive ? "σ = D / 2" : "no Gaussian";
  ui.link.title = predictive ? "Link σ to D / 2, as in the paper" : "local-m has no Gaussian in the paper";
}

/**
 * @param {Settings} now
 * @param {Settings} trained
 */
function describe(now, trained) {
  if (same(now, trained)) {
    if (now.window === "global") return "Global: every source word is in view.";
    if (now.window === "local-m") return "local-m, as trained: it moves one word a step.";
    return now.window === "local-p" ? "local-p, as trained: p_{t} is predicted." : `${now.window}, as trained.`;
  }
  if (trained.window === "global") return "intervention: this model was not trained with a window";
  if (!isLocal(trained)) return `intervention: trained with ${trained.window}`;
  return `intervention: trained with ${spoken(trained)}`;
}

/** @param {Settings} settings */
function spoken(settings) {
  const sigma = sigmaOf(settings);
  return `${settings.window}, D = ${settings.half_width}${sigma === null ? "" : `, σ = ${Number(sigma.toFixed(2))}`}`;
}

/**
 * The mass that the Gaussian removed at this step.
 * @param {Ui} ui
 * @param {Row | undefined} row
 * @param {boolean} bell
 */
export function showLost(ui, row, bell) {
  ui.lostLine.hidden = !bell || !row;
  if (!bell || !row) return;
  const lost = removed(row);
  ui.lost.textContent = lost.toFixed(2);
  ui.lostBar.style.transform = `scaleX(${lost})`;
}

/**
 * "decoded", or "preview: states frozen" with the reason beside it.
 * @param {Ui} ui
 * @param {Badge} badge
 */
export function showBadge(ui, { preview, first, canDecode, waiting, released, unknowable, intervention, read }) {
  ui.badge.textContent = preview ? "preview: states frozen" : "decoded";
  ui.badge.classList.toggle("ap-preview", preview);
  let note = "";
  const here = first ? "exact at this first step; " : "";
  if (preview && unknowable) note = "only the model can say where it would look";
  else if (preview && waiting) note = `${here}the model is decoding again`;
  else if (preview && released && !canDecode) note = `${here}no model here to decode again`;
  else if (preview) note = first ? "exact at this first step: no state depends on it yet" : "states still come from the decoded run";
  else note = [intervention && "with a window the model was not trained with", read].filter(Boolean).join("; ");
  ui.note.textContent = note;
}

/**
 * What the model read of its weights; "" for what it was trained with.
 * @param {TraceSettings} traceSettings
 */
export function readNote({ attention_type: read = "soft", trained_attention_type: trained = "soft" }) {
  if (read === trained) return "";
  return read === "soft" ? "all words read softly, trained to read one" : `one word read at each step, ${read === "hard-sample" ? "drawn by the weights" : "the one with the largest weight"}; trained to read all softly`;
}

/**
 * Counter, scrubber and transport.
 * @param {Ui} ui
 * @param {number} step
 * @param {number} steps
 * @param {boolean} playing
 */
export function showDeck(ui, step, steps, playing) {
  ui.count.textContent = `step ${step + 1} of ${steps}`;
  ui.scrub.max = String(Math.max(steps - 1, 0));
  ui.scrub.value = String(step);
  ui.scrub.style.setProperty("--ap-done", String(steps > 1 ? step / (steps - 1) : 1));
  ui.scrub.setAttribute("aria-valuetext", `step ${step + 1} of ${steps}`);
  for (const button of [ui.first, ui.back]) off(button, step <= 0);
  for (const button of [ui.forward, ui.last]) off(button, step >= steps - 1);
  setIcon(ui.play, playing ? "pause" : "play");
  ui.play.setAttribute("aria-label", playing ? "Pause" : "Play");
}

/**
 * Grey a button without taking the focus from it, so that the keys go on working.
 * @param {HTMLElement} button
 * @param {boolean} yes
 */
function off(button, yes) {
  button.setAttribute("aria-disabled", String(yes));
}
