// The stops of the tour, as data. Each asks a question on a page in the state that shows it; a reader guesses, gets the
// answer, and tries one thing. A subscript is written as in p_{t}.

import { t } from "../../attn_core/browser/player/core/messages.js";

/** @import { Stop } from "./types.d.ts" */

const CATCH = "Ein Mädchen versucht, mit der Hand einen Fisch zu fangen.";

/** @type {Stop[]} */
export const STOPS = [
  {
    page: "",
    needs: ["score"],
    link: {
      model: "luong-base-long",
      text: `Zwei Hunde laufen durch den Schnee. ${CATCH} Ein alter Mann verkauft auf dem Markt frische Blumen.`,
    },
    question: t("Three sentences in one vector: how much comes back out?"),
    intro: t(
      "The model translates German into English. The sentences say: two dogs run through the snow; a girl tries to " +
        "catch a fish with her hand; an old man sells fresh flowers at the market.",
    ),
    guesses: [
      { text: t("All three sentences") },
      { text: t("The first sentence"), isRight: true },
      { text: t("The last sentence") },
    ],
    answer: t(
      "Only the first sentence: one vector of fixed size has to hold all 25 words, and the model invents what does " +
        "not fit.",
    ),
    todo: t(
      "Add attention: the decoder, which writes the translation, can now look at a vector for each word. The girl, " +
        "the fish and the flowers are back.",
    ),
    act: { label: t("Add attention"), link: { model: "luong-general-global-long" } },
    term: {
      name: t("Encoder state"),
      meaning: t(
        "a vector (a strip; blue: positive, red: negative) for one source word and its surroundings, from the " +
          "encoder, which reads the sentence. Attention keeps them all.",
      ),
    },
    notebook: "01-fixed-vector",
    section: "What the model with attention does instead",
    notes: [
      t("Have the class vote, then press Page Down to show the answer. The next Page Down leads to the next stop."),
      t("Play a few steps (each writes one word): all words are written from the same vector."),
      t("The vector has the same size for 5 words and for 25."),
    ],
  },
  {
    page: "",
    needs: ["edit"],
    link: { model: "bahdanau", text: CATCH, step: "5" },
    question: t("To write “catch”, the model attends to “fangen”. What if it attends to “fisch”?"),
    guesses: [
      { text: t("It still writes “catch”") },
      { text: t("It writes “fish”"), isRight: true },
      { text: t("It writes nothing") },
    ],
    answer: t("It writes “fish”: in this step it translates the word that has all the weight."),
    todo: t(
      "Move the weight: click “fisch”, “hand” or another German word. Which word is written now, and how does the " +
        "sentence go on?",
    ),
    act: { label: t("Attend to “fisch”"), link: { edit: "w5-0_0_0_0_0_0_0_0_1_0_0_0" } },
    term: {
      name: t("Attention weight"),
      meaning: t(
        "a source word's share in a step: the word's encoder state is multiplied by it. Here the weights of a step " +
          "sum to 1.",
      ),
    },
    notebook: "02-bahdanau",
    section: "In a trained model",
    notes: [
      t("You set the weights of this step; the model computes everything after them."),
      t("With all the weight on “hand”, it goes on with “hand up a fish”; on “ein”, it writes “a”."),
      t(
        "Equal weights on all words still give “catch”: the word also depends on the decoder state, which knows " +
          "what has been written.",
      ),
    ],
  },
  {
    page: "",
    needs: ["score"],
    link: { model: "bahdanau", text: CATCH, step: "5" },
    question: t("How did the model find “fangen”? What does it compare?"),
    guesses: [
      { text: t("“catch” with each German word") },
      { text: t("The decoder state with each encoder state"), isRight: true },
      { text: t("The positions of the words") },
    ],
    answer: t(
      "The decoder state (in the picture: previous state) is compared with each encoder state, and each comparison " +
        "gives a score. “catch” cannot be compared: it is not written yet.",
    ),
    todo: t(
      "Click the score of “fangen” to see its formula. Then open a model with another kind of score: does the " +
        "largest weight move?",
    ),
    act: { label: t("Open a model with the dot score"), link: { model: "bahdanau-dot" } },
    term: {
      name: t("Score"),
      meaning: t(
        "a number for how well the decoder state matches one encoder state. It comes from a small network " +
          "(additive) or a dot product (dot).",
      ),
    },
    notebook: "03-luong-scores",
    section: "In trained models",
    notes: [
      t("A score can be any number; only the differences between the scores of a step matter."),
      t("With additive, dot and general (a dot product with a learned matrix), “fangen” has the largest weight."),
      t(
        "Nobody told the model which German word belongs to which English word: it learned that from translated " +
          "sentences.",
      ),
    ],
  },
  {
    page: "",
    needs: [],
    link: { model: "bahdanau", text: CATCH, step: "5" },
    question: t("The scores have become weights. What does the output layer receive from the source?"),
    guesses: [
      { text: t("The weights") },
      { text: t("The state of “fangen” alone") },
      { text: t("A weighted sum of all encoder states"), isRight: true },
    ],
    answer: t(
      "Each encoder state is multiplied by its weight; the sum is the context vector. Together with the decoder " +
        "state, it goes to the output layer, which chooses the word.",
    ),
    todo: t("Keep the weights, but replace the context vector by that of the step that writes “fish”."),
    act: { label: t("Replace the context vector"), link: { edit: "c5-7" } },
    term: {
      name: t("Context vector"),
      meaning: t(
        "the weighted sum of the encoder states: all that a step gets from the source. A softmax, which makes " +
          "numbers positive with sum 1, turns the scores into the weights.",
      ),
    },
    notebook: "02-bahdanau",
    section: "By hand",
    notes: [
      t("Follow the widest band: it carries 0.85 times the state of “fangen” to the context vector."),
      t("With the other context vector, the model writes “fish” although most of the weight is still on “fangen”."),
      t("So the weights affect the word only through the context vector."),
    ],
  },
  {
    page: "paths",
    needs: [],
    link: { paths_text: CATCH, paths_step: "0.5" },
    question: t("Why does Bahdanau's model compare the decoder's old state s_{i-1}, not the new one, s_{i}?"),
    guesses: [
      { text: t("s_{i} does not exist yet"), isRight: true },
      { text: t("s_{i} gives worse translations") },
      { text: t("No reason: either works") },
    ],
    answer: t(
      "s_{i} is computed from the context vector, so attention comes first and can only use s_{i-1}. Luong's model " +
        "computes its new state (h_{t}) first, and compares that.",
    ),
    todo: t(
      "In Bahdanau's diagram, press “Try as the query: s_{i}”. The red arrows form a cycle: each box in it waits " +
        "for the one before. Then try h_{t-1} in Luong's.",
    ),
    term: {
      name: t("Query"),
      meaning: t(
        "the vector that is compared with the encoder states. In these models it is a decoder state: the old one if " +
          "attention comes before the update of the state, else the new one.",
      ),
    },
    notebook: "05-two-paths",
    section: "Why Bahdanau's model cannot use its new state as the query",
    notes: [
      t("Press play in each diagram: the boxes light up in the order of computation."),
      t("s_{i} needs c_{i}, c_{i} needs the weights, and the weights would need s_{i}."),
      t("In Luong's diagram the old state h_{t-1} would work, too: no cycle, only a different model."),
    ],
  },
  {
    page: "",
    needs: ["feeding"],
    link: { model: "luong-general-global", text: "Nachts spielt ein alter Mann auf der Brücke Geige.", step: "5" },
    question: t("“… playing the bridge on the bridge”: what does this model pass from one step to the next?"),
    guesses: [
      { text: t("Its weights") },
      { text: t("Its context vector") },
      { text: t("Its state and its word"), isRight: true },
    ],
    answer: t(
      "Its state and its word. Unlike Bahdanau's, Luong's state knows nothing of what was attended to. Input " +
        "feeding passes on a vector made from the context vector, too.",
    ),
    todo: t("Turn on input feeding. Now the man plays the violin, and “bridge” appears once."),
    act: { label: t("Turn on input feeding"), link: { model: "luong-general-global-feed", step: "6" } },
    term: {
      name: t("Input feeding"),
      meaning: t(
        "each step gets one more input: the attentional vector h̃_{t-1} of the step before, made from that step's " +
          "context vector and state.",
      ),
    },
    notebook: "05-two-paths",
    section: "Does the next query depend on earlier attention?",
    notes: [
      t("“Geige” means violin; it is the last word of the German sentence."),
      t("Both models were trained in the same way; only input feeding differs."),
      t("One sentence proves little: the Results page compares many translations of both models."),
      t("Bahdanau's model needs no input feeding: its state is computed from the context vector."),
    ],
  },
  {
    page: "",
    needs: ["window"],
    link: { model: "bahdanau-local-p", text: CATCH, step: "4" },
    question: t("This model (local-p) sees a window of at most nine source words. Would three be enough?"),
    guesses: [{ text: t("Yes, almost"), isRight: true }, { text: t("No, the verb is lost") }],
    answer: t(
      "With three, one word is repeated. The model predicts a position p_{t} and sees the words at most D away. A " +
        "Gaussian (a bell curve) of width σ shrinks the weights far from p_{t}.",
    ),
    todo: t("Set D = 1: “hand” appears twice. Then drag p_{t}, D and σ: what happens to the sum of the weights?"),
    act: { label: t("Set D = 1"), link: { D: "1" } },
    term: {
      name: t("Alignment weight"),
      meaning: t(
        "the softmax of the scores in the window. They sum to 1; times the Gaussian, at most 1, they are the " +
          "attention weights and sum to less than 1.",
      ),
    },
    notebook: "04-local-windows",
    section: "Alignment weights × Gaussian = attention weights",
    notes: [
      t(
        "p_{t}: the centre of the window. D: how many words it reaches to each side. σ: the width of the Gaussian, " +
          "D/2 unless you set it.",
      ),
      t(
        "Positions count from 0. At “catch”, p_{t} is 9.01, so with D = 1 the model sees positions 8 to 10. " +
          "“fangen” is at 10, the edge, where the Gaussian leaves little of its weight.",
      ),
      t("At “to”, with D = 4, the attention weights sum to 0.52: the Gaussian has taken the rest."),
    ],
  },
  {
    page: "",
    needs: ["head"],
    link: { model: "luong-general-global-heads", text: CATCH, step: "5", layer: "0", head: "3" },
    question: t("This model has four heads, each with its own attention. Which one finds the word that is translated?"),
    guesses: [
      { text: t("Head 0") },
      { text: t("Head 1"), isRight: true },
      { text: t("Head 2") },
      { text: t("Head 3") },
    ],
    answer: t(
      "Head 1: it attends to the right German word for “girl”, “trying”, “catch”, “fish” and “hand”. The others do " +
        "so less often; head 3 mostly attends to the full stop.",
    ),
    todo: t("Choose one head after the other in the menu “Layer and head”, and compare their maps."),
    act: { label: t("Show head 1"), link: { head: "1" } },
    term: {
      name: t("Head"),
      meaning: t(
        "one of several attentions in a step, with its own scores, weights and context vector. The context vectors " +
          "are joined into one long vector.",
      ),
    },
    notebook: "06-other-ways",
    section: "Several heads",
    notes: [
      t("Show the class all four heads, one after the other in the menu “Layer and head”, before anybody guesses."),
      t("No head was told to find the translated word: head 1 learned to, because that helps to write the next word."),
    ],
  },
  {
    page: "heads",
    needs: [],
    link: { heads_text: CATCH, heads_attention: "encoder", heads_layer: "0", heads_head: "3", heads_query: "7" },
    question: t("Here German words attend to German words. What does “einen” (“a”) attend to?"),
    guesses: [
      { text: t("Itself") },
      { text: t("“fisch”, its noun"), isRight: true },
      { text: t("“fangen”, the verb") },
    ],
    answer: t(
      "In this head, to “fisch”, its noun: in self-attention each word's vector is a query, compared with all words " +
        "of the same sentence.",
    ),
    todo: t(
      "Point at “einen” and “der” in the line “query”. Then click layer 1, head 3: there, most words attend to the " +
        "word before them.",
    ),
    term: {
      name: t("Self-attention"),
      meaning: t(
        "attention within one sentence: each word's vector becomes a weighted sum of vectors of all words. The " +
          "Transformer, the network behind today's language models, is built from it.",
      ),
    },
    notebook: "07-transformer",
    section: "What do the heads attend to?",
    notes: [
      t("In layer 0, head 3, “der” attends to “hand” and “einen” to “fisch”: articles to their nouns."),
      t(
        "The models of the stops before read a sentence word by word (recurrent networks). A Transformer does not: " +
          "only attention brings in the other words.",
      ),
    ],
  },
  {
    page: "pointer",
    needs: [],
    link: {},
    question: t("Here the inputs are points, and each answer must be one of them. How can a network do that?"),
    guesses: [
      { text: t("It has an output word for each input") },
      { text: t("The weights are the output"), isRight: true },
    ],
    answer: t(
      "A pointer network outputs its attention weights, a probability for each input, and chooses the largest. It " +
        "needs no list of words.",
    ),
    todo: t(
      "It lists the corners of the convex hull, a rubber band around the points. Drag a point and press play: is " +
        "the answer still right?",
    ),
    term: {
      name: t("Pointer"),
      meaning: t(
        "attention whose weights are the output: a probability for each input, however many there are. No context " +
          "vector is computed.",
      ),
    },
    notebook: "06-other-ways",
    section: "When the weights are the output",
    notes: [
      t("The convex hull has the shape of a rubber band stretched around all points."),
      t("Add points: each gets a probability, so the output grows with the input."),
      t("The tour ends here. The glossary has all ten terms; the quiz begins with its easiest card."),
    ],
  },
];
