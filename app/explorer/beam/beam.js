// The beam search behind a translation: its tree, its finished hypotheses, and the attention of the one under the pointer.

import { RULES } from "../../../attn_core/web/state/view.js";
import { ruleHint, ruleName } from "./rules.js";
import { finished, NODE, place, wordsOf } from "./placed.js";
import { heat, shade } from "../../../attn_core/web/player/core/heat.js";
import { t, tn } from "../../../attn_core/web/player/core/messages.js";
import { fixed } from "../../../attn_core/web/player/core/numbers.js";
import { unescaped } from "../../../attn_core/web/player/core/pieces.js";
import { chip } from "../../../attn_core/web/hosts/sentence.js";
import { el } from "../../../attn_core/web/player/dom/elements.js";
import { context2d } from "../../../attn_core/web/player/draw/pen.js";

/**
 * @import { TraceJSON, TreeJSON, TreeNode } from "../../../attn_core/web/engine/types.d.ts"
 * @import { Rule } from "../../../attn_core/web/hosts/types.d.ts"
 * @import { Theme } from "../../../attn_core/web/player/core/types.d.ts"
 * @import { Placed } from "./placed.js"
 */

const MARGIN = 12; // beside the current step, in a tree that is wider than the page
const UNIT = 16; // of the tree's lengths: the font size at which they are pixels
const WORD = 15; // the font size of the words, as in beam.css
const LEAST = 44; // width of a log p
const FRAME = 4; // between the nodes of the current step and its frame
const SPACE = "http://www.w3.org/2000/svg";
const ruler = context2d(document.createElement("canvas"));

/**
 * @param {{ choose: (rule: Rule) => void, jump: (step: number) => void, theme: () => Theme }} given
 */
