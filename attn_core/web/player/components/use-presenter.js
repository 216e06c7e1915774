// Presenter view: the player alone on the whole screen, so large that the last row of a room can read it.

import { useState } from "../../vendor/hooks.js";
import { presents } from "../dom/room.js";

/**
 * @param {{ current: HTMLElement | null }} root
 * @param {{ current: HTMLElement | null }} frame gets the focus, for its keys
 */
export function usePresenter(root, frame) {
  const [presented, setPresented] = useState(false);
  const toggle = () => {
    if (presented) document.exitFullscreen();
    else root.current?.requestFullscreen().catch(() => {}); // the browser says why
  };
  return {
    presented,
    /** Begins and ends it; null on some phones, and in frames that do not allow it. */
    present: document.fullscreenEnabled ? toggle : null,
    onFullscreenChange() {
      setPresented(root.current !== null && presents(root.current));
      frame.current?.focus({ preventScroll: true });
    },
  };
}
