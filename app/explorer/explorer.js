// The Explorer as a component: its header, a sentence, the settings of the model, the player, and what explains or
// compares the translation.

import { t } from "../../attn_core/browser/player/core/messages.js";
import { withoutVectors } from "../../attn_core/browser/player/core/state-vectors.js";
import { Guarded, html, Part } from "../../attn_core/browser/player/dom/html.js";
import { useEffect, useMemo, useState } from "../../attn_core/browser/vendor/hooks.js";
import { stepAndHeadOf } from "../../attn_core/browser/state/heads.js";
import { howOf, requestKey, runKey } from "../../attn_core/browser/state/requests.js";
import { failure } from "../../attn_core/browser/widget/remarks.js";
import { noteOf, outputOf, searchAndType, boxLabels } from "../../attn_core/browser/widget/selectors.js";
import { SentenceBox } from "../../attn_core/browser/widget/sentence-box.js";
import { Question } from "../../attn_core/browser/widget/question.js";
import { TranslatingPlayer } from "../../attn_core/browser/widget/translating-player.js";
import { Numbers } from "../shell/numbers/numbers.js";
import { needsAt } from "../shell/tour.js";
import { Atlas } from "./atlas/atlas.js";
import { searchChart, windowChart } from "./atlas/charts.js";
import { AxisChips } from "./settings/axis-chips.js";
import { attends, pairOf, textsOf } from "./settings/axes.js";
import { Beam } from "./beam/beam.js";
import { Comparison } from "./compare/comparison.js";
import { comparedRuns, comparisonOf } from "./compare/selectors.js";
import { Downloads } from "./downloads.js";
import { Formulas } from "./formulas.js";
import { GlossMenu, GLOSSES, glossesIn } from "./gloss.js";
import { Header } from "./header.js";
import { betterFor, noticesOf } from "./selectors.js";
import { EditedMaps } from "./surgery/edited-maps.js";
import { Editing } from "./surgery/editing.js";

/**
 * @import { StepAndHead, Theme } from "../../attn_core/browser/player/core/types.d.ts"
 * @import { createTranslator } from "../../attn_core/browser/state/translator.js"
 * @import { State } from "../../attn_core/browser/state/types.d.ts"
 * @import { Panel } from "../../attn_core/browser/player/components/types.d.ts"
 * @import { TreeJSON } from "../../attn_core/browser/engine/types.d.ts"
 * @import { FileKind, OfferedHere, Page, PageAct } from "./types.d.ts"
 *
 * @typedef {object} ExplorerProps
 * @property {State} state
 * @property {Page} page
 * @property {OfferedHere[]} models
 * @property {ReturnType<typeof createTranslator>} translator
 * @property {FileKind[]} [serverFiles] files that a server makes
 * @property {Theme} theme
 * @property {(act: PageAct) => void} dispatch
 */

/** @param {ExplorerProps} props */
export function Explorer(props) {
  const { state, page, models, translator, serverFiles, theme, dispatch } = props;
  const {
    view,
    shown,
    model: { files },
    isEditing,
  } = state;
  const isStory = view.level === "story";
  const [problem, setProblem] = useProblem(view);
  const stepAndHead = useStepAndHead(state);
  const notices = [...noticesOf(state, page.axes, models), ...(problem && !isStory ? [problem] : [])];
  const download = useMemo(
    () =>
      shown.key === null
        ? null
        : {
            text: shown.text,
            model: shown.model,
            trace: withoutVectors(shown.trace),
            byWords: !state.byPieces && !isEditing,
            ...stepAndHead,
          },
    [shown, stepAndHead, state.byPieces, isEditing],
  );
  const source = useMemo(
    () => shown.files && { trace: shown.trace, graphs: shown.files.graphs, how: shown.how, ask: translator.origin },
    [shown],
  );
  const how = useMemo(() => howOf(view), [view.window, view.live, view.centers, view.type, view.keep]);
  const closeNumber = useMemo(() => () => dispatch({ type: "number asked", number: null }), [dispatch]);
  const chooseStep = useMemo(() => (/** @type {number} */ step) => dispatch({ type: "step chosen", step }), [dispatch]);
  const parts = [
    !isStory &&
      html`<${Part} of=${Downloads} translation=${download} serverFiles=${serverFiles}
        onProblem=${setProblem} />`,
    isEditing &&
      !view.tour &&
      shown.unedited &&
      view.edits.length > 0 &&
      html`<${Part} of=${EditedMaps} trace=${shown.trace} unedited=${shown.unedited} edits=${view.edits}
        at=${stepAndHead} theme=${theme} dispatch=${dispatch} />`,
    !isStory && html`<${Part} of=${Formulas} graphs=${files?.graphs ?? null} how=${how} groups=${page.equations} />`,
    html`<${Part} of=${Numbers} asked=${state.number} source=${source} step=${stepAndHead.step}
      onClose=${closeNumber} onStep=${chooseStep} />`,
  ];
  return html`
    <${Part} of=${Header} title=${page.title} about=${page.about} ending=${page.ending} stop=${view.tour}
      level=${view.level} isComparing=${isComparing(view)} isEditing=${isEditing} canEdit=${Boolean(files)}
      dispatch=${dispatch} />
    <p class="ex-note" role="status" aria-label=${t("Notices")}>${notices.join(" ")}</p>
    <div>
      <${Guarded}><${SentenceAndSettings} ...${props} /><//>
      <${Guarded}><${ExplorerPlayer} ...${props} stepAndHead=${stepAndHead} /><//>
    </div>
    ${parts.map((part) => part && html`<${Guarded}>${part}<//>`)}`;
}

