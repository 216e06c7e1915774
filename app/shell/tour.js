// The tour: one stop after the other (stops.js). `?tour=3` opens the third.

import { t } from "../../attn_core/browser/player/core/messages.js";
import { el } from "../../attn_core/browser/player/dom/elements.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { WithSubscripts } from "../../attn_core/browser/player/dom/parts.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../../attn_core/browser/vendor/hooks.js";
import { render } from "../../attn_core/browser/vendor/preact.js";
import { pageIn } from "./address.js";
import { Glossary, readMetStops, withMetStop } from "./glossary.js";
import { onStepAsked, PRESENT } from "./layout.js";
import { onPage } from "./onpage.js";
import { STOPS } from "./stops.js";
import { storeInTab, takeFromTab } from "./tab-storage.js";

/**
 * @typedef {{ type: "tour stop chosen", stop: number, change?: Record<string, string> } | { type: "tour left" }}
 * TourAction `change`: parameters that replace those of the stop's link
 */

/** The stop that a link names, counted from 1; null if it names none. @param {URLSearchParams} link */
function stopNamed(link) {
  const number = Number(link.get("tour"));
  return STOPS[number - 1] ? number : null;
}

/**
 * The stop of this page that a link names, counted from 1; null if it names none of this page.
 * @param {URLSearchParams} link
 * @param {string} pageName
 */
export function stopIn(link, pageName) {
  const stop = stopNamed(link);
  return stop !== null && STOPS[stop - 1].page === pageName ? stop : null;
}

/**
 * The address of the stop that a link to this page names if the stop is on another page, else null. A link to the first
 * page that names a model stays there.
 * @param {URLSearchParams} link
 * @param {string} pageName
 * @param {string} ending of the addresses of pages
 */
export function addressElsewhere(link, pageName, ending) {
  const stop = stopNamed(link);
  return stop === null || STOPS[stop - 1].page === pageName || (pageName === "" && link.has("model"))
    ? null
    : `${addressOf(stop, ending)}${link.has(PRESENT) ? `&${PRESENT}=1` : ""}`;
}

/** The address of a stop, counted from 1. @param {number} stop @param {string} ending of the addresses of pages */
export function addressOf(stop, ending) {
  const { page, link } = STOPS[stop - 1];
  return `${page ? page + ending : "./"}?${new URLSearchParams({ ...link, tour: String(stop) })}`;
}

/**
 * The address of the next stop or, after the last one, of the quiz.
 * @param {number} stop
 * @param {string} ending
 */
export const addressAfter = (stop, ending) => (stop < STOPS.length ? addressOf(stop + 1, ending) : `quiz${ending}`);

/**
 * What a reader needs at a stop besides the sentence and the picture: names of axes, "edit" or "head"; null without a
 * stop.
 * @param {number | null} stop
 */
export const needsAt = (stop) => (stop ? STOPS[stop - 1].needs : null);

/** Let a stop take the focus when it is drawn, on this page or the next. @param {number} stop */
export const passFocusTo = (stop) => storeInTab("touring", String(stop));

/**
 * A stop of the tour. It must have the stop as its key, so that it keeps no state of another stop.
 * @param {object} props
 * @param {string} props.pageName
 * @param {string} props.ending of the addresses of pages
 * @param {number} props.stop
 * @param {boolean} [props.canChange] whether the page changes its view by an action
 * @param {(action: TourAction) => void} props.dispatch
 */
export function TourStop({ pageName, ending, stop, canChange = true, dispatch }) {
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const [isAnswered, setAnswered] = useState(false);
  const [guess, setGuess] = useState(/** @type {number | null} */ (null));
  const [met, setMet] = useState(readMetStops);
  const { question, intro, act } = STOPS[stop - 1];
  const focus = (/** @type {string} */ selector) =>
    /** @type {HTMLElement | null} */ (root.current?.querySelector(selector))?.focus({ preventScroll: true });
  useEffect(() => {
    // Not when it is drawn: on a lab page, it is not in the document then
    if (takeFromTab("touring", String(stop))) focus(".tour-guesses button");
  }, []);
  useLayoutEffect(() => {
    if (isAnswered) focus(canChange && act ? ".tour-todo button" : ".tour-next");
  }, [isAnswered]); // the guesses are gone
  const showAnswer = (/** @type {number | null} */ chosen) => {
    setGuess(chosen);
    setAnswered(true);
    setMet(withMetStop(met, stop));
  };
  useLayoutEffect(
    () =>
      onStepAsked((direction, event) => {
        event.stopImmediatePropagation(); // on the tour, a remote leads from stop to stop, not from step to step
        if (direction < 0 || isAnswered) return;
        event.preventDefault();
        showAnswer(null);
      }, true),
    [isAnswered],
  );
  return html`<div class="tour-stop" ref=${root}>
    <h1><${WithSubscripts} text=${question} /></h1>
    ${intro && html`<p>${intro}</p>`}
    <div class="tour-answer" role="status">${isAnswered && html`<${Answer} stop=${stop} guess=${guess} />`}</div>
    ${
      isAnswered
        ? html`<${Todo} stop=${stop} canChange=${canChange} dispatch=${dispatch} />`
        : html`<${Guesses} stop=${stop} onGuess=${showAnswer} />`
    }
    <${TourLinks} pageName=${pageName} ending=${ending} stop=${stop} met=${met} dispatch=${dispatch} />
  </div>`;
}

