"""Quiz cards about local windows."""

from app.lab.kit.cards import Card
from attn_core.messages import N_

CARDS = (
    Card(
        "center",
        N_("$p_t$ is the position of the word with the highest score"),
        N_("Where does the $p_t$ of local-p come from?"),
        (
            N_("From the scores: it is the position of the highest one"),
            N_("From the weights: it is their mean position"),
            N_("From the decoder state, before any score is computed"),
        ),
        2,
        N_(
            "$p_t = S \\cdot \\operatorname{sigmoid}(v_p^\\top \\tanh(W_p h_t))$ is a *real* number between 0 and $S$, "
            "predicted from $h_t$ alone. Scores are used afterwards, and only inside the window."
        ),
        "app.lab.window.evidence:center_without_scores",
        N_("Luong 2015, section 3.2, eq. 9"),
        level="basics",
    ),
    Card(
        "tracking",
        N_("A trained local-p model places $p_t$ at the word being translated"),
        N_("How far is $p_t$ from the word being translated, on average, where German and English word order differ?"),
        (
            N_("Less than half a word, on average"),
            N_("About two words, like a straight line through the sentence"),
            N_("More than four words, the half-width of its window"),
        ),
        1,
        N_(
            "Our example sentences have about eleven words, so a window of nine words nearly always contains the right "
            "one, and the scores inside it find the word. $p_t$ does move towards reordered words, but too little."
        ),
        "app.lab.window.evidence:center_against_alignments",
        N_("measured in this project; Luong 2015 reports no such measurement"),
        level="research",
    ),
    Card(
        "sum",
        N_("The attention weights of local-p sum to less than 1"),
        N_("What is the sum of the attention weights after the Gaussian?"),
        (N_("Less than 1, often much less"), N_("1, because they are probabilities"), N_("More than 1 near the peak")),
        0,
        N_(
            "The alignment weights inside the window sum to 1. Each is then multiplied by a Gaussian of at most 1, and "
            "nothing divides by the new sum. The context vector shrinks by what is missing."
        ),
        "app.lab.window.evidence:sums",
        N_("Luong 2015, eq. 10; nmt.matlab does the same"),
        holds=True,
        level="basics",
    ),
    Card(
        "sigma",
        N_("D and σ are two independent settings"),
        N_("How does the paper choose σ?"),
        (N_("It is learned with the weights"), N_("It follows from D"), N_("It is tuned separately from D")),
        1,
        N_(
            "$\\sigma = D/2$, so a word at distance $D$ from $p_t$ keeps $e^{-2} \\approx 0.135$ of its alignment "
            "weight for every $D$. (The window is centred at $\\lfloor p_t \\rfloor$, so its ends may be up to one "
            "word nearer or farther.) Choosing σ freely is an experiment of this project: the edge of the window is "
            "hard, that of the Gaussian is not."
        ),
        "app.lab.window.evidence:linked_widths",
        N_("Luong 2015, section 3.2 (σ = D/2) and section 4.1 (D = 10)"),
        level="mechanisms",
    ),
    Card(
        "edge",
        N_("Padding beyond the end of the sentence does not matter to a window"),
        N_("A window extends beyond the last word. A program pads with zeros and forgets the mask. What happens?"),
        (N_("The padding takes a share"), N_("Nothing: zeros have no weight"), N_("The softmax is undefined")),
        0,
        N_(
            "A score of 0 is not a probability of 0: $e^0 = 1$. Positions beyond the sentence must be removed *before* "
            "the softmax, as in the paper and its code."
        ),
        "app.lab.window.evidence:boundary",
        N_("Luong 2015, section 3.2, and nmt.matlab, which both drop what lies outside"),
        level="mechanisms",
    ),
    Card(
        "local-m",
        N_("local-m does not learn where to place its window"),
        N_("How does local-m place its window?"),
        (
            N_("By a matrix that it learns for the purpose"),
            N_("At the position with the highest score"),
            N_("By the number of the step: $p_t = t$"),
        ),
        2,
        N_(
            "The m is for *monotonic*: $p_t = t$ has no parameters and assumes that both languages have about the same "
            "word order. Only the scores inside the window are learned, and a German verb at the end can lie outside "
            "it."
        ),
        "app.lab.window.evidence:nothing_learned",
        N_("Luong 2015, section 3.2"),
        holds=True,
        level="mechanisms",
    ),
)
