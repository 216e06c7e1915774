"""Quiz cards about the order of a decoding step."""

from app.lab.kit.cards import Card
from attn_core.messages import N_

CARDS = (
    Card(
        "query",
        N_("Bahdanau's model attends with its current state"),
        N_("Which state is the query at step $i$, and could it be the other one?"),
        (
            N_("$s_{i-1}$, because $s_i$ needs the result of attention"),
            N_("$s_i$, because $s_{i-1}$ belongs to the word before"),
            N_("$s_i$ in the paper, but either state would do as the query"),
        ),
        0,
        N_(
            "$s_i = f(s_{i-1}, y, c_i)$ needs $c_i$, $c_i$ needs the weights, and the weights need the query. Many "
            "tutorials and toolkits update first and attend with the new state. That is Luong's order with an additive "
            "score."
        ),
        "app.lab.paths.data:asked_with_the_next_state",
        N_("Bahdanau 2015, section 3.1, eq. 4 to 6"),
        level="basics",
    ),
    Card(
        "context",
        N_("The context vector is used twice in Bahdanau's model and once in Luong's"),
        N_("Which parts of the decoder use $c$?"),
        (
            N_("The output layer only, in both papers"),
            N_("The state only, which the output layer then uses"),
            N_("Bahdanau: state and output layer. Luong: output layer"),
        ),
        2,
        N_(
            "Bahdanau's GRU uses $c_i$ in both gates and in the candidate state, and the output layer uses it again. "
            "In Luong's model $c_t$ is combined with $h_t$ in $\\tilde h_t$, after the LSTM. With *input feeding* the "
            "next step gets $\\tilde h_t$, not $c_t$."
        ),
        "app.lab.paths.data:where_the_context_goes",
        N_("Bahdanau 2015, A.2.2; Luong 2015, eq. 5 and section 3.3"),
        holds=True,
        level="mechanisms",
    ),
    Card(
        "forced",
        N_("Forced decoding and free decoding give the same attention map"),
        N_(
            "A model translates a sentence twice: once forced to produce the reference, once freely. Do the attention "
            "maps agree?"
        ),
        (
            N_("Everywhere: the source is the same"),
            N_("Up to the first different word"),
            N_("Nowhere: the states differ"),
        ),
        1,
        N_(
            "The query has seen the words before it. Up to the first different word the rows are equal. After it they "
            "may differ, some hardly, some a lot. An alignment from *forced* decoding belongs to the forced words, not "
            "to the model's own translation."
        ),
        "app.lab.paths.data:forced_and_free",
        N_("Luong 2015, section 5.4, which aligns by forced decoding"),
        level="mechanisms",
    ),
)
