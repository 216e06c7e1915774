"""Quiz cards about pointer networks."""

from app.lab.kit.cards import Card
from app.lab.pointer import evidence

CARDS = (
    Card(
        "pointer-weights",
        "The attention weights of a pointer network are its output",
        "A pointer network chooses a point. Which layer turns its attention weights into the probabilities of the "
        "points?",
        (
            "None: the weights are the probabilities",
            "A layer on the context vector, with one row for each point",
            "A layer on the weights",
        ),
        0,
        "The softmax of the scores is the output: $p(C_i) = \\operatorname{softmax}(u^i)$. The same code also computes "
        "a "
        "context vector, but nothing uses it: with any other vector in its place, every choice stays the same.",
        evidence.weights_are_the_output,
        "Vinyals, Fortunato and Jaitly 2015, eq. 3",
        holds=True,
    ),
    Card(
        "pointer-plain",
        "With attention, any model can point at any input",
        "A model attends to its inputs and names the chosen one with a word: “first”, “second”, and so on. It was "
        "trained with up to 10 inputs. What happens with 11?",
        (
            "Nothing special: attention works for any length",
            "It answers, a little less well than with 10",
            "It cannot answer: it has no word for the eleventh input",
        ),
        2,
        "Attention *accepts* any number of inputs. The *output* comes from a layer with one row for each word, and "
        "this vocabulary is fixed when the model is built. The distribution of a pointer network is as long as its "
        "input.",
        evidence.plain_has_no_words,
        "Vinyals, Fortunato and Jaitly 2015, section 2.2 compared with 2.3",
    ),
    Card(
        "pointer-order",
        "A hull has no order, so the order of the points does not matter to the network",
        "The trained network gets the same ten points in a different order. Does it produce the same polygon?",
        (
            "Always: the points are the same",
            "Not always: it reads the points one after another",
            "Never: a different order is a different input",
        ),
        1,
        "The encoder is an LSTM, so the state of a point depends on the points before it. The task has no order, but "
        "the network has one. Training on points in random order encourages the same answer and does not guarantee it.",
        evidence.order_matters,
        "Vinyals, Fortunato and Jaitly 2015, section 2.3; on sets: Vinyals, Bengio and Kudlur 2016",
    ),
)
