"""Quiz cards about the attention heads of a Transformer."""

from app.lab.kit.cards import Card
from attn_core.messages import N_

CARDS = (
    Card(
        "each-head",
        N_("Each head learns something that the model needs"),
        N_("Remove one head at a time by setting its part of $W_O$ to zero. What happens to the translations?"),
        (
            N_("Removing most heads changes almost nothing; a few matter"),
            N_("Removing any head does great damage, because they share the work"),
            N_("Removing a head changes nothing, because the others compensate"),
        ),
        0,
        N_(
            "Nothing in the loss asks the heads to differ or to be useful: only their random initial weights differ. "
            "Some take on a task of their own; others contribute little. A map that looks like a rule of "
            "grammar does not show that the model relies on it. Removing the head does."
        ),
        "app.lab.heads.data:one_head_out",
        N_("Vaswani 2017, section 3.2.2; the ablation is that of Michel 2019, section 3.2"),
        level="research",
    ),
    Card(
        "word-order",
        N_("Self-attention without a mask treats a sentence as a bag of words"),
        N_(
            "Two sentences contain the same words in different order. Without the position vectors $P$, how do the "
            "encoder's states differ?"
        ),
        (
            N_("They reflect the order, which the queries and keys encode"),
            N_("They differ a little, because neighbouring words attend to each other more"),
            N_("Not at all: each word has the same state in both sentences"),
        ),
        2,
        N_(
            "Scores compare vectors wherever they stand, and a weighted sum has no order: if the words are permuted, "
            "so are the states. All that the *encoder* knows of order is in $P$, which is added to the embeddings "
            "before the first layer. The mask of a *decoder* adds to that: word $t$ attends to the words up to $t$ "
            "only, so two masked layers tell “a b c” from “b a c” even without $P$. (After one such layer, the state "
            "of c is still the same in both.)"
        ),
        "app.lab.heads.data:same_words_other_order",
        N_("Vaswani 2017, section 3.5; decoders without $P$: Haviv 2022"),
        holds=True,
        level="basics",
    ),
    Card(
        "heads-cost",
        N_("Eight heads need no more parameters than one"),
        N_("With $d_{model}$ fixed, how does the number of parameters grow with the number of heads?"),
        (N_("In proportion to the number of heads"), N_("Not at all"), N_("With its square root")),
        1,
        N_(
            "Each head works with $d_k = d_{model} / h$ dimensions, so more heads are smaller heads, and their "
            "matrices side by side are as large as those of one head. Only the number of attention maps grows."
        ),
        "app.lab.heads.data:weights_by_heads",
        N_("Vaswani 2017, section 3.2.2 and Table 3, row A"),
        holds=True,
        level="mechanisms",
    ),
)
