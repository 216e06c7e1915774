// The beam search behind a translation: its tree, its finished hypotheses, and the attention of the one under the
// pointer.

import { heat, shade } from "../../../attn_core/browser/player/core/heat.js";
import { t, tn } from "../../../attn_core/browser/player/core/messages.js";
import { fixed } from "../../../attn_core/browser/player/core/numbers.js";
import { unescaped } from "../../../attn_core/browser/engine/escapes.js";
import { withValue } from "../../../attn_core/browser/player/dom/changes.js";
import { onFonts } from "../../../attn_core/browser/player/dom/fonts.js";
import { html } from "../../../attn_core/browser/player/dom/html.js";
import { Chip } from "../../../attn_core/browser/player/dom/parts.js";
import { context2d } from "../../../attn_core/browser/player/draw/pen.js";
import { RULES } from "../../../attn_core/browser/state/view.js";
import { useLayoutEffect, useMemo, useRef, useState } from "../../../attn_core/browser/vendor/hooks.js";
import { finished, NODE, place, wordsOf } from "./placed.js";
import { ruleHint, ruleName } from "./rules.js";

/**
 * @import { TraceJSON, TreeJSON, TreeNode } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { Theme } from "../../../attn_core/browser/player/core/types.d.ts"
 * @import { Rule } from "../../../attn_core/browser/state/types.d.ts"
 * @import { Placed } from "./placed.js"
 *
 * @typedef {{ type: "search chosen", normalise: Rule } | { type: "step chosen", step: number }} BeamAction
 * @typedef {(placed: Placed) => void} Point shows a hypothesis
 * @typedef {(placed: Placed) => void} Choose goes to the step of its last word
 */

const MARGIN = 12; // beside the current step, in a tree that is wider than the page
const UNIT = 16; // of the tree's lengths: the font size at which they are pixels
const WORD = 15; // the font size of the words, as in beam.css
const LEAST = 44; // width of a log p
const FRAME = 4; // between the nodes of the current step and its frame
const EDGE = FRAME + 2; // and half of the frame's line

/**
 * @param {{ tree: TreeJSON, trace: TraceJSON, step: number, theme: Theme, dispatch: (action: BeamAction) => void }}
 * props
 */
export function Beam({ tree, trace, step, theme, dispatch }) {
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const [family, setFamily] = useState("");
  const [arrivals, setArrivals] = useState(0); // of fonts
  useLayoutEffect(() => {
    setFamily(getComputedStyle(/** @type {HTMLElement} */ (root.current)).fontFamily);
    return onFonts(() => setArrivals((count) => count + 1));
  }, []);
  const placed = useMemo(() => place(tree, widthIn(family)), [tree, family, arrivals]);
  const ended = useMemo(() => finished(placed.columns), [placed]);
  const [pointed, point] = useState(/** @type {Placed | null} */ (null));
  // That of an earlier tree is none of this
  const shown = pointed && placed.columns[pointed.t]?.includes(pointed) ? pointed : (ended[0] ?? null);
  const choose = (/** @type {Placed} */ { t: at }) => dispatch({ type: "step chosen", step: at });
  const rank = withValue((rule) => dispatch({ type: "search chosen", normalise: /** @type {Rule} */ (rule) }));
  return html`
    <section class="bm live" aria-label=${t("Beam search")} ref=${root}>
      <p class="bm-key">${t(
        "Each path is a hypothesis: a possible translation. Number: log probability (log p) of " +
          "its words so far. Inverted colours: the best hypothesis. Outlined: finished. Struck through: dropped. " +
          "Tall frame: the current step.",
      )}</p>
      <${Tree} placed=${placed} best=${ended[0]} shown=${shown} step=${step} point=${point} choose=${choose} />
      <${LastWord} shown=${shown} source=${trace.source} theme=${theme} />
      <div class="bm-foot">
        <${Finished} ended=${ended} point=${point} choose=${choose} />
        <${Chip} name=${t("Rank by")} title=${t("How finished hypotheses are ranked. Plain log p favours short ones.")}>
          <select aria-label=${t("Rank by")} value=${trace.settings.normalise ?? RULES[0]} onChange=${rank}>
            ${RULES.map(
              (rule) => html`<option key=${rule} value=${rule} title=${ruleHint(rule) ?? undefined}>
              ${ruleName(rule)}</option>`,
            )}
          </select>
        <//>
      </div>
    </section>`;
}

/** The width of a node's text. @param {string} family the font */
function widthIn(family) {
  const ruler = context2d(document.createElement("canvas"));
  ruler.font = `600 ${WORD}px ${family}`;
  return (/** @type {TreeNode} */ node) => Math.max(ruler.measureText(unescaped(node.token)).width, LEAST);
}

/**
 * @param {{ placed: ReturnType<typeof place>, best: Placed | undefined, shown: Placed | null, step: number, point:
 * Point, choose: Choose }} props
 */
