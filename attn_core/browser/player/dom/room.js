// How much of the screen is left for a part of the player.

/** Whether a player is in lecture layout. @param {HTMLElement} player */
export const presents = (player) => player.matches(".ap-presented");

const MARGIN = 12; // below it
const SCREEN = 0.6; // of the screen: what begins above is on it where the page opens

/**
 * The height that `part` can have without scrolling where its page opens, in pixels. Further down a page, readers
 * scroll until the player is on the screen: then only what is above `part` in the player takes room, or as much of it
 * as fits. A player with a scroll margin is one that its page scrolls to the top of the screen, below that margin. In
 * lecture layout nothing is below it.
 * @param {HTMLElement} part
 * @param {HTMLElement} player
 */
export function roomFor(part, player) {
  const { top } = part.getBoundingClientRect();
  if (presents(player))
    return (
      window.innerHeight - top - (player.matches(".ap-alone-presented") ? player.scrollTop : scrolled(part)) - MARGIN
    );
  const frame = part.closest(".ap");
  const margin = frame ? parseFloat(getComputedStyle(frame).scrollMarginTop) : 0;
  if (frame && margin) return window.innerHeight - margin - (top - frame.getBoundingClientRect().top) - MARGIN;
  const inPage = topInPage(part);
  const inPlayer = Math.min(top - player.getBoundingClientRect().top, (1 - SCREEN) * window.innerHeight);
  const above = inPage < SCREEN * window.innerHeight ? inPage : inPlayer;
  return window.innerHeight - above - MARGIN;
}

/**
 * The height that is left below the top of a part on the screen where its page opens, in pixels; less than 0 further
 * down.
 * @param {HTMLElement} part
 */
export const roomOnScreen = (part) => window.innerHeight - topInPage(part) - MARGIN;

/**
 * Call `changed` when the room of `part` may have changed: with its own size, with the window, and with its place in
 * the page, as when something above it grows. Returns what ends this.
 * @param {HTMLElement} part
 * @param {() => void} changed
 */
export function watchRoom(part, changed) {
  let last = topInPage(part);
  const moved = () => {
    const top = topInPage(part);
    if (top === last) return;
    last = top;
    changed();
  };
  const observers = [new ResizeObserver(changed), new ResizeObserver(moved)];
  [part, contentAround(part)].forEach((element, i) => observers[i].observe(element));
  window.addEventListener("resize", changed);
  return () => {
    observers.forEach((observer) => observer.disconnect());
    window.removeEventListener("resize", changed);
  };
}

/** How far a part is below the top of its page, however far that is scrolled. @param {HTMLElement} part */
export const topInPage = (part) => part.getBoundingClientRect().top + scrolled(part);

/**
 * The content of the page around a part: the highest element inside what scrolls.
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
