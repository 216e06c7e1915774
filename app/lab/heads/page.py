"""The Heads page: the attention of every layer and head of a Transformer, compared with a fixed layer."""

from pathlib import Path

from app.lab.heads.cards import CARDS
from app.lab.kit.described import Code, LabPage, Section, Stage
from app.lab.kit.live import Choice, Live
from app.shell.notes import Notes
from attn_core.messages import N_

_HERE = Path(__file__).parent
_PROGRAMS = _HERE / "programs.py"
PAGE = LabPage(
    title=N_("Heads"),
    about=N_("See what each head of a Transformer attends to"),
    order=30,
    question=N_("What does each head of a Transformer attend to?"),
    first=N_(
        "Point at a word: every small map marks the row of that word, and the label below it names the word "
        "with the largest weight. Click a small map to enlarge it and see its numbers."
    ),
    sections=(
        Section(
            Stage(
                _HERE / "heads.js",
                live=Live("heads_text", (Choice("heads_model", N_("Model"), ("transformer",), "transformer"),)),
            )
        ),
        Section(
            Stage(_HERE / "fixed.js", "app.lab.heads.data:one_length", models=("transformer",), in_file=True),
            N_("Is self-attention a fully connected layer between positions?"),
            N_(
                "A fully connected layer also mixes all words, but its weight for a pair of *positions* is the same "
                "for every sentence. A head computes its weights from the *words*. Below are captions of equal length: "
                "click a cell to see the weight of that pair of positions in each of them. Among all fixed layers, the "
                "mean of these maps has the smallest squared distance to them."
            ),
        ),
        Section(
            title=N_("Read the code"),
            text=N_(
                "The first listing is multi-head attention as a standalone class, for one query; the second is the "
                "package's code, which works with any score. The tests check that both give the same numbers."
            ),
            code=(
                Code(
                    N_("Multi-head attention"),
                    "attention/multihead.py",
                    ("Head", "MultiHead.memory", "MultiHead.looks"),
                    _PROGRAMS,
                    "MultiHead",
                ),
            ),
        ),
    ),
    cards=CARDS,
    notes=Notes(
        (
            N_("Point at one word and compare the small maps: which word does each head attend to?"),
            N_(
                "Have the class find a head that attends to the word before (layer 1, head 3), and one that attends to "
                "the word itself (layer 3, head 0)."
            ),
            N_("Switch to cross-attention: which head aligns the two sentences?"),
        ),
        N_(
            "Each head computes its own weights: some attend to the word itself, some to a neighbour or to a noun. "
            "Most maps follow no simple rule, and most heads can be removed, one at a time, with little effect."
        ),
        8,
    ),
)
