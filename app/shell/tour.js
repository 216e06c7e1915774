// The tour: one stop after the other (stops.js). `?tour=3` opens one.

import { t } from "../../attn_core/browser/player/core/messages.js";
import { el } from "../../attn_core/browser/player/dom/elements.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { WithSubscripts } from "../../attn_core/browser/player/dom/parts.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../../attn_core/browser/vendor/hooks.js";
import { render } from "../../attn_core/browser/vendor/preact.js";
import { pageIn } from "./address.js";
import { Glossary, readMetStops, withMetStop } from "./glossary.js";
import { onTurn, PRESENT } from "./layout.js";
import { onPage } from "./onpage.js";
import { STOPS } from "./stops.js";
import { storeLeft, takeLeft } from "./tabstore.js";

/**
 * @typedef {{ type: "tour stop chosen", stop: number, change?: Record<string, string> } | { type: "tour left" }}
 * TourAction `change`: of the link of the stop
 */

/** The stop that a link names, counted from 1; null if it names none. @param {URLSearchParams} link */
function stopNamed(link) {
  const number = Number(link.get("tour"));
  return STOPS[number - 1] ? number : null;
}

/**
 * The stop of a page that a link to this page names, counted from 1; null if it names none of this page.
 * @param {URLSearchParams} link
 * @param {string} here the page
 */
export function stopIn(link, here) {
  const number = stopNamed(link);
  return number !== null && STOPS[number - 1].page === here ? number : null;
}

/**
 * The address of a stop that a link to this page names, but that is on another page; null if there is none. A link that
 * names a model of the first page stays there.
 * @param {URLSearchParams} link
 * @param {string} here the page
 * @param {string} ending of the addresses of pages
 */
export function addressElsewhere(link, here, ending) {
  const number = stopNamed(link);
  return number === null || STOPS[number - 1].page === here || (here === "" && link.has("model"))
    ? null
    : `${addressOf(number, ending)}${link.has(PRESENT) ? `&${PRESENT}=1` : ""}`;
}

/**
 * The address of a stop. @param {number} number @param {string} ending of the addresses of pages
 */
export function addressOf(number, ending) {
  const { page, link } = STOPS[number - 1];
  return `${page ? page + ending : "./"}?${new URLSearchParams({ ...link, tour: String(number) })}`;
}

/**
 * The address after a stop: of the next one or, after the last, of the quiz.
 * @param {number} stop
 * @param {string} ending
 */
export const addressAfter = (stop, ending) => (stop < STOPS.length ? addressOf(stop + 1, ending) : `quiz${ending}`);

/**
 * What a reader needs at a stop besides the sentence and the picture: names of axes, "edit" or "head".
 * @param {number | null} stop
 */
export const needsAt = (stop) => (stop ? STOPS[stop - 1].needs : null);

/** On the next page or stop, the focus goes to the stop `number`. @param {number} number */
export const passFocusTo = (number) => storeLeft("touring", String(number));

/**
 * A stop of the tour. It has no state of another stop: give it the stop as its key.
 * @param {object} props
 * @param {string} props.here the page
 * @param {string} props.ending of the addresses of pages
 * @param {number} props.stop
 * @param {boolean} [props.canChange] whether the page changes its view by an action
 * @param {(action: TourAction) => void} props.dispatch
 */
