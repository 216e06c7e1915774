// What a link asks for and a page may not have.

import { t } from "../../../attn_core/browser/player/core/messages.js";

/** @import { Choice } from "./types.d.ts" */

/** @param {string} value that the link asks for and that is not there */
export const absentNote = (value) =>
  t("The link asks for “{value}”, which does not exist here; the default is shown instead.", {
    value: value.slice(0, 40),
  });

/**
 * The model to begin with, and a note if it is not the one that the link asks for.
 * @param {Choice} choice
 * @param {string | null} asked the model in the link
 */
export function linkedModel({ models, first }, asked) {
  if (asked && models.includes(asked)) return { model: asked, note: "" };
  return { model: models.includes(first) ? first : (models[0] ?? ""), note: asked ? absentNote(asked) : "" };
}
