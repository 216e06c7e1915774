"""What is said of scores, and what is so."""

from app.lab.kit.cards import Card
from app.lab.score import evidence

CARDS = (
    Card(
        "concat",
        "Luong's concat and Bahdanau's additive score are one function",
        r"One matrix on $[h_t; \bar h_s]$, or two matrices and a sum. How far apart are the scores?",
        ("Close, but never equal", "Equal, if the matrices are the same", "They have nothing in common"),
        1,
        r"$W_a[h_t; \bar h_s] = W_1 h_t + W_2 \bar h_s$, where $W_1$ and $W_2$ are the left and the right part of "
        r"$W_a$. It is one function in two spellings. (Luong's *code* is another one: it adds $\bar h_s$ as it is.)",
        evidence.concat_is_additive,
        "Bahdanau 2015, A.1.2; Luong 2015, eq. 7; for the code: nmt.matlab",
        holds=True,
    ),
    Card(
        "v-a",
        "$v_a$ is decoration",
        r"The matrices and tanh have done their work. What is $v_a$ still good for?",
        (
            "It scales all scores of a look alike",
            "It keeps the slope of tanh from growing",
            "It weighs each entry, for a word or against it",
        ),
        2,
        r"$\tanh(\cdot)$ has as many entries as the hidden layer, and a score is one number. $v_a$ weighs the "
        r"entries: an entry speaks for a word where its product with $v_a$'s is above 0, and against it where it is "
        r"below. With all entries of $v_a$ alike the model looks elsewhere.",
        evidence.v_a_counts,
        "Bahdanau 2015, A.1.2",
    ),
    Card(
        "probabilities",
        "Scores are probabilities",
        "Which numbers can a score be?",
        (
            "Any number, below 0 too",
            "Numbers from 0 to 1 that sum to 1",
            "Any number that is not negative",
        ),
        0,
        "Scores are energies: they may be negative, and only their differences matter. Adding 5 to all of them changes "
        "no weight. Cutting them at 0 (ReLU), as some exercises do, gives another model.",
        evidence.scores_are_energies,
        "Bahdanau 2015, eq. 6; Luong 2015, eq. 7",
    ),
    Card(
        "root-d",
        "The square root of d is cosmetic",
        r"Divide all scores of a look by $\sqrt d$. What changes?",
        (
            "How sharp the weights are",
            "Which key gets the most weight",
            "The scores alone: the weights stay",
        ),
        0,
        r"The largest stays the largest, but softmax turns differences into ratios. With random vectors the dot "
        r"product spreads like $\sqrt d$: soon one key has all the weight, and the slope of softmax is gone.",
        evidence.root_of_d,
        "Vaswani 2017, eq. 1 and section 3.2.1",
    ),
    Card(
        "location",
        "Location scoring looks at the source",
        r"Swap two words of the source while $h_t$ stays. What does the location score do?",
        ("It follows the words", "It follows them halfway", "It stays as it is"),
        2,
        r"$a_t = \operatorname{softmax}(W_a h_t)$: one row of $W_a$ for each position, and no $\bar h_s$ anywhere. So "
        r"$W_a$ also has a length, and a longer source than that does not fit.",
        evidence.location_is_blind,
        "Luong 2015, eq. 8",
    ),
    Card(
        "local-hard",
        "Local attention is a soft read",
        "A local model looks at a few words only. How many of them does it read?",
        (
            "One: the word that the window stands on",
            "All in its window, each by its weight",
            "One that is drawn from those in its window",
        ),
        1,
        "Hard means to take one word. It has no gradient, so it is trained by sampling (REINFORCE). A window only says "
        "where to look; inside it all words share, and the context moves smoothly with their scores.",
        evidence.local_is_soft,
        "Luong 2015, section 3.2; Xu 2015, section 4",
        holds=True,
    ),
    Card(
        "reinforce",
        "A model can learn from a read that has no slope",
        "One position is drawn, and its state alone is read. How do the scores learn that it was a good one?",
        (
            "Through the state that was read, as ever",
            "Not at all: what draws cannot be trained",
            "From draws: one that did better than usual becomes likelier",
        ),
        2,
        r"Drawing has no slope. REINFORCE goes round it: "
        r"$\nabla \mathbb{E}[L] = \mathbb{E}[(L - b)\,\nabla \log a(s)]$. One draw gives an estimate that is right on "
        r"average and far off each time. The baseline $b$, the usual loss, takes noise away and leaves the mean where "
        r"it is.",
        evidence.draws_are_noisy,
        "Xu 2015, section 4.1; Williams 1992",
        holds=True,
    ),
    Card(
        "padding",
        "Padding is harmless, for its states are zero",
        "A short sentence is filled up with zero vectors, and nobody masks them. How much attention do they get?",
        ("A share each", "None: a zero vector weighs nothing", "All that the words leave over"),
        0,
        r"With a product (dot, general) a zero vector scores 0, and $e^0 = 1$; with additive and concat it scores "
        r"$v_a^\top \tanh(W_a s)$, which may be as much as a word's. Either way padding takes part in the softmax, the "
        r"more of it the more. What a sentence means would depend on its neighbours in the batch. So scores are masked "
        r"first.",
        evidence.padding_takes_mass,
        "attn_core.attention.attention.masked_softmax; Luong's code masked from March 2016 on",
    ),
    Card(
        "versus",
        "Bahdanau against Luong means additive against multiplicative",
        "Two models differ in nothing but additive against multiplicative. Is one of them Bahdanau's, the other "
        "Luong's?",
        (
            "Yes: that is what the two papers disagree on",
            "No: what sets the papers apart is the window",
            "No: the papers' steps have another order, too",
        ),
        2,
        r"Bahdanau looks with $s_{i-1}$ and then makes the step; Luong makes the step and looks with $h_t$. Their "
        r"encoders and output layers differ as well. Luong's own concat is an additive score in Luong's order, and it "
        r"is here, trained.",
        evidence.score_and_order,
        "Bahdanau 2015, eq. 4 to 6; Luong 2015, section 3 and 3.1",
    ),
    Card(
        "explanation",
        "Attention is alignment is explanation",
        "The model writes a word. Take from the source the word that it looked at most: does that hurt it the most?",
        ("Always", "Often, but not always", "Never"),
        1,
        "A weight says what went into the context, not what the word depends on: states carry their neighbours with "
        "them, and the decoder has a memory of its own. Where the two disagree, look at both.",
        evidence.weight_against_loss,
        "Jain and Wallace 2019; Moradi, Kambhatla and Sarkar 2019; the occlusion is computed here",
    ),
)
