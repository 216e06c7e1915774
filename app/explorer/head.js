// The head of the Explorer: what the page is for or, on the tour, the question of a stop and what to do.

import { t } from "../../attn_core/web/player/core/messages.js";
import { el } from "../../attn_core/web/player/dom/elements.js";
import { shares } from "../shell/share.js";
import { STOPS } from "../shell/stops.js";
import { addressOf, buildTour } from "../shell/tour.js";

/** @import { Page } from "./types.d.ts" */

/**
 * @param {Pick<Page, "title" | "about" | "ending">} page
 * @param {(number: number | null) => void} go to another stop of the tour on this page; null: the tour is over
 * @param {() => void} compare begin or end a comparison
 * @param {HTMLElement} edit the button that begins to edit the attention
 */
export function buildHead({ title, about, ending }, go, compare, edit) {
  const [heading, line] = [el("h1"), el("p")];
  const share = el("button", { type: "button", class: "live-button" });
  shares(share);
  const both = el("button", { type: "button", class: "live-button", text: t("Compare"), "aria-pressed": "false", title: t("Add a second translation: by another model, or with other settings") });
  both.addEventListener("click", compare);
  const begin = el("a", { class: "live-button tour-next", href: addressOf(1, ending), text: t("Take the tour") });
  begin.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(1);
    tour.next.focus(); // what was clicked is hidden now
  });
  const tour = buildTour("", ending, go);
  const root = el("header", { class: "ex-head" }, heading, line, tour.root, el("div", { class: "ex-actions" }, begin, both, edit, share));
  return {
    root,
    /** @param {boolean} now */
    comparing: (now) => both.setAttribute("aria-pressed", String(now)),
    focus: () => both.focus(), // after a comparison
    /** @param {number | null} stop */
    show(stop) {
      const { question, todo } = stop ? STOPS[stop - 1] : { question: title, todo: about };
      heading.textContent = question;
      line.textContent = todo;
      tour.root.hidden = !stop;
      begin.hidden = Boolean(stop);
      root.classList.toggle("ex-touring", Boolean(stop));
      if (stop) tour.show(stop);
    },
  };
}
