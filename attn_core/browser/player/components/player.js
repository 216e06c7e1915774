// The player of a translation: playback, the step as a picture, and what stands beside it.

import { END } from "../../engine/tokenizer/specials.js";
import { html, Guarded } from "../dom/html.js";
import { useMemo, useRef, useState } from "../../vendor/hooks.js";
import { windowText } from "../core/interventions.js";
import { headChoice, headName, looksOf, meanName, shownHeadIndex } from "../core/looks.js";
import { t } from "../core/messages.js";
import { readable } from "../core/pieces.js";
import { removed } from "../core/rows.js";
import { factsOf, windowChoice, withCenter } from "../core/settings.js";
import { spokenStep } from "../core/spoken.js";
import { vectorsOf } from "../core/state-vectors.js";
import { rowsOf, stepsOf, viewOf } from "../core/view.js";
import { wordsOfPieces } from "../core/word-map.js";
import { Announcement } from "./announcement.js";

import { HeadMenu } from "./head-menu.js";
import { Heatmap, HeatmapActions } from "./heatmap.js";
import { handleKey } from "./keys.js";
import { NextWord } from "./next-word.js";
import { Playback } from "./playback.js";
import { StepPicture } from "./step-picture.js";
import { Tables } from "./tables.js";
import { useLecture } from "./use-lecture.js";
import { useMedia } from "./use-media.js";
import { usePlaying } from "./use-playing.js";
import { useTheme } from "./use-theme.js";
import { HEATMAP, useTab, Views } from "./views.js";
import { WindowPanel } from "./window-panel.js";

/**
 * @import { Choices, Options, Settings, Theme, Trace, View } from "../core/types.d.ts"
 * @import { Panel, PlayerProps } from "./types.d.ts"
 *
 * @typedef {object} ViewsProps
 * @property {ReturnType<typeof useTranslation>} translation
 * @property {boolean} hasMap
 * @property {boolean} isStacked whether the views are below the step
 * @property {boolean} brief whether there are no tables and panels
 * @property {boolean} eos whether the row of </s> is shown
 * @property {ReturnType<typeof createActions>} actions
 * @property {(heat: Choices["heat"]) => void} onHeat
 */

const LOW = "(max-height: 840px)"; // as in player.css
const LONG = 30; // source words: in lecture layout, the heatmap of a longer sentence is below its step
/** @type {Panel[]} */
const NO_PANELS = [];
const PRESENTED_WORDS = 4; // next words in lecture layout, which shows them in one line