export function TourStop({ here, ending, stop, canChange = true, dispatch }) {
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const [isAnswered, setAnswered] = useState(false);
  const [guess, setGuess] = useState(/** @type {number | null} */ (null));
  const [met, setMet] = useState(readMetStops);
  const { question, intro, act } = STOPS[stop - 1];
  const focus = (/** @type {string} */ selector) =>
    /** @type {HTMLElement | null} */ (root.current?.querySelector(selector))?.focus({ preventScroll: true });
  useEffect(() => {
    // a lab page draws the stop before it has a place in the document
    if (takeLeft("touring", String(stop))) focus(".tour-guesses button");
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
      onTurn((way, event) => {
        event.stopImmediatePropagation(); // from the picture's steps: a remote leads from stop to stop
        if (way < 0 || isAnswered) return;
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
    <${Way} here=${here} ending=${ending} stop=${stop} met=${met} dispatch=${dispatch} />
  </div>`;
}

/** @param {{ stop: number, onGuess: (guess: number) => void }} props */
const Guesses = ({ stop, onGuess }) => html`<div class="tour-guesses" role="group" aria-label=${t("Your guess")}>
  <span>${t("Your guess:")}</span>
  ${STOPS[stop - 1].guesses.map(
    ({ text }, i) =>
      html`<button type="button" class="live-button" onClick=${() => onGuess(i)}><${WithSubscripts} text=${text} /></button>`,
  )}
</div>`;

/** @param {{ stop: number, guess: number | null }} props `guess`: null if a presenter showed the answer without one */
function Answer({ stop, guess }) {
  const { guesses, answer, term, notebook, section } = STOPS[stop - 1];
  const isRight = guess !== null && guesses[guess].isRight;
  const verdict = guess === null ? t("Answer:") : isRight ? t("✓ Right.") : t("Not quite.");
  const choice = guess === null || isRight ? "" : t("You chose: {guess}.", { guess: guesses[guess].text });
  return html`
    <p><b>${verdict}</b> ${choice && html`<${WithSubscripts} text=${choice} /> <b>${t("Answer:")}</b> `}<${WithSubscripts}
      text=${answer} /></p>
    <p><b>${term.name}</b>: <${WithSubscripts} text=${term.meaning} />
      <span class="tour-book" title=${`notebooks/${notebook}.ipynb: ${section}`}>
        ${t("Notebook {n}", { n: notebook.slice(0, 2) })}</span></p>`;
}

/**
 * What to try. A button does it; another one goes back to the view of the stop.
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
 * Where the reader is on the tour, and links to the stops before and after. On its own page, a link dispatches an
 * action instead.
 * @param {{ here: string, ending: string, stop: number, met: number[], dispatch: (action: TourAction) => void }} props
 */
function Way({ here, ending, stop, met, dispatch }) {
  const link = (/** @type {number} */ number, /** @type {string} */ kind, /** @type {string} */ text) => {
    const target = STOPS[number - 1];
    const go = (/** @type {MouseEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      passFocusTo(number);
      if (target.page !== here) return;
      event.preventDefault();
      dispatch({ type: "tour stop chosen", stop: number });
    };
    return html`<a class=${kind} href=${addressOf(number, ending)} onClick=${go}>${text}</a>`;
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
              onClick=${() => storeLeft("touring", "quiz")}>${t("Take the quiz")}</a>`
      }
      <a class="live-button" href="?" aria-label=${t("End the tour")} title=${t("End the tour")} onClick=${leave}>
        ${t("End")}</a>
    </nav>`;
}

const TOURING = "touring"; // class of the document while a stop takes the place of a lab page's own head

/**
 * A box with the stop of the tour that the address names, for a page of the lab; null if it names none of this page. It
 * takes the place of the page's head until the tour ends. A stop that is on another page is opened there.
 */
export function buildBox() {
  const link = new URLSearchParams(location.search);
  const { name: here, ending } = pageIn(location);
  const elsewhere = addressElsewhere(link, here, ending);
  if (elsewhere) location.replace(elsewhere);
  const stop = stopIn(link, here);
  if (!stop) return null;
  const root = el("div", { class: "tour-box" });
  const box = onPage(root, () => {});
  const leave = () => {
    const url = new URL(location.href);
    url.searchParams.delete("tour");
    history.replaceState(history.state, "", url);
    remove();
  };
  document.documentElement.classList.add(TOURING);
  render(html`<${TourStop} here=${here} ending=${ending} stop=${stop} canChange=${false} dispatch=${leave} />`, root);
  function remove() {
    document.documentElement.classList.remove(TOURING);
    render(null, root);
    box.stop();
  }
  return { root, remove };
}
