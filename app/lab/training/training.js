// The Training page's stage: the snapshots of a recorded training, or of one in progress, which the reader can start on
// this machine. A snapshot can be kept and compared with others. Requests are sent only while the page is visible.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { grouped } from "../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { setHidden } from "../../../attn_core/browser/player/dom/focus.js";
import { showPlaying } from "../../../attn_core/browser/player/dom/steps.js";
import { readFromAddress, keepInAddress, numberFromAddress } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { mounted } from "../kit/mount.js";
import { TrainingCurves } from "./curves.js";
import { Comparison } from "./comparison.js";
import { nearest, panels, progressText, trainingLabel } from "./panels.js";
import { buildTraining } from "./parts.js";
import { repeatWhileVisible, requestJson } from "./server.js";
import { onKey } from "../../../attn_core/browser/player/dom/typing.js";

/** @import { Stage } from "../../shell/types.d.ts" */
/** @import { Answer, Listed, Sentence, Snapshot, State, TrainingData, TrainingRecord } from "./types.d.ts" */

const PACE = 350; // ms for a snapshot while playing
const TRAINING_INTERVAL = 700; // ms between two requests for a training in progress
const LIST_INTERVAL = 2500; // ms between two requests for the list

/** @implements {Stage} */
class TrainingStage {
  /** @param {HTMLElement} host @param {TrainingData} data @param {boolean} opening */
  constructor(host, data, opening) {
    this.curves = new TrainingCurves((update) => {
      if (this.updates().length) this.showSnapshot(nearest(this.updates(), update));
    });
    this.comparison = new Comparison();
    this.ui = buildTraining(data, this.curves.root, [this.comparison.note, this.comparison.boards]);
    host.append(this.ui.root);
    this.page = onPage(this.ui.root, () => this.draw());
    this.address = keepInAddress();

    this.trainingName = opening ? (readFromAddress("training") ?? "") : "";
    this.stamp = "";
    this.snapshotIndex = 0;
    this.farthest = 0; // the last snapshot that the reader has seen: the curves end there
    /** @type {number | null} the update of the kept snapshot */
    this.keptUpdate = opening ? numberFromAddress("against", 1, Infinity) : null;
    this.linkedUpdate = opening ? numberFromAddress("at", 1, Infinity) : null; // of the snapshot in a link
    this.playTimer = 0;
    this.isDestroyed = false;
    /** @type {TrainingRecord | null} */
    this.record = null;
    /** @type {Answer | null} */
    this.answer = null;
    /** @type {Listed | null} */
    this.list = null;

    this.listen();
    this.page.watch(this.curves.root);
    this.showState();
    const showFailure = (/** @type {Error} */ error) => this.showFailure(error);
    const follow = async () => {
      if (this.isInProgress()) await this.readTraining();
    };
    this.endRequests = [
      repeatWhileVisible(() => this.readList(), LIST_INTERVAL, showFailure),
      repeatWhileVisible(follow, TRAINING_INTERVAL, showFailure),
    ];
  }

  listen() {
    const { ui } = this;
    ui.select.addEventListener("change", () => {
      ui.note.textContent = "";
      this.chooseTraining(ui.select.value);
      this.showState();
      this.readTraining().catch((error) => this.showFailure(error));
    });
    ui.scrub.addEventListener("input", () => this.showSnapshot(Number(ui.scrub.value)));
    ui.play.addEventListener("click", () => this.togglePlay());
    ui.keep.addEventListener("click", () =>
      this.compareWith(this.keptUpdate === null ? this.updates()[this.snapshotIndex] : null),
    );
    onKey(ui.root, (event) => {
      if (event.key !== " " || event.target instanceof HTMLButtonElement || event.target instanceof HTMLSelectElement)
        return;
      event.preventDefault();
      this.togglePlay();
    });
    ui.buttons.start.addEventListener("click", () =>
      this.sendRequest("start", { task: ui.task.value, preset: ui.preset.value }),
    );
    ui.buttons.pause.addEventListener("click", () => this.sendRequest("pause", { name: this.trainingName }));
    ui.buttons.resume.addEventListener("click", () => this.sendRequest("resume", { name: this.trainingName }));
    ui.buttons.stop.addEventListener("click", () => this.sendRequest("stop", { name: this.trainingName }));
  }

