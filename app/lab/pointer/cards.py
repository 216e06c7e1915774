"""Quiz cards about pointer networks."""

from app.lab.kit.cards import Card
from attn_core.messages import N_

CARDS = (
    Card(
        "pointer-weights",
        N_("The attention weights of a pointer network are its output"),
        N_(
            "A pointer network chooses a point. Which layer turns its attention weights into the probabilities of the "
            "points?"
        ),
        (
            N_("None: the weights are the probabilities"),
            N_("A layer on the context vector, with one row for each point"),
            N_("A layer on the weights"),
        ),
        0,
        N_(
            "The softmax of the scores is the output: $p(C_i) = \\operatorname{softmax}(u^i)$. The same code also "
            "computes a context vector, but nothing uses it: with any other vector in its place, every choice stays "
            "the same."
        ),
        "app.lab.pointer.evidence:weights_are_the_output",
        N_("Vinyals, Fortunato and Jaitly 2015, section 2.3"),
        holds=True,
        level="basics",
    ),
    Card(
        "pointer-plain",
        N_("With attention, any model can point at any input"),
        N_(
            "A model attends to its inputs and names the chosen one with a word: “first”, “second”, and so on. It was "
            "trained with up to 10 inputs. What happens with 11?"
        ),
        (
            N_("Nothing special: attention works for any length"),
            N_("It answers, a little less well than with 10"),
            N_("It cannot answer: it has no word for the eleventh input"),
        ),
        2,
        N_(
            "Attention *accepts* any number of inputs. The *output* comes from a layer with one row for each word, and "
            "this vocabulary is fixed when the model is built. The distribution of a pointer network is as long as its "
            "input."
        ),
        "app.lab.pointer.evidence:plain_has_no_words",
        N_("Vinyals, Fortunato and Jaitly 2015, section 2.2 compared with 2.3"),
        level="basics",
    ),
    Card(
        "pointer-order",
        N_("A hull has no order, so the order of the points does not matter to the network"),
        N_("The trained network gets the same ten points in a different order. Does it produce the same polygon?"),
        (
            N_("Always: the points are the same"),
            N_("Not always: it reads the points one after another"),
            N_("Never: a different order is a different input"),
        ),
        1,
        N_(
            "The encoder is an LSTM, so the state of a point depends on the points before it. The task has no order, "
            "but the network has one. Training on points in random order encourages the same answer and does not "
            "guarantee it."
        ),
        "app.lab.pointer.evidence:order_matters",
        N_("Vinyals, Fortunato and Jaitly 2015, section 2.3; on sets: Vinyals, Bengio and Kudlur 2016"),
        level="mechanisms",
    ),
)
