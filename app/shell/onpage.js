// Connects a stage to its page: theme, and redrawing when something changes.

import { onFonts } from "../../attn_core/browser/player/dom/fonts.js";
import { onPrint, isPrinting } from "../../attn_core/browser/player/dom/print.js";
import { watchRoom } from "../../attn_core/browser/player/dom/room.js";
import { themeOf } from "../../attn_core/browser/player/dom/theme.js";
import { inLecture, onTurn } from "./layout.js";

/** @import { Theme } from "../../attn_core/browser/player/core/types.d.ts" */
/** @import { Way } from "./layout.js" */

const PRESENTED = "ap-presented"; // class of a root in lecture layout

/**
 * Keep `root` in the page's theme and layout. Call `draw` in the next frame after `ask()`, and when the theme, the
 * fonts or the size of an element given to `watch` changes; and at once when the page is printed.
 * @param {HTMLElement} root
 * @param {() => void} draw
 */
export function onPage(root, draw) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let frameId = 0;
  let endRoom = () => {};
  const frame = () => {
    frameId = 0;
    draw();
  };
  const ask = () => {
    frameId ||= requestAnimationFrame(frame);
  };
  const restyle = () => {
    const theme = themeOf(root, "auto");
    if (root.dataset.theme === theme) return;
    root.dataset.theme = theme;
    ask();
  };
  const layOut = () => {
    if (root.classList.toggle(PRESENTED, inLecture()) !== isPresented) ask();
    isPresented = inLecture();
  };
  let isPresented = inLecture();
  const resized = new ResizeObserver(ask);
  const presented = new MutationObserver(layOut);
  presented.observe(document.documentElement, { attributeFilter: ["class"] });
  const endTurns = onTurn((way, event) => turnStep(root, way, event));
  const themed = new MutationObserver(restyle);
  themed.observe(document.body, { attributes: true });
  dark.addEventListener("change", restyle);
  const endFonts = onFonts(ask);
  layOut();
  restyle();
  const letPrint = onPrint(() => {
    root.classList.toggle("ap-printing", isPrinting());
    restyle();
    draw();
  });
  return {
    ask,
    restyle,
    theme: () => /** @type {Theme} */ (root.dataset.theme),
    watch: (/** @type {Element} */ element) => resized.observe(element),
    /** Also when the room for `part` changes: with the window, and with what is above it. @param {HTMLElement} part */
    watchRoom(part) {
      endRoom = watchRoom(part, ask);
    },
    stop() {
      cancelAnimationFrame(frameId);
      resized.disconnect();
      endRoom();
      themed.disconnect();
      presented.disconnect();
      endTurns();
      dark.removeEventListener("change", restyle);
      letPrint();
      endFonts();
      root.remove();
    },
  };
}

/**
 * A step of a stage in sight, forwards or backwards, if it has another one.
 * @param {HTMLElement} root
 * @param {Way} way
 * @param {Event} event
 */
function turnStep(root, way, event) {
  if (event.defaultPrevented || !root.offsetParent) return;
  const key = way > 0 ? "ArrowRight" : "ArrowLeft";
  const buttons = root.querySelectorAll(`button[aria-keyshortcuts="${key}"]:not([aria-disabled="true"])`);
  const button = [...buttons].at(way > 0 ? 0 : -1); // parts of a stage are gone through one after the other
  if (!(button instanceof HTMLElement)) return;
  event.preventDefault();
  button.click();
}

/**
 * Call `listener` for each key on the page, wherever the focus is: a button that was clicked loses it. Returns what
 * ends this.
 * @param {(event: KeyboardEvent) => void} listener
 */
export function onPageKey(listener) {
  document.addEventListener("keydown", listener);
  return () => document.removeEventListener("keydown", listener);
}