  /** @param {number} index */
  showSnapshot(index) {
    this.snapshotIndex = Math.min(Math.max(index, 0), Math.max(this.updates().length - 1, 0));
    this.farthest = Math.max(this.farthest, this.snapshotIndex);
    this.ui.scrub.value = String(this.snapshotIndex);
    this.keepAddress();
    this.page.ask();
  }

  /** Keep the current snapshot and the kept one in the address. */
  keepAddress() {
    this.address.keep({
      at: this.snapshotIndex === this.usualSnapshot() ? null : this.updates()[this.snapshotIndex],
      against: this.keptUpdate,
    });
  }

  /** @param {number | null} update */
  compareWith(update) {
    this.keptUpdate = update;
    this.keepAddress();
    this.page.ask();
  }

  draw() {
    const { snapshots, sentences } = this.record?.snapshots ?? { snapshots: [], sentences: [] };
    const current = snapshots[this.snapshotIndex];
    const { keptUpdate } = this;
    const kept = current && keptUpdate !== null ? snapshots[nearest(this.updates(), keptUpdate)] : undefined;
    this.drawMaps(sentences, current, kept);
    this.showPlayback(snapshots);
    if (this.record) this.drawCurves(this.record, snapshots, kept);
    this.curves.root.style.visibility = this.record?.snapshots ? "" : "hidden";
  }

  /**
   * Draw the sentences at the current snapshot, or at this one and the kept one.
   * @param {Sentence[]} sentences
   * @param {Snapshot | undefined} current
   * @param {Snapshot | undefined} kept
   */
  drawMaps(sentences, current, kept) {
    const { ui } = this;
    const theme = this.page.theme();
    const isCompared = Boolean(kept && sentences.length);
    ui.body.classList.toggle("tr-two", isCompared);
    this.comparison.draw(sentences, kept && current ? [kept, current] : null, theme);
    ui.maps.forEach((map, i) => {
      const recorded = isCompared ? undefined : current?.sentences[i];
      map.root.hidden = !recorded || !sentences[i];
      if (current && recorded && sentences[i]) map.draw(sentences[i], recorded, current.update, theme);
    });
    const isEmpty = !current || !sentences.length;
    ui.keep.hidden = isEmpty;
    ui.keep.textContent = isCompared ? t("End comparison") : t("Keep this snapshot to compare");
    ui.empty.hidden = !isEmpty;
    ui.empty.textContent = current
      ? t("This training run has no attention to show: its model has none, or there are no sentences in its languages.")
      : this.record
        ? t("No snapshot yet.")
        : "";
  }

  /** Show the place of the current snapshot among all. @param {Snapshot[]} snapshots */
  showPlayback(snapshots) {
    const { scrub, position } = this.ui;
    const last = Math.max(snapshots.length - 1, 0);
    const current = snapshots[this.snapshotIndex];
    scrub.max = String(last);
    scrub.value = String(this.snapshotIndex);
    scrub.style.setProperty("--ap-done", String(last ? this.snapshotIndex / last : 0));
    const updates = grouped(this.record?.snapshots?.updates ?? 1);
    position.textContent = current
      ? t("after update {update} of {updates}", { update: grouped(current.update), updates })
      : "";
    scrub.setAttribute("aria-valuetext", position.textContent);
  }

