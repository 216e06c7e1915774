// What stands around the stage: the sentence so far, the next word, the window's knobs, the badge.

import { short } from "../core/numbers.js";
import { removed } from "../core/rows.js";
import { isLocal, same, sigmaOf } from "../core/settings.js";
import { el, setIcon } from "./elements.js";
import { markStep } from "./steps.js";
import { lowered } from "./symbols.js";

/** The words of the target as buttons; made again only when the sentence changes. */
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

/** Words up to `step` are said; later ones keep their place but are not seen. */
export function showSentence(ui, step) {
  markStep(ui.sentence, step, (button, i) => {
    button.classList.toggle("ap-future", i > step);
    button.tabIndex = i > step ? -1 : 0;
  });
}

/** The distribution over the next word: the best k, the chosen one marked, and what is left for all others. */
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
    row.hidden = i >= best.length;
    if (row.hidden) return;
    const { word, p, kind } = best[i];
    row.className = `ap-next-row ${kind ? `ap-${kind}` : ""}`;
    row.children[0].textContent = word;
    row.children[0].title = word;
    row.children[1].firstChild.style.transform = `scaleX(${p})`;
    row.children[2].textContent = short(p);
  });
  ui.nextSection.classList.toggle("ap-stale", stale);
}

/** The window section for the settings in force (`now`). */
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
  ui.d.max = Math.max(words - 1, trained.half_width ?? 0, decoded.half_width ?? 0, 1);
  ui.d.value = now.half_width;
  ui.dValue.textContent = `${now.half_width}`;
  ui.d.setAttribute("aria-valuetext", `${now.half_width} words on each side`);
  const sigma = sigmaOf(now);
  ui.sigma.max = Math.max(5, Math.ceil(ui.d.max / 2), Math.ceil(sigma ?? 0));
  // Without a Gaussian the knob rests at its wide end, where a Gaussian would change nothing.
  ui.sigma.value = sigma === null ? ui.sigma.max : sigma;
  const predictive = now.window === "local-p";
  ui.sigmaValue.textContent = sigma === null ? "none" : String(Number(sigma.toFixed(2)));
  ui.sigma.setAttribute("aria-valuetext", sigma === null ? "no Gaussian" : `${Number(sigma.toFixed(2))} words`);
  ui.sigma.classList.toggle("ap-linked", now.linked);
  ui.link.setAttribute("aria-pressed", String(now.linked));
  ui.link.textContent = predictive ? "σ = D / 2" : "no Gaussian";
  ui.link.title = predictive ? "Link σ to D / 2, as in the paper" : "local-m has no Gaussian in the paper";
}

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

function spoken(settings) {
  const sigma = sigmaOf(settings);
  return `${settings.window}, D = ${settings.half_width}${sigma === null ? "" : `, σ = ${Number(sigma.toFixed(2))}`}`;
}

/** The mass that the Gaussian removed at this step. */
export function showLost(ui, row, bell) {
  ui.lostLine.hidden = !bell || !row;
  if (ui.lostLine.hidden) return;
  const lost = removed(row);
  ui.lost.textContent = lost.toFixed(2);
  ui.lostBar.style.transform = `scaleX(${lost})`;
}

/** "decoded", or "preview: states frozen" with the reason beside it. */
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

/** What the model read of its weights; "" for what it was trained with. */
export function readNote({ attention_type: read = "soft", trained_attention_type: trained = "soft" }) {
  if (read === trained) return "";
  return read === "soft" ? "all words read softly, trained to read one" : `one word read at each step, ${read === "hard-sample" ? "drawn by the weights" : "the one with the largest weight"}; trained to read all softly`;
}

/** Counter, scrubber and transport. */
export function showDeck(ui, step, steps, playing) {
  ui.count.textContent = `step ${step + 1} of ${steps}`;
  ui.scrub.max = Math.max(steps - 1, 0);
  ui.scrub.value = step;
  ui.scrub.style.setProperty("--ap-done", steps > 1 ? step / (steps - 1) : 1);
  ui.scrub.setAttribute("aria-valuetext", `step ${step + 1} of ${steps}`);
  for (const button of [ui.first, ui.back]) off(button, step <= 0);
  for (const button of [ui.forward, ui.last]) off(button, step >= steps - 1);
  setIcon(ui.play, playing ? "pause" : "play");
  ui.play.setAttribute("aria-label", playing ? "Pause" : "Play");
}

/** Grey a button without taking the focus from it, so that the keys go on working. */
function off(button, yes) {
  button.setAttribute("aria-disabled", String(yes));
}
