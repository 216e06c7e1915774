// The player of a translation: playback, the step as a picture, and what stands beside it.

import { END } from "../../engine/tokenizer/specials.js";
import { html, Guarded } from "../dom/html.js";
import { useMemo, useRef, useState } from "../../vendor/hooks.js";
import { headChoice, looksOf, shownLook } from "../core/looks.js";
import { t } from "../core/messages.js";
import { readable } from "../core/pieces.js";
import { removed } from "../core/rows.js";
import { factsOf, windowChoice, withCenter } from "../core/settings.js";
import { spokenStep } from "../core/spoken.js";
import { vectorsOf } from "../core/state-vectors.js";
import { rowsOf, stepsOf, viewOf } from "../core/view.js";
import { wordsOfPieces } from "../core/word-map.js";
import { Announcement } from "./announcement.js";
import { Figure } from "./figure.js";
import { HeadMenu } from "./head-menu.js";
import { Heatmap, HeatmapActions } from "./heatmap.js";
import { pressedKey } from "./keys.js";
import { NextWord } from "./next-word.js";
import { Playback } from "./playback.js";
import { Tables } from "./tables.js";
import { useLecture } from "./use-lecture.js";
import { useMedia } from "./use-media.js";
import { usePlaying } from "./use-playing.js";
import { useTheme } from "./use-theme.js";
import { HEATMAP, useTab, Views } from "./views.js";
import { WindowPanel } from "./window-panel.js";

/**
 * @import { Choices, Settings, Theme } from "../core/types.d.ts"
 * @import { Panel, PlayerProps } from "./types.d.ts"
 */

const LOW = "(max-height: 840px)"; // as in player.css
const LONG = 30; // source words: in lecture layout, the heatmap of a longer sentence is below its step
/** @type {Panel[]} */
const NO_PANELS = [];
const PRESENTED = 4; // next words in lecture layout, which shows them in one line

/** @param {PlayerProps} props */
export function Player(props) {
  const {
    asked,
    decodes,
    keeps,
    windows = {},
    types,
    paint = false,
    presented = false,
    followsPage = false,
    numbersHint,
    between,
    panels = NO_PANELS,
    level = "workbench",
    dispatch,
  } = props;
  const isStory = level === "story";
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const [heat, setHeat] = useState(/** @type {Choices["heat"]} */ ("weights"));
  const [eos, setEos] = useState(true);
  const [isLarge, setLarge] = useState(false); // the heatmap
  const lecture = useLecture(props, root, frame);
  const most = useMedia(LOW) ? (isStory ? 3 : 5) : 8;
  const theme = useTheme(root, props.theme);
  const shown = useView(props, { heat, eos, theme });
  const { trace, words, look, steps, step, view } = shown;
  const { playing, speed, pace, toggle, stop, setSpeed } = usePlaying({
    step,
    steps,
    sentence: trace.source,
    dispatch,
  });

  const now = asked ?? view.decoded;
  const row = view.rows[step];
  const center = now.centers?.[step] ?? row?.center ?? 0;
  const hasMap = view.rows.length > 0 && view.map;
  /** @type {Panel[]} */
  const others = isStory
    ? NO_PANELS
    : [...panels, { name: "tables", title: t("Tables"), content: html`<${Tables} trace=${trace} view=${view} />` }];
  const [chosen, choosePanel] = useTab(others);
  const tab = others.some(({ name, presents }) => name === chosen && (presents || !presented)) ? chosen : HEATMAP;
  const isStacked = trace.source.length > LONG;
  const bell = view.look.bell && view.look.mode === "after_softmax" && !view.look.hard && !view.look.edited;
  const spoken = trace.steps[step] ? spokenStep(trace, row, step, steps, view.vectors) : "";
  const acts = actsOf(props, shown, now, { stop, setEos });
  const { jump, choose, open } = acts;
  const isMapLarge = isLarge || (presented && isStacked);
  const heatmap = html`<${Heatmap} ...${{ view, words, paint, brief: isStory, jump, dispatch }} onPieces=${acts.pieces}
    large=${isMapLarge} fills=${presented && !isStacked} hint=${numbersHint}
    eos=${trace.target.at(-1) === END ? eos : null} later=${step < steps - 1} onHeat=${setHeat} onEos=${acts.eos} />`;
  /** @type {Panel[]} */
  const all = [...(hasMap ? [{ name: HEATMAP, title: t("Heatmap"), content: heatmap }] : []), ...others];
  const actions =
    hasMap &&
    tab === HEATMAP &&
    html`<${HeatmapActions} ...${{ words, look: view.look, paint, brief: isStory }} large=${isMapLarge}
      onLarge=${setLarge} onPieces=${acts.pieces} />`;
  const keys = {
    " ": toggle,
    ArrowLeft: () => jump(step - 1),
    ArrowRight: () => jump(step + 1),
    Home: () => jump(0),
    End: () => jump(Infinity),
    ...(followsPage ? {} : { f: lecture.toggle, F: lecture.toggle }),
    ...(presented && !followsPage
      ? { PageUp: () => jump(step - 1), PageDown: () => jump(step + 1), Escape: lecture.toggle }
      : {}),
  };
  /** @param {KeyboardEvent} event */
  const press = (event) => pressedKey(event, keys, open);

  return html`<div class=${[
    "ap-root",
    isStory && "ap-story",
    presented && "ap-presented",
    presented && !followsPage && "ap-alone-presented",
  ]
    .filter(Boolean)
    .join(" ")}
      ref=${root} data-theme=${theme} onFullscreenChange=${lecture.onFullscreenChange}>
    <div class="ap" ref=${frame} role="group" tabindex="-1" aria-label=${t("Attention, step by step")}
        aria-keyshortcuts="Space ArrowLeft ArrowRight Home End F" onKeyDown=${press}>
      <${Guarded}><${Playback} ...${{
        trace,
        view,
        windows,
        types,
        step,
        steps,
        playing,
        speed,
        presented,
        brief: isStory,
        jump,
        toggle,
        onSpeed: setSpeed,
        present: lecture.toggle,
      }} /><//>
      <${HeadMenu} looks=${looksOf(trace)} look=${look} onLook=${acts.look} />
      ${between}
      <div class=${`ap-body ap-step${isStacked ? " ap-stacked" : ""}${hasMap ? "" : " ap-alone"}`}>
        <${Guarded}><${WindowPanel} words=${trace.source.length}
          ...${{ now, trained: view.trained, windows, decodes, keeps, brief: isStory, step, place: center, choose }}
          lost=${bell && row ? removed(row) : null} keep=${acts.keep} /><//>
        <${Guarded}><${Figure} ...${{ view, pace, spoken, presented, paint, dispatch }} hint=${numbersHint}
          place=${decodes && factsOf(windows, now.window)?.centered ? center : null} onPlace=${acts.place} /><//>
        <div class="ap-side">
          <${Guarded}><${NextWord} step=${trace.steps[step]} most=${presented ? PRESENTED : most}
            opens=${Boolean(numbersHint)} dispatch=${dispatch} /><//>
          ${
            all.length > 0 &&
            html`
            <${Views} panels=${all} choose=${choosePanel} tabbed=${others.length > 0}
            large=${!hasMap || tab !== HEATMAP || isMapLarge} ...${{ tab, actions }} />`
          }
        </div>
      </div>
      <${Announcement} text=${spoken} />
    </div>
  </div>`;
}

