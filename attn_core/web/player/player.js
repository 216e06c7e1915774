// The step player for a trace: playback, stepping, tooltips and, where a model can decode again, sliders for its window.
//
//   const player = createPlayer(host, { trace, options, decoder });
//   player.update(trace, options);   player.destroy();
//
// options: theme "auto" | "light" | "dark"; the initial step, layer and head (HeadChoice in types.d.ts); map (whether the heatmap
//          is shown); windows, types, paint and glosses (types.d.ts)
// decoder: decodes with the window of the sliders (types.d.ts), until it rejects; without one there are no sliders.

import { headChoice, NO_HEAD, shownLook } from "./core/looks.js";
import { readable } from "./core/pieces.js";
import { requests } from "./core/requests.js";
import { between } from "./core/rows.js";
import { decodedWith, givenWindow, howOf, isMovable, relinked, same, withCenter, withLive } from "./core/settings.js";
import { rowsKept, stepsOf, viewOf } from "./core/view.js";
import { fillLooks, fillSentence, showBadge, showDeck, showHeatmap, showLost, showModel, showNext, showSentence, showWindow, typeNote } from "./dom/panels.js";
import { liveKnobs } from "./dom/knobs.js";
import { build } from "./dom/skeleton.js";
import { onPrint } from "./dom/print.js";
import { themeOf } from "./dom/theme.js";
import { fillTables, hideTip, showTip, spokenStep } from "./dom/tooltip.js";
import { wire } from "./dom/wiring.js";
import { makePainter } from "./draw/painter.js";

/**
 * @import { Acts, Geometry, HeadChoice, Hooks, Options, Picture, Player, Settings, State, Trace } from "./core/types.d.ts"
 * @typedef {{ row: Picture | null, at: number }} Place a picture and its step; both may be interpolated
 */

const PACE = 1000; // ms per step at speed 1
const GLIDE = 260; // ms of the transition between steps while playing

/**
 * @param {HTMLElement} host
 * @param {{ trace: Trace, options?: Options } & Hooks} given
 * @returns {Player}
 */
