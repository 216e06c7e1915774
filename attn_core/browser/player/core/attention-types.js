// Attention types as the page names them.

import { valueIn } from "../../engine/lookup.js";
import { t } from "./messages.js";

/** @import { Options, TraceSettings } from "./types.d.ts" */

/** The name of an attention type on the page. @param {string} type @param {Options["types"]} [types] */
export const typeName = (type, types = {}) => valueIn(types, type) ?? type;

/**
 * The attention type and the trained one, if they differ; otherwise "".
 * @param {TraceSettings} traceSettings
 * @param {Options["types"]} [types]
 */
export function typeNote({ attention_type: type, trained_attention_type: trained }, types) {
  if (type === trained || !type || !trained) return "";
  return t("{type} attention, trained with {trained} attention", {
    type: typeName(type, types),
    trained: typeName(trained, types),
  });
}
