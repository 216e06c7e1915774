// Temporary: components behind the functions that stage.js calls, until the Explorer is one component.

import { html } from "../../attn_core/web/player/dom/html.js";
import { render } from "../../attn_core/web/vendor/preact.js";
import { Numbers } from "../shell/numbers/numbers.js";
import { Atlas } from "./atlas/atlas.js";
import { searchChart, windowChart } from "./atlas/charts.js";
import { Beam } from "./beam/beam.js";
import { Downloads } from "./downloads.js";
import { Formulas } from "./formulas.js";
import { GlossMenu, GLOSSES, glossesIn } from "./gloss.js";
import { Head } from "./head.js";

/** A component with its last props; `draw` takes those that change. @param {any} component @param {Record<string, any>} props */
function drawn(component, props, root = document.createElement("div")) {
  root.style.display = "contents";
  const draw = (/** @type {Record<string, any>} */ change = {}) => render(html`<${component} ...${Object.assign(props, change)} />`, root);
  draw();
  return { root, draw };
}

/** @param {{ choose: (rule: any) => void, jump: (step: number) => void, theme: () => any }} given */
export function buildBeam({ choose, jump, theme }) {
  const dispatch = (/** @type {any} */ action) => (action.type === "step chosen" ? jump(action.step) : choose(action.normalise));
  const { root, draw } = drawn(Beam, { tree: null, trace: null, step: 0, theme: "light", dispatch });
  return {
    root, draw: () => draw({ theme: theme() }),
    show: (/** @type {any} */ tree, /** @type {any} */ trace) => draw({ tree, trace, theme: theme() }),
    at: (/** @type {number} */ step) => draw({ step }),
  };
}

/** @param {any} facts */
export const windows = (facts) => (/** @type {any} */ trace) => windowChart(trace?.settings.window, facts);
/** @param {any} facts */
export const searches = (facts) => () => searchChart(facts);

/** @param {(trace: any) => any} chartOf @param {{ translate: (changed: any) => Promise<any>, go: (action: any) => void, theme: () => any }} given */
export function buildAtlas(chartOf, { translate, go, theme }) {
  const { root, draw } = drawn(Atlas, { chart: chartOf(null), trace: null, translate, theme: "light", dispatch: go });
  return {
    root, draw: () => draw({ theme: theme() }), destroy: () => render(null, root),
    show: (/** @type {any} */ trace, /** @type {number} */ sample = 0) => draw({ chart: chartOf(trace), trace, sample, theme: theme() }),
  };
}

/** @param {{ fetchFile?: any, theme: () => any, report: (line: string | null) => void }} given */
export function buildDownloads({ fetchFile, theme, report }) {
  const { root, draw } = drawn(Downloads, { shown: null, fetchFile, theme: "light", onProblem: report });
  return { root, draw: () => draw({ theme: theme() }), show: (/** @type {any} */ shown) => draw({ shown, theme: theme() }) };
}

/** @param {any} groups */
export function buildFormulas(groups) {
  const { root, draw } = drawn(Formulas, { graphs: null, how: {}, groups });
  return { root, show: (/** @type {any} */ graphs, /** @type {any} */ how) => draw({ graphs, how }) };
}

export { GLOSSES };

/** @param {any} glosses @param {() => void} onChange */
export function buildGloss(glosses, onChange) {
  const tables = Object.fromEntries(GLOSSES.map((language) => [language, glossesIn(glosses, language)]));
  let wanted = GLOSSES[0];
  const { root, draw } = drawn(GlossMenu, {
    glosses, source: [], chosen: wanted,
    dispatch(/** @type {any} */ { gloss }) {
      draw({ chosen: wanted = gloss });
      onChange();
    },
  });
  return {
    root: /** @type {HTMLElement} */ (root.firstElementChild), chosen: () => wanted !== GLOSSES[0], wanted: () => wanted, now: () => tables[wanted],
    choose: (/** @type {string} */ language) => draw({ chosen: wanted = language }), fit: (/** @type {string[]} */ source) => draw({ source }),
  };
}

/** @param {any} page @param {(stop: number | null) => void} go @param {() => void} compare @param {HTMLElement} edit */
export function buildHead({ title, about, ending }, go, compare, edit) {
  const dispatch = (/** @type {any} */ action) => {
    if (action.type === "tour stop chosen") go(action.stop);
    else if (action.type === "tour left") go(null);
    else compare();
  };
  const { root, draw } = drawn(Head, { title, about, ending, stop: null, comparing: false, editing: false, canEdit: false, dispatch });
  const both = /** @type {HTMLElement} */ (root.querySelector("button"));
  both.after(edit);
  return { root, comparing: (/** @type {boolean} */ comparing) => draw({ comparing }), focus: () => both.focus(), show: (/** @type {number | null} */ stop) => draw({ stop }) };
}

export function buildNumbers() {
  const onClose = () => draw({ asked: null });
  const { root, draw } = drawn(Numbers, { asked: null, source: null, step: 0, onClose });
  return {
    root, open: (/** @type {any} */ asked, /** @type {any} */ source) => draw({ asked: { ...asked }, source }), renew: (/** @type {any} */ source) => draw({ source }),
    at: (/** @type {number} */ step) => draw({ step }), destroy: () => render(null, root),
  };
}
