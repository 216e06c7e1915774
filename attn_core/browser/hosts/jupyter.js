// The player as an anywidget: the trace and the models are traitlets.

import { createPlayer } from "../player/player.js";
import { createWidget } from "../widget/widget.js";

/**
 * @import { TraceJSON } from "../engine/types.d.ts"
 * @import { Trace } from "../player/core/types.d.ts"
 * @import { WidgetModel, WidgetState } from "./types.d.ts"
 */

/**
 * @param {{ model: WidgetModel, el: HTMLElement }} widget
 */
function render({ model, el: cell }) {
  /** @type {{ text: string | null, trace: (Trace & TraceJSON) | null }} */
  const kept = { text: null, trace: null };
  /** @returns {Trace & TraceJSON} */
  const read = () => {
    // While the text is the same, the trace is the same object, so that a change of theme does not reset the player.
    const text = model.get("trace_json");
    if (text !== kept.text) Object.assign(kept, { text, trace: JSON.parse(text) });
    return /** @type {Trace & TraceJSON} */ (kept.trace);
  };
  const models = model
    .get("models")
    .map(({ weights, ...files }) => ({
      name: files.graphs.name,
      languages: files.languages,
      load: () => ({ ...files, weights: bytes(weights) }),
    }));
  const options = () => {
    const { windows, types } = model.get("known");
    return { theme: model.get("theme"), windows: { ...windows, ...model.get("models")[0]?.graphs.windows }, types };
  };
  const content = { trace: read(), options: options() };
  const player = models.length
    ? createWidget(cell, { ...content, models, text: model.get("text") })
    : createPlayer(cell, content);
  const change = () => player.update(read(), options());
  /** @type {(keyof WidgetState)[]} */
  const names = ["trace_json", "theme", "known"];
  for (const name of names) model.on(`change:${name}`, change);
  return () => {
    for (const name of names) model.off(`change:${name}`, change);
    player.destroy();
  };
}

/** A copy of the kernel's bytes, which may be part of a larger message. @param {DataView} view */
function bytes({ buffer, byteOffset, byteLength }) {
  return new Uint8Array(buffer, byteOffset, byteLength).slice();
}

export default { render };
