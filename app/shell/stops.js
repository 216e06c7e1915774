// The stops of the tour, as data: each one question and one thing to do, on a page in the state that shows it.

import { t } from "../../attn_core/web/player/core/messages.js";

/** @import { Stop } from "./types.d.ts" */

/** @type {Stop[]} */
export const STOPS = [
  {
    page: "", link: { model: "luong-base-long", text: "Zwei Hunde laufen durch den Schnee. Ein Mädchen versucht, mit der Hand einen Fisch zu fangen. Ein alter Mann verkauft auf dem Markt frische Blumen." },
    question: t("Can one vector hold three sentences?"),
    todo: t("This model has no attention: its encoder compresses the three German sentences into a single vector. They say: two dogs run through the snow; a girl tries to catch a fish with her hand; an old man sells fresh flowers at the market. What did the model make up? Now add attention: choose “general” in the menu “Score”."),
    notebook: "01-fixed-vector",
  },
  {
    page: "", link: { model: "bahdanau", step: "5" },
    question: t("What does the model attend to when it writes “catch”?"),
    todo: t("To “fangen”, the last German word. Press play: each step is one row of the map, and the cell with the strongest colour has the largest weight."),
    notebook: "02-bahdanau",
  },
  {
    page: "", link: { model: "luong-general-global", step: "4", with: "luong-dot-global" },
    question: t("How does the model know which word to attend to?"),
    todo: t("It computes a score for every word, and the softmax turns the scores into weights. These two models differ in their score function only. Where do their maps differ? Then choose “concat” in the menu “Score”."),
    notebook: "03-luong-scores",
  },
  {
    page: "", link: { model: "luong-general-global", step: "4", with: "bahdanau-general" },
    question: t("Does the decoder attend first, or update its state first?"),
    todo: t("Luong's decoder updates its state and attends with the new one. Bahdanau's attends with its previous state, then updates it. Here are both, with the same score and window; their cells and output layers differ, too. Which map is sharper in the row of “to”?"),
    notebook: "05-two-paths",
  },
  {
    page: "", link: { model: "luong-concat-local-p", step: "5" },
    question: t("Is it enough to attend to a few words?"),
    todo: t("This model predicts a position, pₜ, and attends only to D words on each side of it. Drag D down to 0, so that one word is left: which words of the translation change? Then drag the orange line of pₜ to another word: what does this step write now?"),
    notebook: "04-local-windows",
  },
  {
    page: "", link: { model: "transformer", step: "4" },
    question: t("What can several heads see that one cannot?"),
    todo: t("A Transformer attends with several heads in each layer, at every step. Choose other layers and heads, and compare their maps; the page Heads shows all of them at once."),
    notebook: "07-transformer",
  },
  {
    page: "pointer", link: {},
    question: t("What if the output has to be one of the inputs?"),
    todo: t("A pointer network has no vocabulary: its attention weights are its output. This one was trained to choose the corners of the convex hull. Drag a point, and see whether it still does."),
    notebook: "06-other-ways",
  },
];
