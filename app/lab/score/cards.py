"""Quiz cards about score functions."""

from app.lab.kit.cards import Card
from attn_core.messages import N_

CARDS = (
    Card(
        "concat",
        N_("Luong's concat and Bahdanau's additive score are the same function"),
        N_(
            r"One applies one matrix to $[h_t; \bar h_s]$, the other adds the products of two matrices. How far apart "
            r"are their scores?"
        ),
        (N_("Close, but never equal"), N_("Equal, if the matrices are the same"), N_("They are unrelated")),
        1,
        N_(
            r"$W_a[h_t; \bar h_s] = W_1 h_t + W_2 \bar h_s$, where $W_1$ and $W_2$ are the left and right parts of "
            r"$W_a$. These are two notations for one function. (Luong's *code* computes another one: it adds $\bar "
            r"h_s$ without a matrix.)"
        ),
        "app.lab.score.evidence.scores:concat_is_additive",
        N_("Bahdanau 2015, A.1.2; Luong 2015, eq. 7; for the code: nmt.matlab"),
        holds=True,
        level="mechanisms",
    ),
    Card(
        "v-a",
        N_("$v_a$ is redundant beside the matrices"),
        N_(r"The score is $v_a^\top \tanh(W_a s + U_a h)$. Can a change of $W_a$ and $U_a$ replace $v_a$?"),
        (
            N_("Yes: $v_a$ scales all scores of a step alike"),
            N_("Yes: $v_a$ can be multiplied into the matrices"),
            N_("No: $\\tanh$ stands between them"),
        ),
        2,
        N_(
            r"$v_a$ turns a vector into one score, as a weighted vote of the entries of $\tanh(\cdot)$. Because "
            r"$\tanh$ is odd, the *signs* of $v_a$ can be moved into the rows of the matrices; its *sizes* cannot, "
            r"since each entry of $\tanh$ is limited to $\pm 1$. **Without $\tanh$** the score is $v_a^\top W_a s + "
            r"v_a^\top U_a h$: $v_a$ would be redundant, and worse, the query's term would be the same for all source "
            r"words and cancel in the softmax, so that every step had the same weights."
        ),
        "app.lab.score.evidence.scores:v_a_counts",
        N_("Bahdanau 2015, A.1.2"),
        level="mechanisms",
    ),
    Card(
        "probabilities",
        N_("Scores are probabilities"),
        N_("Which values can a score take?"),
        (
            N_("Any number, including negative ones"),
            N_("Numbers from 0 to 1 that sum to 1"),
            N_("Any number that is not negative"),
        ),
        0,
        N_(
            "Scores are energies: they may be negative, and only their differences matter. Adding 5 to all of them "
            "changes no weight. Clipping them at 0 with a ReLU, as some exercises do, gives a different model."
        ),
        "app.lab.score.evidence.scores:scores_are_energies",
        N_("Bahdanau 2015, eq. 6; Luong 2015, eq. 7"),
        level="basics",
    ),
    Card(
        "root-d",
        N_("The square root of d is cosmetic"),
        N_(r"All scores of a step are divided by $\sqrt d$. What changes?"),
        (
            N_("How concentrated the weights are"),
            N_("Which key has the largest weight"),
            N_("The scores only: softmax gives the same weights"),
        ),
        0,
        N_(
            r"The order of the keys stays, but softmax turns differences of scores into ratios of weights. For random "
            r"vectors the standard deviation of the dot product is $\sqrt d$: in high dimensions one key soon gets all "
            r"the weight. Softmax then hardly reacts to small changes of the scores, so they get almost no gradient. "
            r"The entries of these vectors have variance 1. That of an LSTM's states is much smaller: there the "
            r"division makes the weights almost equal, as in `luong-scaled_dot-global`."
        ),
        "app.lab.score.evidence.scores:root_of_d",
        N_("Vaswani 2017, eq. 1 and section 3.2.1"),
        level="mechanisms",
    ),
    Card(
        "location",
        N_("The location score depends on the source words"),
        N_(r"Two source words are swapped while $h_t$ stays the same. What happens to the weights?"),
        (N_("They move along with the words"), N_("They move about half as far"), N_("They stay where they are")),
        2,
        N_(
            r"$a_t = \operatorname{softmax}(W_a h_t)$ has one row of $W_a$ for each position and does not contain "
            r"$\bar h_s$. It also limits the length, since $W_a$ has a fixed number of rows: in the paper, words "
            "beyond the last row are ignored; here, a longer sentence is refused."
        ),
        "app.lab.score.evidence.scores:location_is_blind",
        N_("Luong 2015, eq. 8"),
        level="mechanisms",
    ),
    Card(
        "local-hard",
        N_("Inside its window, local attention is soft attention"),
        N_("A local model attends to a few source words. How many of them enter the context vector?"),
        (
            N_("One: the word at the centre of the window"),
            N_("All words in the window, by their weights"),
            N_("One word, drawn from the window"),
        ),
        1,
        N_(
            "Hard attention uses one word. Its choice has no gradient, so it is trained by sampling (REINFORCE). In a "
            "window all words share, and the context vector changes smoothly with their scores. Which words are in the "
            "window is a hard choice, however: Luong et al. call local attention a blend of hard and soft attention."
        ),
        "app.lab.score.evidence.weights:local_is_soft",
        N_("Luong 2015, sections 1 and 3.2; Xu 2015, section 4"),
        holds=True,
        level="basics",
    ),
    Card(
        "reinforce",
        N_("A model can learn through a choice that has no gradient"),
        N_(
            "One position is drawn from the weights, and only its state is used. How do the scores learn whether the "
            "choice was good?"
        ),
        (
            N_("By backpropagation through the chosen state"),
            N_("They cannot: sampling is not differentiable"),
            N_("From many draws: a choice with a lower loss than usual becomes more probable"),
        ),
        2,
        N_(
            r"Sampling has no gradient, but its expectation does: $\nabla \mathbb{E}[L] = \mathbb{E}[(L - b)\,\nabla "
            r"\log a(s)]$. One draw gives an unbiased estimate with a high variance. The baseline $b$, the usual loss, "
            r"lowers the variance and leaves the mean as it is."
        ),
        "app.lab.score.evidence.weights:draws_are_noisy",
        N_("Xu 2015, section 4.1; Williams 1992"),
        holds=True,
        level="research",
    ),
    Card(
        "padding",
        N_("Padding is harmless because its states are zero"),
        N_("A short sentence is padded with zero vectors, and no mask is applied. How much attention do they get?"),
        (N_("A share each"), N_("None: a zero vector has no weight"), N_("Whatever the words leave")),
        0,
        N_(
            r"With dot and general, a zero vector scores 0, and $e^0 = 1$; with additive and concat it scores "
            r"$v_a^\top \tanh(W_a s)$, which may be as much as a word's score. Either way padding takes part in the "
            r"softmax, and more padding takes more. The result for a sentence would depend on the length of the others "
            r"in its batch. That is why scores are masked first."
        ),
        "app.lab.score.evidence.weights:padding_takes_mass",
        N_("attn_core.attention.attention.masked_softmax; Luong's code masks since March 2016"),
        level="mechanisms",
    ),
    Card(
        "versus",
        N_("Bahdanau versus Luong means additive versus multiplicative"),
        N_(
            "Two models differ only in the score, one additive, one multiplicative. Is one of them Bahdanau's model "
            "and the other Luong's?"
        ),
        (
            N_("Yes: that is the difference between the papers"),
            N_("No: the difference between the papers is the window"),
            N_("No: the papers also differ in the order of a step"),
        ),
        2,
        N_(
            r"Bahdanau attends with $s_{i-1}$ and then updates the state; Luong updates the state and then attends "
            r"with $h_t$. Their encoders and output layers differ as well. Luong's own concat score is additive, and a "
            r"model with it is among those trained here."
        ),
        "app.lab.score.evidence.scores:score_and_order",
        N_("Bahdanau 2015, eq. 4 to 6; Luong 2015, sections 3 and 3.1"),
        level="mechanisms",
    ),
    Card(
        "explanation",
        N_("Attention weights explain the output"),
        N_(
            "For each word of 61 translations, remove the source word with the largest weight. Does that lower the "
            "word's probability more than removing any other?"
        ),
        (N_("Always"), N_("Often, but not always"), N_("Never")),
        1,
        N_(
            "A weight says how much of a state enters the context vector, not how much the output depends on that "
            "word: each state also contains its neighbours, and the decoder has a memory of its own. The largest "
            "weight finds the source word that matters most far more often than chance, but misses it for a good part "
            "of the words. The weights do not show which words these are; removing source words does."
        ),
        "app.lab.score.evidence.occlusion:weight_against_loss",
        N_("Jain and Wallace 2019; Moradi, Kambhatla and Sarkar 2019; the occlusion is computed here"),
        level="research",
    ),
    Card(
        "intervention",
        N_("Attention is an explanation: with other weights, the model would choose another word"),
        N_(
            "At each step of our translations, the row of attention weights is replaced by another one: equal weights, "
            "the same weights in another order, or the row without its largest weight. How often does the model choose "
            "another word?"
        ),
        (N_("Nearly always"), N_("About half of the time"), N_("Hardly ever")),
        1,
        N_(
            "The weights matter: at about half of the steps, other weights give another word. They do not settle the "
            "word: at the other steps, the model chooses the same word without them. A row of weights alone does not "
            "show which is the case; changing it does."
        ),
        "app.lab.score.evidence.interventions:other_weights",
        N_("Jain and Wallace 2019, section 4.2; Wiegreffe and Pinter 2019; the interventions are computed here"),
        level="research",
    ),
)
