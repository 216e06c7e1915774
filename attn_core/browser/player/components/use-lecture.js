// Lecture layout: the player so large that the last row of a room can read it. Full screen comes with it, and ends
// before it.

import { enterFullScreen, leaveFullScreen } from "../dom/full-screen.js";
import { useEffect, useRef } from "../../vendor/hooks.js";

/** @import { PlayerProps } from "./types.d.ts" */

/**
 * How a player gets into lecture layout and out of it. On a page with a lecture layout, its keys and full screen are
 * the page's.
 * @param {Pick<PlayerProps, "presented" | "followsPage" | "dispatch">} props
 * @param {{ current: HTMLElement | null }} root
 * @param {{ current: HTMLElement | null }} frame gets the focus, for its keys
 */
export function useLecture({ presented = false, followsPage = false, dispatch }, root, frame) {
  const wasPresented = useRef(presented);
  useEffect(() => {
    if (presented !== wasPresented.current) frame.current?.focus({ preventScroll: true });
    wasPresented.current = presented;
  }, [presented]);
  const set = (/** @type {boolean} */ now) => dispatch({ type: "lecture set", presented: now });
  return {
    toggle() {
      set(!presented);
      if (followsPage) return;
      if (presented) leaveFullScreen();
      else if (root.current) enterFullScreen(root.current);
    },
    /** Escape ends full screen without a key for the page. */
    onFullscreenChange() {
      if (!followsPage && !document.fullscreenElement) set(false);
    },
  };
}
