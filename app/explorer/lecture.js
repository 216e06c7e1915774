// Lecture layout of the Explorer, which its view holds.

import { effect } from "../../attn_core/browser/vendor/signals-core.js";
import { PRESENT, showLecture } from "../shell/layout.js";
import { followLecture, openNeighbour, switchLecture } from "../shell/lecture.js";
import { sendToNotes } from "../shell/notes.js";
import { STOPS } from "../shell/stops.js";

/**
 * @import { State } from "../../attn_core/browser/state/types.d.ts"
 * @import { Store } from "./types.d.ts"
 */

/** Begin or end lecture layout and full screen. @param {Store} store @param {boolean} presented */
export const setLecture = ({ dispatch }, presented) =>
  switchLecture(presented, (on) => dispatch({ type: "lecture set", presented: on }));

/**
 * The link to a stop of the tour that keeps the view's layout and glosses.
 * @param {State} state
 * @param {number} stop
 */
export const linkOfStop = ({ view: { gloss, present } }, stop) =>
  new URLSearchParams({ gloss, tour: String(stop), ...(present ? { [PRESENT]: "1" } : {}) });

/**
 * Put the document into the layout of the view, and let the document's keys change the view, until the returned
 * function is called.
 * @param {HTMLElement} root
 * @param {Store} store
 * @param {(stop: number) => void} openStop opens a stop of the tour on this page
 * @param {string} ending of the addresses of pages
 */
export function followView(root, { state, dispatch }, openStop, ending) {
  /** @type {string | null} the link to which the notes in another window were sent last */
  let sentLink = null;
  const stopLayout = effect(() => {
    const { present, tour } = state.value.view;
    showLecture(present);
    const link = tour ? `?tour=${tour}` : "?";
    if (present && link !== sentLink) sendToNotes(link);
    sentLink = present ? link : null;
  });
  const stopKeys = followLecture(root, {
    setLecture: (presented) => dispatch({ type: "lecture set", presented }),
    turnPage(direction) {
      const { tour } = state.value.view;
      if (tour && STOPS[tour + direction - 1]?.page === "") openStop(tour + direction);
      else openNeighbour(direction, tour, ending);
    },
  });
  return () => {
    stopLayout();
    stopKeys();
  };
}