/**
 * A line on a download that failed. It is removed when the model, the sentence or the level changes.
 * @param {State["view"]} view
 * @returns {[problem: string | null, setProblem: (problem: string | null) => void]}
 */
function useProblem({ model, text, level }) {
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  useEffect(() => setProblem(null), [model, text, level]);
  return [problem, setProblem];
}

/** The step and the head on show, as the same object until one of them changes. @param {State} state */
function useStepAndHead(state) {
  const { step, layer, head } = stepAndHeadOf(state);
  return useMemo(() => ({ step, layer, head }), [step, layer, head]);
}

/** Whether a view compares its translation with others. @param {State["view"]} view */
const isComparing = ({ compared, race }) => Boolean(compared || race);

/** The sentence, its translation, and the settings of the model. @param {ExplorerProps} props */
function SentenceAndSettings({ state, page, models, dispatch }) {
  const {
    view,
    model: { files },
    result,
    shown,
  } = state;
  const model = /** @type {OfferedHere} */ (models.find(({ name }) => name === view.model));
  const pair = pairOf(model);
  const better = betterFor(state, models, page.axes);
  const brief = view.level === "story";
  const axisChips = (/** @type {boolean} */ onlyLanguages) =>
    html`<${Part} of=${AxisChips} axes=${page.axes} models=${models} model=${view.model} window=${view.window}
      onlyLanguages=${onlyLanguages} sentence=${brief && !onlyLanguages} needs=${
        brief ? needsAt(view.tour) : null
      } dispatch=${dispatch} />`;
  const trace = result?.answer?.trace ?? null;
  const settings = useMemo(
    () => ({
      ...searchAndType(view, files, trace),
      brief,
      model: view.model,
      models: models.filter((other) => pairOf(other) === pair),
      first: axisChips(false),
      isUnfolded: view.beam > 1 || view.type !== null || view.gloss !== GLOSSES[0],
      more: html`<${Part} of=${GlossMenu} glosses=${page.glosses} source=${shown.trace.source} chosen=${view.gloss}
        dispatch=${dispatch} /><${TrainingLink} model=${view.model} recorded=${page.recorded} />`,
    }),
    [
      brief,
      view.tour,
      view.model,
      view.window,
      view.type,
      view.beam,
      view.unk,
      view.gloss,
      files,
      trace,
      shown.trace,
      models,
      page,
    ],
  );
  return html`<${SentenceBox} text=${view.text} output=${outputOf(state)} note=${noteOf(state, model, better?.reason)}
    model=${model} labels=${boxLabels(files, model, pair)}
    examples=${textsOf(page.examples, model)} languages=${axisChips(true)} better=${better?.model ? better : null}
      settings=${settings} dispatch=${dispatch} />`;
}

/** @param {{ model: string, recorded: string[] }} props */
const TrainingLink = ({ model, recorded }) =>
  html`<a class="live-button" hidden=${!recorded.includes(model)}
    href=${`training?${new URLSearchParams({ training: `shipped/${model}` })}`}
    title=${t("How its attention on four sentences changed during training")}>${t("See how it was trained")}</a>`;

/**
 * The player. Between its playback and its step are a question, the editing, or a comparison.
 * @param {ExplorerProps & { stepAndHead: StepAndHead }} props
 */
