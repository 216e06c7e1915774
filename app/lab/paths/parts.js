// The elements of a path: boxes with the vectors of a step, arrows between them, and the panel of the text below.

import { shade } from "../../../attn_core/browser/player/core/heat.js";
import { t } from "../../../attn_core/browser/player/core/messages.js";
import { el, iconButton } from "../../../attn_core/browser/player/dom/elements.js";
import { withSubscripts } from "../../../attn_core/browser/player/dom/symbols.js";
import { context2d } from "../../../attn_core/browser/player/draw/pen.js";
import { svg } from "../kit/svg.js";

/** @import { Paint } from "../../../attn_core/browser/player/core/types.d.ts" */
/** @import { Contents, Path, PathNode } from "./types.d.ts" */

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
  const diagram = el("div", { class: "pl-diagram" }, arrows, ...Object.values(nodes).map(({ box }) => box));
  const explanation = el("div", { "aria-live": "polite" });
  const text = t("Show how its largest number was computed");
  const open = el("button", { type: "button", class: "ap-button pl-open", hidden: true, text });
  const back = iconButton("back", t("Previous computation"), "ArrowLeft");
  const play = iconButton("play", t("Play"), "Space");
  play.classList.add("ap-play");
  const forward = iconButton("forward", t("Next computation"), "ArrowRight");
  const attempt = el("button", { type: "button", class: "ap-button pl-try", "aria-pressed": "false" });
  const swap = el("button", { type: "button", class: "ap-button pl-swap" }); // to the other diagram, in lecture layout
  const frame = el(
    "section",
    { class: "ap pl", tabindex: "0", "aria-label": path.title, "aria-keyshortcuts": "Space ArrowLeft ArrowRight" },
    el(
      "div",
      { class: "pl-head" },
      el("h3", { class: "pl-title", text: path.title }),
      swap,
      el("span", { class: "pl-model", text: path.model }),
      words,
    ),
    el("div", { class: "pl-deck" }, el("div", { class: "ap-buttons" }, back, play, forward), order, attempt),
    diagram,
    el("div", { class: "pl-panel" }, explanation, open),
  );
  parent.append(frame);
  return { nodes, words, order, arrows, diagram, explanation, open, back, play, forward, attempt, swap, frame };
}

/** @typedef {ReturnType<typeof buildPath>} PathUi */

/** @param {PathNode} pathNode */
function buildNode({ id, symbol, name, given, shape }) {
  const size = el("span", { class: "pl-shape", text: shape.length ? shape.join(" × ") : t("number") });
  const strip = el("canvas", { class: "pl-strip", "aria-hidden": "true" });
  const text = el("span", { class: "pl-say" });
  const top = el("span", { class: "pl-top" }, el("b", { class: "pl-symbol" }, ...withSubscripts(symbol)), " ", size);
  const label = el("span", { class: "pl-label", text: name });
  const box = el(
    "button",
    { type: "button", class: `pl-node ${given ? "pl-given" : ""}`, "data-node": id },
    top,
    " ",
    label,
    " ",
    strip,
    text,
  );
  return { box, strip, text };
}

/** @typedef {ReturnType<typeof buildNode>} NodeUi */

/**
 * Show the contents in a box; `most` is the end of the strip's scale.
 * @param {NodeUi} nodeUi
 * @param {Contents} contents
 * @param {number} most
 * @param {Paint} paint
 */
export function fillNode({ strip, text, box }, contents, most, { colors, heat }) {
  if (contents.lines) {
    text.replaceChildren(
      ...contents.lines.flatMap(([word, p]) => [
        el("span", { class: "pl-line" }, el("span", { text: word }), " ", el("span", { text: p })),
        " ",
      ]),
    );
  } else if (contents.shaded) {
    text.replaceChildren(
      ...contents.shaded.flatMap(([word, weight]) => {
        const part = el("span", { class: "pl-word", text: word });
        if (weight === null) return [part, " "];
        const tone = shade(weight, 1);
        Object.assign(part.style, { background: heat.fill[tone], color: heat.ink[tone] });
        return [part, " "]; // the space is for those who hear it
      }),
    );
  } else text.replaceChildren(contents.text ?? "");
  text.classList.toggle("pl-large", Boolean(contents.large));
  text.classList.toggle("pl-window", Boolean(contents.window));
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
