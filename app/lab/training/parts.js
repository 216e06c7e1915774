// The elements of the Training page.

import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el, iconButton, rangeInput } from "../../../attn_core/browser/player/dom/elements.js";
import { chip } from "../kit/chip.js";
import { AttentionMap } from "./maps.js";

/** @import { TrainingData } from "./types.d.ts" */

const MAPS = 4; // sentences of a snapshot

/**
 * The elements of the page; those that are used later are returned by name.
 * @param {TrainingData} data
 * @param {HTMLElement} curves
 * @param {HTMLElement[]} comparison
 */
export function buildTraining({ tasks, presets }, curves, comparison) {
  const select = el("select", { class: "ap-select", "aria-label": t("Training") });
  const task = el("select", {}, ...tasks.map((name) => el("option", { value: name, text: name })));
  const preset = el("select", {}, ...presets.map((name) => el("option", { value: name, text: name })));
  const buttons = {
    start: button(t("Start training"), { "aria-describedby": "training-refusal" }),
    pause: button(t("Pause")),
    resume: button(t("Resume")),
    stop: button(t("Stop")),
  };
  const startFields = el(
    "span",
    { class: "tr-start live" },
    chip(t("Task"), task),
    chip(t("Model"), preset),
    buttons.start,
  );
  const refusal = el("p", { class: "tr-elsewhere", id: "training-refusal", hidden: true });
  const progress = el("span"); // the numbers of a training in progress, which change too often to be announced
  const status = el("span", { role: "status" });
  const note = el("p", { class: "live-note tr-note", role: "alert" });
  const play = iconButton("play", t("Play"), "Space");
  play.classList.add("ap-play");
  const scrub = rangeInput(t("Snapshot"), { class: "ap-scrub", min: 0, max: 0, value: 0 });
  const position = el("output", { class: "tr-at" });
  const maps = Array.from({ length: MAPS }, () => new AttentionMap());
  const keep = button(t("Keep this snapshot to compare"));
  const empty = el("p", { class: "tr-empty" });
  const shownMaps = el("div", { class: "tr-maps" }, ...maps.map((map) => map.root), empty);
  const body = el("div", { class: "tr-body" }, el("div", {}, shownMaps, ...comparison), curves);
  const root = el(
    "div",
    { class: "ap-root" },
    el(
      "div",
      { class: "ap tr" },
      el(
        "div",
        { class: "tr-head" },
        el("span", { class: "tr-start" }, select, buttons.pause, buttons.resume, buttons.stop),
        startFields,
      ),
      refusal,
      el("p", { class: "tr-status" }, progress, status),
      note,
      el("div", { class: "tr-deck" }, play, scrub, position, keep),
      body,
    ),
  );
  return {
    select,
    task,
    preset,
    buttons,
    startFields,
    refusal,
    progress,
    status,
    note,
    play,
    scrub,
    position,
    maps,
    keep,
    empty,
    body,
    root,
  };
}

/** @param {string} text @param {Record<string, string>} [attributes] */
const button = (text, attributes) => el("button", { type: "button", class: "live-button", text, ...attributes });
