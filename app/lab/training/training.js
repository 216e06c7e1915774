// The Training page's stage: a training is chosen, or started on this machine; its snapshots are played, and one in
// progress is followed. A moment can be kept and compared with another one. The server is asked only while the page is visible.

import { t } from "../../../attn_core/web/player/core/messages.js";
import { grouped } from "../../../attn_core/web/player/core/numbers.js";
import { chip } from "../kit/chip.js";
import { el, iconButton, slider } from "../../../attn_core/web/player/dom/elements.js";
import { hide } from "../../../attn_core/web/player/dom/focus.js";
import { showPlaying } from "../../../attn_core/web/player/dom/steps.js";
import { fromAddress, inAddress, numberFromAddress } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { html } from "../../../attn_core/web/player/dom/html.js";
import { render } from "../../../attn_core/web/vendor/preact.js";
import { Boards } from "../../explorer/compare/boards.js";
import { mounted } from "../kit/mount.js";
import { trainingCurves } from "./curves.js";
import { asked } from "./server.js";
import { attentionMap } from "./maps.js";
import { atBoth, movedBetween } from "./moments.js";
import { nearest, panels, progress } from "./panels.js";
import { valueIn } from "../../../attn_core/web/player/core/lookup.js";
import { onKey } from "../../../attn_core/web/player/dom/typing.js";

/** @import { Stage } from "../../shell/types.d.ts" */
/** @import { Answer, Listed, Sentence, Snapshot, TrainingData, TrainingRecord } from "./types.d.ts" */

const PACE = 350; // ms of a snapshot when they are played
const FOLLOWED = 700; // ms between two looks at a training in progress
const OFTEN = 2500; // ms between two looks at the list

/**
 * @param {HTMLElement} host
 * @param {TrainingData} data
 * @param {boolean} opening
 * @returns {Stage}
 */
