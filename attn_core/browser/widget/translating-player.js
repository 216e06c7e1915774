// The player of a page that translates: it shows the last translation, and its sliders show the settings of the view.

import { trainedWith } from "../player/core/settings.js";
import { Player } from "../player/components/player.js";
import { html, Part } from "../player/dom/html.js";
import { stepAndHeadOf } from "../state/heads.js";
import { runsAs, settingsOf } from "../state/requests.js";
import { hasFailed, isBlank, isBusy, isStale, isWaiting } from "./selectors.js";

/**
 * @import { Panel } from "../player/components/types.d.ts"
 * @import { WindowFacts } from "../engine/types.d.ts"
 * @import { PlayerProps } from "../player/components/types.d.ts"
 * @import { Options } from "../player/core/types.d.ts"
 * @import { Dispatch, State } from "../state/types.d.ts"
 *
 * @typedef {object} TranslatingPlayerProps
 * @property {State} state
 * @property {Record<string, WindowFacts>} [windows] what is known of windows until a model is open
 * @property {Record<string, string>} types the names of attention types
 * @property {Partial<Options & Pick<PlayerProps, "followsPage">>} [options] of the player
 * @property {import("../vendor/preact.js").ComponentChildren} [between] what is between the playback and the step
 * @property {Panel[]} [panels] tabs beside the heatmap
 * @property {Dispatch} dispatch
 */

/** @type {Record<string, WindowFacts>} */
const NO_WINDOWS = {};

/** @param {TranslatingPlayerProps} props */
export function TranslatingPlayer({ state, windows = NO_WINDOWS, types, options = {}, between, panels, dispatch }) {
  const { view, model, shown } = state;
  const files = shown.files ?? (shown.model === view.model ? model.files : null);
  const knownWindows = files?.graphs.windows ?? windows;
  const hasViewSettings = shown.model !== view.model || runsAs(view, shown.how); // also before a new sentence arrives
  const sliderSettings = hasViewSettings
    ? null
    : settingsOf(view, trainedWith(shown.trace, knownWindows), knownWindows);
  const looksStale = isStale(state);
  const isLocked = isWaiting(state) || (looksStale && !hasFailed(state)); // after a failure, a slider may try again
  return html`<div class=${looksStale ? "live-stale" : ""} inert=${isLocked} aria-busy=${String(isBusy(state))}
    style=${{ visibility: isBlank(state) ? "hidden" : "" }}>
    <${Part} of=${Player} ...${options} ...${stepAndHeadOf(state)} trace=${shown.trace} presented=${view.present}
      byPieces=${state.byPieces} sliderSettings=${sliderSettings} hasSliders=${model.status !== "closed"}
      canKeepStates=${Boolean(model.files)} graphs=${files?.graphs} windows=${knownWindows}
        types=${files?.graphs.types ?? types} between=${between} panels=${panels} dispatch=${dispatch} />
  </div>`;
}
