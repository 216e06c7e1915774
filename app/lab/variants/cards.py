"""Quiz cards about what the name of a paper stands for."""

from app.lab.kit.cards import Card
from attn_core.messages import N_

CARDS = (
    Card(
        "same-name",
        N_("‘Bahdanau attention’ always means the same computation"),
        N_(
            "Consider the tutorials and toolkits that the table compares with Bahdanau's paper. How many of them "
            "attend with the previous state, as in the paper, *and* use its maxout output layer?"
        ),
        (N_("None"), N_("About half"), N_("All of them")),
        0,
        N_(
            "Some keep the order and change the output layer; others keep only the score and take the rest from Luong. "
            "All but one have an additive score; the PyTorch tutorial has a location score."
        ),
        "app.lab.variants.evidence:same_name",
        N_("Bahdanau 2015, section 3.1 and A.2.2; the table above"),
        level="research",
    ),
    Card(
        "carried",
        N_("A decoder's GRU can start every step from a zero state"),
        N_(
            "The TensorFlow tutorial calls its GRU without the previous state. What does a step still get from the one "
            "before it, besides the previous word?"
        ),
        (
            N_("The whole state: the library keeps it"),
            N_("Only the attention that the previous state computed"),
            N_("Nothing"),
        ),
        1,
        N_(
            "Each call of the GRU starts from zero. The previous state is used once: as the query of attention. With "
            "the attention weights held fixed, the new state does not depend on it at all."
        ),
        "app.lab.variants.evidence:carried",
        N_("The tutorial's decoder, `gru(x)`; papers: $s_i = f(s_{i-1}, y_{i-1}, c_i)$"),
        holds=True,
        level="mechanisms",
    ),
)
