"""Quiz cards about measures over many sentences."""

from app.lab.kit.cards import Card
from attn_core.messages import N_

CARDS = (
    Card(
        "one-map",
        N_("One attention map shows how well a model's weights align words"),
        N_(
            "Link each word of our reference translations to the source word with the largest weight of `bahdanau`. "
            "How does the alignment error rate (AER) of single sentences vary?"
        ),
        (
            N_("By a few hundredths around that of the whole text"),
            N_("From 0 to more than a half"),
            N_("By less than 0.2, and it is never 0 because attention is soft"),
        ),
        1,
        N_(
            "A few sentences have no error at all; a long reordering or one rare word can spoil another. A figure of "
            "one well-chosen sentence shows what is possible, and a corpus shows what is usual."
        ),
        "app.lab.corpus.data:by_sentence",
        N_("Och and Ney 2003; Luong 2015, section 5.4 and Table 6"),
        level="research",
    ),
    Card(
        "sharpest",
        N_("The sharper the attention weights, the better they align words"),
        N_("Take any two of eight models. Does the one with the lower mean entropy also have the lower AER?"),
        (
            N_("In every pair"),
            N_("In most pairs without a window, but a window can make weights sharp on the wrong word"),
            N_("Rarely: a model with flat weights takes more words into account, and aligns better"),
        ),
        1,
        N_(
            "AER depends only on which word has the largest weight, not on how large it is. Among our models without a "
            "window, sharper ones tend to align better: where attention has hardly learned, weights are flat. A window "
            "makes weights sharp even where it misses the word that is needed."
        ),
        "app.lab.corpus.data:entropy_and_error",
        N_("Luong 2015, section 5.4"),
        level="research",
    ),
    Card(
        "mean-coverage",
        N_("Without a window, the mean coverage of the source words depends only on the lengths of the two sentences"),
        N_("Coverage is the sum of the weights that a source word receives. What is its mean over the source words?"),
        (
            N_("1, since training makes each word be translated once"),
            N_("It depends on the score function and on the training"),
            N_("The number of steps divided by the number of source words"),
        ),
        2,
        N_(
            "The weights of each step sum to 1, so $T$ steps distribute $T$ over $S$ words: the mean is $T / S$, even "
            "for an untrained model. Models differ only in how widely it varies. With a Gaussian the sum is smaller."
        ),
        "app.lab.corpus.data:mean_coverage",
        N_("Luong 2015, equations 7 and 10; coverage: Tu 2016"),
        holds=True,
        level="research",
    ),
)