export function buildBeam({ choose, jump, theme }) {
  const rule = el("select", {}, ...RULES.map((one) => el("option", { value: one, text: ruleName(one), title: ruleHint(one) })));
  const svg = svgEl("svg", { class: "bm-tree", role: "img" });
  const scroll = el("div", { class: "bm-scroll", tabindex: "0", role: "group", "aria-label": t("Tree of the beam") }, svg);
  const read = el("p", { class: "bm-read", role: "status" });
  const source = el("p", { class: "bm-source" });
  const list = el("tbody");
  const [words, total, score] = [t("Words"), t("log p"), t("Score")];
  const heads = [t("Finished hypothesis"), words, total, score].map((text, i) => el("th", { scope: "col", text, title: i === 1 ? t("</s> included") : null }));
  const table = el("table", { class: "bm-table" }, el("thead", {}, el("tr", {}, ...heads)), list);
  const root = el(
    "section", { class: "bm live", "aria-label": t("Beam search"), hidden: true },
    el(
      "details", { open: true }, el("summary", {}, el("h2", { class: "ap-title", text: t("Beam search") })),
      el("p", { class: "bm-key", text: t("Each path is a hypothesis: a possible translation. Number: log probability (log p) of its words so far. Inverted colours: the best hypothesis. Outlined: finished. Struck through: dropped. Tall frame: the current step.") }), scroll, read, source,
      el("div", { class: "bm-foot" }, el("div", { class: "bm-scroll", tabindex: "0", role: "group", "aria-label": t("Finished hypotheses") }, table), chip(t("Rank by"), rule, t("How finished hypotheses are ranked. Plain log p favours short ones."))),
    ),
  );
  /** @type {{ columns: Placed[][], drawn: Map<Placed, SVGElement[]>, frame: SVGElement, words: string[] } | null} */
  let shown = null;
  /** @type {Placed | null} */
  let pointed = null;
  let step = 0;
  rule.addEventListener("change", () => choose(/** @type {Rule} */ (rule.value)));
  new ResizeObserver(mark).observe(scroll);

  /**
   * @param {TreeJSON} tree
   * @param {string[]} source the words
   */
  function draw(tree, source) {
    pointed = null;
    const family = getComputedStyle(root).fontFamily;
    const measure = (/** @type {TreeNode} */ node) => {
      ruler.font = `600 ${WORD}px ${family}`;
      return Math.max(ruler.measureText(unescaped(node.token)).width, LEAST);
    };
    const { columns, width, height } = place(tree, measure);
    /** @type {Map<Placed, SVGElement[]>} */
    const drawn = new Map();
    const links = svgEl("g");
    const nodes = svgEl("g");
    for (const one of columns.flat()) {
      const kind = [one.node.best && "bm-best", one.node.score !== null && "bm-finished", !one.grows && one.node.score === null && "bm-dead"].filter(Boolean).join(" ");
      const link = one.parent && svgEl("path", { class: `bm-link ${kind}`, d: branch(one.parent, one) });
      if (link) links.append(link);
      const node = svgEl("g", { class: `bm-node ${kind}`, transform: `translate(${one.x} ${one.y})` });
      node.append(
        svgEl("rect", { width: one.width, height: NODE.height, rx: 7 }),
        textAt(one.width / 2, 15, "bm-word", unescaped(one.node.token)), textAt(one.width / 2, 30, "bm-sum", fixed(one.node.total, 2)),
      );
      node.addEventListener("pointerenter", () => point(one));
      node.addEventListener("click", () => jump(one.t));
      nodes.append(node);
      drawn.set(one, link ? [node, link] : [node]);
    }
    const frame = svgEl("rect", { class: "bm-frame", rx: 9 });
    svg.replaceChildren(links, nodes, frame);
    const edge = FRAME + 2; // and half of the frame's line
    svg.setAttribute("viewBox", [-edge, -edge, width + 2 * edge, height + 2 * edge].join(" "));
    Object.assign(svg.style, { width: `${(width + 2 * edge) / UNIT}em`, height: `${(height + 2 * edge) / UNIT}em` });
    shown = { columns, drawn, frame, words: source };
    const ended = finished(columns);
    svg.setAttribute("aria-label", tn("{n} step; the best hypothesis is: {words}", "{n} steps; the best hypothesis is: {words}", columns.length, { words: ended.length ? textOf(ended[0]) : "" }));
    list.replaceChildren(...ended.map((one) => {
      const button = el("button", { type: "button", class: "bm-row", text: textOf(one) });
      button.addEventListener("focus", () => point(one));
      button.addEventListener("click", () => jump(one.t));
      const row = el(
        "tr", one.node.best ? { class: "bm-best" } : {}, el("th", { scope: "row" }, button), el("td", { text: wordsOf(one).length, "data-name": words }),
        el("td", { text: fixed(one.node.total, 2), "data-name": total }), el("td", { text: fixed(Number(one.node.score), 3), "data-name": score }),
      );
      row.addEventListener("pointerenter", () => point(one));
      return row;
    }));
    point(ended[0] ?? null);
    mark();
  }

  /** Show a hypothesis, and the attention for its last word. @param {Placed | null} one */
  function point(one) {
    if (!shown || !one) return;
    pointed = one;
    /** @type {Set<Placed>} */
    const path = new Set();
    for (let at = /** @type {Placed | null} */ (one); at; at = at.parent) path.add(at);
    shown.drawn.forEach((parts, placed) => parts.forEach((part) => part.classList.toggle("bm-on", path.has(placed))));
    read.textContent = t("“{words}”: log p = {total}, including {last} for the last word (p = {p})", {
      words: textOf(one), total: fixed(one.node.total, 2), last: fixed(one.node.log_prob, 2), p: Math.exp(one.node.log_prob).toFixed(2),
    });
    const { fill, ink } = heat(theme());
    source.hidden = !one.node.weights.length;
    source.replaceChildren(t("Attention for the last word:"), ...shown.words.map((word, s) => {
      const tone = shade(one.node.weights[s] ?? 0, 1);
      const span = el("span", { text: unescaped(word), title: (one.node.weights[s] ?? 0).toFixed(3) });
      Object.assign(span.style, { background: fill[tone], color: ink[tone] });
      return span;
    }));
  }

  /** Frame the current step and scroll it into view. */
  function mark() {
    const column = shown?.columns[step] ?? [];
    const [now] = column;
    shown?.frame.toggleAttribute("hidden", !now);
    if (!shown || !now) return;
    const height = column[column.length - 1].y + NODE.height;
    for (const [name, value] of Object.entries({ x: now.x - FRAME, y: -FRAME, width: now.width + 2 * FRAME, height: height + 2 * FRAME })) {
      shown.frame.setAttribute(name, String(value));
    }
    const scale = Number.parseFloat(getComputedStyle(svg).fontSize) / UNIT;
    const last = (now.x + now.width + MARGIN) * scale - scroll.clientWidth; // the smallest scroll at which it is visible
    scroll.scrollLeft = Math.max(last, Math.min(scroll.scrollLeft, (now.x - MARGIN) * scale));
  }

  return {
    root,
    /** The attention again, in the colours of another theme. */
    draw: () => point(pointed),
    /**
     * The tree of a translation; null hides it.
     * @param {TreeJSON | null} tree
     * @param {TraceJSON} trace
     */
    show(tree, trace) {
      root.hidden = !tree?.steps.length;
      if (!tree || root.hidden) return;
      rule.value = trace.settings.normalise ?? RULES[0];
      draw(tree, trace.source);
    },
    /** @param {number} now */
    at(now) {
      step = now;
      mark();
    },
  };
}

/** @param {Placed} one */
const textOf = (one) => wordsOf(one).map(unescaped).join(" ");

/** A branch from a node to one of the next step. @param {Placed} from @param {Placed} to */
function branch(from, to) {
  const [x, y, right, end] = [from.x + from.width, from.y + NODE.height / 2, to.x, to.y + NODE.height / 2];
  const middle = (x + right) / 2;
  return `M${x} ${y}C${middle} ${y} ${middle} ${end} ${right} ${end}`;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function svgEl(name, attributes = {}) {
  const node = /** @type {SVGElement} */ (document.createElementNS(SPACE, name));
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  return node;
}

/** @param {number} x @param {number} y @param {string} kind @param {string} text */
function textAt(x, y, kind, text) {
  const node = svgEl("text", { x, y, class: kind, "text-anchor": "middle" });
  node.textContent = text;
  return node;
}
