// Lecture layout: the player is large enough to be read from the last row of a room. It begins in full screen; when
// full screen ends, it ends too.

import { enterFullScreen, leaveFullScreen } from "../dom/full-screen.js";
import { useEffect, useRef } from "../../vendor/hooks.js";

/** @import { PlayerProps } from "./types.d.ts" */

/**
 * Begin and end lecture layout. A page with a lecture layout of its own handles full screen.
 * @param {Pick<PlayerProps, "presented" | "followsPage" | "dispatch">} props
 * @param {{ current: HTMLElement | null }} root
 * @param {{ current: HTMLElement | null }} frame gets the focus, so that the player's keys work
 */
export function useLecture({ presented = false, followsPage = false, dispatch }, root, frame) {
  const wasPresented = useRef(presented);
  useEffect(() => {
    if (presented !== wasPresented.current) frame.current?.focus({ preventScroll: true });
    wasPresented.current = presented;
  }, [presented]);
  const setPresented = (/** @type {boolean} */ next) => dispatch({ type: "lecture set", presented: next });
  return {
    toggle() {
      setPresented(!presented);
      if (followsPage) return;
      if (presented) leaveFullScreen();
      else if (root.current) enterFullScreen(root.current);
    },
    /** Escape ends full screen, and the page does not hear of the key. */
    onFullscreenChange() {
      if (!followsPage && !document.fullscreenElement) setPresented(false);
    },
  };
}
