// Presenter view: the player alone on the whole screen, so large that the last row of a room can read it.

import { t } from "../core/messages.js";
import { onClick } from "./steps.js";
import { onKey } from "./typing.js";

/** @import { Acts } from "../core/types.d.ts" */
/** @import { Ui } from "./types.d.ts" */

/**
 * Whether the player is in presenter view.
 * @param {Pick<Ui, "root">} ui
 */
export const presents = ({ root }) => root.matches(":fullscreen");

/**
 * A button and the key F begin and end it; there, the keys of a remote control go from step to step.
 * @param {Ui} ui
 * @param {Acts} act
 */
export function wirePresenter(ui, act) {
  if (!document.fullscreenEnabled) { // on some phones, and in frames that do not allow it
    ui.present.hidden = true;
    return;
  }
  const toggle = () => {
    if (presents(ui)) document.exitFullscreen();
    else ui.root.requestFullscreen().catch(() => {}); // the browser says why
  };
  onClick(ui.present, toggle);
  const begins = ui.present.title;
  ui.root.addEventListener("fullscreenchange", () => {
    ui.present.setAttribute("aria-pressed", String(presents(ui)));
    ui.present.title = presents(ui) ? t("Leave presenter view (F)") : begins;
    ui.frame.focus({ preventScroll: true }); // for the keys
  });
  onKey(ui.frame, (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { tagName } = /** @type {HTMLElement} */ (event.composedPath()[0]);
    /** @type {Record<string, () => void>} */
    const actions = { f: toggle, F: toggle, ...(presents(ui) ? { PageUp: () => act.move(-1), PageDown: () => act.move(1) } : {}) };
    const action = actions[event.key];
    if (!action || tagName === "SELECT") return;
    event.preventDefault();
    action();
  });
}
