// Full screen, which a browser grants to a click or a key, where it has it at all.

/** Show an element on the whole screen, if the browser can. @param {Element} element */
export function enterFullScreen(element) {
  if (document.fullscreenEnabled) element.requestFullscreen().catch(() => {}); // the browser says why
}

/** End full screen, if there is one. */
export function leaveFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
}
