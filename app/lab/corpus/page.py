"""The Corpus page: what a model attends to over many sentences, with the examples behind every bar."""

from pathlib import Path

from app.lab.corpus.cards import CARDS
from app.lab.kit.described import LabPage, Section, Stage
from app.lab.kit.live import Choice, Live
from app.shell.notes import Notes
from attn_core.messages import N_

_HERE = Path(__file__).parent
_ORDERS = ("attend-then-update", "update-then-attend", "gnmt", "transformer")
PAGE = LabPage(
    title=N_("Corpus"),
    about=N_("Measure one model's attention over many sentences, and open the examples behind each bar"),
    order=40,
    question=N_("What does a model attend to over many sentences?"),
    first=N_(
        "Your browser translates every sentence of a text and measures the model's attention weights. Click a bar to "
        "list the sentences and steps in it; each opens in a new tab."
    ),
    sections=(
        Section(
            Stage(
                _HERE / "corpus.js",
                "app.lab.corpus.data:texts",
                Live("corpus_text", (Choice("corpus_model", N_("Model"), _ORDERS, "bahdanau"),), every_language=True),
                in_file=True,
            ),
            note=N_(
                "At each step the model writes its most probable word (*greedy decoding*). Positions count from 0. "
                "Steps count from 1 in the lists of steps, and from 0 in the relative distance. The *entropy* says how "
                "evenly the weights are spread: 0 if one word has all, ln S if S words share them equally. It is that "
                "of the weights divided by their sum, which is below 1 where a Gaussian removes weight. *Coverage* is "
                "the sum of the weights that a word receives over all steps. *Function words* are those of a list of "
                "closed classes (articles, pronouns, prepositions, conjunctions, auxiliary verbs, particles); all "
                "other words in the vocabulary are content words. *AER* is the alignment error rate of Och and Ney "
                "(2003); it is 0 if there are no errors. To measure it, we make the model write our own translation "
                "(*forced decoding*), link each word to the source word with the largest weight, and compare the links "
                "with our own word alignments. Our example sentences are therefore decoded twice. Your own file must "
                "be plain text with at most 1,000 sentences, one per line, of at most 60 words each; it does not leave "
                "your browser."
            ),
        ),
    ),
    cards=CARDS,
    notes=Notes(
        (
            N_("One sentence shows what is possible; these figures show what is usual."),
            N_(
                "Compare the bars with the marks for uniform weights: they are what a model that ignores the words "
                "would have."
            ),
            N_("Click a bar and open one of its sentences in the Explorer."),
        ),
        N_(
            "Mostly to words near the diagonal and to content words. But the weights are not an alignment: the largest "
            "is not always on the word that is translated."
        ),
        6,
    ),
)
