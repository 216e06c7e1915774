"""The Corpus page: what a model attends to over many sentences, with the examples behind every bar."""

from pathlib import Path

from app.lab.corpus.cards import CARDS
from app.lab.kit.described import LabPage, Section, Stage, draw
from app.lab.kit.live import Choice, Live
from attn_core.messages import N_

__all__ = ["CARDS", "page"]

_HERE = Path(__file__).parent
_ORDERS = ("attend-then-update", "update-then-attend", "gnmt", "transformer")
PAGE = LabPage(
    N_("Corpus"),
    N_("What does a model attend to over many sentences?"),
    N_(
        "Your browser translates every sentence of a text and measures the model's attention weights. Click a bar to "
        "list the sentences and steps in it; each opens in a new tab."
    ),
    (
        Section(
            Stage(
                "corpus_lab",
                _HERE / "corpus.js",
                _HERE / "corpus.css",
                "app.lab.corpus.stage:texts",
                Live("corpus_text", (Choice("corpus_model", N_("Model"), _ORDERS, "bahdanau"),)),
            ),
            note=N_(
                "Greedy decoding. Positions count from 0, steps from 1. The *entropy* is that of the weights divided "
                "by their sum, which is below 1 where a Gaussian removes weight. *Coverage* is the sum of the weights "
                "that a word receives over all steps. *Function words* are those of a list of closed classes "
                "(articles, pronouns, prepositions, conjunctions, auxiliary verbs, particles); all other words in the "
                "vocabulary are content words. *AER* is the alignment error rate of Och and Ney 2003: each word of the "
                "reference is linked to the source word with the largest weight under forced decoding, and the links "
                "are compared with our own alignments. Our example sentences are therefore decoded twice. Your own "
                "file must be plain text with at most 1,000 sentences, one per line, of at most 60 words each; it does "
                "not leave your browser."
            ),
        ),
    ),
    CARDS,
)


def page() -> None:
    """Draw the page."""
    draw(PAGE)
