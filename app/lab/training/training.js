// The Training page's stage: a training is chosen, or started on this machine; its snapshots are played, and one in
// progress is followed. A moment can be kept and compared with another one. The server is asked only while the page is
// visible.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { grouped } from "../../../attn_core/browser/player/core/numbers.js";
import { el } from "../../../attn_core/browser/player/dom/elements.js";
import { hide } from "../../../attn_core/browser/player/dom/focus.js";
import { showPlaying } from "../../../attn_core/browser/player/dom/steps.js";
import { fromAddress, inAddress, numberFromAddress } from "../../shell/address.js";
import { onPage } from "../../shell/onpage.js";
import { mounted } from "../kit/mount.js";
import { TrainingCurves } from "./curves.js";
import { Comparison } from "./comparison.js";
import { nearest, panels, progressText, trainingLabel } from "./panels.js";
import { buildTraining } from "./parts.js";
import { repeatWhileVisible, requestJson } from "./server.js";
import { onKey } from "../../../attn_core/browser/player/dom/typing.js";

/** @import { Stage } from "../../shell/types.d.ts" */
/** @import { Answer, Listed, TrainingData, TrainingRecord } from "./types.d.ts" */

const PACE = 350; // ms of a snapshot when they are played
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
    this.address = inAddress();

    this.trainingName = opening ? (fromAddress("training") ?? "") : "";
    this.stamp = "";
    this.snapshotIndex = 0;
    // The last snapshot that the reader has seen: the curves end there, so that they do not answer first
    this.farthest = 0;
    /** @type {number | null} the update of the moment that is kept */
    this.keptUpdate = opening ? numberFromAddress("against", 1, Infinity) : null;
    this.linkedUpdate = opening ? numberFromAddress("at", 1, Infinity) : null; // the moment that a link asks for
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

  /** @param {number} to */
  showSnapshot(to) {
    this.snapshotIndex = Math.min(Math.max(to, 0), Math.max(this.updates().length - 1, 0));
    this.farthest = Math.max(this.farthest, this.snapshotIndex);
    this.ui.scrub.value = String(this.snapshotIndex);
    this.keepAddress();
    this.page.ask();
  }

  /** Put the moments into the address. */
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
    const { ui } = this;
    const { snapshots, sentences } = this.record?.snapshots ?? { snapshots: [], sentences: [] };
    const shown = snapshots[this.snapshotIndex];
    const before = this.keptUpdate === null || !shown ? undefined : snapshots[nearest(this.updates(), this.keptUpdate)];
    const comparing = Boolean(before && sentences.length);
    ui.body.classList.toggle("tr-two", comparing);
    this.comparison.draw(sentences, before && shown ? [before, shown] : null, this.page.theme());
    ui.keep.hidden = !shown || !sentences.length;
    ui.keep.textContent = comparing ? t("End comparison") : t("Keep this snapshot to compare");
    ui.maps.forEach((map, i) => {
      const isShown = !comparing && shown && sentences[i] && shown.sentences[i];
      map.root.hidden = !isShown;
      if (isShown) map.draw(sentences[i], shown.sentences[i], shown.update, this.page.theme());
    });
    ui.empty.hidden = Boolean(shown && sentences.length);
    ui.empty.textContent = shown
      ? t("This training run has no attention to show: its model has none, or there are no sentences in its languages.")
      : this.record
        ? t("No snapshot yet.")
        : "";
    ui.scrub.max = String(Math.max(snapshots.length - 1, 0));
    ui.scrub.value = String(this.snapshotIndex);
    ui.scrub.style.setProperty(
      "--ap-done",
      String(snapshots.length > 1 ? this.snapshotIndex / (snapshots.length - 1) : 0),
    );
    const total = this.record?.snapshots?.updates ?? 1;
    ui.position.textContent = shown
      ? t("after update {update} of {updates}", { update: grouped(shown.update), updates: grouped(total) })
      : "";
    ui.scrub.setAttribute("aria-valuetext", ui.position.textContent);
    this.curves.root.style.visibility = this.record?.snapshots ? "" : "hidden";
    const until = this.farthest < snapshots.length - 1 ? snapshots[this.farthest].update : Infinity;
    if (this.record?.snapshots)
      this.curves.show(
        panels(this.record, until),
        total,
        until,
        shown?.update ?? 1,
        before?.update ?? null,
        Math.max(300, Math.min(ui.root.clientWidth * 0.4, 400)),
      );
  }

  showState() {
    const { ui } = this;
    const state = this.answer?.state ?? "recorded";
    const chosen = this.list?.trainings.find((training) => training.name === this.trainingName);
    const mayControl = Boolean(this.list?.may && chosen?.own);
    const [pausable, resumable] = [mayControl && state === "training", mayControl && state === "paused"];
    const next = pausable ? ui.buttons.pause : resumable ? ui.buttons.resume : ui.select;
    next.hidden = false; // before another one loses the focus to it
    hide(ui.buttons.pause, !pausable, next);
    hide(ui.buttons.resume, !resumable, next);
    hide(ui.buttons.stop, !(pausable || resumable), next);
    ui.startFields.hidden = !this.list;
    for (const choice of [ui.task, ui.preset]) choice.disabled = !this.list?.may;
    ui.refusal.hidden = !this.list?.refusal;
    ui.refusal.textContent = this.list?.refusal ?? "";
    const running = this.list?.trainings.find((training) => training.own && training.state === "training");
    ui.buttons.start.disabled = Boolean(!this.list?.may || running || this.list.starting);
    const waiting = this.list?.starting ? t("The training run is starting; this takes a few seconds.") : "";
    const background =
      chosen?.own && state === "training"
        ? t("It runs in its own process and continues when you leave this page or stop the server.")
        : "";
    const text = chosen?.reason
      ? t("This training run cannot be shown: {reason}.", { reason: chosen.reason })
      : progressText(state, this.answer?.status ?? {});
    ui.progress.textContent = state === "training" ? `${text} ` : "";
    write(ui.status, [waiting || (state === "training" ? "" : text), background].filter(Boolean).join(" "));
    if (this.list?.failure) write(ui.note, this.list.failure);
  }

  /** Ask for the list of trainings, and choose one if none is chosen. */
  async readList() {
    const list = /** @type {Listed} */ (await requestJson("/training/list"));
    const before = this.list;
    this.list = list;
    const names = list.trainings.map((training) => training.name);
    if (JSON.stringify(before?.trainings) !== JSON.stringify(list.trainings)) {
      this.ui.select.replaceChildren(
        ...list.trainings.map((training) => el("option", { value: training.name, text: trainingLabel(training) })),
      );
    }
    if (before?.starting && !list.starting && !list.failure && names.includes(`runs/synthetic/${before.starting}`))
      this.chooseTraining(`runs/synthetic/${before.starting}`);
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

  /** @param {string} to */
  chooseTraining(to) {
    if (to === this.trainingName && this.record) return;
    this.curves.zoomOut();
    if (this.trainingName) this.keptUpdate = this.linkedUpdate = null; // they are of another training
    [this.trainingName, this.stamp, this.record, this.answer, this.snapshotIndex, this.farthest] = [
      to,
      "",
      null,
      null,
      0,
      0,
    ];
    this.address.keep({ training: to, at: this.linkedUpdate, against: this.keptUpdate });
    this.ui.select.value = to;
    this.page.ask();
  }

  /** Ask for the chosen training; one in progress is asked for again. */
  async readTraining() {
    if (
      !this.trainingName ||
      this.list?.trainings.some((training) => training.name === this.trainingName && training.state === "damaged")
    )
      return;
    const name = this.trainingName;
    const answer = /** @type {Answer} */ (
      await requestJson(`/training/record?name=${encodeURIComponent(this.trainingName)}&stamp=${this.stamp}`)
    );
    if (name !== this.trainingName || this.isDestroyed) return;
    const first = this.record === null;
    const last = this.snapshotIndex >= this.updates().length - 1;
    this.answer = answer;
    this.stamp = answer.stamp;
    if (answer.record) this.record = answer.record;
    if (first && this.linkedUpdate !== null && this.updates().length)
      this.snapshotIndex = nearest(this.updates(), this.linkedUpdate);
    else if (first) this.snapshotIndex = this.usualSnapshot();
    // Follow the newest snapshot
    else if (last && !this.playTimer) this.snapshotIndex = Math.max(this.updates().length - 1, 0);
    // A training begun anew has fewer
    this.snapshotIndex = Math.min(this.snapshotIndex, Math.max(this.updates().length - 1, 0));
    this.farthest = Math.max(this.farthest, this.snapshotIndex);
    this.linkedUpdate = null;
    this.showState();
    this.page.ask();
  }

  /** @param {Error} error */
  showFailure({ message }) {
    this.ui.progress.textContent = "";
    write(this.ui.status, t("The request failed: {error}", { error: message }));
  }

  /**
   * @param {"start" | "pause" | "resume" | "stop"} act
   * @param {Record<string, string>} given
   */
  async sendRequest(act, given) {
    this.ui.note.textContent = "";
    try {
      await requestJson(`/training/${act}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(given),
      });
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
    return (
      this.answer?.state === "training" ||
      this.list?.trainings.some((training) => training.name === this.trainingName && training.state === "training")
    );
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

/** Write what is announced when it changes. @param {HTMLElement} element @param {string} text */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export default mounted((host, /** @type {TrainingData} */ data, opening) => new TrainingStage(host, data, opening));
