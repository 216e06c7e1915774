// Playback: from step to step, at a speed. Speed 0 is as fast as 1, without motion between the steps.

import { useLayoutEffect, useRef, useState } from "../../vendor/hooks.js";

const PACE = 1000; // ms per step at speed 1

/**
 * Playback stops at the last step, when something else chooses a step, and when the sentence changes. The `pace` that
 * it returns is the time of a step's motion in ms, 0 for none.
 * @param {{ step: number, steps: number, sentence: string[], dispatch: (action: { type: "step chosen", step: number })
 * => void }} translation
 */
export function usePlaying({ step, steps, sentence, dispatch }) {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const pace = PACE / (speed || 1);
  const playedStep = useRef(step); // the step that playback has chosen
  /** @param {number} next */
  const play = (next) => {
    playedStep.current = next;
    dispatch({ type: "step chosen", step: next });
  };
  const stop = () => setPlaying(false);
  const advance = useRef(stop);
  advance.current = () => (step >= steps - 1 ? stop() : play(step + 1));
  const toggle = () => {
    if (!playing && steps > 1 && step >= steps - 1) play(0);
    setPlaying(!playing && steps > 1);
  };
  useLayoutEffect(() => {
    if (step !== playedStep.current) stop();
  }, [step]);
  useLayoutEffect(stop, [sentence.join("\n")]);
  useLayoutEffect(() => {
    if (!playing) return;
    let due = performance.now() + pace;
    let frame = requestAnimationFrame(function tick(time) {
      frame = requestAnimationFrame(tick);
      if (time < due) return;
      due = time - due < pace ? due + pace : time + pace;
      advance.current();
    });
    return () => cancelAnimationFrame(frame);
  }, [playing, pace]);
  return { playing, speed, pace: playing && speed ? pace : 0, toggle, stop, setSpeed };
}
