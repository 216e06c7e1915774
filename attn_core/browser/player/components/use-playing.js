// Playback: from step to step, at a speed; at speed 0 as at 1, but without motion, which takes a `pace` (0: none).

import { useLayoutEffect, useRef, useState } from "../../vendor/hooks.js";

const PACE = 1000; // ms per step at speed 1

/**
 * @param {{ step: number, steps: number, sentence: string[], dispatch: (action: { type: "step chosen", step: number })
 * => void }} now It stops at the last step, where something else chooses a step, and with another sentence.
 */
export function usePlaying({ step, steps, sentence, dispatch }) {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const pace = PACE / (speed || 1);
  const due = useRef(step); // the step that playback has chosen
  /** @param {number} to */
  const go = (to) => {
    due.current = to;
    dispatch({ type: "step chosen", step: to });
  };
  const stop = () => setPlaying(false);
  const advance = useRef(stop);
  advance.current = () => (step >= steps - 1 ? stop() : go(step + 1));
  const toggle = () => {
    if (!playing && steps > 1 && step >= steps - 1) go(0);
    setPlaying(!playing && steps > 1);
  };
  useLayoutEffect(() => {
    if (step !== due.current) stop();
  }, [step]);
  useLayoutEffect(stop, [sentence.join("\n")]);
  useLayoutEffect(() => {
    if (!playing) return;
    let next = performance.now() + pace;
    let frame = requestAnimationFrame(function turn(time) {
      frame = requestAnimationFrame(turn);
      if (time < next) return;
      next = time - next < pace ? next + pace : time + pace;
      advance.current();
    });
    return () => cancelAnimationFrame(frame);
  }, [playing, pace]);
  return { playing, speed, pace: playing && speed ? pace : 0, toggle, stop, setSpeed };
}
