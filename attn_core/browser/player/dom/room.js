// The height of the screen that a part of the player can have.

/** Whether a player is in lecture layout. @param {HTMLElement} player */
export const isPresented = (player) => player.matches(".ap-presented");

const MARGIN = 12; // CSS pixels below the part
const FIRST_SCREEN = 0.6; // of the screen's height: a part whose top is above this is visible when the page opens

/**
 * The height that `part` can have on the screen, in CSS pixels. At the top of a page, everything above it takes room.
 * Further down a page, readers scroll until the player is on the screen, so that only the player's own parts above it
 * take room, and of these as much as leaves most of the screen. A page scrolls a player with a scroll margin to the top
 * of the screen, below that margin. In lecture layout, nothing is below the part.
 * @param {HTMLElement} part
 * @param {HTMLElement} player
 */
export function roomFor(part, player) {
  const { top } = part.getBoundingClientRect();
  if (isPresented(player))
    return (
      window.innerHeight - top - (player.matches(".ap-alone-presented") ? player.scrollTop : scrolled(part)) - MARGIN
    );
  const frame = part.closest(".ap");
  const margin = frame ? parseFloat(getComputedStyle(frame).scrollMarginTop) : 0;
  if (frame && margin) return window.innerHeight - margin - (top - frame.getBoundingClientRect().top) - MARGIN;
  const inPage = topInPage(part);
  const inPlayer = Math.min(top - player.getBoundingClientRect().top, (1 - FIRST_SCREEN) * window.innerHeight);
  const above = inPage < FIRST_SCREEN * window.innerHeight ? inPage : inPlayer;
  return window.innerHeight - above - MARGIN;
}

/**
 * The height below the top of a part on the screen when its page opens, in CSS pixels; negative further down the page.
 * @param {HTMLElement} part
 */
export const roomOnScreen = (part) => window.innerHeight - topInPage(part) - MARGIN;

/**
 * Call `onChange` when the room of `part` may have changed: with its own size, with the window, and when it moves in
 * the page, as when something above it grows. The returned function ends this.
 * @param {HTMLElement} part
 * @param {() => void} onChange
 */
export function watchRoom(part, onChange) {
  let lastTop = topInPage(part);
  const checkTop = () => {
    const top = topInPage(part);
    if (top === lastTop) return;
    lastTop = top;
    onChange();
  };
  const observers = [new ResizeObserver(onChange), new ResizeObserver(checkTop)];
  [part, contentAround(part)].forEach((element, i) => observers[i].observe(element));
  window.addEventListener("resize", onChange);
  return () => {
    observers.forEach((observer) => observer.disconnect());
    window.removeEventListener("resize", onChange);
  };
}

/** The distance of a part from the top of its page, wherever the page is scrolled to. @param {HTMLElement} part */
export const topInPage = (part) => part.getBoundingClientRect().top + scrolled(part);

/**
 * The content of the page around a part: the outermost element inside the one that scrolls.
 * @param {Element} part
 * @returns {Element}
 */
function contentAround(part) {
  const outer = parentOf(part);
  const scrolls = outer && outer !== document.body && /auto|scroll/.test(getComputedStyle(outer).overflowY);
  return !outer || outer === document.documentElement || scrolls ? part : contentAround(outer);
}

/** @param {Element} node */
function parentOf({ parentNode }) {
  const parent = parentNode instanceof ShadowRoot ? parentNode.host : parentNode;
  return parent instanceof Element ? parent : null;
}

/** How far the elements around a node, and the page, are scrolled. @param {Node} node @returns {number} */
function scrolled(node) {
  const outer = node instanceof ShadowRoot ? node.host : node.parentNode;
  if (!outer) return 0;
  return (outer instanceof Element ? outer.scrollTop : 0) + scrolled(outer);
}
