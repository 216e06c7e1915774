// Full screen. Browsers grant it only in response to a click or a key, and some have none.

/** Show an element on the whole screen, if the browser can. @param {Element} element */
export function enterFullScreen(element) {
  if (document.fullscreenEnabled) element.requestFullscreen().catch(() => {}); // the browser logs why
}

/** End full screen, if there is one. */
export function leaveFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
}
