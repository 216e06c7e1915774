// The elements of a path: boxes with the step's vectors, arrows between them, and the text below.

import { shade } from "../../../attn_core/browser/player/core/heat.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { exact, fixed, short } from "../../../attn_core/browser/player/core/numbers.js";
import { el, iconButton } from "../../../attn_core/browser/player/dom/elements.js";
import { lowered } from "../../../attn_core/browser/player/dom/symbols.js";
import { context2d } from "../../../attn_core/browser/player/draw/pen.js";
import { svg } from "../kit/svg.js";
import { nodeOf } from "./graph.js";

/** @import { NumberAsked } from "../../../attn_core/browser/engine/types.d.ts" */
/** @import { Paint } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Contents, Path, PathNode, Values } from "./types.d.ts" */

/**
 * One diagram inside `parent`.
 * @param {HTMLElement} parent
 * @param {Path} path
 */
export function buildPath(parent, path) {
  /** @type {Record<string, NodeUi>} */
  const nodes = Object.fromEntries(path.nodes.map((node) => [node.id, buildNode(node)]));
  const words = el("div", {
    class: "ap-sentence pl-words",
    role: "group",
    "aria-label": t("Decoding steps of {model}", { model: path.model }),
  });
  const order = el("ol", { class: "pl-order", "aria-label": t("Order of computation") });
  const arrows = svg("svg", { class: "pl-arrows", "aria-hidden": "true" });
  const stage = el("div", { class: "pl-stage" }, arrows, ...Object.values(nodes).map(({ box }) => box));
  const panel = el("div", { class: "pl-panel", "aria-live": "polite" });
  const back = iconButton("back", t("Previous computation"), "ArrowLeft");
  const play = iconButton("play", t("Play"), "Space");
  play.classList.add("ap-play");
  const forward = iconButton("forward", t("Next computation"), "ArrowRight");
  const attempt = el("button", { type: "button", class: "ap-button pl-try", "aria-pressed": "false" });
  const frame = el(
    "section",
    { class: "ap pl", tabindex: "0", "aria-label": path.title, "aria-keyshortcuts": "Space ArrowLeft ArrowRight" },
    el(
      "div",
      { class: "pl-head" },
      el("h3", { class: "pl-title", text: path.title }),
      el("span", { class: "pl-model", text: path.model }),
      words,
    ),
    el("div", { class: "pl-deck" }, el("div", { class: "ap-buttons" }, back, play, forward), order, attempt),
    stage,
    panel,
  );
  parent.append(frame);
  return { nodes, words, order, arrows, stage, panel, back, play, forward, attempt, frame };
}

/** @typedef {ReturnType<typeof buildPath>} PathUi */

/** @param {PathNode} pathNode */
function buildNode({ id, symbol, name, given, shape }) {
  const size = el("span", { class: "pl-shape", text: shape.length ? shape.join(" × ") : t("number") });
  const strip = el("canvas", { class: "pl-strip", "aria-hidden": "true" });
  const say = el("span", { class: "pl-say" });
  const top = el("span", { class: "pl-top" }, el("b", { class: "pl-symbol" }, ...lowered(symbol)), " ", size);
  const label = el("span", { class: "pl-label", text: name });
  const box = el(
    "button",
    { type: "button", class: `pl-node ${given ? "pl-given" : ""}`, "data-node": id },
    top,
    " ",
    label,
    " ",
    strip,
    say,
  );
  return { box, strip, say };
}

/** @typedef {ReturnType<typeof buildNode>} NodeUi */

/**
 * The contents of a box at a step: {strip: numbers or null, say, lines or shaded words}. `few`: there is little room;
 * `unseen`: the weights are not known.
 * @param {Path} path
 * @param {PathNode} node
 * @param {number} step
 * @param {{ few: boolean, unseen: boolean }} given
 * @returns {Contents}
 */
export function contentsOf(path, node, step, { few, unseen }) {
  const { source } = path;
  const { values, top, before } = path.steps[step];
  const value = values[node.id];
  if (node.given && !isRead(path, node.id)) return { strip: null, say: t("off in this model") };
  switch (node.id) {
    case "memory":
      return {
        strip: null,
        shaded: mostRead(source, (unseen ? null : vectorOf(values.weights)) ?? source.map(() => 0), few ? 6 : Infinity),
      };
    case "word":
      return { strip: null, say: before ?? t("start"), large: true };
    case "output":
      return { strip: null, lines: top.slice(0, 3).map(([word, p]) => [word, short(Math.exp(p))]) };
    case "center":
      return { strip: null, say: typeof value === "number" ? fixed(value, 2) : "", large: true, window: true };
  }
  const vector = vectorOf(value);
  if (!vector)
    return {
      strip: null,
      say:
        node.given && !path.bare ? (step ? "" : t("from the encoder")) : path.bare ? "" : t("not computed at the end"),
    };
  if (node.id === "weights") {
    const best = vector.indexOf(Math.max(...vector));
    return {
      strip: vector,
      bars: true,
      say: vector[best] > 0 ? `${short(vector[best])} ${source[best]}` : t("no word in the window"),
    };
  }
  return { strip: vector, say: `|·| ${length(vector).toFixed(2)}` };
}

