// The Explorer in lecture layout, as its view says.

import { effect } from "../../attn_core/browser/vendor/signals-core.js";
import { PRESENT, showLecture } from "../shell/layout.js";
import { followLecture, openBeside, switchLecture } from "../shell/lecture.js";
import { sendToNotes } from "../shell/notes.js";
import { STOPS } from "../shell/stops.js";

/**
 * @import { ReadonlySignal } from "../../attn_core/browser/vendor/signals-core.js"
 * @import { Act, State } from "../../attn_core/browser/state/types.d.ts"
 *
 * @typedef {{ state: ReadonlySignal<State>, dispatch: (act: Act) => void }} Store
 */

/** Begin or end the layout, with full screen. @param {Store} store @param {boolean} presented */
export const setLecture = ({ dispatch }, presented) =>
  switchLecture(presented, (on) => dispatch({ type: "lecture set", presented: on }));

/**
 * The link of a stop of the tour, in the layout and with the glosses of the view.
 * @param {State} state
 * @param {number} stop
 */
export const linkOfStop = ({ view: { gloss, present } }, stop) =>
  new URLSearchParams({ gloss, tour: String(stop), ...(present ? { [PRESENT]: "1" } : {}) });

/**
 * The document follows the view, and the view the keys of the document, until the returned function is called.
 * @param {HTMLElement} root
 * @param {Store} store
 * @param {(stop: number) => void} openStop opens a stop of the tour on this page
 * @param {string} ending of the addresses of pages
 */
export function followView(root, { state, dispatch }, openStop, ending) {
  /** @type {string | null} what the notes in another window were sent last */
  let sent = null;
  const stopLayout = effect(() => {
    const { present, tour } = state.value.view;
    showLecture(present);
    const link = tour ? `?tour=${tour}` : "?";
    if (present && link !== sent) sendToNotes(link);
    sent = present ? link : null;
  });
  const stopKeys = followLecture(root, {
    set: (presented) => dispatch({ type: "lecture set", presented }),
    turn(way) {
      const { tour } = state.value.view;
      if (tour && STOPS[tour + way - 1]?.page === "") openStop(tour + way);
      else openBeside(way, tour, ending);
    },
  });
  return () => {
    stopLayout();
    stopKeys();
  };
}