  /**
   * Draw the curves up to the farthest snapshot that the reader has seen.
   * @param {TrainingRecord} record
   * @param {Snapshot[]} snapshots
   * @param {Snapshot | undefined} kept
   */
  drawCurves(record, snapshots, kept) {
    if (!record.snapshots) return;
    const until = this.farthest < snapshots.length - 1 ? snapshots[this.farthest].update : Infinity;
    const height = Math.max(300, Math.min(this.ui.root.clientWidth * 0.4, 400));
    const marked = snapshots[this.snapshotIndex]?.update ?? 1;
    this.curves.show(panels(record, until), record.snapshots.updates, until, marked, kept?.update ?? null, height);
  }

  /** Show what the list of trainings and the chosen one allow, and how it goes. */
  showState() {
    const state = this.answer?.state ?? "recorded";
    this.showControls(state);
    this.showStatus(state);
  }

  /** The chosen training in the list. */
  chosenTraining() {
    return this.list?.trainings.find((training) => training.name === this.trainingName);
  }

  /** @param {State} state of the chosen training */
  showControls(state) {
    const { ui, list } = this;
    const mayControl = Boolean(list?.may && this.chosenTraining()?.own);
    const [canPause, canResume] = [mayControl && state === "training", mayControl && state === "paused"];
    const nextFocus = canPause ? ui.buttons.pause : canResume ? ui.buttons.resume : ui.select;
    nextFocus.hidden = false; // before a button that is hidden loses the focus to it
    setHidden(ui.buttons.pause, !canPause, nextFocus);
    setHidden(ui.buttons.resume, !canResume, nextFocus);
    setHidden(ui.buttons.stop, !(canPause || canResume), nextFocus);
    ui.startFields.hidden = !list;
    for (const select of [ui.task, ui.preset]) select.disabled = !list?.may;
    ui.refusal.hidden = !list?.refusal;
    ui.refusal.textContent = list?.refusal ?? "";
    const isRunning = list?.trainings.some((training) => training.own && training.state === "training");
    ui.buttons.start.disabled = Boolean(!list?.may || isRunning || list.starting);
  }

  /** @param {State} state of the chosen training */
  showStatus(state) {
    const { ui, list } = this;
    const chosen = this.chosenTraining();
    const isTraining = state === "training";
    const progress = chosen?.reason
      ? t("This training run cannot be shown: {reason}.", { reason: chosen.reason })
      : progressText(state, this.answer?.status ?? {});
    ui.progress.textContent = isTraining ? `${progress} ` : "";
    const sentences = [
      list?.starting ? t("The training run is starting; this takes a few seconds.") : isTraining ? "" : progress,
      chosen?.own && isTraining
        ? t("It runs in its own process and continues when you leave this page or stop the server.")
        : "",
    ];
    announce(ui.status, sentences.filter(Boolean).join(" "));
    if (list?.failure) announce(ui.note, list.failure);
  }

  /** Ask for the list of trainings, and choose one if none is chosen. */
  async readList() {
    const list = /** @type {Listed} */ (await requestJson("/training/list"));
    const previous = this.list;
    this.list = list;
    const names = list.trainings.map((training) => training.name);
    if (JSON.stringify(previous?.trainings) !== JSON.stringify(list.trainings)) {
      const optionOf = (/** @type {Listed["trainings"][number]} */ training) =>
        el("option", { value: training.name, text: trainingLabel(training) });
      this.ui.select.replaceChildren(...list.trainings.map(optionOf));
    }
    if (previous?.starting && !list.starting && !list.failure && names.includes(`runs/synthetic/${previous.starting}`))
      this.chooseTraining(`runs/synthetic/${previous.starting}`);
    if (!names.includes(this.trainingName)) {
      if (this.trainingName)
        this.ui.note.textContent = t("There is no training run “{name}”; another one is shown.", {
          name: this.trainingName.slice(0, 60),
        });
      this.chooseTraining(names[0] ?? "");
    }
    this.ui.select.value = this.trainingName;
    this.showState();
    if (!this.answer) await this.readTraining();
  }

