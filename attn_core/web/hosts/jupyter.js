// The player as an anywidget: the trace is a traitlet, and so are the settings that the reader let go at.

import { createPlayer } from "../player/player.js";

function render({ model, el: cell }) {
  const kept = {};
  const read = () => {
    // A trace is the same object as long as its text is the same, so that a change of theme resets nothing.
    const text = model.get("trace_json");
    if (text !== kept.text) Object.assign(kept, { text, trace: JSON.parse(text) });
    return kept.trace;
  };
  const options = () => ({
    theme: model.get("theme"), canDecode: model.get("can_decode"), answered: model.get("answered"),
  });
  const onSettle = (settings) => {
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