/** @param {PlayerProps} props */
export function Player(props) {
  const {
    sliderSettings,
    hasSliders,
    canKeepStates,
    windows = {},
    types,
    paint = false,
    presented = false,
    followsPage = false,
    numbersHint,
    between,
    level = "workbench",
    dispatch,
  } = props;
  const isStory = level === "story";
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const [heat, setHeat] = useState(/** @type {Choices["heat"]} */ ("weights"));
  const [eos, setEos] = useState(true);
  const lecture = useLecture(props, root, frame);
  const usualWords = useMedia(LOW) ? (isStory ? 3 : 5) : 8; // next words
  const theme = useTheme(root, props.theme ?? "auto");
  const translation = useTranslation(props, { heat, eos, theme });
  const { trace, headIndex, steps, step, view } = translation;
  const { playing, speed, pace, toggle, stop, setSpeed } = usePlaying({
    step,
    steps,
    sentence: trace.source,
    dispatch,
  });

  const settings = sliderSettings ?? view.decoded;
  const row = view.rows[step];
  const center = settings.centers?.[step] ?? row?.center ?? 0;
  const hasMap = view.rows.length > 0 && view.map;
  const isStacked = trace.source.length > LONG;
  const losesMass =
    view.display.bell && view.display.mode === "after_softmax" && !view.display.hard && !view.display.edited;
  const spoken = trace.steps[step] ? spokenStep(trace, row, step, steps, view.vectors) : "";
  const actions = createActions(props, translation, settings, { stop, setEos });
  const { jump, setWindow } = actions;
  const present = lecture.toggle;
  const keyActions = keyActionsOf({ step, presented, followsPage, jump, toggle, present });
  /** @param {KeyboardEvent} event */
  const press = (event) => handleKey(event, keyActions, actions.openNumber);
  const aloneClass = presented && !followsPage && "ap-alone-presented";
  const classes = ["ap-root", isStory && "ap-story", presented && "ap-presented", aloneClass].filter(Boolean).join(" ");
  const canDragCenter = hasSliders && factsOf(windows, settings.window)?.centered;

  return html`<div class=${classes} ref=${root} data-theme=${theme} onFullscreenChange=${lecture.onFullscreenChange}>
    <div class="ap" ref=${frame} role="group" tabindex="-1" aria-label=${t("Attention, step by step")}
        aria-keyshortcuts="Space ArrowLeft ArrowRight Home End F" onKeyDown=${press}>
      <${Guarded}><${Playback} ...${{ trace, view, windows, types, step, steps, playing, speed, presented }}
        brief=${isStory} onSpeed=${setSpeed} ...${{ jump, toggle, present }} /><//>
      <${HeadMenu} heads=${looksOf(trace)} index=${headIndex} onHead=${actions.chooseHead} />
      ${between}
      <div class=${`ap-body ap-step${isStacked ? " ap-stacked" : ""}${hasMap ? "" : " ap-alone"}`}>
        <${Guarded}><${WindowPanel} words=${trace.source.length}
          ...${{ settings, trained: view.trained, windows, hasSliders, canKeepStates, step, center, setWindow }}
          brief=${isStory} lost=${losesMass && row ? removed(row) : null} onKeep=${actions.keepStates} /><//>
        <${Guarded}><${StepPicture} ...${{ view, pace, spoken, presented, dispatch }} canPaint=${paint}
          hint=${numbersHint} center=${canDragCenter ? center : null} onCenter=${actions.setCenter} /><//>
        <div class="ap-side">
          <${Guarded}><${NextWord} step=${trace.steps[step]} most=${presented ? PRESENTED_WORDS : usualWords}
            opensNumbers=${Boolean(numbersHint)} dispatch=${dispatch} /><//>
          <${ViewsBeside} ...${props} ...${{ translation, hasMap, isStacked, eos, actions }} brief=${isStory}
            onHeat=${setHeat} />
        </div>
      </div>
      <${Announcement} text=${spoken} />
    </div>
  </div>`;
}

/**
 * The views beside the step: the heatmap, the panels of the page, and the tables.
 * @param {PlayerProps & ViewsProps} props
 */
function ViewsBeside({
  panels = NO_PANELS,
  presented = false,
  paint = false,
  windows,
  numbersHint,
  dispatch,
  ...more
}) {
  const { translation, hasMap, isStacked, brief, eos, actions, onHeat } = more;
  const { trace, words, headIndex, steps, step, view } = translation;
  const [isLarge, setLarge] = useState(false); // the heatmap
  const tables = html`<${Tables} trace=${trace} view=${view} />`;
  /** @type {Panel[]} */
  const otherPanels = brief ? NO_PANELS : [...panels, { name: "tables", title: t("Tables"), content: tables }];
  const [chosen, choose] = useTab(otherPanels);
  const isThere = otherPanels.some(({ name, presents }) => name === chosen && (presents || !presented));
  const tab = isThere ? chosen : HEATMAP;
  const isMapLarge = isLarge || (presented && isStacked);
  const heatmap = html`<${Heatmap} ...${{ view, words, brief, dispatch }} canPaint=${paint} jump=${actions.jump}
    large=${isMapLarge} fillsScreen=${presented && !isStacked} hint=${numbersHint} hasLaterSteps=${step < steps - 1}
    eos=${trace.target.at(-1) === END ? eos : null} onHeat=${onHeat} onEos=${actions.showEos}
    onPieces=${actions.choosePieces}
    title=${titleOf(trace, view, headIndex, windows)} />`;
  /** @type {Panel[]} */
  const allPanels = [...(hasMap ? [{ name: HEATMAP, title: t("Heatmap"), content: heatmap }] : []), ...otherPanels];
  const controls =
    hasMap &&
    tab === HEATMAP &&
    html`<${HeatmapActions} ...${{ words, display: view.display, brief }} canPaint=${paint} large=${isMapLarge}
      onLarge=${setLarge} onPieces=${actions.choosePieces} />`;
  if (!allPanels.length) return null;
  return html`<${Views} ...${{ panels: allPanels, tab, choose, controls }} hasTabs=${otherPanels.length > 0}
    large=${!hasMap || tab !== HEATMAP || isMapLarge} />`;
}

