// Texts that are marked for translation, which test_messages.py bundles in another language.

import { t, tn } from "../../attn_core/browser/player/core/messages.js";

/** The number of words. @param {number} n */
export const words = (n) => tn("{n} word", "{n} words", n);

// prettier-ignore
const label = () => t("Layer " +
  "and head");

/** A text in two parts, and one that no catalogue has. */
export const texts = () => [label(), t("step {step} of {steps}", { step: 2 })];
