"""The Score lab: the scores and weights that each score function gives for a query and its keys."""

from pathlib import Path

from app.lab.kit.described import LabPage, Section, Stage
from app.lab.score.cards import CARDS
from app.shell.notes import Notes
from attn_core.messages import N_

_HERE = Path(__file__).parent
_TRANSLATED = "app.lab.score.data:translated"
PAGE = LabPage(
    title=N_("Score lab"),
    about=N_("Drag a query and its keys, and compare what the score functions compute"),
    order=10,
    address="score-lab",
    question=N_("How does a score function decide which key a query attends to?"),
    first=N_(
        "Drag the query (the arrow) or a key (a dot). All score functions update at once; select one to shade "
        "the plane with its scores and to see its parameters."
    ),
    sections=(
        Section(
            Stage(
                _HERE / "score.js",
                "app.lab.score.data:score_lab",
                registries=("attn_core.attention.settings:SCORES",),
                translated=_TRANSLATED,
                in_file=True,
            )
        ),
        Section(
            Stage(
                _HERE / "sizes" / "sizes.js",
                "app.lab.score.sizes.saturation:saturation",
                translated=_TRANSLATED,
                in_file=True,
            ),
            N_("Why divide by the root of d?"),
            N_(
                "Change d: with more dimensions the dot products of random vectors spread, and softmax gives one key "
                "nearly all the weight. (The entries of these vectors have variance 1. That of an LSTM's states is "
                "much smaller: dividing their scores by the root of d makes the weights almost equal. See notebook 03, "
                "part 3.)"
            ),
        ),
        Section(
            title=N_("Read the code"),
            text=N_(
                "The first listing has each score function as a standalone class that you can copy (score, softmax and "
                "context vector for one query); the second is the package's code, which handles whole batches. The "
                "tests check that both give the same numbers."
            ),
            blocks="app.lab.score.data:listings",
        ),
    ),
    cards=CARDS,
    notes=Notes(
        (
            N_(
                "Drag the query onto a key: with dot and scaled dot, the weight of that key grows. With general and "
                "additive it need not: their matrices decide what matches."
            ),
            N_("Make a key twice as long without turning it: its dot and general scores double."),
            N_("Compare dot with scaled dot: the keys keep their order, but the weights are flatter."),
        ),
        N_(
            "By one number for each key: a score function compares the query with the key, and the softmax turns the "
            "scores of all keys into weights."
        ),
        8,
    ),
)
