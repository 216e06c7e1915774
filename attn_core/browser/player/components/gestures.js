// What readers do on a picture with a mouse, a finger or a pen: they drag p_t, set weights by hand, point at numbers
// and click on them. Each event belongs to the first of the gestures that takes it.

/**
 * @typedef {{ clientX: number, clientY: number }} Point
 * @typedef {Partial<Record<"down" | "move" | "up" | "leave" | "click", (event: PointerEvent, plot: HTMLElement) =>
 * boolean | void>>   & { touch?: (finger: Touch, plot: HTMLElement) => boolean }} Gesture each returns whether it takes
 * the event
 */

/** The listeners of a picture with these gestures. @param {Gesture[]} all */
export function gestures(all) {
  const offer =
    (/** @type {"down" | "move" | "up" | "leave" | "click"} */ kind) => (/** @type {PointerEvent} */ event) => {
      all.some((each) => each[kind]?.(event, /** @type {HTMLElement} */ (event.currentTarget)));
    };
  return {
    onPointerDown: offer("down"),
    onPointerMove: offer("move"),
    onPointerUp: offer("up"),
    onPointerCancel: offer("up"),
    onPointerLeave: offer("leave"),
    onClick: offer("click"),
    /** A finger on what can be dragged does not scroll the page. @param {TouchEvent} event */
    onTouchStart(event) {
      const [finger] = event.touches;
      if (all.some(({ touch }) => touch?.(finger, /** @type {HTMLElement} */ (event.currentTarget))))
        event.preventDefault();
    },
  };
}
