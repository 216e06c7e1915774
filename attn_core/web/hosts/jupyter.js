// The player as an anywidget: the trace and the settings of a released slider are traitlets.

import { createPlayer } from "../player/player.js";

/**
 * @import { Settled, Trace } from "../player/core/types.d.ts"
 * @import { WidgetModel } from "./types.d.ts"
 */

/**
 * @param {{ model: WidgetModel, el: HTMLElement }} given
 */
function render({ model, el: cell }) {
  /** @type {{ text: string | null, trace: Trace | null }} */
  const kept = { text: null, trace: null };
  /** @returns {Trace} */
  const read = () => {
    // While the text is the same, the trace is the same object, so that a change of theme does not reset the player.
    const text = model.get("trace_json");
    if (text !== kept.text) Object.assign(kept, { text, trace: JSON.parse(text) });
    return /** @type {Trace} */ (kept.trace);
  };
  const options = () => ({
    theme: model.get("theme"), canDecode: model.get("can_decode"), answered: model.get("answered"),
  });
  const onSettle = (/** @type {Settled} */ settings) => {
    model.set("settled", settings);
    model.save_changes();
  };
  const player = createPlayer(cell, { trace: read(), options: options(), onSettle });
  const change = () => player.update(read(), options());
  const names = ["trace_json", "theme", "can_decode", "answered"];
  for (const name of names) model.on(`change:${name}`, change);
  return () => {
    for (const name of names) model.off(`change:${name}`, change);
    player.destroy();
  };
}

export default { render };