function ExplorerPlayer(props) {
  const { state, page, models, theme, stepAndHead, dispatch } = props;
  const {
    view,
    model: { files },
    shown,
    result,
    isEditing,
    history,
    stroke,
  } = state;
  const { point } = /** @type {OfferedHere} */ (models.find(({ name }) => name === view.model));
  const compares = isComparing(view);
  const tree = (shown.key === result?.key && result?.answer?.tree) || null;
  const isStory = view.level === "story";
  const between = useMemo(
    () => html`<div>
    ${
      (isStory || view.present) &&
      !view.tour &&
      html`<${Guarded}>
      <${Part} of=${Question} trace=${shown.trace} graphs=${shown.files?.graphs} at=${stepAndHead} /><//>`
    }
    ${
      isEditing &&
      files &&
      !view.tour &&
      html`<${Guarded}><${Editing} trace=${shown.trace} unedited=${shown.unedited} edits=${view.edits} at=${stepAndHead}
      stroke=${stroke} canUndo=${history.past.length > 0} canRedo=${history.future.length > 0}
      dispatch=${dispatch} /><//>`
    }
    ${compares && html`<${Guarded}><${OtherTranslations} ...${props} /><//>`}
  </div>`,
    [
      isStory,
      view.present,
      view.tour,
      compares && state,
      isEditing && view.edits,
      files,
      shown,
      stepAndHead,
      theme,
      stroke,
      history,
    ],
  );
  const panels = usePanels(props, tree);
  const options = useMemo(
    () => ({
      followsPage: true,
      level: view.level,
      glosses: glossesIn(page.glosses, view.gloss),
      paint: isEditing,
      map: !compares,
      theme: "auto",
      numbersHint: t("Click to see what it was computed from"),
    }),
    [view.level, page.glosses, view.gloss, isEditing, compares],
  );
  return html`<${TranslatingPlayer} state=${state} windows=${attends(point) ? page.windows : undefined}
    types=${page.types} options=${options} between=${between} panels=${panels} dispatch=${dispatch} />`;
}

/**
 * The views that a reader can choose in place of the heatmap: the beam tree and maps of settings.
 * @param {ExplorerProps & { stepAndHead: StepAndHead }} props
 * @param {TreeJSON | null} tree
 * @returns {Panel[]}
 */
function usePanels({ state: { view, shown }, page, translator, theme, stepAndHead: { step }, dispatch }, tree) {
  const { trace, files } = shown;
  const windows = files?.graphs.windows ?? page.windows;
  const charts = useMemo(
    () => [windowChart(trace.settings.window, windows), searchChart(windows)].flatMap((chart) => chart ?? []),
    [trace.settings.window, windows],
  );
  const beam = useMemo(
    () =>
      tree?.steps.length
        ? [
            {
              name: "beam",
              title: t("Beam tree"),
              opens: true,
              presents: true,
              content: html`<${Guarded}><${Part} of=${Beam} ...${{ tree, trace, step, theme, dispatch }} /><//>`,
            },
          ]
        : [],
    [tree, trace, step, theme],
  );
  const maps = useMemo(
    () =>
      (files ? charts : []).map((chart) => ({
        name: chart.measure,
        title: chart.tab,
        content: html`<${Guarded}>
          <${Part} of=${Atlas} sample=${view.draw} translate=${translator.translate} ...${{
            chart,
            trace,
            theme,
            dispatch,
          }} /><//>`,
      })),
    [charts, files, trace, view.draw, theme],
  );
  return useMemo(() => [...beam, ...maps], [beam, maps]);
}

/**
 * The comparison of the translation on show with one or several others.
 * @param {ExplorerProps & { stepAndHead: StepAndHead }} props
 */
function OtherTranslations({ state, page, models, theme, stepAndHead, dispatch }) {
  const { view, shown, result, beside, isEditing } = state;
  const others = comparedRuns(view, models, page.axes).map((run) => {
    const other = beside[runKey(run)];
    return other?.text === result?.text ? other : undefined; // not that of an earlier sentence
  });
  const trace = shown.key === requestKey(view) ? shown.trace : null;
  const traces = others.map((other) => other?.trace ?? null);
  const byPieces = state.byPieces || isEditing;
  const compared = useMemo(
    () =>
      comparisonOf({
        view,
        trace,
        others: traces,
        models,
        axes: page.axes,
        windows: page.windows,
        types: page.types,
        choice: stepAndHead,
        byPieces,
      }),
    [view.model, view.compared, view.race, trace, stepAndHead.layer, stepAndHead.head, byPieces, ...traces],
  );
  const problem = others.find((other) => other?.problem)?.problem ?? null;
  return html`<${Comparison} ...${compared} problem=${problem && failure(problem)} several=${view.race !== null}
    byPieces=${byPieces} isEdited=${isEditing} step=${stepAndHead.step} theme=${theme} dispatch=${dispatch} />`;
}
