// The fonts of the page, which may arrive after its text: a canvas has to be drawn again then.

/**
 * Call `redraw` whenever fonts have arrived. Returns the function that ends this.
 * @param {() => void} redraw
 */
export function onFonts(redraw) {
  document.fonts?.addEventListener("loadingdone", redraw);
  return () => document.fonts?.removeEventListener("loadingdone", redraw);
}

/**
 * Whether the first font of a list is there; measured widths hold only as long as this does.
 * @param {string} family
 */
export const hasFont = (family) => document.fonts?.check(`16px ${family.split(",")[0]}`) ?? true;
