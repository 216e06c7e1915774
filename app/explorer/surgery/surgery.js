// Editing a translation: at the step on show, a reader sets attention weights, the context vector or the word, or switches a
// head off. The engine decodes the rest of the sentence with it; before and after are shown side by side.

import { chip } from "../../../attn_core/web/hosts/sentence.js";
import { headIndex, NO_HEAD, sameHead } from "../../../attn_core/web/player/core/looks.js";
import { t, tn } from "../../../attn_core/web/player/core/messages.js";
import { readable } from "../../../attn_core/web/player/core/pieces.js";
import { isHard } from "../../../attn_core/web/player/core/rows.js";
import { el, slider } from "../../../attn_core/web/player/dom/elements.js";
import { refill } from "../../../attn_core/web/player/dom/focus.js";
import { off, onClick } from "../../../attn_core/web/player/dom/steps.js";
import { buildBoards } from "../compare/boards.js";
import { sideBySide } from "../compare/summary.js";
import { fillControls } from "./controls.js";
import { withEdit, withoutEdit } from "../../../attn_core/web/state/edits.js";
import { inWords } from "./edits.js";
import { makeHistory } from "./history.js";
import { alone, even, repainted } from "./rows.js";

/**
 * @import { Edit, TraceJSON } from "../../../attn_core/web/engine/types.d.ts"
 * @import { Painted, Theme } from "../../../attn_core/web/player/core/types.d.ts"
 * @import { Place } from "../types.d.ts"
 *
 * @typedef {object} Given
 * @property {(edits: Edit[]) => void} change decode with these edits
 * @property {(step: number) => void} jump to a step of the shown translation
 * @property {() => Theme} theme of the page
 * @property {() => void} onOpen editing has begun or ended
 */

const ALL = { layer: null, head: null }; // heads, in an edit

