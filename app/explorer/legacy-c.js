// The comparison and the editing of stage.js, which draws them as components until the page is one. Temporary.

import { openModel, requestOf, usable } from "../../attn_core/web/hosts/opened.js";
import { failure } from "../../attn_core/web/hosts/remarks.js";
import { typeIn } from "../../attn_core/web/hosts/sentence.js";
import { NO_HEAD, sameHead } from "../../attn_core/web/player/core/looks.js";
import { t } from "../../attn_core/web/player/core/messages.js";
import { el } from "../../attn_core/web/player/dom/elements.js";
import { Guarded, html } from "../../attn_core/web/player/dom/html.js";
import { paintedEdits, wordEdit, wordOfRank } from "../../attn_core/web/state/editing.js";
import { keepEdits, NO_HISTORY, redoEdits, undoEdits } from "../../attn_core/web/state/history.js";
import { render } from "../../attn_core/web/vendor/preact.js";
import { Comparison } from "./compare/comparison.js";
import { comparedRuns, comparisonOf, runBeside, staysComparable } from "./compare/selectors.js";
import { EditedMaps } from "./surgery/edited-maps.js";
import { Editing } from "./surgery/editing.js";
import { historyKey } from "./surgery/history-keys.js";
import { liveView, runOf } from "./view.js";

/**
 * @import { Edit, TraceJSON } from "../../attn_core/web/engine/types.d.ts"
 * @import { Opened, Serve } from "../../attn_core/web/hosts/opened.js"
 * @import { Axis, LiveView, Offered } from "../../attn_core/web/hosts/types.d.ts"
 * @import { Painted, Theme } from "../../attn_core/web/player/core/types.d.ts"
 * @import { Stroke } from "../../attn_core/web/state/editing.js"
 * @import { EditHistory } from "../../attn_core/web/state/history.js"
 * @import { Action, View } from "../../attn_core/web/state/types.d.ts"
 * @import { EditingAction } from "./surgery/types.d.ts"
 * @import { Page, Place } from "./types.d.ts"
 */

/**
 * @param {{ models: Offered[], axes: Axis[], known: Pick<Page, "windows" | "types">, serve?: Serve, jump: (step: number) => void, show: (view: LiveView) => void, theme: () => Theme, onChange: () => void, onClose: () => void, onEnd: () => void }} given
 */
export function buildCompare({ models, axes, known, serve, jump, show, theme, onChange, onClose, onEnd }) {
  const root = el("div");
  /** @type {{ view: LiveView, trace: TraceJSON } | null} */
  let shown = null;
  /** @type {string | null} */
  let axis = null;
  /** @type {ReturnType<typeof createOther>[]} */
  let others = [];
  let asked = "";
  /** @type {string | null} */
  let problem = null;
  /** @type {Place} */
  let at = { step: 0, ...NO_HEAD };

  /** @param {LiveView} view @returns {View} */
  const viewOf = (view) => ({ ...runOf(view), ...at, text: view.text, compared: axis || !others.length ? null : runOf(others[0].view), race: axis, gloss: "", tour: null });

  function draw() {
    if (!shown || !others.length && !axis) return render(null, root);
    const compared = comparisonOf({ view: viewOf(shown.view), trace: shown.trace, others: others.map((other) => other.trace()), models, axes, windows: known.windows, types: known.types, choice: at });
    render(html`<${Guarded}><${Comparison} ...${compared} problem=${problem} several=${Boolean(axis)} step=${at.step} theme=${theme()} dispatch=${act} onClose=${onClose} /><//>`, root);
  }

  /** @param {Action} action */
  function act(action) {
    if (action.type === "step chosen") jump(action.step);
    if (action.type === "comparison begun") compare(liveView(action.with, ""));
    if (action.type === "race begun") race(action.axis);
    if (action.type === "comparison ended") compare(null);
    if (action.type === "sides swapped" && shown) {
      const { view } = shown;
      const main = { ...others[0].view, text: view.text };
      show(main);
      compare(view, main);
    }
  }

  /** @param {LiveView[]} views */
  function take(views) {
    others.forEach((other) => other.close());
    others = views.map((view) => createOther(/** @type {Offered} */ (models.find(({ name }) => name === view.model)), serve, view, (failed) => {
      problem = failed ? failure(failed) : null;
      draw();
    }));
    onChange();
    ask();
    draw();
  }

  /** @param {LiveView | null} view @param {LiveView} [main] */
  function compare(view, main) {
    if (shown && main) shown.view = main;
    axis = problem = null;
    take(view ? [view] : []);
  }

  /** @param {string} name */
  function race(name) {
    [axis, problem] = [name, null];
    take(shown ? comparedRuns({ ...viewOf(shown.view), compared: null }, models, axes).map((run) => liveView(run, "")) : []);
  }

  function ask() {
    if (!shown) return;
    asked = shown.view.text;
    others.forEach((other) => other.ask(asked));
  }

  return {
    root, draw, compare, race,
    now: () => ({ compared: axis ? null : others[0]?.view ?? null, race: axis }),
    begin() {
      if (shown) compare(liveView(runBeside(viewOf(shown.view), models, axes), ""));
    },
    /** @param {LiveView} view @param {TraceJSON} trace */
    shown(view, trace) {
      const before = shown?.view;
      shown = { view, trace };
      if (!staysComparable(viewOf(view), models)) {
        compare(null);
        onEnd();
      }
      if (axis && view.model !== before?.model) return race(axis);
      const { beam, normalise } = view;
      const next = others.map((other) => (before && follows(other.view, before, view) ? { ...other.view, beam, normalise } : other.view));
      if (next.some((other, i) => other !== others[i].view)) return take(next);
      if (view.text !== asked) ask();
      draw();
    },
    /** @param {Place} place */
    at(place) {
      at = place;
      draw();
    },
    destroy() {
      others.forEach((other) => other.close());
      render(null, root);
    },
  };
}

