// A page of tests with a player whose window can be set: `asked` has what it asked for, and `answer(trace)` is the
// translation.

import { render } from "../../attn_core/browser/vendor/preact.js";
import { Player } from "../../attn_core/browser/player/components/player.js";
import { headChoice, looksOf, shownHeadIndex } from "../../attn_core/browser/player/core/looks.js";
import { decodedWith, trainedWith } from "../../attn_core/browser/player/core/settings.js";
import { html } from "../../attn_core/browser/player/dom/html.js";

export function hostPlayer(host, { trace, options }) {
  const headOf = (shown, choice) =>
    headChoice(looksOf(shown), shownHeadIndex(shown, { layer: null, head: null, ...choice }));
  let props = {
    theme: "auto",
    step: 0,
    ...options,
    ...headOf(trace, options),
    trace,
    sliderSettings: null,
    hasSliders: true,
    canKeepStates: true,
    dispatch,
  };
  const draw = (change) => {
    props = { ...props, ...change };
    render(html`<${Player} ...${props} />`, host);
  };
  const ask = (sliderSettings, how) => {
    window.asked.push(sliderSettings.keep ? { ...how, keep_states: true } : how);
    draw({ sliderSettings });
  };
  function dispatch({ type, ...values }) {
    window.actions.push({ type, ...values });
    const now = props.sliderSettings ?? decodedWith(props.trace, props.windows);
    const isTrained =
      JSON.stringify({ ...now, keep: false }) === JSON.stringify(trainedWith(props.trace, props.windows));
    if (type === "step chosen" || type === "head chosen" || type === "lecture set" || type === "pieces chosen")
      draw(values);
    if (type === "states kept")
      ask({ ...now, ...values }, isTrained ? {} : { window: now.window, ...now.live, centers: now.centers });
    if (type !== "window set") return;
    const { window: name, live, centers } = values;
    if (name === null) ask({ ...trainedWith(props.trace, props.windows), keep: now.keep }, {});
    else ask({ ...values, keep: now.keep }, { window: name, ...live, centers });
  }
  const show = (next, change = {}) => draw({ ...headOf(next, props), ...change, trace: next, sliderSettings: null });
  Object.assign(window, {
    asked: [],
    actions: [],
    draw,
    answer: (text) => show(JSON.parse(text)),
    player: {
      destroy: () => render(null, host),
      update: (next, change = {}) =>
        show(next, next.source.join() === props.trace.source.join() ? change : { step: 0, ...change }),
    },
  });
  draw({});
}