function createTraining(host, { tasks, presets }, opening) {
  const select = el("select", { class: "ap-select", "aria-label": t("Training") });
  const task = el("select", {}, ...tasks.map((name) => el("option", { value: name, text: name })));
  const preset = el("select", {}, ...presets.map((name) => el("option", { value: name, text: name })));
  const buttons = {
    start: button(t("Start training"), { "aria-describedby": "training-refusal" }), pause: button(t("Pause")), resume: button(t("Resume")), stop: button(t("Stop")),
  };
  const starting = el("span", { class: "tr-start live" }, chip(t("Task"), task), chip(t("Model"), preset), buttons.start);
  const refusal = el("p", { class: "tr-elsewhere", id: "training-refusal", hidden: true });
  const now = el("span"); // the numbers of a training in progress, which change too often to be announced
  const said = el("span", { role: "status" });
  const note = el("p", { class: "live-note tr-note", role: "alert" });
  const play = iconButton("play", t("Play"), "Space");
  play.classList.add("ap-play");
  const scrub = slider(t("Snapshot"), { class: "ap-scrub", min: 0, max: 0, value: 0 });
  const at = el("output", { class: "tr-at" });
  const maps = [attentionMap(), attentionMap(), attentionMap(), attentionMap()];
  const pairs = el("div", { class: "tr-pairs" });
  const keep = button(t("Keep this snapshot to compare"));
  const moves = el("p", { class: "tr-moves", role: "status" });
  const empty = el("p", { class: "tr-empty" });
  const curves = trainingCurves((update) => {
    if (updates().length) jump(nearest(updates(), update));
  });
  const shownMaps = el("div", { class: "tr-maps" }, ...maps.map(({ figure }) => figure), empty);
  const body = el("div", { class: "tr-body" }, el("div", {}, shownMaps, moves, pairs), curves.root);
  const root = el(
    "div", { class: "ap-root" },
    el(
      "div", { class: "ap tr" },
      el("div", { class: "tr-head" }, el("span", { class: "tr-start" }, select, buttons.pause, buttons.resume, buttons.stop), starting),
      refusal, el("p", { class: "tr-status" }, now, said), note,
      el("div", { class: "tr-deck" }, play, scrub, at, keep),
      body,
    ),
  );
  host.append(root);
  const box = onPage(root, draw);
  const address = inAddress();

  let name = opening ? fromAddress("training") ?? "" : "";
  let stamp = "";
  let place = 0;
  let farthest = 0; // the last snapshot that the reader has seen: the curves end there, so that they do not answer first
  /** @type {number | null} the update of the moment that is kept */
  let kept = opening ? numberFromAddress("against", 1, Infinity) : null;
  let linked = opening ? numberFromAddress("at", 1, Infinity) : null; // the moment that a link asks for
  let playing = 0;
  let stopped = false;
  /** @type {TrainingRecord | null} */
  let record = null;
  /** @type {Answer | null} */
  let answer = null;
  /** @type {Listed | null} */
  let list = null;
  /** @type {ReturnType<typeof setTimeout>[]} */
  let timers = [];

  const updates = () => (record?.snapshots?.snapshots ?? []).map(({ update }) => update);

  /** @param {number} to */
  function jump(to) {
    place = Math.min(Math.max(to, 0), Math.max(updates().length - 1, 0));
    farthest = Math.max(farthest, place);
    scrub.value = String(place);
    store();
    box.ask();
  }

  /** The snapshot that a link without a moment shows: the first one, or the newest of a training in progress. */
  const usual = () => (answer?.state === "training" ? Math.max(updates().length - 1, 0) : 0);

  /** Put the moments into the address. */
  function store() {
    address.keep({ at: place === usual() ? null : updates()[place], against: kept });
  }

  /** @param {number | null} update */
  function compare(update) {
    kept = update;
    store();
    box.ask();
  }

  function draw() {
    const { snapshots, sentences } = record?.snapshots ?? { snapshots: [], sentences: [] };
    const shown = snapshots[place];
    const before = kept === null || !shown ? undefined : snapshots[nearest(updates(), kept)];
    const comparing = Boolean(before && sentences.length);
    body.classList.toggle("tr-two", comparing);
    drawBoth(sentences, before && shown ? [before, shown] : null);
    keep.hidden = !shown || !sentences.length;
    keep.textContent = comparing ? t("End comparison") : t("Keep this snapshot to compare");
    maps.forEach(({ figure, draw: drawMap }, i) => {
      const there = !comparing && shown && sentences[i] && shown.sentences[i];
      figure.hidden = !there;
      if (there) drawMap(sentences[i], shown.sentences[i], shown.update, box.theme());
    });
    empty.hidden = Boolean(shown && sentences.length);
    empty.textContent = shown ? t("This training run has no attention to show: its model has none, or there are no sentences in its languages.") : record ? t("No snapshot yet.") : "";
    scrub.max = String(Math.max(snapshots.length - 1, 0));
    scrub.value = String(place);
    scrub.style.setProperty("--ap-done", String(snapshots.length > 1 ? place / (snapshots.length - 1) : 0));
    const total = record?.snapshots?.updates ?? 1;
    at.textContent = shown ? t("after update {update} of {updates}", { update: grouped(shown.update), updates: grouped(total) }) : "";
    scrub.setAttribute("aria-valuetext", at.textContent);
    curves.root.style.visibility = record?.snapshots ? "" : "hidden";
    const until = farthest < snapshots.length - 1 ? snapshots[farthest].update : Infinity;
    if (record?.snapshots) curves.show(panels(record, until), total, until, shown?.update ?? 1, before?.update ?? null, Math.max(300, Math.min(root.clientWidth * 0.4, 400)));
  }

  /**
   * Each sentence at the kept moment and at this one, and what moved; nothing while no moment is kept.
   * @param {Sentence[]} sentences
   * @param {[Snapshot, Snapshot] | null} both
   */
  function drawBoth(sentences, both) {
    const drawn = both ? sentences.map((sentence, i) => html`<${Boards} boards=${atBoth(sentence, i, both)} step=${-1} theme=${box.theme()} dispatch=${() => {}} />`) : null;
    render(drawn, pairs);
    moves.hidden = !both || !sentences.length;
    if (!both) return;
    const share = movedBetween(both);
    if (share === null) return;
    moves.textContent = both[0].update === both[1].update
      ? t("The snapshot after update {update} is kept. Move to another one.", { update: grouped(both[0].update) })
      : t("Between updates {one} and {other}, {share}% of the attention moved to other words. Filled squares: more weight after update {one}. Hollow: more after {other}.", { one: grouped(both[0].update), other: grouped(both[1].update), share: Math.round(100 * share) });
  }

  function tell() {
    const state = answer?.state ?? "recorded";
    const here = list?.trainings.find((one) => one.name === name);
    const may = Boolean(list?.may && here?.own);
    const [pausable, resumable] = [may && state === "training", may && state === "paused"];
    const next = pausable ? buttons.pause : resumable ? buttons.resume : select;
    next.hidden = false; // before another one loses the focus to it
    hide(buttons.pause, !pausable, next);
    hide(buttons.resume, !resumable, next);
    hide(buttons.stop, !(pausable || resumable), next);
    starting.hidden = !list;
    for (const choice of [task, preset]) choice.disabled = !list?.may;
    refusal.hidden = !list?.refusal;
    refusal.textContent = list?.refusal ?? "";
    const own = list?.trainings.find((one) => one.own && one.state === "training");
    buttons.start.disabled = Boolean(!list?.may || own || list.starting);
    const waiting = list?.starting ? t("The training run is starting; this takes a few seconds.") : "";
    const goesOn = here?.own && state === "training" ? t("It runs in its own process and continues when you leave this page or stop the server.") : "";
    const words = here?.reason ? t("This training run cannot be shown: {reason}.", { reason: here.reason }) : progress(state, answer?.status ?? {});
    now.textContent = state === "training" ? `${words} ` : "";
    write(said, [waiting || (state === "training" ? "" : words), goesOn].filter(Boolean).join(" "));
    if (list?.failure) write(note, list.failure);
  }

  /** Ask for the list of trainings, and choose one if none is chosen. */
  async function look() {
    const found = /** @type {Listed} */ (await asked("/training/list"));
    const before = list;
    list = found;
    const names = found.trainings.map((one) => one.name);
    if (JSON.stringify(before?.trainings) !== JSON.stringify(found.trainings)) {
      select.replaceChildren(...found.trainings.map((one) => el("option", { value: one.name, text: label(one) })));
    }
    if (before?.starting && !found.starting && !found.failure && names.includes(`runs/synthetic/${before.starting}`)) follow(`runs/synthetic/${before.starting}`);
    if (!names.includes(name)) {
      if (name) note.textContent = t("There is no training run “{name}”; another one is shown.", { name: name.slice(0, 60) });
      follow(names[0] ?? "");
    }
    select.value = name;
    tell();
    if (!answer) await watch();
  }

  /** @param {string} to */
  function follow(to) {
    if (to === name && record) return;
    curves.all();
    if (name) kept = linked = null; // they are of another training
    [name, stamp, record, answer, place, farthest] = [to, "", null, null, 0, 0];
    address.keep({ training: to, at: linked, against: kept });
    select.value = to;
    box.ask();
  }

  /** Ask for the chosen training; one in progress is asked for again. */
  async function watch() {
    if (!name || list?.trainings.some((one) => one.name === name && one.state === "damaged")) return;
    const asks = name;
    const found = /** @type {Answer} */ (await asked(`/training/record?name=${encodeURIComponent(name)}&stamp=${stamp}`));
    if (asks !== name || stopped) return;
    const first = record === null;
    const last = place >= updates().length - 1;
    answer = found;
    stamp = found.stamp;
    if (found.record) record = found.record;
    if (first && linked !== null && updates().length) place = nearest(updates(), linked);
    else if (first) place = usual();
    else if (last && !playing) place = Math.max(updates().length - 1, 0); // follow the newest snapshot
    place = Math.min(place, Math.max(updates().length - 1, 0)); // a training begun anew has fewer
    farthest = Math.max(farthest, place);
    linked = null;
    tell();
    box.ask();
  }

  /**
   * Call `work` now and every `wait` ms while the page is visible and `needed`; a failure is shown, and tried again.
   * @param {() => Promise<void>} work
   * @param {number} wait
   * @param {() => boolean} needed
   * @param {number} slot
   */
  async function repeat(work, wait, needed, slot) {
    if (stopped) return;
    try {
      if (!document.hidden && needed()) await work();
    } catch (error) {
      failed(/** @type {Error} */ (error));
    }
    if (!stopped) timers[slot] = setTimeout(repeat, wait, work, wait, needed, slot);
  }

  /** @param {Error} error */
  function failed({ message }) {
    now.textContent = "";
    write(said, t("The request failed: {error}", { error: message }));
  }

  /**
   * @param {"start" | "pause" | "resume" | "stop"} act
   * @param {Record<string, string>} given
   */
  async function request(act, given) {
    note.textContent = "";
    try {
      await asked(`/training/${act}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given) });
      await look();
      await watch();
    } catch (error) {
      note.textContent = /** @type {Error} */ (error).message;
    }
  }

  function toggle() {
    if (playing) {
      clearInterval(playing);
      playing = 0;
    } else {
      if (place >= updates().length - 1) jump(0);
      playing = window.setInterval(() => {
        if (place >= updates().length - 1) toggle();
        else jump(place + 1);
      }, PACE);
    }
    showPlaying(play, Boolean(playing), t("Pause playback"));
  }

  select.addEventListener("change", () => {
    note.textContent = "";
    follow(select.value);
    tell();
    watch().catch(failed);
  });
  scrub.addEventListener("input", () => jump(Number(scrub.value)));
  play.addEventListener("click", toggle);
  keep.addEventListener("click", () => compare(kept === null ? updates()[place] : null));
  onKey(root, (event) => {
    if (event.key !== " " || event.target instanceof HTMLButtonElement || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    toggle();
  });
  buttons.start.addEventListener("click", () => request("start", { task: task.value, preset: preset.value }));
  buttons.pause.addEventListener("click", () => request("pause", { name }));
  buttons.resume.addEventListener("click", () => request("resume", { name }));
  buttons.stop.addEventListener("click", () => request("stop", { name }));
  box.watch(curves.root);
  tell();
  repeat(look, OFTEN, () => true, 0);
  const going = () => answer?.state === "training" || list?.trainings.some((one) => one.name === name && one.state === "training");
  repeat(watch, FOLLOWED, () => Boolean(going()), 1);

  return {
    update: box.restyle,
    destroy() {
      stopped = true;
      clearInterval(playing);
      timers.forEach(clearTimeout);
      timers = [];
      address.stop();
      box.stop();
    },
  };
}

/**
 * A training in the list.
 * @param {Listed["trainings"][number]} one
 */
function label({ name, state }) {
  const [kind, ...rest] = name.split("/");
  const short = rest.at(-1) ?? kind;
  const states = { recorded: kind === "shipped" ? t("shipped model") : t("recorded"), training: t("training now"), paused: t("paused"), finished: t("finished"), stopped: t("stopped"), damaged: t("damaged") };
  return `${short} (${valueIn(states, state) ?? state})`;
}

/** Write what is announced when it changes. @param {HTMLElement} place @param {string} text */
function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** @param {string} text @param {Record<string, string>} [attributes] */
const button = (text, attributes) => el("button", { type: "button", class: "live-button", text, ...attributes });

export default mounted(createTraining);
