"""What is said of the heads of a Transformer, and what is so."""

from app.lab.heads import evidence
from app.lab.kit.cards import Card

CARDS = (
    Card(
        "each-head",
        "Each head learns something that the model needs",
        "Take out one head at a time: its part of $W_O$ is set to zero. What becomes of the translations?",
        (
            "Most heads cost next to nothing, a few cost more",
            "Each head costs much: they have divided the work",
            "No head costs anything: the others stand in for it",
        ),
        0,
        "Nothing in the loss asks heads to differ, or to be of use: they start from other random numbers, that is all. "
        "Some find work of their own, others do much the same as their neighbours. A map that looks like a rule of "
        "grammar is no sign that the model relies on it: taking the head out is the test.",
        evidence.one_head_out,
        "Vaswani 2017, section 3.2.2; the test is that of Michel 2019, section 3.2",
    ),
    Card(
        "word-order",
        "Self-attention by itself sees a bag of words",
        "Two sentences have the same words in another order. Without the vectors $P$ of the positions, what can the "
        "encoder tell?",
        (
            "The order: the queries and keys hold it",
            "A part of it: neighbours look at each other more",
            "Nothing: each word gets the same state in both",
        ),
        2,
        "Scores compare vectors, wherever they stand, and the weighted sum has no order: other words in other places "
        "give the same states in other places. All that a Transformer knows of order is in $P$, which is added to the "
        "embeddings before the first layer. An RNN needs none: it reads one word after another.",
        evidence.same_words_other_order,
        "Vaswani 2017, section 3.5",
        holds=True,
    ),
    Card(
        "heads-cost",
        "Eight heads need no more weights than one",
        "$d_{model}$ stays as it is. How does the number of weights grow with the heads?",
        ("With the number of heads", "Not at all", "With its square root"),
        1,
        "Each head compares and reads $d_k = d_{model} / h$ numbers. More heads are smaller heads: side by side their "
        "matrices are as large as those of one head. Only the maps themselves, one for each head, grow in number.",
        evidence.weights_by_heads,
        "Vaswani 2017, section 3.2.2 and table 3, row A",
        holds=True,
    ),
)
