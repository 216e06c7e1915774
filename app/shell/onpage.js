// The connection of a stage to its page: theme, lecture layout, and redrawing when something changes.

import { onFonts } from "../../attn_core/browser/player/dom/fonts.js";
import { onPrint, isPrinting } from "../../attn_core/browser/player/dom/print.js";
import { watchRoom } from "../../attn_core/browser/player/dom/room.js";
import { themeOf } from "../../attn_core/browser/player/dom/theme.js";
import { inLecture, onStepAsked } from "./layout.js";

/** @import { Theme } from "../../attn_core/browser/player/core/types.d.ts" */
/** @import { Direction } from "./layout.js" */

const PRESENTED = "ap-presented"; // class of a root in lecture layout

/**
 * Keep `root` in the page's theme and layout. Call `draw` in the next frame after `ask()`, and when the theme, the
 * fonts or the size of an element given to `watch` changes; call it at once when the page is printed.
 * @param {HTMLElement} root
 * @param {() => void} draw
 */
export function onPage(root, draw) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let frameId = 0;
  let stopRoom = () => {};
  const drawFrame = () => {
    frameId = 0;
    draw();
  };
  const ask = () => {
    frameId ||= requestAnimationFrame(drawFrame);
  };
  const restyle = () => {
    const theme = themeOf(root, "auto");
    if (root.dataset.theme === theme) return;
    root.dataset.theme = theme;
    ask();
  };
  const followLayout = () => {
    if (root.classList.toggle(PRESENTED, inLecture()) !== isPresented) ask();
    isPresented = inLecture();
  };
  let isPresented = inLecture();
  const sizeObserver = new ResizeObserver(ask);
  const layoutObserver = new MutationObserver(followLayout);
  layoutObserver.observe(document.documentElement, { attributeFilter: ["class"] });
  const stopSteps = onStepAsked((direction, event) => takeStep(root, direction, event));
  const themeObserver = new MutationObserver(restyle);
  themeObserver.observe(document.body, { attributes: true });
  dark.addEventListener("change", restyle);
  const stopFonts = onFonts(ask);
  followLayout();
  restyle();
  const stopPrint = onPrint(() => {
    root.classList.toggle("ap-printing", isPrinting());
    restyle();
    draw();
  });
  return {
    ask,
    restyle,
    theme: () => /** @type {Theme} */ (root.dataset.theme),
    watch: (/** @type {Element} */ element) => sizeObserver.observe(element),
    /** Draw also when the room for `part` changes, with the window or what is above it. @param {HTMLElement} part */
    watchRoom(part) {
      stopRoom = watchRoom(part, ask);
    },
    stop() {
      cancelAnimationFrame(frameId);
      sizeObserver.disconnect();
      stopRoom();
      themeObserver.disconnect();
      layoutObserver.disconnect();
      stopSteps();
      dark.removeEventListener("change", restyle);
      stopPrint();
      stopFonts();
      root.remove();
    },
  };
}

/**
 * Take the step that is asked for, if the stage is visible and has another one in this direction.
 * @param {HTMLElement} root
 * @param {Direction} direction
 * @param {Event} event
 */
function takeStep(root, direction, event) {
  if (event.defaultPrevented || !root.offsetParent) return;
  const key = direction > 0 ? "ArrowRight" : "ArrowLeft";
  const buttons = root.querySelectorAll(`button[aria-keyshortcuts="${key}"]:not([aria-disabled="true"])`);
  const button = [...buttons].at(direction > 0 ? 0 : -1); // parts of a stage are gone through one after the other
  if (!(button instanceof HTMLElement)) return;
  event.preventDefault();
  button.click();
}

/**
 * Call `listener` for each key on the page, wherever the focus is (a button that was clicked loses it), until the
 * returned function is called.
 * @param {(event: KeyboardEvent) => void} listener
 */
export function onPageKey(listener) {
  document.addEventListener("keydown", listener);
  return () => document.removeEventListener("keydown", listener);
}