/**
 * What readers do with the controls.
 * @param {PlayerProps} props
 * @param {ReturnType<typeof useView>} shown
 * @param {Settings} now
 * @param {{ stop: () => void, setEos: (eos: boolean) => void }} changes of what no link keeps; `stop`: the playback
 */
function actsOf({ windows = {}, dispatch }, { trace, steps, step, view }, now, { stop, setEos }) {
  /** @param {Settings} settings */
  const choose = (settings) => dispatch({ type: "window set", ...windowChoice(settings, view.trained, windows) });
  return {
    choose,
    /** @param {number} to */
    jump(to) {
      stop();
      dispatch({ type: "step chosen", step: Math.min(Math.max(to, 0), Math.max(steps - 1, 0)) });
    },
    /** @param {number | null} index */
    look: (index) => dispatch({ type: "head chosen", ...headChoice(looksOf(trace), index) }),
    /** @param {number} at */
    place: (at) => choose(withCenter(now, step, at)),
    /** @param {boolean} keep */
    keep: (keep) => dispatch({ type: "states kept", keep }),
    /** @param {boolean} byPieces */
    pieces: (byPieces) => dispatch({ type: "pieces chosen", byPieces }),
    /** @param {boolean} eos */
    eos(eos) {
      setEos(eos);
      if (!eos && step === stepsOf(trace, false)) dispatch({ type: "step chosen", step: step - 1 });
    },
    open: () => dispatch({ type: "number opened", key: "weights", place: null, row: null }),
  };
}

/**
 * What there is to show of a trace: with readable tokens, a head, and a step that is shown.
 * @param {PlayerProps} props
 * @param {Pick<Choices, "heat" | "eos"> & { theme: Theme }} choices
 */
function useView(
  { trace: recorded, step: wanted, layer, head, glosses, paint, map, windows, graphs, byPieces = false },
  { heat, eos, theme },
) {
  const trace = useMemo(() => readable(recorded), [recorded]);
  const words = useMemo(() => wordsOfPieces(recorded), [recorded]);
  const look = useMemo(() => shownLook(trace, { layer, head }), [trace, layer, head]);
  const rows = useMemo(() => rowsOf(trace, look), [trace, look]);
  const vectors = useMemo(() => vectorsOf(trace, graphs, look), [trace, graphs, look]);
  const steps = stepsOf(trace, eos);
  const step = Math.min(Math.max(wanted, 0), Math.max(steps - 1, 0));
  const view = useMemo(
    () =>
      viewOf(trace, { look, heat, eos, step }, rows, theme, {
        glosses,
        paint,
        map,
        windows,
        vectors,
        words: words?.source,
        byPieces: byPieces || paint,
      }),
    [trace, words, look, heat, eos, step, rows, theme, glosses, paint, map, windows, vectors, byPieces],
  );
  return { trace, words, look, steps, step, view };
}
