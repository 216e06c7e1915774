// A step as it is drawn, without a page: a translation by the engine, laid out and drawn on a canvas that remembers its
// texts.

import { Translator } from "../../attn_core/browser/engine/trace.js";
import { barRows, layOut } from "../../attn_core/browser/player/core/layout.js";
import { spokenStep } from "../../attn_core/browser/player/core/spoken.js";
import { drawnQuantities, vectorsOf } from "../../attn_core/browser/player/core/state-vectors.js";
import { rowsOf, viewOf } from "../../attn_core/browser/player/core/view.js";
import { drawNames } from "../../attn_core/browser/player/draw/names.js";
import { drawSingleVector } from "../../attn_core/browser/player/draw/single-vector.js";
import { drawPicture } from "../../attn_core/browser/player/draw/picture.js";

const WIDE = 0.5; // a letter, relative to its font size

/** A canvas's context that remembers the texts and the number of curves. */
function recorder() {
  const drawn = { texts: [], curves: 0, dashed: 0 };
  let size = 0;
  const own = {
    measureText: (text) => ({ width: text.length * WIDE * size }),
    fillText: (text) => drawn.texts.push(text),
    bezierCurveTo: () => {
      drawn.curves += 1;
    },
    setLineDash: ([dash = 0]) => {
      drawn.dashed += dash > 2;
    },
  };
  /** @param {object} _ @param {string} name @param {any} value */
  const set = (_, name, value) => {
    if (name === "font") size = parseFloat(value.split(" ")[1]);
    return true;
  };
  return { drawn, ctx: new Proxy(own, { get: (target, name) => target[name] ?? (() => {}), set }) };
}

/** The steps of a translation as they are drawn; `without`: quantities that the model does not name. */
export function drawSteps({ files, request, headIndex = null, width = 1000, without = [] }) {
  const graphs = {
    ...files.graphs,
    quantities: Object.fromEntries(Object.entries(files.graphs.quantities).filter(([id]) => !without.includes(id))),
  };
  const translator = new Translator({
    ...files,
    weights: Uint8Array.from(atob(files.weights), (letter) => letter.charCodeAt(0)),
  });
  const trace = translator.translate({ ...request, vectors: drawnQuantities(graphs.quantities) });
  const vectors = vectorsOf(trace, graphs, headIndex);
  const rows = rowsOf(trace, headIndex);
  return trace.steps.map((_, step) => {
    const view = viewOf(trace, { headIndex, heat: "weights", eos: true, step }, rows, "light", {
      vectors,
      windows: graphs.windows,
    });
    const row = view.rows[step] ?? null;
    const { bell, mode, hard, mean } = view.display;
    const measure = (text, size) => text.length * WIDE * size;
    const g = layOut({
      width,
      u: 1,
      v: 1,
      source: trace.source,
      rows: row ? barRows({ bell, mode, hard, mean }) : [],
      farthest: view.display.farthest,
      measure,
      vectors: vectors !== null,
      flow: true,
      feeding: Boolean(vectors?.feeding),
    });
    const { ctx, drawn } = recorder();
    const pen = { ctx, colors: {}, family: "sans", heat: { fill: [], ink: [], stops: "" } };
    drawNames(pen, g, row, view.display, vectors);
    const names = drawn.texts.splice(0);
    if (row) drawPicture(pen, g, row, view.display, vectors);
    else drawSingleVector(pen, g, vectors, view.display);
    return {
      ...drawn,
      names,
      bars: g.bars.map(({ key }) => key),
      height: g.height,
      col: g.col,
      center: row?.center ?? null,
      lanes: row?.lanes?.length ?? 0,
      spoken: spokenStep(trace, row ?? undefined, step, trace.steps.length, vectors),
    };
  });
}
