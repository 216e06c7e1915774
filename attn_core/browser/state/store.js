// A store: one immutable state, which only actions change, in one direction.

import { signal } from "../vendor/signals-core.js";

/** @import { ReadonlySignal } from "../vendor/signals-core.js" */

/**
 * `dispatch` puts the state after an action in place of the one before. Effects dispatch actions too, after the state
 * has changed, never while an action is reduced.
 * @template State, Action
 * @param {State} first
 * @param {(state: State, action: Action) => State} reduce
 * @returns {{ state: ReadonlySignal<State>, dispatch: (action: Action) => void }}
 */
export function createStore(first, reduce) {
  const state = signal(first);
  let reducing = false;
  return {
    state,
    dispatch(action) {
      if (reducing) throw new Error("an action was dispatched while another one is reduced");
      reducing = true;
      let next;
      try {
        next = reduce(state.value, action);
      } finally {
        reducing = false;
      }
      state.value = next;
    },
  };
}
