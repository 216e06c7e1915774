// The player of a page that translates: it shows the last translation, and its sliders what the view asks for.

import { trainedWith } from "../player/core/settings.js";
import { Player } from "../player/components/player.js";
import { html, Part } from "../player/dom/html.js";
import { placeOf } from "../state/heads.js";
import { runsAs, settingsOf } from "../state/requests.js";
import { hasFailed, isBlank, isBusy, isStale, isWaiting } from "./selected.js";

/**
 * @import { Panel } from "../player/components/types.d.ts"
 * @import { WindowFacts } from "../engine/types.d.ts"
 * @import { PlayerProps } from "../player/components/types.d.ts"
 * @import { Options } from "../player/core/types.d.ts"
 * @import { Dispatch, State } from "../state/types.d.ts"
 *
 * @typedef {object} TranslatingPlayerProps
 * @property {State} state
 * @property {Record<string, WindowFacts>} windows what is known of windows until a model is open
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
  const known = files?.graphs.windows ?? windows;
  const isAsAsked = shown.model !== view.model || runsAs(view, shown.how); // also while another sentence is translated
  const asked = isAsAsked ? null : settingsOf(view, trainedWith(shown.trace, known), known);
  const stale = isStale(state);
  const isLocked = isWaiting(state) || (stale && !hasFailed(state)); // another try may begin at the sliders
  return html`<div class=${stale ? "live-stale" : ""} inert=${isLocked} aria-busy=${String(isBusy(state))}
    style=${{ visibility: isBlank(state) ? "hidden" : "" }}>
    <${Part} of=${Player} ...${options} ...${placeOf(state)} trace=${shown.trace} presented=${view.present}
      byPieces=${state.byPieces} asked=${asked} decodes=${model.status !== "closed"} keeps=${Boolean(model.files)}
      graphs=${files?.graphs} windows=${known} types=${files?.graphs.types ?? types} between=${between}
        panels=${panels} dispatch=${dispatch} />
  </div>`;
}
