"""What is said of local windows, and what is so."""

from app.lab.kit.cards import Card
from app.lab.window import evidence

CARDS = (
    Card(
        "center",
        "$p_t$ is the index of a word, found by the scores",
        "Where does $p_t$ of local-p come from?",
        (
            "From the scores: the position of the best one",
            "From the weights: their mean position",
            "From the state, before there is any score",
        ),
        2,
        "$p_t = S \\cdot \\sigma(v_p^\\top \\tanh(W_p h_t))$ is a *real* number between 0 and $S$, predicted from "
        "$h_t$ alone. The scores come later, and only inside the window.",
        evidence.center_without_scores,
        "Luong 2015, section 3.2, eq. 9",
    ),
    Card(
        "sum",
        "The weights of local-p sum to less than 1",
        "After the Gaussian, what is the sum of the weights?",
        ("Less than 1, and often much less", "1: they are probabilities", "More than 1 where the peak is"),
        0,
        "The softmax inside the window sums to 1; then each share is multiplied by a Gaussian that is at most 1, and "
        "nothing divides by the sum. The context shrinks by what is missing.",
        evidence.sums,
        "Luong 2015, eq. 10; nmt.matlab does the same",
        holds=True,
    ),
    Card(
        "sigma",
        "D and σ are two free settings",
        "In the paper, how is σ chosen?",
        ("It is learned with the weights", "It follows from D", "It is tuned beside D"),
        1,
        "$\\sigma = D/2$, so a word at distance $D$ from $p_t$ keeps $e^{-2} \\approx 0.135$ of its share, whatever "
        "$D$ is. (The window stands on $\\lfloor p_t \\rfloor$, so its ends lie up to a word nearer or farther.) "
        "Freeing σ is our experiment: the window's edge is hard, the Gaussian's is not.",
        evidence.linked_widths,
        "Luong 2015, section 3.2, D = 10",
    ),
    Card(
        "edge",
        "It is clear what a window does at the edge of a sentence",
        "The window reaches beyond the last word. Suppose that a program pads with zeros and forgets the mask. "
        "What happens?",
        ("The padding takes a share", "Nothing: zeros weigh nothing", "The softmax has no value"),
        0,
        "A score of 0 is not a probability of 0: $e^0 = 1$. Places beyond the sentence have to be cut off *before* the "
        "softmax, as the paper and its code do.",
        evidence.boundary,
        "Luong 2015, section 3.2, and nmt.matlab, which both drop what lies outside",
    ),
    Card(
        "local-m",
        "local-m does not learn where to look",
        "How does local-m find the place of its window?",
        ("It learns a matrix for it", "It follows the best score", "It goes by the clock: word t at step t"),
        2,
        "$p_t = t$. The m is for *monotonic*: it assumes that the languages have the same order, learns nothing about "
        "places, and fails where a verb comes last.",
        evidence.nothing_learned,
        "Luong 2015, section 3.2",
        holds=True,
    ),
)
