"""Quiz cards about local windows."""

from app.lab.kit.cards import Card
from app.lab.window import evidence

CARDS = (
    Card(
        "center",
        "$p_t$ is the position of the word with the highest score",
        "Where does the $p_t$ of local-p come from?",
        (
            "From the scores: it is the position of the highest one",
            "From the weights: it is their mean position",
            "From the decoder state, before any score is computed",
        ),
        2,
        "$p_t = S \\cdot \\operatorname{sigmoid}(v_p^\\top \\tanh(W_p h_t))$ is a *real* number between 0 and $S$, "
        "predicted from $h_t$ alone. Scores are used afterwards, and only inside the window.",
        evidence.center_without_scores,
        "Luong 2015, section 3.2, eq. 9",
    ),
    Card(
        "sum",
        "The attention weights of local-p sum to less than 1",
        "What is the sum of the attention weights after the Gaussian?",
        ("Less than 1, often much less", "1, because they are probabilities", "More than 1 near the peak"),
        0,
        "The alignment weights inside the window sum to 1. Each is then multiplied by a Gaussian of at most 1, and "
        "nothing divides by the new sum. The context vector shrinks by what is missing.",
        evidence.sums,
        "Luong 2015, eq. 10; nmt.matlab does the same",
        holds=True,
    ),
    Card(
        "sigma",
        "D and σ are two independent settings",
        "How does the paper choose σ?",
        ("It is learned with the weights", "It follows from D", "It is tuned separately from D"),
        1,
        "$\\sigma = D/2$, so a word at distance $D$ from $p_t$ keeps $e^{-2} \\approx 0.135$ of its alignment weight "
        "for "
        "every $D$. (The window is centred at $\\lfloor p_t \\rfloor$, so its ends may be up to one word nearer or "
        "farther.) Choosing σ freely is an experiment of this project: the edge of the window is hard, that of the "
        "Gaussian is not.",
        evidence.linked_widths,
        "Luong 2015, section 3.2, D = 10",
    ),
    Card(
        "edge",
        "Padding beyond the end of the sentence does not matter to a window",
        "A window extends beyond the last word. A program pads with zeros and forgets the mask. What happens?",
        ("The padding takes a share", "Nothing: zeros have no weight", "The softmax is undefined"),
        0,
        "A score of 0 is not a probability of 0: $e^0 = 1$. Positions beyond the sentence must be removed *before* the "
        "softmax, as in the paper and its code.",
        evidence.boundary,
        "Luong 2015, section 3.2, and nmt.matlab, which both drop what lies outside",
    ),
    Card(
        "local-m",
        "local-m does not learn where to attend",
        "How does local-m place its window?",
        (
            "By a matrix that it learns for the purpose",
            "At the position with the highest score",
            "By the number of the step: $p_t = t$",
        ),
        2,
        "The m is for *monotonic*: local-m assumes that both languages have the same word order, learns "
        "nothing about positions, and fails where a verb comes last.",
        evidence.nothing_learned,
        "Luong 2015, section 3.2",
        holds=True,
    ),
)