/**
 * The values of a node if they are a vector.
 * @param {Values[string]} value
 */
function vectorOf(value) {
  return Array.isArray(value) ? value : null;
}

/**
 * [word, weight] of the `most` words with the largest weights, in the order of the sentence; ["…", null] for words that
 * are left out.
 * @param {string[]} source
 * @param {number[]} weights
 * @param {number} most
 * @returns {[string, number | null][]}
 */
function mostRead(source, weights, most) {
  const places = source
    .map((_, s) => s)
    .sort((a, b) => weights[b] - weights[a])
    .slice(0, most);
  places.sort((a, b) => a - b);
  return [...places, source.length].flatMap((s, i) => {
    const skipped = s > (i ? places[i - 1] + 1 : 0);
    return /** @type {[string, number | null][]} */ ([
      ...(skipped ? [["…", null]] : []),
      ...(s < source.length ? [[source[s], weights[s]]] : []),
    ]);
  });
}

/**
 * @param {Path} path
 * @param {string} id
 */
function isRead({ edges }, id) {
  return edges.some(([from]) => from === id);
}

/**
 * Show the contents in a box; `most` is the end of the strip's scale.
 * @param {NodeUi} nodeUi
 * @param {Contents} contents
 * @param {number} most
 * @param {Paint} paint
 */
export function fillNode({ strip, say, box }, contents, most, { colors, heat }) {
  if (contents.lines) {
    say.replaceChildren(
      ...contents.lines.flatMap(([word, p]) => [
        el("span", { class: "pl-line" }, el("span", { text: word }), " ", el("span", { text: p })),
        " ",
      ]),
    );
  } else if (contents.shaded) {
    say.replaceChildren(
      ...contents.shaded.flatMap(([word, weight]) => {
        const part = el("span", { class: "pl-word", text: word });
        if (weight === null) return [part, " "];
        const tone = shade(weight, 1);
        Object.assign(part.style, { background: heat.fill[tone], color: heat.ink[tone] });
        return [part, " "]; // the space is for those who hear it
      }),
    );
  } else say.replaceChildren(contents.say ?? "");
  say.classList.toggle("pl-large", Boolean(contents.large));
  say.classList.toggle("pl-window", Boolean(contents.window));
  strip.hidden = !contents.strip;
  box.classList.toggle("pl-bare", !contents.strip);
  if (contents.strip) drawStrip(strip, contents.strip, Boolean(contents.bars), most, colors);
}

/**
 * A vector as one thin bar for each number, up for positive and down for negative; weights start at the bottom.
 * @param {HTMLCanvasElement} canvas
 * @param {number[]} numbers
 * @param {boolean} bars
 * @param {number} most
 * @param {Record<string, string>} colors
 */
function drawStrip(canvas, numbers, bars, most, colors) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((size) =>
    Math.max(Math.round(size * ratio), 1),
  );
  canvas.width = width;
  canvas.height = height;
  const ctx = context2d(canvas);
  const ground = bars ? height : height / 2;
  const pitch = width / numbers.length;
  const best = bars ? numbers.indexOf(Math.max(...numbers)) : -1;
  ctx.globalAlpha = bars || pitch > 2 ? 1 : 0.75;
  numbers.forEach((value, i) => {
    const tall = (value / (most || 1)) * (bars ? height : height / 2);
    ctx.fillStyle = !bars ? colors.alignment : i === best ? colors.weight : colors.alignment;
    ctx.fillRect(i * pitch, ground - tall, Math.max(pitch - (pitch > 3 ? 1 : 0), 1), tall);
  });
  ctx.globalAlpha = 1;
  ctx.fillStyle = colors.line;
  ctx.fillRect(0, Math.min(ground, height - 1), width, 1);
}

/** @param {number[]} numbers */
export function length(numbers) {
  return Math.sqrt(numbers.reduce((total, value) => total + value * value, 0));
}

/**
 * Describe a node: its equation, its inputs and its values.
 * @param {PathUi} ui
 * @param {Path} path
 * @param {PathNode} node
 * @param {number} step
 * @param {boolean} known
 * @param {NumberAsked | null} asked
 * @param {(asked: NumberAsked) => void} open
 */