  /** @param {string} name */
  chooseTraining(name) {
    if (name === this.trainingName && this.record) return;
    this.curves.zoomOut();
    if (this.trainingName) this.keptUpdate = this.linkedUpdate = null; // they are of another training
    this.trainingName = name;
    this.stamp = "";
    this.record = null;
    this.answer = null;
    this.snapshotIndex = this.farthest = 0;
    this.address.keep({ training: name, at: this.linkedUpdate, against: this.keptUpdate });
    this.ui.select.value = name;
    this.page.ask();
  }

  /** Ask for the chosen training; one in progress is asked for repeatedly. */
  async readTraining() {
    const name = this.trainingName;
    if (!name || this.chosenTraining()?.state === "damaged") return;
    const address = `/training/record?name=${encodeURIComponent(name)}&stamp=${this.stamp}`;
    const answer = /** @type {Answer} */ (await requestJson(address));
    if (name !== this.trainingName || this.isDestroyed) return;
    const isFirst = this.record === null;
    const followsNewest = this.snapshotIndex >= this.updates().length - 1 && !this.playTimer;
    this.answer = answer;
    this.stamp = answer.stamp;
    if (answer.record) this.record = answer.record;
    const updates = this.updates();
    const last = Math.max(updates.length - 1, 0);
    if (isFirst && this.linkedUpdate !== null && updates.length)
      this.snapshotIndex = nearest(updates, this.linkedUpdate);
    else if (isFirst) this.snapshotIndex = this.usualSnapshot();
    else if (followsNewest) this.snapshotIndex = last;
    this.snapshotIndex = Math.min(this.snapshotIndex, last); // a training that was begun again has fewer
    this.farthest = Math.max(this.farthest, this.snapshotIndex);
    this.linkedUpdate = null;
    this.showState();
    this.page.ask();
  }

  /** @param {Error} error */
  showFailure({ message }) {
    this.ui.progress.textContent = "";
    announce(this.ui.status, t("The request failed: {error}", { error: message }));
  }

  /**
   * Start or control a training on the server; a refusal is shown.
   * @param {"start" | "pause" | "resume" | "stop"} action
   * @param {Record<string, string>} parameters
   */
  async sendRequest(action, parameters) {
    this.ui.note.textContent = "";
    const headers = { "Content-Type": "application/json" };
    try {
      await requestJson(`/training/${action}`, { method: "POST", headers, body: JSON.stringify(parameters) });
      await this.readList();
      await this.readTraining();
    } catch (error) {
      this.ui.note.textContent = /** @type {Error} */ (error).message;
    }
  }

  togglePlay() {
    if (this.playTimer) {
      clearInterval(this.playTimer);
      this.playTimer = 0;
    } else {
      if (this.snapshotIndex >= this.updates().length - 1) this.showSnapshot(0);
      this.playTimer = window.setInterval(() => {
        if (this.snapshotIndex >= this.updates().length - 1) this.togglePlay();
        else this.showSnapshot(this.snapshotIndex + 1);
      }, PACE);
    }
    showPlaying(this.ui.play, Boolean(this.playTimer), t("Pause playback"));
  }

  /** The updates of the snapshots. */
  updates() {
    return (this.record?.snapshots?.snapshots ?? []).map(({ update }) => update);
  }

  /** The snapshot that a link without a moment shows: the first one, or the newest of a training in progress. */
  usualSnapshot() {
    return this.answer?.state === "training" ? Math.max(this.updates().length - 1, 0) : 0;
  }

  isInProgress() {
    return this.answer?.state === "training" || this.chosenTraining()?.state === "training";
  }

  update() {
    this.page.restyle();
  }

  destroy() {
    this.isDestroyed = true;
    clearInterval(this.playTimer);
    for (const end of this.endRequests) end();
    this.address.stop();
    this.page.stop();
  }
}

/** Write a text that screen readers announce when it changes. @param {HTMLElement} element @param {string} text */
function announce(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export default mounted((host, /** @type {TrainingData} */ data, opening) => new TrainingStage(host, data, opening));
