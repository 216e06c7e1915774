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
 *
 * @typedef {object} ViewsProps
 * @property {ReturnType<typeof useView>} shown
 * @property {boolean} hasMap
 * @property {boolean} isStacked whether the views are below the step
 * @property {boolean} brief whether there are no tables and panels
 * @property {boolean} eos whether the row of </s> is shown
 * @property {ReturnType<typeof actsOf>} acts
 * @property {(heat: Choices["heat"]) => void} onHeat
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
    level = "workbench",
    dispatch,
  } = props;
  const isStory = level === "story";
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const [heat, setHeat] = useState(/** @type {Choices["heat"]} */ ("weights"));
  const [eos, setEos] = useState(true);
  const lecture = useLecture(props, root, frame);
  const most = useMedia(LOW) ? (isStory ? 3 : 5) : 8;
  const theme = useTheme(root, props.theme);
  const shown = useView(props, { heat, eos, theme });
  const { trace, look, steps, step, view } = shown;
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
  const isStacked = trace.source.length > LONG;
  const bell = view.look.bell && view.look.mode === "after_softmax" && !view.look.hard && !view.look.edited;
  const spoken = trace.steps[step] ? spokenStep(trace, row, step, steps, view.vectors) : "";
  const acts = actsOf(props, shown, now, { stop, setEos });
  const { jump, choose, open } = acts;
  const present = lecture.toggle;
  const keys = keysOf({ step, presented, followsPage, jump, toggle, present });
  /** @param {KeyboardEvent} event */
  const press = (event) => pressedKey(event, keys, open);
  const alone = presented && !followsPage && "ap-alone-presented";
  const classes = ["ap-root", isStory && "ap-story", presented && "ap-presented", alone].filter(Boolean).join(" ");

  return html`<div class=${classes} ref=${root} data-theme=${theme} onFullscreenChange=${lecture.onFullscreenChange}>
    <div class="ap" ref=${frame} role="group" tabindex="-1" aria-label=${t("Attention, step by step")}
        aria-keyshortcuts="Space ArrowLeft ArrowRight Home End F" onKeyDown=${press}>
      <${Guarded}><${Playback} ...${{ trace, view, windows, types, step, steps, playing, speed, presented }}
        brief=${isStory} onSpeed=${setSpeed} ...${{ jump, toggle, present }} /><//>
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
          <${ViewsBeside} ...${props} ...${{ shown, hasMap, isStacked, eos, acts }} brief=${isStory}
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
function ViewsBeside({ panels = NO_PANELS, presented = false, paint = false, numbersHint, dispatch, ...more }) {
  const { shown, hasMap, isStacked, brief, eos, acts, onHeat } = more;
  const { trace, words, steps, step, view } = shown;
  const [isLarge, setLarge] = useState(false); // the heatmap
  const tables = html`<${Tables} trace=${trace} view=${view} />`;
  /** @type {Panel[]} */
  const others = brief ? NO_PANELS : [...panels, { name: "tables", title: t("Tables"), content: tables }];
  const [chosen, choose] = useTab(others);
  const tab = others.some(({ name, presents }) => name === chosen && (presents || !presented)) ? chosen : HEATMAP;
  const isMapLarge = isLarge || (presented && isStacked);
  const heatmap = html`<${Heatmap} ...${{ view, words, paint, brief, dispatch }} jump=${acts.jump}
    large=${isMapLarge} fills=${presented && !isStacked} hint=${numbersHint} onPieces=${acts.pieces}
    eos=${trace.target.at(-1) === END ? eos : null} later=${step < steps - 1} onHeat=${onHeat} onEos=${acts.eos} />`;
  /** @type {Panel[]} */
  const all = [...(hasMap ? [{ name: HEATMAP, title: t("Heatmap"), content: heatmap }] : []), ...others];
  const actions =
    hasMap &&
    tab === HEATMAP &&
    html`<${HeatmapActions} ...${{ words, look: view.look, paint, brief }} large=${isMapLarge}
      onLarge=${setLarge} onPieces=${acts.pieces} />`;
  if (!all.length) return null;
  return html`<${Views} ...${{ panels: all, tab, choose, actions }} tabbed=${others.length > 0}
    large=${!hasMap || tab !== HEATMAP || isMapLarge} />`;
}

/**
 * What the keys of the player do.
 * @param {{ step: number, presented: boolean, followsPage: boolean, jump: (step: number) => void, toggle: () => void,
 * present: () => void }} player
 * @returns {Record<string, () => void>}
 */
function keysOf({ step, presented, followsPage, jump, toggle, present }) {
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
