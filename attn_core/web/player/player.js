// The step player for a trace: playback, stepping, tooltips and, where a model can decode again, sliders for its window.
//
//   const player = createPlayer(host, { trace, options, decoder });
//   player.update(trace, options);   player.destroy();
//
// options: theme "auto" | "light" | "dark"; the initial step, layer and head (HeadChoice in types.d.ts); map (whether the heatmap
//          is shown); windows, types, paint and glosses (types.d.ts)
// decoder: decodes with the window of the sliders (types.d.ts), until it rejects; without one there are no sliders.

import { render } from "../vendor/preact.js";
import { Player } from "./components/player.js";
import { headChoice, looksOf, shownLook } from "./core/looks.js";
import { decoding } from "./decoding.js";
import { html } from "./dom/html.js";

/**
 * @import { HeadChoice, Hooks, Options, Player as Handle, Trace } from "./core/types.d.ts"
 * @import { PlayerAction } from "./components/types.d.ts"
 */

/**
 * @param {HTMLElement} host
 * @param {{ trace: Trace, options?: Options } & Hooks} given
 * @returns {Handle}
 */
export function createPlayer(host, { trace: first, options: initial = {}, decoder = null }) {
  let trace = first;
  let options = initial;
  let step = options.step ?? 0;
  let look = opening(trace, options);
  let drawn = true; // until the player is removed
  const asking = decoding(host, decoder, show, draw);

  function draw() {
    if (!drawn) return;
    const { theme = "auto", windows, types, glosses, paint, map } = options;
    const chosen = headChoice(looksOf(trace), look);
    render(html`<${Player} ...${{ trace, step, ...chosen, theme, windows, types, glosses, paint, map, dispatch, ...asking.props(chosen) }} />`, host);
  }

  /** @param {PlayerAction} action */
  function dispatch(action) {
    if (action.type === "step chosen") ({ step } = action);
    if (action.type === "head chosen") look = shownLook(trace.steps, action);
    asking.hear(action, trace, options.windows ?? {});
    draw();
  }

  /** Show the same sentence decoded with other settings. @param {Trace} decoded */
  function show(decoded) {
    trace = decoded;
    step = clamped(step);
  }

  /** @param {number} wanted */
  function clamped(wanted) {
    return Math.min(Math.max(wanted, 0), Math.max(trace.steps.length - 1, 0));
  }

  draw();
  return {
    update(newTrace, newOptions = options, hooks = {}) {
      options = newOptions;
      asking.replace(hooks);
      if (newTrace !== trace) {
        const [heads, before] = [newTrace, trace].map((each) => looksOf(each).length);
        if (heads !== before) look = opening(newTrace, options);
        if (newTrace.source.join("\n") !== trace.source.join("\n")) step = options.step ?? 0;
        asking.outdate();
        show(newTrace);
      }
      draw();
    },
    jump(to) {
      step = clamped(to);
      draw();
    },
    go(place) {
      look = opening(trace, place);
      step = clamped(place.step);
      draw();
    },
    destroy() {
      drawn = false;
      render(null, host);
    },
  };
}

/**
 * The index of the chosen head, else of the clearest one; null is the mean, and the only choice for a model with one look.
 * @param {Trace} trace
 * @param {Partial<HeadChoice>} choice
 */
const opening = ({ steps }, { layer = null, head = null }) => shownLook(steps, { layer, head });