/** @param {LiveView} other @param {LiveView} before @param {LiveView} now */
function follows(other, before, now) {
  const had = other.beam === before.beam && other.normalise === before.normalise;
  return had && other.model !== now.model && (now.beam !== before.beam || now.normalise !== before.normalise);
}

/**
 * @param {Offered} model
 * @param {Serve | undefined} serve
 * @param {LiveView} view
 * @param {(problem?: Error) => void} heard
 */
function createOther(model, serve, view, heard) {
  /** @type {Promise<Opened> | null} */
  let opening = null;
  /** @type {TraceJSON | null} */
  let trace = null;
  let turn = 0;
  function opened() {
    if (!opening) {
      opening = openModel(model, serve);
      opening.catch(() => { opening = null; });
    }
    return opening;
  }
  return {
    view,
    trace: () => trace,
    /** @param {string} text */
    async ask(text) {
      const now = ++turn;
      trace = null;
      try {
        const { decoder, files } = await opened();
        if (now !== turn) return;
        const how = files ? usable(view.how, files) : view.how;
        const type = files && view.type ? typeIn(files.graphs, how.window, view.type) : view.type;
        const answer = await decoder.translate(requestOf({ ...view, how, type, text }));
        if (now !== turn || !answer) return;
        ({ trace } = answer);
        heard();
      } catch (failed) {
        if (now === turn) heard(/** @type {Error} */ (failed));
      }
    },
    close() {
      turn += 1;
      opening?.then(({ decoder }) => decoder.close(), () => {});
    },
  };
}

/** @param {{ change: (edits: Edit[]) => void, jump: (step: number) => void, theme: () => Theme, onOpen: () => void }} given */
export function buildSurgery({ change, jump, theme, onOpen }) {
  const about = t("Set weights, a context vector or a word by hand; the rest is decoded with it.");
  const begin = el("button", { type: "button", class: "live-button su-begin", text: t("Edit attention"), title: about, "aria-pressed": "false" });
  begin.addEventListener("click", () => show(!open));
  const [root, maps] = [el("div"), el("div")];
  /** @type {EditHistory} */
  let history = NO_HISTORY;
  /** @type {Edit[]} */
  let edits = [];
  let open = false;
  /** @type {TraceJSON | null} */
  let trace = null;
  /** @type {TraceJSON | null} */
  let unedited = null;
  /** @type {Place} */
  let at = { step: 0, ...NO_HEAD };
  /** @type {Stroke | null} */
  let stroke = null;
  let sentence = "";

  /** @param {Edit[]} next @param {boolean} kept */
  function set(next, kept = true) {
    if (kept) history = keepEdits(history, edits);
    edits = next;
    change(edits);
    draw();
  }

  /** @param {Painted} painted */
  function paint(painted) {
    if (!trace || !open) return;
    const next = paintedEdits({ edits, trace, at, stroke }, painted);
    stroke = next.stroke;
    if (next.edits === edits) draw();
    else set(next.edits, next.keepsHistory);
  }

  /** @param {ReturnType<typeof undoEdits>} found */
  function restore(found) {
    if (!found) return;
    ({ history } = found);
    set(found.edits, false);
  }

  /** @param {EditingAction} action */
  function act(action) {
    if (action.type === "step chosen") jump(action.step);
    if (action.type === "weights painted") paint(action);
    if (action.type === "edits set") set(action.edits);
    if (action.type === "edits undone") restore(undoEdits(history, edits));
    if (action.type === "edits redone") restore(redoEdits(history, edits));
    if (action.type === "editing ended") show(false);
  }

  /** @param {boolean} yes */
  function show(yes) {
    if (open === yes) return;
    open = yes;
    draw();
    if (!yes && edits.length) set([]);
    begin.setAttribute("aria-pressed", String(open));
    begin.title = open ? t("End editing and remove the edits. To bring them back, edit again and undo.") : about;
    onOpen();
  }

  function draw() {
    const shown = open && trace;
    const given = { trace, unedited, edits, at, dispatch: act };
    const [canUndo, canRedo] = [history.past.length > 0, history.future.length > 0];
    render(shown && html`<${Guarded}><${Editing} ...${given} stroke=${stroke} canUndo=${canUndo} canRedo=${canRedo} onClose=${() => begin.focus()} /><//>`, root);
    render(shown && unedited && edits.length ? html`<${Guarded}><${EditedMaps} ...${given} theme=${theme()} /><//>` : null, maps);
  }

  return {
    root, maps, begin, paint, draw,
    isOpen: () => open,
    /** @param {number} rank */
    word(rank) {
      const word = trace && wordOfRank(trace, at.step, rank);
      if (word) set(wordEdit(edits, at.step, word));
    },
    /** @param {{ text: string, model: string, edits?: Edit[] }} view @param {TraceJSON} found @param {TraceJSON | null} without */
    shown(view, found, without) {
      const now = `${view.model} ${view.text}`;
      if (now !== sentence) history = NO_HISTORY;
      [sentence, trace, unedited] = [now, found, without];
      edits = view.edits ?? [];
      if (edits.length) show(true);
      draw();
    },
    /** @param {Place} now */
    at(now) {
      if (now.step === at.step && sameHead(now, at)) return;
      at = now;
      draw();
    },
    /** @param {KeyboardEvent} event */
    key(event) {
      const type = open ? historyKey(event) : null;
      if (!type) return;
      event.preventDefault();
      act({ type });
    },
  };
}
