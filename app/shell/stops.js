// The stops of the tour, as data. Each asks a question on a page in the state that shows it; a reader guesses, gets the answer,
// and tries one thing. A subscript is written as in p_{t}.

import { t } from "../../attn_core/web/player/core/messages.js";

/** @import { Stop } from "./types.d.ts" */

const CATCH = "Ein Mädchen versucht, mit der Hand einen Fisch zu fangen.";

/** @type {Stop[]} */
export const STOPS = [
  {
    page: "", needs: ["score"],
    link: { model: "luong-base-long", text: `Zwei Hunde laufen durch den Schnee. ${CATCH} Ein alter Mann verkauft auf dem Markt frische Blumen.` },
    question: t("Three sentences in one vector: how much comes back out?"),
    intro: t("They say: two dogs run through the snow; a girl tries to catch a fish with her hand; an old man sells fresh flowers at the market."),
    guesses: [{ text: t("All three sentences") }, { text: t("The first sentence"), isRight: true }, { text: t("The last sentence") }],
    answer: t("Only the first sentence: without attention, one vector of fixed size has to hold all 25 words, and the model makes up the rest."),
    todo: t("Add attention: the decoder can then use one vector for each word, and the girl, the fish and the flowers are back."),
    act: { label: t("Add attention"), link: { model: "luong-general-global-long" } },
    term: { name: t("Encoder state"), meaning: t("the encoder's vector for one source word, with its neighbours taken into account. Attention keeps all of them.") },
    notebook: "01-fixed-vector", section: "What the model with attention does instead",
    notes: [
      t("Have the class vote before you press play."),
      t("Play a few steps: every word is written from the same vector."),
      t("The vector has the same size for 5 words and for 25."),
    ],
  },
  {
    page: "", needs: ["edit"], link: { model: "bahdanau", text: CATCH, step: "5" },
    question: t("To write “catch” it attends to “fangen”. And if it attended to “fisch”?"),
    guesses: [{ text: t("It still writes “catch”") }, { text: t("It writes “fish”"), isRight: true }, { text: t("It writes nothing") }],
    answer: t("It writes “fish”: the word that gets the weight is the word that is translated here."),
    todo: t("Move the weight: click “fisch”, “hand” or another German word. What comes next in the translation?"),
    act: { label: t("Attend to “fisch”"), link: { edit: "w5-0_0_0_0_0_0_0_0_1_0_0_0" } },
    term: { name: t("Attention weight"), meaning: t("a source word's share in this step: its encoder state is multiplied by it. Without a window, these sum to 1.") },
    notebook: "02-bahdanau", section: "In a trained model",
    notes: [
      t("The weight is set by hand; everything after it is computed by the model."),
      t("“hand” gives “hand up a fish”, “ein” gives “a”."),
      t("Equal weights on all words still give “catch”: the decoder state has a say, too."),
    ],
  },
  {
    page: "", needs: ["score"], link: { model: "bahdanau", text: CATCH, step: "5" },
    question: t("How did it find “fangen”? What is compared with what?"),
    guesses: [
      { text: t("“catch” with each German word") }, { text: t("The decoder state with each encoder state"), isRight: true },
      { text: t("The positions of the words") },
    ],
    answer: t("The decoder state is compared with the encoder state of each word, and each comparison gives one score; “catch” is not written yet."),
    todo: t("Click the score of “fangen” to see its formula. Then change the score: does the largest weight move?"),
    act: { label: t("Use the dot score"), link: { model: "bahdanau-dot" } },
    term: { name: t("Score"), meaning: t("a number that tells how well the decoder state matches one encoder state: by a small network (additive) or a dot product (dot).") },
    notebook: "03-luong-scores", section: "In trained models",
    notes: [
      t("A score can be any number; only the differences between the scores of a step matter."),
      t("With additive, dot and general, “fangen” has the largest weight."),
      t("Nobody told the model which words belong together: it learned that from translations."),
    ],
  },
  {
    page: "", needs: [], link: { model: "bahdanau", text: CATCH, step: "5" },
    question: t("The scores have become weights. What does the output layer receive?"),
    guesses: [
      { text: t("The weights") }, { text: t("The state of “fangen” alone") }, { text: t("One sum of all encoder states"), isRight: true },
    ],
    answer: t("Each encoder state is multiplied by its weight, and their sum, the context vector, goes to the output layer together with the decoder state."),
    todo: t("Leave the weights as they are and put in the context vector of the step that writes “fish”."),
    act: { label: t("Exchange the context vector"), link: { edit: "c5-7" } },
    term: { name: t("Context vector"), meaning: t("the weighted sum of the encoder states: all that this step gets from the source. A softmax turns the scores into its weights.") },
    notebook: "02-bahdanau", section: "By hand",
    notes: [
      t("Follow the widest band: it carries 0.85 of the state of “fangen”."),
      t("With the other context vector the model writes “fish” although the weights still point to “fangen”."),
      t("So weights act on the word only through the context vector."),
    ],
  },
  {
    page: "paths", needs: [], link: { paths_text: CATCH, paths_step: "0.5" },
    question: t("Why does Bahdanau compare with the old state s_{i-1}, not the new s_{i}?"),
    guesses: [
      { text: t("s_{i} does not exist yet"), isRight: true }, { text: t("s_{i} gives worse translations") }, { text: t("No reason: either works") },
    ],
    answer: t("s_{i} is computed from the context vector, so attention must come first and use s_{i-1}; Luong updates first and attends with the new state h_{t}."),
    todo: t("In Bahdanau's diagram, press “Try as the query: s_{i}”. The red arrows form a cycle: every box waits for another. Then try h_{t-1} in Luong's."),
    term: { name: t("Query"), meaning: t("the decoder state that is compared with the encoder states: the old one if attention comes first, the new one if the update does.") },
    notebook: "05-two-paths", section: "Why Bahdanau's model cannot use its new state as the query",
    notes: [
      t("Press play in each diagram: the boxes light up in the order of computation."),
      t("s_{i} needs c_{i}, c_{i} needs the weights, and the weights would need s_{i}."),
      t("In Luong's diagram the old state works: there is no cycle, only another model."),
    ],
  },
  {
    page: "", needs: ["feeding"], link: { model: "luong-general-global", text: "Nachts spielt ein alter Mann auf der Brücke Geige.", step: "5" },
    question: t("“Playing the bridge on the bridge”: what does a step tell the next?"),
    guesses: [{ text: t("Its weights") }, { text: t("Its context vector") }, { text: t("Only the word it wrote"), isRight: true }],
    answer: t("In this model only the word goes on, so no step knows what the earlier ones attended to; input feeding passes on the context vector, too."),
    todo: t("Turn on input feeding. The man plays the violin now, and “bridge” comes once."),
    act: { label: t("Turn on input feeding"), link: { model: "luong-general-global-feed", step: "6" } },
    term: { name: t("Input feeding"), meaning: t("the attentional vector h̃_{t-1}, in which the last step combined its context vector and its state, is an input of this step.") },
    notebook: "05-two-paths", section: "Does the next query depend on earlier attention?",
    notes: [
      t("“Geige” is the violin. It stands last in German."),
      t("Both models were trained in the same way; only the feeding differs."),
      t("One sentence proves little: the page Results has the scores of both."),
      t("Bahdanau's model needs no feeding: its state is computed from the context vector."),
    ],
  },
  {
    page: "", needs: ["window"], link: { model: "bahdanau-local-p", text: CATCH, step: "4" },
    question: t("Nine words are in view at most. Would three be enough?"),
    guesses: [{ text: t("Yes, almost"), isRight: true }, { text: t("No, the verb is lost") }],
    answer: t("Almost: the model predicts a position p_{t}, sees the D words on each side, and shrinks weights far from p_{t} by a Gaussian of width σ."),
    todo: t("Set D = 1; only “hand” comes twice. Then drag p_{t}, D and σ: what happens to the sum of the weights?"),
    act: { label: t("Set D = 1"), link: { D: "1" } },
    term: { name: t("Alignment weight"), meaning: t("a score after the softmax; these sum to 1. Times the Gaussian (at most 1) it is the attention weight; those sum to less.") },
    notebook: "04-local-windows", section: "Alignment weights × Gaussian = attention weights",
    notes: [
      t("p_{t}: where the window is. D: how far it reaches. σ: how fast the Gaussian falls; unless it is set, σ = D/2."),
      t("At “catch”, p_{t} is 9.01: with D = 1 the words 8, 9 and 10 are in view, and “fangen” is 10. The Gaussian leaves it little."),
      t("At “to” the weights sum to 0.52: the rest has been cut off by the Gaussian."),
    ],
  },
  {
    page: "", needs: ["head"], link: { model: "luong-general-global-heads", text: CATCH, step: "5", layer: "0", head: "3" },
    question: t("Four heads attend at each step. Which one finds every word?"),
    guesses: [{ text: t("Head 0") }, { text: t("Head 1"), isRight: true }, { text: t("Head 2") }, { text: t("Head 3") }],
    answer: t("Head 1 finds girl, trying, catch, fish and hand; the other heads find fewer, and head 3 mostly attends to the full stop."),
    todo: t("Choose one head after the other in the menu “Layer and head”, and compare their maps."),
    act: { label: t("Show head 1"), link: { head: "1" } },
    term: { name: t("Head"), meaning: t("one of several attentions in a step, with its own scores, weights and context vector; the context vectors are concatenated.") },
    notebook: "06-other-ways", section: "Several heads",
    notes: [
      t("Let the class look at all four maps before anybody guesses."),
      t("Nothing in training asks a head to align: one does so because it helps."),
    ],
  },
  {
    page: "heads", needs: [], link: { heads_text: CATCH, heads_attention: "encoder", heads_layer: "0", heads_head: "3" },
    question: t("German words attend to German words: what does “einen” (a) attend to?"),
    guesses: [{ text: t("Itself") }, { text: t("“fisch”, its noun"), isRight: true }, { text: t("“fangen”, the verb") }],
    answer: t("To “fisch”, its noun: in self-attention every word of a sentence is a query for the words of the same sentence."),
    todo: t("Point at “einen” and “der” in the line “query”. Then click layer 1, head 3: it mostly attends to the word before."),
    term: { name: t("Self-attention"), meaning: t("attention within one sentence: each word's vector becomes a weighted sum over all words. A Transformer is built from it.") },
    notebook: "07-transformer", section: "What do the heads attend to?",
    notes: [
      t("In layer 0, head 3, “der” attends to “hand” and “einen” to “fisch”: articles to their nouns."),
      t("There is no recurrent network here: attention alone mixes the words."),
    ],
  },
  {
    page: "pointer", needs: [], link: {},
    question: t("What if the answer has to be one of the inputs?"),
    guesses: [{ text: t("Add a word for each input") }, { text: t("Use the weights as the output"), isRight: true }],
    answer: t("A pointer network outputs its attention weights: a probability for each input, and the largest is its choice. It needs no vocabulary."),
    todo: t("Drag a point, then press play. Does it still point to the corners of the convex hull?"),
    term: { name: t("Pointer"), meaning: t("attention whose weights are the output: a probability for each input, however many there are. Nothing is summed up.") },
    notebook: "06-other-ways", section: "When the weights are the output",
    notes: [
      t("The convex hull is a rubber band around all points."),
      t("Add points: the output grows with the input."),
      t("The tour ends here. The glossary has all ten terms, and the quiz begins with the easiest card."),
    ],
  },
];
