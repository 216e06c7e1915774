// The models that the page offers. record.py stores what several models have in common once.

import { fetchModelFiles, fetchStored } from "../../attn_core/browser/hosts/model-files.js";
import { t } from "../../attn_core/browser/player/core/messages.js";

/** @import { OfferedHere, Page, Shared } from "./types.d.ts" */

/**
 * The models of the page's data.
 * @param {Pick<Page, "models" | "points" | "setups" | "shared">} page
 * @returns {OfferedHere[]}
 */
export function modelsOf({ models, points, setups, shared }) {
  return models.map((model) => {
    const fields = Object.entries(shared).map(([field, values]) => [
      field,
      values[model[/** @type {keyof Shared} */ (field)]],
    ]);
    const { files, point, setup, scores, tested, note, ...rest } = {
      ...model,
      .../** @type {Shared} */ (Object.fromEntries(fields)),
    };
    return {
      ...rest,
      about: scores ? t("Scores on {tested}: {scores}", { tested, scores }) : "",
      caveat: note,
      point: Object.fromEntries(points.map((axis, i) => [axis, point[i]])),
      setup: Object.fromEntries(setups.flatMap((name, i) => (setup[i] === null ? [] : [[name, setup[i]]]))),
      ...(files ? { load: () => fetchModelFiles(files.record, files.weights, fetchStored) } : {}),
    };
  });
}
