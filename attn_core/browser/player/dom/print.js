// Printing. While it lasts, the document has the class `printing`, which style sheets and themes use.

const CLASS = "printing";

/** Whether the page is being printed. */
export const isPrinting = () => document.documentElement.classList.contains(CLASS);

/**
 * Call `draw` before the page is printed, when it has been laid out for paper, and again afterwards, until the returned
 * function is called. `draw` must not wait for a frame: none comes before the page is printed.
 * @param {() => void} draw
 */
export function onPrint(draw) {
  const toggle = (/** @type {Event} */ { type }) => {
    document.documentElement.classList.toggle(CLASS, type === "beforeprint");
    draw();
  };
  const names = ["beforeprint", "afterprint"];
  names.forEach((name) => window.addEventListener(name, toggle));
  return () => names.forEach((name) => window.removeEventListener(name, toggle));
}
