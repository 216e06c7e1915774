// Requests of a player to the decoder in the page.

/** @import { Hooks, How, Trace } from "./types.d.ts" */

/**
 * @param {Hooks} hooks
 * @param {(trace: Trace) => void} onTrace
 * @param {() => void} onFailure the decoder cannot be used any more
 */
export function requests(hooks, onTrace, onFailure) {
  let current = 0;
  return {
    /** @param {How} how */
    ask(how) {
      const own = current;
      const answered = (/** @type {Trace | null} */ trace) => {
        if (trace && own === current) onTrace(trace);
      };
      const { decoder } = hooks;
      const failed = () => {
        if (hooks.decoder === decoder) onFailure(); // else that of an earlier model, closed meanwhile
      };
      decoder?.decode(how).then(answered, failed);
    },

    /** Ignore the answers to all requests so far: another sentence is on show. */
    outdate() {
      current += 1;
    },
  };
}
