// The fonts of the page. They may arrive after its text, and then canvases must be drawn again.

/**
 * Call `redraw` whenever fonts have arrived, until the returned function is called.
 * @param {() => void} redraw
 */
export function onFonts(redraw) {
  document.fonts?.addEventListener("loadingdone", redraw);
  return () => document.fonts?.removeEventListener("loadingdone", redraw);
}

/**
 * Whether the first font of a list has arrived. Text that was measured before has another width now.
 * @param {string} family
 */
export const hasFont = (family) => document.fonts?.check(`16px ${family.split(",")[0]}`) ?? true;