function Tree({ placed, best, shown, step, point, choose }) {
  const { columns, width, height } = placed;
  const scroll = useRef(/** @type {HTMLElement | null} */ (null));
  const [first, last] = [columns[step]?.[0], columns[step]?.at(-1)];
  useLayoutEffect(() => {
    // the current step is visible, also after the page has another width
    const box = /** @type {HTMLElement} */ (scroll.current);
    if (!first) return undefined;
    const follow = new ResizeObserver(() => {
      const scale = Number.parseFloat(getComputedStyle(/** @type {Element} */ (box.firstElementChild)).fontSize) / UNIT;
      const least = (first.x + first.width + MARGIN) * scale - box.clientWidth;
      box.scrollLeft = Math.max(least, Math.min(box.scrollLeft, (first.x - MARGIN) * scale));
    });
    follow.observe(box);
    return () => follow.disconnect();
  }, [first]);
  const path = useMemo(() => new Set(pathTo(shown)), [shown]);
  const [links, nodes] = useMemo(() => {
    const all = columns.flat().map((one) => ({ one, kind: kindOf(one, path.has(one)) }));
    return [
      all.map(({ one, kind }) => one.parent && html`<path class=${`bm-link ${kind}`} d=${branch(one.parent, one)} />`),
      all.map(
        ({ one, kind }) => html`
        <g class=${`bm-node ${kind}`} transform=${`translate(${one.x} ${one.y})`} onPointerEnter=${() => point(one)}
          onClick=${() => choose(one)}>
          <rect width=${one.width} height=${NODE.height} rx="7" />
          <text x=${one.width / 2} y="15" class="bm-word" text-anchor="middle">${unescaped(one.node.token)}</text>
          <text x=${one.width / 2} y="30" class="bm-sum" text-anchor="middle">${fixed(one.node.total, 2)}</text>
        </g>`,
      ),
    ];
  }, [placed, path]);
  const style = { width: `${(width + 2 * EDGE) / UNIT}em`, height: `${(height + 2 * EDGE) / UNIT}em` };
  const label = tn(
    "{n} step; the best hypothesis is: {words}",
    "{n} steps; the best hypothesis is: {words}",
    columns.length,
    { words: best ? textOf(best) : "" },
  );
  return html`
    <div class="bm-scroll" tabindex="0" role="group" aria-label=${t("Tree of the beam")} ref=${scroll}>
      <svg class="bm-tree" role="img" aria-label=${label}
        viewBox=${[-EDGE, -EDGE, width + 2 * EDGE, height + 2 * EDGE].join(" ")} style=${style}>
        <g>${links}</g>
        <g>${nodes}</g>
        ${
          first &&
          last &&
          html`<rect class="bm-frame" rx="9" x=${first.x - FRAME} y=${-FRAME}
          width=${first.width + 2 * FRAME} height=${last.y + NODE.height + 2 * FRAME} />`
        }
      </svg>
    </div>`;
}

/**
 * A hypothesis in words and numbers, and the attention for its last word.
 * @param {{ shown: Placed | null, source: string[], theme: Theme }} props
 */
function LastWord({ shown, source, theme }) {
  const { fill, ink } = heat(theme);
  const { total = 0, log_prob = 0, weights = [] } = shown?.node ?? {};
  const numbers = { total: fixed(total, 2), last: fixed(log_prob, 2), p: Math.exp(log_prob).toFixed(2) };
  return html`
    <p class="bm-read" role="status">${
      shown &&
      t("“{words}”: log p = {total}, including {last} for the last word " + "(p = {p})", {
        words: textOf(shown),
        ...numbers,
      })
    }</p>
    <p class="bm-source" hidden=${!weights.length}>
      ${t("Attention for the last word:")}
      ${source.map((word, s) => {
        const tone = shade(weights[s] ?? 0, 1);
        return html`<span title=${(weights[s] ?? 0).toFixed(3)} style=${{
          background: fill[tone],
          color: ink[tone],
        }}>${unescaped(word)}</span>`;
      })}
    </p>`;
}

/** @param {{ ended: Placed[], point: Point, choose: Choose }} props */
function Finished({ ended, point, choose }) {
  const [words, total, score] = [t("Words"), t("log p"), t("Score")];
  return html`
    <div class="bm-scroll" tabindex="0" role="group" aria-label=${t("Finished hypotheses")}>
      <table class="bm-table">
        <thead>
          <tr><th scope="col">${t("Finished hypothesis")}</th><th scope="col" title=${t("</s> included")}>${words}</th>
            <th scope="col">${total}</th><th scope="col">${score}</th></tr>
        </thead>
        <tbody>
          ${ended.map(
            (one) => html`
            <tr class=${one.node.best ? "bm-best" : undefined} onPointerEnter=${() => point(one)}>
              <th scope="row"><button type="button" class="bm-row" onFocus=${() => point(one)} onClick=${() =>
                choose(one)}>${textOf(one)}</button></th>
              <td data-name=${words}>${wordsOf(one).length}</td>
              <td data-name=${total}>${fixed(one.node.total, 2)}</td>
              <td data-name=${score}>${fixed(Number(one.node.score), 3)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

/** A node and those before it. @param {Placed | null} placed @returns {Placed[]} */
const pathTo = (placed) => (placed ? [placed, ...pathTo(placed.parent)] : []);

/**
 * The classes of a node and of the branch to it.
 * @param {Placed} placed
 * @param {boolean} on whether it is part of the hypothesis on show
 */
const kindOf = ({ node, grows }, on) =>
  [
    node.best && "bm-best",
    node.score !== null && "bm-finished",
    !grows && node.score === null && "bm-dead",
    on && "bm-on",
  ]
    .filter(Boolean)
    .join(" ");

/** @param {Placed} placed */
const textOf = (placed) => wordsOf(placed).map(unescaped).join(" ");

/** A branch from a node to one of the next step. @param {Placed} from @param {Placed} to */
function branch(from, to) {
  const [x, y, right, end] = [from.x + from.width, from.y + NODE.height / 2, to.x, to.y + NODE.height / 2];
  const middle = (x + right) / 2;
  return `M${x} ${y}C${middle} ${y} ${middle} ${end} ${right} ${end}`;
}