export function createPlayer(host, { trace: first, options = {}, decoder = null }) {
  const ui = build(host);
  const painter = makePainter(ui);
  const rowsOf = rowsKept();
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const low = matchMedia("(max-height: 840px)"); // as in player.css
  const hooks = { decoder };
  /** @type {Record<string, ReturnType<typeof setTimeout>>} */
  const timers = {};
  /** @type {State} */
  const state = {
    look: null, heat: "weights", eos: true, speed: 1, step: 0, draft: null, playing: false, hover: null, busy: false,
  };
  let given = first; // with tokens as in the vocabulary
  let trace = readable(first);
  /** @type {Geometry | null} */
  let geometry = null;
  /** @type {(Place & { start: number }) | null} the start of the current transition */
  let glide = null;
  /** @type {Place} what was drawn last */
  let shown = { row: null, at: 0 };
  let frameId = 0;
  let nextAt = 0;
  let changed = true;
  let opts = complete(options);
  let theme = themeOf(ui.root, opts.theme);
  let view = viewOf(trace, state, rowsOf, theme, opts);

  /**
   * Change the state; the picture is redrawn in the next frame.
   * @param {Partial<State>} change
   * @param {typeof glide} motion
   */
  function set(change, motion = null) {
    glide = motion;
    Object.assign(state, change);
    changed = true;
    ask();
  }

  const ask = () => { frameId ||= requestAnimationFrame(frame); };

  const steps = () => stepsOf(trace, state.eos);
  /** @param {number} time */
  function frame(time) {
    frameId = 0;
    if (state.playing && time >= nextAt) advance(time);
    if (changed) refresh();
    if (changed || glide) draw(time);
    changed = false;
    if (state.playing || glide) ask();
  }

  /** @param {number} time */
  function advance(time) {
    const pace = PACE / state.speed;
    nextAt = nextAt && time - nextAt < pace ? nextAt + pace : time + pace;
    if (state.step >= steps() - 1) return set({ playing: false });
    set({ step: state.step + 1 }, still.matches ? null : { ...shown, start: time });
    follow(true);
  }

  /** @param {number} time */
  function draw(time) {
    if (!trace.steps.length || !ui.plots.clientWidth) return;
    const goal = { row: view.rows[state.step] ?? null, at: state.step };
    shown = goal;
    if (glide) {
      const k = Math.min((time - glide.start) / Math.min(GLIDE, (PACE / state.speed) * 0.5), 1);
      const eased = 1 - (1 - k) ** 3;
      if (k < 1 && glide.row && goal.row) {
        shown = { row: { ...between(glide.row, goal.row, eased), goal: goal.row }, at: glide.at + (goal.at - glide.at) * eased };
      } else glide = null;
    }
    geometry = painter.paint(view, shown.row, shown.at);
    const detail = { step: state.step, ...headChoice(trace.steps[0].looks, state.look), moving: Boolean(glide) };
    host.dispatchEvent(new CustomEvent("attention-player", { detail, bubbles: true, composed: true }));
  }

  /** Update the elements around the canvases. */
  function refresh() {
    const n = steps();
    state.step = Math.min(Math.max(state.step, 0), Math.max(n - 1, 0));
    view = viewOf(trace, state, rowsOf, theme, opts);
    const step = trace.steps[state.step];
    const row = view.rows[state.step];
    ui.frame.classList.toggle("ap-vector", !view.rows.length);
    ui.vectorNote.hidden = Boolean(view.rows.length);
    ui.row.hidden = !view.rows.length || !view.map;
    showSentence(ui, state.step);
    Array.from(ui.sentence.children).forEach((word, i) => word.toggleAttribute("hidden", i >= n));
    showDeck(ui, state.step, n, state.playing);
    showBadge(ui, {
      kept: view.decoded.keep, first: state.step === 0, intervention: Boolean(trace.settings.intervention), edits: trace.settings.edits?.length ?? 0,
      type: typeNote(trace.settings, opts.types),
    });
    if (step) showNext(ui, step, low.matches ? 5 : 8);
    const { decoder: decodes } = hooks;
    showWindow(ui, { trace, now: view.now, trained: view.trained, windows: windows(), knobs, decodes: Boolean(decodes), keeps: decodes?.keeps ?? false, step: state.step, center: row?.center ?? null });
    showLost(ui, row, view.look.bell && view.look.mode === "after_softmax" && !view.look.hard && !view.look.edited);
    showHeatmap(ui, view);
    showModel(ui, trace, view, opts);
    ui.later.hidden = state.step >= n - 1;
    if (!step) return;
    const spoken = spokenStep(trace, row, state.step, n);
    ui.plot.setAttribute("aria-label", spoken);
    later("live", 250, () => { ui.live.textContent = spoken; });
    later("tables", 150, tables);
    if (state.hover && !ui.tip.hidden) tip();
  }

  /**
   * @param {string} name
   * @param {number} delay
   * @param {() => void} action
   */
  function later(name, delay, action) {
    clearTimeout(timers[name]);
    timers[name] = setTimeout(action, delay);
  }

  function tables() {
    if (!ui.table.open || !trace.steps.length) return;
    const { rows, source, targets } = view;
    const { bell } = view.look;
    const mean = Boolean(view.look.mean);
    fillTables(ui, { source, target: targets, rows: rows.slice(0, targets.length), step: state.step, bell, mean, heat: view.look.heat, trace });
  }

  function tip() {
    if (!state.hover) return;
    const { column, x, y } = state.hover;
    const i = state.hover.part === "map" ? state.hover.row : state.step;
    if (!view.rows[i]) return hideTip(ui);
    showTip(ui, { source: trace.source, target: view.targets, row: view.rows[i], s: column, i, bell: view.look.bell, mean: Boolean(view.look.mean) }, x, y);
  }

  /**
   * Scroll to the current position if the stage is wider than the screen.
   * @param {boolean} smooth
   */
  function follow(smooth) {
    const row = view.rows[state.step];
    if (!geometry || !row || geometry.content <= ui.scroll.clientWidth + 1) return;
    const place = row.center ?? row.weights.indexOf(Math.max(...row.weights));
    const left = geometry.x(place) - ui.scroll.clientWidth / 2;
    ui.scroll.scrollTo({ left, behavior: smooth && !still.matches ? "smooth" : "auto" });
  }

  const windows = () => opts.windows ?? {};

  /**
   * Decode with other settings.
   * @param {Settings} draft
   */
  function attempt(draft) {
    set({ draft });
    requested.ask(howOf(draft, trace, windows()));
  }

  const requested = requests(hooks, redecoded, () => {
    hooks.decoder = null; // what is shown is a recording now
    set({ draft: null });
  });

  /**
   * Show the same sentence decoded with other settings.
   * @param {Trace} found
   */
  function redecoded(found) {
    take(found);
    set(reached() && !state.busy ? { draft: null } : {});
    fillLooks(ui, trace, state.look);
  }

  /** Whether the trace is what the sliders ask for. */
  function reached() {
    const decoded = decodedWith(trace, windows());
    return !state.draft || state.draft.keep === decoded.keep && same(state.draft, decoded, windows());
  }

  /**
   * Replace the trace.
   * @param {Trace} found
   */
  function take(found) {
    const old = trace;
    [given, trace] = [found, readable(found)];
    if (old.target.join("\n") !== trace.target.join("\n")) fillSentence(ui, trace.target, act.jump);
  }

  /** @type {Acts} */
  const act = {
    jump(step) {
      set({ step: Math.min(Math.max(step, 0), Math.max(steps() - 1, 0)), playing: false });
      follow(false);
    },
    move: (by) => act.jump(state.step + by),
    toggle() {
      if (state.playing) return set({ playing: false });
      const again = state.step >= steps() - 1;
      nextAt = performance.now() + PACE / state.speed;
      set({ playing: steps() > 1, step: again ? 0 : state.step });
      if (again) follow(false);
    },
    speed(speed) {
      nextAt = performance.now() + PACE / speed;
      set({ speed });
    },
    heat: (name) => set({ heat: name }),
    eos: (eos) => set({ eos }),
    look: (index) => set({ look: index }),
    tables,
    busy: (busy) => { state.busy = busy; },
    live: (name, value) => attempt(withLive(view.now, name, value)),
    center: (place) => attempt(withCenter(view.now, state.step, place)),
    ownCenter: () => attempt(withCenter(view.now, state.step, null)),
    link: (name) => attempt(relinked(view.now, name, windows())),
    give() {
      const given = isMovable(view.trained, windows()) ? view.trained : givenWindow(windows(), trace.source.length);
      if (given) attempt({ ...given, keep: view.now.keep });
    },
    asTrained: () => attempt({ ...view.trained, keep: view.now.keep }),
    keep: (keep) => attempt({ ...view.now, keep }),
    settle: () => { if (reached()) set({ draft: null }); },
    hover(spot, x, y) {
      if (!spot) return act.leave();
      set({ hover: { ...spot, x, y } }, glide);
      tip();
    },
    leave() {
      if (!state.hover) return;
      set({ hover: null }, glide);
      hideTip(ui);
    },
  };

  const knobs = liveKnobs(ui, act);

  /**
   * Defaults of the options that a host omits.
   * @param {Options} options
   */
  function complete(options) {
    return { theme: "auto", step: null, ...NO_HEAD, ...options };
  }

  /**
   * Show another trace or other options. The step is kept if the sentence is the same.
   * @param {Trace} newTrace
   * @param {Options} newOptions
   * @param {Hooks} newHooks
   */
  function update(newTrace, newOptions = opts, newHooks = {}) {
    Object.assign(hooks, newHooks);
    opts = complete(newOptions);
    const fresh = newTrace !== given;
    const old = trace;
    if (fresh) take(newTrace);
    restyle();
    if (fresh) {
      requested.outdate();
      const [heads, before] = [trace.steps[0]?.looks ?? [], old.steps[0]?.looks ?? []];
      const kept = heads.length === before.length && (state.look === null || heads.length > state.look);
      set({ hover: null, look: kept ? state.look : opening(opts) });
      hideTip(ui);
      if (old.model !== trace.model || !state.busy) set({ draft: null });
      if (old.source.join("\n") !== trace.source.join("\n")) begin(opts.step ?? 0);
    }
    fillLooks(ui, trace, state.look);
    set({});
  }

  /** @param {number} step */
  function begin(step) {
    set({ step, draft: null, playing: false });
    ui.scroll.scrollLeft = 0;
  }

  /**
   * The index of the chosen head, else of the clearest one; null is the mean, and the only choice for a model with one look.
   * @param {Partial<HeadChoice>} choice
   */
  function opening({ layer = null, head = null }) {
    return shownLook(trace.steps, { layer, head });
  }

  function restyle() {
    theme = themeOf(ui.root, opts.theme);
    if (ui.root.dataset.theme === theme) return;
    ui.root.dataset.theme = theme;
    set({});
  }

  const stops = [wire(ui, act, () => geometry, { step: () => (opts.paint ? state.step : null), weight: painter.weightAt }), onPrint(() => { restyle(); set({}); frame(performance.now()); })];
  const resize = () => set({}, glide);
  const resized = new ResizeObserver(resize);
  resized.observe(ui.plots);
  const themed = new MutationObserver(restyle);
  themed.observe(document.body, { attributes: true });
  dark.addEventListener("change", restyle);
  window.addEventListener("resize", resize);
  document.fonts?.ready.then(resize);
  restyle();
  fillSentence(ui, trace.target, act.jump);
  set({ look: opening(opts) });
  begin(opts.step ?? 0);
  fillLooks(ui, trace, state.look);

  return {
    update, jump: act.jump,
    go(place) {
      act.jump(place.step);
      set({ look: opening(place) });
      fillLooks(ui, trace, state.look);
    },
    destroy() {
      cancelAnimationFrame(frameId);
      frameId = -1; // no more frames, even if a decoder answers later
      Object.values(timers).forEach(clearTimeout);
      for (const stop of stops) stop();
      knobs.stop();
      for (const observer of [resized, themed]) observer.disconnect();
      dark.removeEventListener("change", restyle);
      window.removeEventListener("resize", resize);
      ui.root.remove();
    },
  };
}
