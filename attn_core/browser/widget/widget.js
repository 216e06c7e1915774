// A player below a sentence box, with models that translate in the page: in a notebook or a handout.
//
//   const widget = createWidget(host, { trace, models, text, options });
//   widget.update(trace, options);   widget.destroy();

import { typedOf } from "../player/core/pieces.js";
import { Guarded, html, Part } from "../player/dom/html.js";
import { useMemo } from "../vendor/hooks.js";
import { render } from "../vendor/preact.js";
import { effect, signal } from "../vendor/signals-core.js";
import { firstState } from "../state/first-state.js";
import { stepAndHeadOf } from "../state/heads.js";
import { reduce } from "../state/reducer.js";
import { runOfTrace } from "../state/requests.js";
import { createStore } from "../state/store.js";
import { createTranslator } from "../state/translator.js";
import { Exercise } from "./exercise.js";
import { Question } from "./question.js";
import { noteOf, outputOf, searchAndType, boxLabels } from "./selectors.js";
import { SentenceBox } from "./sentence-box.js";
import { TranslatingPlayer } from "./translating-player.js";

/**
 * @import { TraceJSON } from "../engine/types.d.ts"
 * @import { Offered } from "../hosts/types.d.ts"
 * @import { Options } from "../player/core/types.d.ts"
 * @import { Action, Dispatch, State, View } from "../state/types.d.ts"
 *
 * @typedef {object} WidgetContent
 * @property {TraceJSON} trace shown until the first translation arrives
 * @property {Offered[]} models that translate; the first is open at the start, unless the trace names another
 * @property {string | null} [text] the sentence, by default that of the trace
 * @property {Options} [options] of the player
 * @property {boolean} [isHandout] whether it also shows the question of the step, and equations and a task below
 */

/**
 * @param {HTMLElement} host
 * @param {WidgetContent} content
 */
export function createWidget(
  host,
  { trace: first, models, text = null, options: firstOptions = {}, isHandout = false },
) {
  const choices = models.map(({ name, joined = false }) => ({ name, joined, pair: "", examples: [] }));
  const options = signal(firstOptions);
  const viewOf = (/** @type {TraceJSON} */ trace) =>
    widgetView(trace, (trace === first && text) || typedOf(trace.source), models, options.value);
  let latestTrace = first;
  const store = createStore(
    firstState(viewOf(first), first),
    (/** @type {State} */ state, /** @type {Action} */ action) => reduce(state, action, choices),
  );
  const translator = createTranslator(store, models);
  const stopDrawing = effect(() =>
    render(
      html`<${Widget} state=${store.state.value} options=${options.value} models=${models} isHandout=${isHandout}
        dispatch=${store.dispatch} />`,
      host,
    ),
  );
  return {
    /** Show a new translation by the kernel, or new options. @param {TraceJSON} trace @param {Options} newOptions */
    update(trace, newOptions) {
      options.value = newOptions;
      if (trace === latestTrace) return;
      latestTrace = trace;
      store.dispatch({ type: "trace given", trace, view: viewOf(trace) });
    },
    destroy() {
      translator.stop();
      stopDrawing();
      render(null, host);
    },
  };
}

/**
 * The view of a trace.
 * @param {TraceJSON} trace
 * @param {string} text
 * @param {Offered[]} models
 * @param {Options} options
 * @returns {View}
 */
function widgetView(trace, text, models, { windows = {}, step = 0, layer = null, head = null }) {
  // The trace of a model that is not among these has the name of its folder
  const { name } = models.find((model) => model.name === trace.model) ?? models[0];
  return {
    ...runOfTrace(trace, windows),
    model: name,
    text,
    step: step ?? 0,
    layer,
    head,
    compared: null,
    race: null,
    gloss: "",
    tour: null,
    level: "workbench",
    present: false,
  };
}

/**
 * @param {{ state: State, options: Options, models: Offered[], isHandout: boolean, dispatch: Dispatch }} props
 */
function Widget({ state, options, models, isHandout, dispatch }) {
  const {
    view,
    model: { files },
    result,
    shown,
  } = state;
  const model = models.find(({ name }) => name === view.model) ?? models[0];
  const graphs = shown.files?.graphs;
  const { step, layer, head } = stepAndHeadOf(state);
  const question = useMemo(
    () =>
      isHandout &&
      html`<div><${Guarded}><${Question} trace=${shown.trace} graphs=${graphs}
        at=${{ step, layer, head }} /><//></div>`,
    [isHandout, shown.trace, graphs, step, layer, head],
  );
  return html`
    <${SentenceBox} text=${view.text} output=${outputOf(state)} note=${noteOf(state, model)} model=${model}
      labels=${boxLabels(files, model)}
      settings=${{
        ...searchAndType(view, files, result?.answer?.trace ?? null),
        models,
        model: model.name,
        isUnfolded: true,
      }} dispatch=${dispatch} />
    <${TranslatingPlayer} state=${state} windows=${options.windows} types=${options.types ?? {}}
      options=${{ theme: options.theme }} between=${question} dispatch=${dispatch} />
    ${isHandout && html`<${Guarded}><${Part} of=${Exercise} graphs=${graphs} how=${shown.how} /><//>`}`;
}
