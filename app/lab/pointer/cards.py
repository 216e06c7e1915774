"""What is said of pointer networks, and what is so."""

from app.lab.kit.cards import Card
from app.lab.pointer import evidence

CARDS = (
    Card(
        "pointer-weights",
        "A pointer network's weights are its answer",
        "A pointer network chooses a point. Which layer turns its weights into the probabilities of the points?",
        (
            "None: the weights are the probabilities",
            "A layer on the context, with one row for each point",
            "A layer on the weights themselves",
        ),
        0,
        "The softmax of the scores is the output, $p(C_i) = \\operatorname{softmax}(u^i)$. A context is computed by "
        "the same code and read by nobody: put anything in its place, and no choice changes.",
        evidence.weights_are_the_output,
        "Vinyals, Fortunato and Jaitly 2015, eq. 3",
        holds=True,
    ),
    Card(
        "pointer-plain",
        "With attention any model can point at any input",
        "A model attends to its inputs and names the chosen one by a word: “first”, “second”, … It was built for 10 "
        "inputs. What does it do with 11?",
        (
            "It answers as before: attention works for any length",
            "It answers, and is a little worse than with 10",
            "It cannot answer: it has no word for the eleventh",
        ),
        2,
        "Attention *reads* any number of inputs. But what is *said* comes from an output layer, and that has one row "
        "for each word: its vocabulary is fixed when it is built. A pointer's distribution is as long as its input.",
        evidence.plain_has_no_words,
        "Vinyals, Fortunato and Jaitly 2015, section 2.2 against 2.3",
    ),
    Card(
        "pointer-order",
        "A hull has no order, so the order of the points does not matter",
        "Give the trained network the same ten points in another order. Does it walk the same polygon?",
        (
            "Always: the points are the same",
            "Not always: it reads them one after another",
            "Never: in another order they are another input",
        ),
        1,
        "The encoder is an LSTM: what it knows of a point depends on those before it. The task has no order, the "
        "network has one. Training on points in any order teaches it to give them one answer, but nothing makes it.",
        evidence.order_matters,
        "Vinyals, Fortunato and Jaitly 2015, section 2.3; on sets: Vinyals, Bengio and Kudlur 2016",
    ),
)