export function describe(ui, path, node, step, known, asked, open) {
  const inputs = path.edges.filter(([, to]) => to === node.id).map(([from]) => nodeOf(path, from));
  const origin = node.given ? [] : [el("p", { class: "pl-from" }, t("computed from:"), " ", ...joined(inputs))];
  ui.panel.replaceChildren(
    el("p", { class: "pl-equation" }, ...lowered(node.equation)),
    el(
      "p",
      { class: "pl-name" },
      el("b", {}, ...lowered(node.symbol)),
      `, ${node.name}`,
      ...(node.shape.length ? [": ", node.shape.join(" × ")] : []),
    ),
    ...origin,
    ...numbersOf(path, node, step, known),
  );
  if (!asked) return;
  const button = el("button", {
    type: "button",
    class: "ap-button pl-open",
    text: t("Show how its largest number was computed"),
  });
  button.addEventListener("click", () => open(asked));
  ui.panel.append(button);
}

/**
 * The number of a box that is taken apart first: the largest of a vector; null for a box without numbers.
 * @param {Path} path @param {string} id @param {number} step @returns {NumberAsked | null}
 */
export function askFor({ bare, steps }, id, step) {
  const values = steps[step].values[id];
  if (bare) return null;
  if (id === "output") return { step, rank: 0 };
  if (id === "center" && typeof values === "number") return { step, quantity: id, place: 0 };
  if (id === "memory" || !Array.isArray(values)) return null;
  const sizes = values.map(Math.abs);
  return { step, quantity: id, place: sizes.indexOf(Math.max(...sizes)) };
}

/** @param {PathNode[]} nodes */
function joined(nodes) {
  return nodes.flatMap(({ symbol }, i) => [...(i ? [", "] : []), el("b", {}, ...lowered(symbol))]);
}

/**
 * @param {Path} path
 * @param {PathNode} node
 * @param {number} step
 * @param {boolean} known
 */
function numbersOf(path, node, step, known) {
  const value = path.steps[step].values[node.id];
  if (!known) return [el("p", { class: "pl-numbers", text: t("No values: the model does not compute this.") })];
  if (node.id === "output") {
    const candidates = path.steps[step].top.map(([word, p]) => `${word} ${exact(Math.exp(p))}`).join("   ");
    return [el("p", { class: "pl-numbers", text: candidates })];
  }
  if (value === undefined) return [];
  if (typeof value === "number") return [el("p", { class: "pl-numbers", text: exact(value) })];
  if (node.id === "memory")
    return [
      el("p", {
        class: "pl-numbers",
        text: [t("lengths:"), path.source.map((word, s) => `${word} ${value[s].toFixed(2)}`).join("   ")].join(" "),
      }),
    ];
  if (node.id === "weights") {
    return [
      el("p", { class: "pl-numbers", text: path.source.map((word, s) => `${word} ${short(value[s])}`).join("   ") }),
    ];
  }
  const [least, most] = [Math.min(...value), Math.max(...value)].map((value) => fixed(value, 3));
  const range = t("length {length}, from {least} to {most}", { length: length(value).toFixed(3), least, most });
  return [
    el("p", { class: "pl-from", text: range }),
    el("p", {
      class: "pl-numbers",
      text: `${value
        .slice(0, 10)
        .map((value) => fixed(value, 4))
        .join("   ")}${value.length > 10 ? "   …" : ""}`,
    }),
  ];
}

/**
 * Explain the cycle; or, without one, the order in which the step could be computed.
 * @param {PathUi} ui
 * @param {Path} path
 * @param {string[]} ring
 * @param {string[]} order
 */
export function tellAttempt(ui, path, ring, order) {
  const symbol = (/** @type {string} */ id) => el("b", {}, ...lowered(nodeOf(path, id).symbol));
  if (!ring.length) {
    const computed = order.filter((id) => !nodeOf(path, id).given);
    ui.panel.replaceChildren(
      el("p", { class: "pl-verdict pl-fine", text: t("This order is possible:") }),
      el("p", { class: "pl-equation" }, ...computed.flatMap((id, i) => [...(i ? [", "] : []), symbol(id)])),
      el("p", {
        class: "pl-from",
        text: t(
          "Attention no longer depends on the new state, as in Bahdanau's order. The model was not trained this " +
            "way, so there are no values.",
        ),
      }),
    );
    return;
  }
  const needs = ring.map((id, i) =>
    el("p", { class: "pl-need" }, symbol(id), ` ${t("needs")} `, symbol(ring[(i + ring.length - 1) % ring.length])),
  );
  ui.panel.replaceChildren(
    el("p", { class: "pl-verdict", text: t("A cycle: none of these can be computed first.") }),
    ...needs,
    el("p", {
      class: "pl-from",
      text: t("In Luong's order the new state can be the query, because it does not depend on the context vector."),
    }),
  );
}
