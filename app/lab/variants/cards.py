"""What is said of names, and what is so."""

from app.lab.kit.cards import Card
from app.lab.variants import evidence

CARDS = (
    Card(
        "same-name",
        "Bahdanau attention is one computation",
        "Take the tutorials and toolkits in the table that are compared with Bahdanau's paper. How many of them look "
        "with the state before the word, as the paper does, *and* read the output from maxout units?",
        ("None", "About half", "All of them"),
        0,
        "Some keep the order and change what the output layer reads; others keep only the score and take the rest from "
        "Luong. What they share is the additive score, and one does not even have that.",
        evidence.same_name,
        "Bahdanau 2015, section 3.1 and A.2.2; the table above",
    ),
    Card(
        "carried",
        "A decoder's GRU can begin every step from zero",
        "The TensorFlow tutorial calls its GRU without the state of the step before. What still gets from one step to "
        "the next?",
        (
            "The whole state: the library keeps it",
            "Only where the state before made it look",
            "Nothing at all",
        ),
        1,
        "Each call of the GRU begins from zero. The old state has one use: it is the query of the next look. Hold the "
        "weights of that look fast, and the step before has no trace left in the new state.",
        evidence.carried,
        "The tutorial's decoder, `gru(x)`; papers: $s_i = f(s_{i-1}, y_{i-1}, c_i)$",
        holds=True,
    ),
)