/** @param {{ stop: number, onGuess: (guess: number) => void }} props */
const Guesses = ({ stop, onGuess }) => html`<div class="tour-guesses" role="group" aria-label=${t("Your guess")}>
  <span>${t("Your guess:")}</span>
  ${STOPS[stop - 1].guesses.map(
    ({ text }, i) =>
      html`<button type="button" class="live-button" onClick=${() => onGuess(i)}>
        <${WithSubscripts} text=${text} /></button>`,
  )}
</div>`;

/** @param {{ stop: number, guess: number | null }} props `guess`: null if a presenter showed the answer without one */
function Answer({ stop, guess }) {
  const { guesses, answer, term, notebook, section } = STOPS[stop - 1];
  const isRight = guess !== null && guesses[guess].isRight;
  const verdict = guess === null ? t("Answer:") : isRight ? t("✓ Right.") : t("Not quite.");
  const choice = guess === null || isRight ? "" : t("You chose: {guess}.", { guess: guesses[guess].text });
  return html`
    <p><b>${verdict}</b> ${choice && html`<${WithSubscripts} text=${choice} /> <b>${t("Answer:")}</b> `}
      <${WithSubscripts} text=${answer} /></p>
    <p><b>${term.name}</b>: <${WithSubscripts} text=${term.meaning} />
      <span class="tour-book" title=${`notebooks/${notebook}.ipynb: ${section}`}>
        ${t("Notebook {n}", { n: notebook.slice(0, 2) })}</span></p>`;
}

/**
 * What to try, with a button that does it and one that returns to the view of the stop.
 * @param {{ stop: number, canChange: boolean, dispatch: (action: TourAction) => void }} props
 */
function Todo({ stop, canChange, dispatch }) {
  const { todo, act } = STOPS[stop - 1];
  const button = (/** @type {string} */ text, /** @type {Record<string, string>} */ change) =>
    html`<button type="button" class="live-button"
      onClick=${() => dispatch({ type: "tour stop chosen", stop, change })}>${text}</button>`;
  return html`<p class="tour-todo">
    <span><b>${t("Try it.")}</b> <${WithSubscripts} text=${todo} /></span>
    ${canChange && act && html`<span>${button(act.label, act.link)} ${button(t("Reset"), {})}</span>`}
  </p>`;
}

/**
 * The number of the stop, the glossary, and links to the stops before and after. A link to a stop of this page
 * dispatches an action instead.
 * @param {{ pageName: string, ending: string, stop: number, met: number[], dispatch: (action: TourAction) => void }}
 * props
 */
function TourLinks({ pageName, ending, stop, met, dispatch }) {
  const link = (/** @type {number} */ target, /** @type {string} */ className, /** @type {string} */ text) => {
    const open = (/** @type {MouseEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      passFocusTo(target);
      if (STOPS[target - 1].page !== pageName) return;
      event.preventDefault();
      dispatch({ type: "tour stop chosen", stop: target });
    };
    return html`<a class=${className} href=${addressOf(target, ending)} onClick=${open}>${text}</a>`;
  };
  const leave = (/** @type {MouseEvent} */ event) => {
    event.preventDefault();
    dispatch({ type: "tour left" });
  };
  return html`
    <nav class="tour" aria-label=${t("Tour")}>
      <span class="tour-where">${t("Stop {n} of {all}", { n: stop, all: STOPS.length })}</span>
      <${Glossary} met=${met} />
      ${stop > 1 && link(stop - 1, "live-button", t("Back"))}
      ${
        stop < STOPS.length
          ? link(stop + 1, "live-button tour-next", t("Next"))
          : html`<a class="live-button tour-next" href=${addressAfter(stop, ending)}
              onClick=${() => storeInTab("touring", "quiz")}>${t("Take the quiz")}</a>`
      }
      <a class="live-button" href="?" aria-label=${t("End the tour")} title=${t("End the tour")} onClick=${leave}>
        ${t("End")}</a>
    </nav>`;
}

const TOURING = "touring"; // class of the document while a stop replaces the header of a lab page

/**
 * A box with the stop of the tour that the address names, for a page of the lab; null if it names none of this page. It
 * replaces the page's header until the tour ends. A stop that is on another page is opened there.
 */
export function buildTourBox() {
  const link = new URLSearchParams(location.search);
  const { name: pageName, ending } = pageIn(location);
  const elsewhere = addressElsewhere(link, pageName, ending);
  if (elsewhere) location.replace(elsewhere);
  const stop = stopIn(link, pageName);
  if (!stop) return null;
  const root = el("div", { class: "tour-box" });
  const page = onPage(root, () => {});
  const leave = () => {
    const url = new URL(location.href);
    url.searchParams.delete("tour");
    history.replaceState(history.state, "", url);
    remove();
  };
  document.documentElement.classList.add(TOURING);
  render(
    html`<${TourStop} pageName=${pageName} ending=${ending} stop=${stop} canChange=${false} dispatch=${leave} />`,
    root,
  );
  function remove() {
    document.documentElement.classList.remove(TOURING);
    render(null, root);
    page.stop();
  }
  return { root, remove };
}
