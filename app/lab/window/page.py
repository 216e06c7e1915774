"""The Window lab: the effect of p_t, D and sigma on one step's scores, and where local-m fails."""

from pathlib import Path

from app.lab.kit.described import Code, LabPage, Section, Stage
from app.lab.kit.live import Choice, Live
from app.lab.window.cards import CARDS
from app.shell.notes import Notes
from attn_core.messages import N_

_HERE = Path(__file__).parent
_PROGRAMS = _HERE / "programs.py"
_ORDERS = ("update-then-attend", "attend-then-update")
PAGE = LabPage(
    title=N_("Window lab"),
    about=N_("Drag p_t, D and σ over the scores of a trained model"),
    order=20,
    address="window-lab",
    question=N_("What does a local window do to attention, and what does it cost?"),
    first=N_(
        "Drag the label $p_t$, the ends of the window or the dot $\\sigma$: everything below a trained model's scores "
        "is recomputed."
    ),
    sections=(
        Section(
            Stage(
                _HERE / "window.js",
                "app.lab.window.data:by_hand",
                Live("window_text", (Choice("window_model", N_("Model"), _ORDERS, "luong-general-local-p"),), True),
                in_file=True,
            ),
            note=N_(
                "*The paper*: equation 10 of Luong 2015 and the default of his code, alignment weights × Gaussian "
                "without division by their sum (`after_softmax` here). *Renormalised*: divided by their sum, as "
                "neither the paper nor his code does (`renorm`). *Authors' normLocalAttn*: an option of his code, "
                "softmax(score × Gaussian); a negative score times a small number moves *towards* 0, so words at the "
                "edge can gain weight (`on_scores`). |c|: the length of the context vector. The decoder states are "
                "those of the recorded translation; the Explorer translates again with other values of D and σ."
            ),
        ),
        Section(
            title=N_("Which D is best, and does the window follow the words?"),
            blocks="app.lab.window.data:half_width_study",
        ),
        Section(
            Stage(
                _HERE / "reach.js",
                "app.lab.window.data:out_of_reach",
                models=("luong-general-local-m", "luong-general-local-p", "luong-general-global"),
                in_file=True,
            ),
            N_("Where local-m fails: the needed word is outside the window"),
            N_(
                "In German some verbs come last. At step $t$, local-m attends around position $t$, wherever the verb "
                "is. All three models are forced to produce the same English sentence; the underlined word needs the "
                "framed German one."
            ),
        ),
        Section(
            title=N_("Read the code"),
            text=N_(
                "The first listing is local attention with the general score as a standalone class, for one query; the "
                "second is the package's code, which handles whole batches and any score. The tests check that both "
                "give the same numbers."
            ),
            code=tuple(
                Code(name, "attention/windows.py", (kind, "Local.middle", "Local.around"), _PROGRAMS, kind)
                for name, kind in (("local-m", "LocalM"), ("local-p", "LocalP"))
            ),
        ),
    ),
    cards=CARDS,
    notes=Notes(
        (
            N_("Ask the class where the Gaussian should lie, then drag p_{t} there."),
            N_("Make D smaller: words outside the window get no weight at all."),
            N_("Point at the sum: the Gaussian shrinks the weights after the softmax, so they sum to less than 1."),
        ),
        N_(
            "A window restricts attention to at most 2D + 1 words around p_{t}, and its Gaussian favours the middle. "
            "The cost: words outside get no weight in this step, even if the next word needs them."
        ),
        8,
    ),
)
