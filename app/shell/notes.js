// Speaker's notes for a second screen. With `?notes`, a page or a stop of the tour shows its question, what to point
// at, the answer and the time instead. The notes follow a page in lecture layout in another window of the browser.

import { t, tn } from "../../attn_core/browser/player/core/messages.js";
import { html } from "../../attn_core/browser/player/dom/html.js";
import { WithSubscripts } from "../../attn_core/browser/player/dom/parts.js";
import { render } from "../../attn_core/browser/vendor/preact.js";
import { pageIn } from "./address.js";
import { neighbourAddress } from "./neighbours.js";
import { onPageKey } from "./onpage.js";
import { STOPS } from "./stops.js";
import { stopIn } from "./tour.js";

/** @import { Notes, Stage } from "./types.d.ts" */
/** @import { Direction } from "./layout.js" */

export const NOTES = "notes"; // the name of the notes in a link
const CHANNEL = "attention-lecture"; // between the windows of a browser
const STOP_MINUTES = 4; // so that ten stops fill a lesson

/** Whether a link opens the notes. @param {URLSearchParams} link */
export const opensNotes = (link) => link.has(NOTES);

/** The address of the notes on the page or stop at an address. @param {string} address */
export function notesAddress(address) {
  const { href, pathname } = new URL(address, location.href);
  const tour = new URL(href).searchParams.get("tour");
  return `${pathname}?${new URLSearchParams({ ...(tour ? { tour } : {}), [NOTES]: "1" })}`;
}

/** Make the notes in another window show those on a page or stop. @param {string} address */
export function sendToNotes(address) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(notesAddress(address));
  channel.close();
}

/**
 * Show the notes on the stop that the address names or, without one, on the page.
 * @param {HTMLElement} host
 * @param {Notes} notes on the page
 * @param {string} [ending] of the addresses of pages
 * @returns {Stage}
 */
export function createNotes(host, notes, ending = pageIn(location).ending) {
  const stop = stopIn(new URLSearchParams(location.search), pageIn(location).name);
  const { question, points, answer, todo, minutes } = stop ? notesOfStop(stop) : notes;
  const neighbourNotes = (/** @type {Direction} */ direction) => {
    const address = neighbourAddress(direction, stop, ending);
    return address && notesAddress(address);
  };
  const [back, next] = [neighbourNotes(-1), neighbourNotes(1)];
  render(
    html`<section class="notes" aria-label=${t("Speaker's notes")}>
    <p class="notes-where">${
      stop ? t("Stop {n} of {all}", { n: stop, all: STOPS.length }) : t("Speaker's notes")
    } · ${tn("{n} minute", "{n} minutes", minutes)}</p>
    <h1><${WithSubscripts} text=${question} /></h1>
    <ul>${points.map((point) => html`<li><${WithSubscripts} text=${point} /></li>`)}</ul>
    ${answer && html`<p><b>${t("Answer:")}</b> <${WithSubscripts} text=${answer} /></p>`}
    ${todo && html`<p><b>${t("Try it.")}</b> <${WithSubscripts} text=${todo} /></p>`}
    <nav class="tour">
      <a class="live-button" hidden=${!back} href=${back}>${t("Back")}</a>
      <a class="live-button tour-next" hidden=${!next} href=${next}>${t("Next")}</a>
    </nav>
  </section>`,
    host,
  );
  const stopKeys = onPageKey(({ key }) => {
    const address = { PageUp: back, PageDown: next }[key];
    if (address) location.assign(address);
  });
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data !== notesAddress(location.href)) location.assign(data);
  };
  return {
    update() {},
    destroy() {
      stopKeys();
      channel.close();
      render(null, host);
    },
  };
}

/** @param {number} stop @returns {Notes} */
function notesOfStop(stop) {
  const { question, answer, todo, notes } = STOPS[stop - 1];
  return { question, points: notes, answer, todo, minutes: STOP_MINUTES };
}
