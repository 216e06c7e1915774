"""What is said of the order of a step, and what is so."""

from app.lab.kit.cards import Card
from app.lab.paths import evidence

CARDS = (
    Card(
        "query",
        "Bahdanau's model asks with its current state",
        "Which state asks at step $i$? Could it be the other one?",
        (
            "$s_{i-1}$: $s_i$ does not exist before the answer",
            "$s_i$: $s_{i-1}$ would be about the word before",
            "Either: the paper takes $s_i$, and the other would do as well",
        ),
        0,
        "$s_i = f(s_{i-1}, y, c_i)$ needs $c_i$; $c_i$ needs the weights; the weights need the question. Many "
        "tutorials and toolkits step first and ask with the new state: that is Luong's order with an additive score.",
        evidence.asked_with_the_next_state,
        "Bahdanau 2015, section 3.1, eq. 4 to 6",
    ),
    Card(
        "context",
        "The context has two readers in Bahdanau's model, and one in Luong's",
        "Where does $c$ go?",
        (
            "To the output alone, in both papers",
            "To the state alone, which the output layer reads",
            "Bahdanau: to state and output; Luong: to the output",
        ),
        2,
        "Bahdanau's GRU reads $c_i$ in both gates and in its candidate, and the readout reads it too. In "
        "Luong's model $c_t$ meets $h_t$ in $\\tilde h_t$, after the LSTM; only *input feeding* takes $\\tilde h_t$ "
        "(not $c_t$) on to the next step.",
        evidence.where_the_context_goes,
        "Bahdanau 2015, A.2.2; Luong 2015, eq. 5 and section 3.3",
        holds=True,
    ),
    Card(
        "forced",
        "An attention map is the same whether the translation was forced or free",
        "A model is made to say the reference, and then left to itself. Do the attention maps agree?",
        ("Always: the source is the same", "Until the words differ", "Nowhere: the states are others"),
        1,
        "The state that asks has read the words before it. Up to the first other word the rows are the same; after it "
        "they may differ, some by nothing, some by much. An alignment from *forced* decoding is one of what the model "
        "was made to say.",
        evidence.forced_and_free,
        "Luong 2015, section 5.4, aligns by forced decoding",
    ),
)
