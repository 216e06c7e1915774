// Printing: for as long as it lasts, the document has the class `printing`, by which pages and themes are laid out on
// paper.

const CLASS = "printing";

/** Whether the page is being printed. */
export const printing = () => document.documentElement.classList.contains(CLASS);

/**
 * Call `draw` when the page has been laid out for paper, before it is printed, and again afterwards; it must draw at
 * once, since no frame comes before the paper. Returns the function that ends this.
 * @param {() => void} draw
 */
export function onPrint(draw) {
  const turn = (/** @type {Event} */ { type }) => {
    document.documentElement.classList.toggle(CLASS, type === "beforeprint");
    draw();
  };
  const names = ["beforeprint", "afterprint"];
  names.forEach((name) => window.addEventListener(name, turn));
  return () => names.forEach((name) => window.removeEventListener(name, turn));
}
