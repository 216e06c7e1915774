// What readers do on a picture with a mouse, a finger or a pen: they drag p_t, set weights by hand, point at numbers
// and click on them. Each event goes to the first gesture that takes it.

/**
 * @typedef {{ clientX: number, clientY: number }} Point
 * @typedef {"down" | "move" | "up" | "leave" | "click"} Phase
 * @typedef {Partial<Record<Phase, (event: PointerEvent, plot: HTMLElement) => boolean | void>> &
 *   { touch?: (finger: Touch, plot: HTMLElement) => boolean }} Gesture each handler returns whether it takes the event
 */

/** The listeners of a picture with these gestures. @param {Gesture[]} gestures */
export function gestureListeners(gestures) {
  const offer = (/** @type {Phase} */ phase) => (/** @type {PointerEvent} */ event) => {
    gestures.some((gesture) => gesture[phase]?.(event, /** @type {HTMLElement} */ (event.currentTarget)));
  };
  return {
    onPointerDown: offer("down"),
    onPointerMove: offer("move"),
    onPointerUp: offer("up"),
    onPointerCancel: offer("up"),
    onPointerLeave: offer("leave"),
    onClick: offer("click"),
    /** A finger that drags a handle does not scroll the page. @param {TouchEvent} event */
    onTouchStart(event) {
      const [finger] = event.touches;
      if (gestures.some(({ touch }) => touch?.(finger, /** @type {HTMLElement} */ (event.currentTarget))))
        event.preventDefault();
    },
  };
}
