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
  const parsed = { text: null, trace: null };
  /** @returns {Trace & TraceJSON} */
  const readTrace = () => {
    // While the text is the same, the trace is the same object, so that a change of theme does not reset the player.
    const text = model.get("trace_json");
    if (text !== parsed.text) Object.assign(parsed, { text, trace: JSON.parse(text) });
    return /** @type {Trace & TraceJSON} */ (parsed.trace);
  };
  const models = model
    .get("models")
    .map(({ weights, ...files }) => ({
      name: files.graphs.name,
      languages: files.languages,
      load: () => ({ ...files, weights: copyBytes(weights) }),
    }));
  const readOptions = () => {
    const { windows, types } = model.get("known");
    return { theme: model.get("theme"), windows: { ...windows, ...model.get("models")[0]?.graphs.windows }, types };
  };
  const content = { trace: readTrace(), options: readOptions() };
  const player = models.length
    ? createWidget(cell, { ...content, models, text: model.get("text") })
    : createPlayer(cell, content);
  const update = () => player.update(readTrace(), readOptions());
  /** @type {(keyof WidgetState)[]} */
  const traitlets = ["trace_json", "theme", "known"];
  for (const name of traitlets) model.on(`change:${name}`, update);
  return () => {
    for (const name of traitlets) model.off(`change:${name}`, update);
    player.destroy();
  };
}

/** A copy of the kernel's bytes, which may be part of a larger message. @param {DataView} view */
function copyBytes({ buffer, byteOffset, byteLength }) {
  return new Uint8Array(buffer, byteOffset, byteLength).slice();
}

export default { render };
