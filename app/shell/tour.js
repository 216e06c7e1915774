// The tour: one stop after the other (stops.js). `?tour=3` opens one.

import { t } from "../../attn_core/web/player/core/messages.js";
import { el } from "../../attn_core/web/player/dom/elements.js";
import { hide } from "../../attn_core/web/player/dom/focus.js";
import { STOPS } from "./stops.js";

/**
 * The stop that a link to a page names, counted from 1; null if it names none of this page.
 * @param {URLSearchParams} link
 * @param {string} here the page
 */
export function stopIn(link, here) {
  const number = Number(link.get("tour"));
  return STOPS[number - 1]?.page === here ? number : null;
}

/**
 * The address of a stop. @param {number} number @param {string} ending of the addresses of pages
 */
export function addressOf(number, ending) {
  const { page, link } = STOPS[number - 1];
  return `${page ? page + ending : "./"}?${new URLSearchParams({ ...link, tour: String(number) })}`;
}

/**
 * Links to the stops before and after the current one. On its own page, `go` changes the view instead.
 * @param {string} here the page
 * @param {string} ending of the addresses of pages
 * @param {(number: number | null) => void} go null: the tour is over
 */
export function buildTour(here, ending, go) {
  const where = el("span", { class: "tour-where" });
  const book = el("span", { class: "tour-book" });
  const [back, next, end] = [t("Back"), t("Next"), t("End the tour")].map((text) => el("a", { class: "live-button", text }));
  next.classList.add("tour-next");
  const root = el("nav", { class: "tour", "aria-label": t("Tour") }, where, book, back, next, end);
  let now = 1;
  const lead = (/** @type {HTMLAnchorElement} */ link, /** @type {number} */ number, /** @type {HTMLElement} */ other) => {
    hide(link, !STOPS[number - 1], other);
    if (!link.hidden) link.href = addressOf(number, ending);
  };
  for (const [link, by] of /** @type {[HTMLAnchorElement, number][]} */ ([[back, -1], [next, 1]])) {
    link.addEventListener("click", (event) => {
      if (STOPS[now + by - 1].page !== here || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      go(now + by);
    });
  }
  end.href = "?";
  end.addEventListener("click", (event) => {
    event.preventDefault();
    go(null);
  });
  return {
    root,
    next,
    /** @param {number} number */
    show(number) {
      now = number;
      where.textContent = t("Stop {n} of {all}", { n: number, all: STOPS.length });
      const { notebook } = STOPS[number - 1];
      book.textContent = t("Notebook {n}", { n: notebook.slice(0, 2) });
      book.title = `notebooks/${notebook}.ipynb`;
      lead(back, number - 1, next);
      lead(next, number + 1, back);
    },
  };
}

const TOURING = "touring"; // class of the document while a stop takes the place of a lab page's own head

/**
 * A box with the stop of the tour that the address names, for a page of the lab; null if it names none of this page. It
 * takes the place of the page's head until the tour ends.
 * @param {string} here the page
 */
export function buildBox(here) {
  const number = stopIn(new URLSearchParams(location.search), here);
  if (!number) return null;
  const { question, todo } = STOPS[number - 1];
  const tour = buildTour(here, "", () => {
    const url = new URL(location.href);
    url.searchParams.delete("tour");
    history.replaceState(history.state, "", url);
    remove();
  });
  tour.show(number);
  const root = el("div", { class: "tour-box" }, el("h1", { text: question }), el("p", { text: todo }), tour.root);
  document.documentElement.classList.add(TOURING);
  function remove() {
    document.documentElement.classList.remove(TOURING);
    root.remove();
  }
  return { root, remove };
}