/**
 * The title of the heatmap as a file: how the translation was made.
 * @param {Trace} trace
 * @param {View} view
 * @param {number | null} headIndex
 * @param {Options["windows"]} [windows]
 */
function titleOf(trace, { decoded, trained, display }, headIndex, windows = {}) {
  const { score, window, intervention } = trace.settings;
  const head = headIndex === null ? display.mean && meanName(display.mean) : headName(looksOf(trace)[headIndex]);
  const setting = intervention && windowText(decoded, trained, windows);
  return [trace.model, score, window, head, setting].filter(Boolean).join(" · ");
}

/**
 * The actions of the player's keys.
 * @param {{ step: number, presented: boolean, followsPage: boolean, jump: (step: number) => void, toggle: () => void,
 * present: () => void }} player
 * @returns {Record<string, () => void>}
 */
function keyActionsOf({ step, presented, followsPage, jump, toggle, present }) {
  const previous = () => jump(step - 1);
  const next = () => jump(step + 1);
  return {
    " ": toggle,
    ArrowLeft: previous,
    ArrowRight: next,
    Home: () => jump(0),
    End: () => jump(Infinity),
    ...(followsPage ? {} : { f: present, F: present }),
    ...(presented && !followsPage ? { PageUp: previous, PageDown: next, Escape: present } : {}),
  };
}

/**
 * What readers do with the controls.
 * @param {PlayerProps} props
 * @param {ReturnType<typeof useTranslation>} translation
 * @param {Settings} settings of the window
 * @param {{ stop: () => void, setEos: (eos: boolean) => void }} local changes that no link keeps; `stop`: the playback
 */
function createActions({ windows = {}, dispatch }, { trace, steps, step, view }, settings, { stop, setEos }) {
  /** @param {Settings} next */
  const setWindow = (next) => dispatch({ type: "window set", ...windowChoice(next, view.trained, windows) });
  return {
    setWindow,
    /** @param {number} to */
    jump(to) {
      stop();
      dispatch({ type: "step chosen", step: Math.min(Math.max(to, 0), Math.max(steps - 1, 0)) });
    },
    /** @param {number | null} index */
    chooseHead: (index) => dispatch({ type: "head chosen", ...headChoice(looksOf(trace), index) }),
    /** @param {number} center */
    setCenter: (center) => setWindow(withCenter(settings, step, center)),
    /** @param {boolean} keep */
    keepStates: (keep) => dispatch({ type: "states kept", keep }),
    /** @param {boolean} byPieces */
    choosePieces: (byPieces) => dispatch({ type: "pieces chosen", byPieces }),
    /** @param {boolean} eos */
    showEos(eos) {
      setEos(eos);
      if (!eos && step === stepsOf(trace, false)) dispatch({ type: "step chosen", step: step - 1 });
    },
    openNumber: () => dispatch({ type: "number opened", key: "weights", position: null, row: null }),
  };
}

/**
 * The trace with readable tokens, and what is shown of it: a head, a step, and the view of the step.
 * @param {PlayerProps} props
 * @param {Pick<Choices, "heat" | "eos"> & { theme: Theme }} choices
 */
function useTranslation(
  { trace: recorded, step: wanted, layer, head, glosses, paint, map, windows, graphs, byPieces = false },
  { heat, eos, theme },
) {
  const trace = useMemo(() => readable(recorded), [recorded]);
  const words = useMemo(() => wordsOfPieces(recorded), [recorded]);
  const headIndex = useMemo(() => shownHeadIndex(trace, { layer, head }), [trace, layer, head]);
  const rows = useMemo(() => rowsOf(trace, headIndex), [trace, headIndex]);
  const vectors = useMemo(() => vectorsOf(trace, graphs, headIndex), [trace, graphs, headIndex]);
  const steps = stepsOf(trace, eos);
  const step = Math.min(Math.max(wanted, 0), Math.max(steps - 1, 0));
  const view = useMemo(
    () =>
      viewOf(trace, { headIndex, heat, eos, step }, rows, theme, {
        glosses,
        paint,
        map,
        windows,
        vectors,
        words: words?.source,
        byPieces: byPieces || paint,
      }),
    [trace, words, headIndex, heat, eos, step, rows, theme, glosses, paint, map, windows, vectors, byPieces],
  );
  return { trace, words, headIndex, steps, step, view };
}
