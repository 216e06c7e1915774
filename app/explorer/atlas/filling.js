// The translations of a map's places, one after another while the map is open.

import { END } from "../../../attn_core/browser/engine/tokenizer/specials.js";
import { failure } from "../../../attn_core/browser/widget/remarks.js";
import { unescaped } from "../../../attn_core/browser/engine/escapes.js";
import { useEffect, useRef, useState } from "../../../attn_core/browser/vendor/hooks.js";
import { outward } from "./regions.js";

/**
 * @import { Answer, Request } from "../../../attn_core/browser/engine/types.d.ts"
 * @import { Chart } from "./charts.js"
 * @import { Found } from "./regions.js"
 *
 * @typedef {(changed: Partial<Request>) => Promise<Answer | null>} Translate the sentence with some settings changed;
 * null: no model is open
 * @typedef {{ translations: (Found | null)[], problem: string }} Filling by place; null: not there yet
 */

const SOON = 350; // ms after the last change of the sentence or the settings
const PICTURE = 100; // ms between two pictures of a map that is being filled
const REOPENS = 30; // ms to wait for a model

/** @type {Filling} */
const EMPTY = { translations: [], problem: "" };

/**
 * Fills a map, as soon as it is opened or shortly after it has become that of another translation.
 * @param {string} key of the map
 * @param {Chart} chart
 * @param {ReturnType<Chart["places"]>} places
 * @param {Translate} translate
 * @returns {Filling}
 */
export function useFilling(key, chart, places, translate) {
  const [filled, setFilled] = useState({ key: "", filling: EMPTY });
  const latest = useRef(translate);
  const isOpen = useRef(false);
  latest.current = translate;
  useEffect(() => {
    const delay = isOpen.current ? SOON : 0;
    isOpen.current = true;
    const stop = new AbortController();
    const show = (/** @type {Filling} */ filling) => !stop.signal.aborted && setFilled({ key, filling });
    show(EMPTY);
    const timer = setTimeout(() => fill(chart, places, (changed) => latest.current(changed), show, stop.signal), delay);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key]);
  return filled.key === key ? filled.filling : EMPTY;
}

/**
 * @param {Chart} chart
 * @param {ReturnType<Chart["places"]>} places
 * @param {Translate} translate
 * @param {(filling: Filling) => void} show
 * @param {AbortSignal} signal
 */
async function fill(chart, { rows, columns, current }, translate, show, signal) {
  const start = performance.now();
  /** @type {(Found | null)[]} */
  const translations = new Array(rows.length * columns.length).fill(null);
  let pictures = 0;
  for (const place of outward(translations.length, columns.length, Math.max(current, 0))) {
    try {
      const answer = await translated(
        chart.request(rows[Math.floor(place / columns.length)], columns[place % columns.length]),
        translate,
        signal,
      );
      if (!answer?.trace) return;
      const { steps, target } = answer.trace;
      const score = steps.reduce((sum, { log_prob }) => sum + log_prob, 0) / steps.length;
      translations[place] = { text: answer.text, words: target.filter((word) => word !== END).map(unescaped), score };
    } catch (problem) {
      show({ translations: [...translations], problem: failure(problem) });
      return;
    }
    if (performance.now() - start < PICTURE * (1 + pictures)) continue;
    pictures += 1;
    show({ translations: [...translations], problem: "" });
  }
  show({ translations, problem: "" });
  performance.measure(chart.measure, { start, detail: { places: translations.length } });
}

/**
 * The answer to a request; null after the signal.
 * @param {Partial<Request>} request
 * @param {Translate} translate
 * @param {AbortSignal} signal
 */
async function translated(request, translate, signal) {
  while (!signal.aborted) {
    const answer = await translate(request);
    if (answer) return signal.aborted ? null : answer;
    await new Promise((resolve) => setTimeout(resolve, REOPENS)); // the model was closed: another one opens
  }
  return null;
}