/** @param {Given} given */
export function buildSurgery({ change, jump, theme, onOpen }) {
  const button = (/** @type {string} */ text, title = "") => el("button", { type: "button", class: "live-button", text, title });
  const ui = {
    step: el("strong", { class: "su-step" }),
    place: el("select", {}), weight: slider(t("Weight"), { min: 0, max: 1, step: 0.01 }), value: el("output", { class: "su-value" }),
    alone: button(t("All weight here")), even: button(t("Uniform")),
    context: el("select", {}), word: el("select", {}), head: el("input", { type: "checkbox" }),
    undo: button(t("Undo"), "Ctrl+Z"), redo: button(t("Redo"), "Ctrl+Shift+Z"), clear: button(t("Remove all edits")), close: button(t("End editing")),
  };
  const about = t("Set weights, a context vector or a word by hand; the rest is decoded with it.");
  const begin = button(t("Edit attention"), about);
  begin.classList.add("su-begin");
  begin.setAttribute("aria-pressed", "false");
  begin.addEventListener("click", toggle);
  const weights = el("div", { class: "su-weights" }, chip(t("Weight of"), ui.place), ui.weight, ui.value, ui.alone, ui.even);
  const context = chip(t("Context of"), ui.context, t("Use the context vector of another step of the unedited translation."));
  const head = chip(t("Use this head"), ui.head, t("Off: the context vector of this head is 0 at all steps."));
  const rule = el("p", { class: "su-rule" });
  const list = el("ul", { class: "su-list", "aria-label": t("Edits") });
  const [before, after] = [el("p"), el("p", { role: "status" })];
  const both = el("div", { class: "su-both" }, before, after);
  const said = el("p", { class: "cp-said" });
  const root = el(
    "section", { class: "su live", "aria-label": t("Edit the attention"), hidden: true },
    el("div", { class: "su-line" }, ui.step, weights, context, chip(t("Next word"), ui.word, t("The word of this step; the rest is decoded after it.")), head),
    rule, el("div", { class: "su-line" }, both, el("div", { class: "su-buttons" }, ui.undo, ui.redo, ui.clear, ui.close)), list,
  );
  const boards = buildBoards(jump, theme);
  const maps = el("section", { class: "su-maps", "aria-label": t("Before and after the edits"), hidden: true }, el("h2", { class: "ap-title", text: t("Before and after the edits") }), boards.root, said);
  const history = makeHistory();
  /** @type {Edit[]} */
  let edits = [];
  let open = false;
  /** @type {TraceJSON | null} */
  let trace = null;
  /** @type {TraceJSON | null} */
  let unedited = null;
  /** @type {Place} */
  let at = { step: 0, ...NO_HEAD };
  let place = 0; // the word whose weight the slider sets
  let listed = ""; // what the list of edits has
  let sentence = ""; // with the model: a new one begins a new history
  /** @type {number[] | null} the row at the start of a drag, and of a slider's */
  let base = null;

  /** @param {Edit[]} now @param {boolean} kept whether the list before can be restored */
  function set(now, kept = true) {
    if (kept) history.keep(edits);
    edits = now;
    change(edits);
    draw();
  }

  /** The heads on show: their layer and head in an edit, and their row at the step on show, as it was set last; null without attention. */
  function shown() {
    const looks = trace?.steps[at.step]?.looks ?? [];
    if (!looks.length) return null;
    const one = looks.length > 1 ? headIndex(looks, at) : 0;
    const row = one === null ? looks[0].weights.map((_, s) => looks.reduce((sum, { weights: own }) => sum + own[s], 0) / looks.length) : looks[one].weights;
    const { layer, head } = looks.length > 1 && one !== null ? looks[one] : ALL;
    const own = (/** @type {{ layer: number | null, head: number | null }} */ edit) => edit.head === null || sameHead(edit, { layer, head });
    const last = edits.flatMap((edit) => (edit.kind === "weights" && edit.step === at.step && (head === null || own(edit)) ? [edit] : [])).at(-1);
    return { layer, head, row: last && own(last) ? last.weights : row }; // the trace may be of the edits before
  }

  /** @param {number[]} row @param {boolean} [kept] */
  function setRow(row, kept = true) {
    const now = shown();
    if (now) set(withEdit(edits, { kind: "weights", step: at.step, layer: now.layer, head: now.head, weights: row }), kept);
  }

  const hard = () => trace !== null && isHard(trace);
  /** @param {number} s whether a source position is in view */
  const inView = (s) => {
    const { window = null, excluded = [] } = trace?.steps[at.step] ?? {};
    return Boolean(window && s >= window[0] && s <= window[1] && !excluded.includes(s));
  };

  /** A weight is dragged, in the picture or by the slider, or cells of the row are. @param {Painted} painted */
  function paint({ place: s, weight, places, phase }) {
    const now = shown();
    if (!now || !open) return;
    if (phase !== "end") place = s;
    if (places && !hard()) {
      setRow(even(now.row, (one) => places.includes(one)), phase === "start");
      return;
    }
    if (weight === null || hard()) {
      if (weight === null || phase === "start") setRow(alone(now.row, s));
    } else if (phase === "end") base = null;
    else {
      const first = base === null;
      base ??= now.row;
      setRow(repainted(base, s, weight), first);
    }
  }

  /** @param {Edit[] | null} found a list of the history */
  const restore = (found) => found && set(found, false);

  ui.place.addEventListener("change", () => {
    place = Number(ui.place.value);
    draw();
  });
  ui.weight.addEventListener("input", () => paint({ place, weight: Number(ui.weight.value), phase: "move" }));
  ui.weight.addEventListener("change", () => paint({ place, weight: 0, phase: "end" }));
  ui.alone.addEventListener("click", () => paint({ place, weight: null, phase: "end" }));
  ui.even.addEventListener("click", () => {
    const now = shown();
    if (now) setRow(even(now.row, inView));
  });
  ui.context.addEventListener("change", () => {
    const { layer, head: own } = shown() ?? ALL;
    const edit = /** @type {Edit} */ ({ kind: "context", step: at.step, layer, head: own, from: Number(ui.context.value) });
    set(ui.context.value ? withEdit(edits, edit) : withoutEdit(edits, edit));
  });
  ui.word.addEventListener("change", () => choose(ui.word.value));
  ui.head.addEventListener("change", () => {
    const edit = /** @type {Edit} */ ({ kind: "off", layer: at.layer, head: at.head });
    set(ui.head.checked ? withoutEdit(edits, edit) : withEdit(edits, edit));
  });
  onClick(ui.undo, () => restore(history.undo(edits)));
  onClick(ui.redo, () => restore(history.redo(edits)));
  onClick(ui.clear, () => set([]));
  ui.close.addEventListener("click", () => {
    show(false);
    begin.focus(); // this button is hidden now
  });

  /** The word of the step on show; "" for the model's own. @param {string} word */
  function choose(word) {
    const edit = /** @type {Edit} */ ({ kind: "word", step: at.step, word });
    set(word ? withEdit(edits, edit) : withoutEdit(edits, edit));
  }

  /** @param {boolean} yes */
  function show(yes) {
    if (open === yes) return;
    open = yes;
    if (!yes) root.closest(".ap")?.classList.remove("su-scrolled");
    if (!yes && edits.length) set([]); // `Undo` brings them back when the reader edits this sentence again
    begin.setAttribute("aria-pressed", String(open));
    begin.title = open ? t("End editing and remove the edits. To bring them back, edit again and undo.") : about;
    onOpen();
    draw();
  }

  /** Begin with the bars in sight, or end. */
  function toggle() {
    const frame = root.closest(".ap");
    if (!open) frame?.classList.add("su-scrolled"); // before the step is drawn, for the room that it has then
    show(!open);
    if (open) frame?.scrollIntoView({ block: "start", behavior: "smooth" });
  }

  function draw() {
    root.hidden = !open || !trace;
    if (root.hidden || !trace) {
      maps.hidden = true;
      return;
    }
    const now = shown();
    const { steps } = trace;
    const many = (steps[0]?.looks.length ?? 0) > 1;
    place = Math.min(place, trace.source.length - 1);
    weights.hidden = context.hidden = !now;
    const one = now !== null && now.head !== null; // head on show
    head.hidden = !one;
    ui.weight.hidden = ui.value.hidden = ui.even.hidden = hard();
    fillControls(ui, { trace, unedited: unedited ?? trace, edits, at, place, row: now?.row ?? [], layer: now?.layer ?? null, head: now?.head ?? null });
    rule.textContent = ruleFor(now !== null, hard(), many && !one, trace.settings.beam > 1);
    const { undo, redo } = history.can();
    off(ui.undo, !undo);
    off(ui.redo, !redo);
    off(ui.clear, !edits.length);
    const texts = edits.map((edit) => {
      const late = "step" in edit && edit.step >= steps.length;
      return `${inWords(edit, readable(/** @type {TraceJSON} */ (trace)), many)}${late ? ` (${t("not reached")})` : ""}`;
    });
    const inList = JSON.stringify([edits, texts]);
    if (inList !== listed) refill(list, edits.map((edit, i) => { // the focus may be in it, so it stays at other steps
      const text = texts[i];
      const remove = el("button", { type: "button", class: "su-remove", "aria-label": t("Remove: {edit}", { edit: text }), text: "×" });
      remove.addEventListener("click", () => set(edits.filter((one) => one !== edit)));
      const go = el("button", { type: "button", class: "su-go", text });
      go.addEventListener("click", () => "step" in edit && jump(Math.min(edit.step, steps.length - 1)));
      return el("li", {}, go, remove);
    }), ui.undo);
    listed = inList;
    compared();
  }

  /** Before and after, as text and as maps. */
  function compared() {
    maps.hidden = !unedited || !edits.length;
    if (!trace) return;
    const told = sideBySide(readable(unedited ?? trace), readable(trace), { shown: 1, choice: at });
    const titles = [t("Before"), tn("After {n} edit", "After {n} edits", edits.length)];
    told.sides.forEach((side, i) => { side.title = titles[i]; });
    [before, after].forEach((line, i) => line.replaceChildren(
      el("b", { text: `${[t("Before"), t("After")][i]}: ` }),
      ...(i && !edits.length ? [t("no edits yet")] : told.sides[i].labels.flatMap((label) => (label ? [label.differs ? el("mark", { text: label.text }) : label.text, " "] : []))),
    ));
    if (maps.hidden) return;
    boards.show(told);
    said.textContent = told.summary;
  }

  return {
    root, maps, begin, paint,
    draw: () => boards.draw(),
    isOpen: () => open,
    /** Choose the next word of a rank. @param {number} rank */
    word(rank) {
      const [token] = trace?.steps[at.step]?.top[rank] ?? [];
      if (token !== undefined && token !== trace?.steps[at.step].token) choose(token);
    },
    /**
     * The player shows another translation.
     * @param {{ text: string, model: string, edits?: Edit[] }} view
     * @param {TraceJSON} found
     * @param {TraceJSON | null} without the translation without edits
     */
    shown(view, found, without) {
      const now = `${view.model} ${view.text}`;
      if (now !== sentence) history.clear();
      [sentence, trace, unedited] = [now, found, without];
      edits = view.edits ?? [];
      if (edits.length) show(true);
      draw();
      boards.at(at.step);
    },
    /** @param {Place} now the step and head on show */
    at(now) {
      if (now.step !== at.step || !sameHead(now, at)) base = null;
      at = now;
      boards.at(now.step);
      draw();
    },
    /** @param {KeyboardEvent} event */
    key(event) {
      const { tagName, type } = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
      if (!open || event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || tagName === "INPUT" && type === "text") return;
      event.preventDefault();
      restore(event.shiftKey ? history.redo(edits) : history.undo(edits));
    },
  };
}

/**
 * What a reader can do, and what an edit does.
 * @param {boolean} attends @param {boolean} hard @param {boolean} all whether an edit is of all heads @param {boolean} beam
 */
function ruleFor(attends, hard, all, beam) {
  const parts = [];
  if (!attends) parts.push(t("This model has no attention: only its words can be set."));
  else if (hard) parts.push(t("Click a word under the bars: hard attention has all its weight on one word."));
  else parts.push(t("Drag a bar: the other weights keep their ratios. Click a word under the bars to give it all the weight, or drag across cells of this step's row in the heatmap to share it."));
  if (attends) parts.push(t("The scores do not change."));
  if (all) parts.push(t("An edit applies to all heads; choose a layer and head to edit only that one."));
  if (beam) parts.push(t("The edits apply to every hypothesis of the beam."));
  return parts.join(" ");
}
