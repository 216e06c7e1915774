// The step player of a recording: playback, stepping and tooltips, without sliders.
//
//   const player = createPlayer(host, { trace, options });
//   player.update(trace, options);
//   player.destroy();
//
// options: theme "auto" | "light" | "dark"; the initial step, layer and head (HeadChoice in types.d.ts); map (whether
// the heatmap is shown); windows, types and glosses (types.d.ts)

import { render } from "../vendor/preact.js";
import { Player } from "./components/player.js";
import { headChoice, looksOf, NO_HEAD, shownHeadIndex } from "./core/looks.js";
import { html } from "./dom/html.js";

/**
 * @import { HeadChoice, Options, Player as Handle, Trace } from "./core/types.d.ts"
 * @import { PlayerAction } from "./components/types.d.ts"
 */

/**
 * @param {HTMLElement} host
 * @param {{ trace: Trace, options?: Options }} given
 * @returns {Handle}
 */
export function createPlayer(host, { trace: first, options: initial = {} }) {
  let trace = first;
  let options = initial;
  let step = options.step ?? 0;
  let choice = choiceOf(options);
  let presented = false;
  let byPieces = false;

  function draw() {
    const { theme = "auto", windows, types, glosses, map } = options;
    const head = headChoice(looksOf(trace), shownHeadIndex(trace, choice));
    render(
      html`<${Player} ...${{
        trace,
        step,
        ...head,
        theme,
        presented,
        byPieces,
        windows,
        types,
        glosses,
        map,
        dispatch,
        sliderSettings: null,
        hasSliders: false,
        canKeepStates: false,
      }} />`,
      host,
    );
  }

  /** @param {PlayerAction} action */
  function dispatch(action) {
    if (action.type === "step chosen") ({ step } = action);
    if (action.type === "head chosen") choice = choiceOf(action);
    if (action.type === "lecture set") ({ presented } = action);
    if (action.type === "pieces chosen") ({ byPieces } = action);
    draw();
  }

  draw();
  return {
    update(next, newOptions = options) {
      options = newOptions;
      if (looksOf(next).length !== looksOf(trace).length) choice = choiceOf(options);
      if (next.source.join("\n") !== trace.source.join("\n")) step = options.step ?? 0;
      trace = next;
      draw();
    },
    destroy: () => render(null, host),
  };
}

/** @param {Partial<HeadChoice>} given @returns {HeadChoice} */
const choiceOf = ({ layer = null, head = null }) => (head === null ? NO_HEAD : { layer, head });
