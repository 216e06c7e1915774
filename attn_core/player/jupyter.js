// The player as an anywidget: the trace is a traitlet, and so are the settings that the reader let go at.

import { createPlayer } from "./player.js";

function render({ model, el: cell }) {
  const read = () => JSON.parse(model.get("trace_json"));
  const options = () => ({ theme: model.get("theme"), canDecode: model.get("can_decode") });
  const onSettle = (settings) => {
    model.set("settled", settings);
    model.save_changes();
  };
  const player = createPlayer(cell, { trace: read(), options: options(), onSettle });
  const change = () => player.update(read(), options());
  model.on("change:trace_json", change);
  return () => {
    model.off("change:trace_json", change);
    player.destroy();
  };
}

export default { render };
