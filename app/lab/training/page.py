"""The Training page: the attention on fixed sentences at the updates of a training, recorded or in progress."""

from pathlib import Path

import streamlit as st

from app.lab.kit.head import head
from app.lab.training.control import PRESETS, TASKS
from app.shell.component import component
from app.shell.frame import framed, plainly
from app.shell.notes import Notes
from attn_core.messages import N_, _

_HERE = Path(__file__).parent
_COMPARE = _HERE.parents[1] / "explorer" / "compare" / "compare.css"
_STAGE = component("training_stage", _HERE / "training.js", _HERE / "training.css", _COMPARE)
_NOTE = N_(
    "Each map shows forced decoding: the model is given the words of the reference, so the rows stay the same. *p* is "
    "the probability of the row's word. In a model with a local window, the coloured mark in each row is the window's "
    "centre $p_t$. *Mean largest weight*: the largest attention weight of each target word, averaged over the four "
    "sentences; where it rises, the weights concentrate, and the maps show whether on the right words. The validation "
    "loss is the logarithm of the perplexity. The training loss includes label smoothing where the recipe has it. "
    "Training runs that you start on the command line in `runs/` appear here too."
)
_NOTES = Notes(
    (
        N_("Begin at the first snapshot: the maps are pale, because all words get nearly the same weight."),
        N_("Press play, and have the class call out when a row first puts its weight on the right word."),
        N_("Compare with the curves: does the loss fall while the weights concentrate?"),
    ),
    N_("Early and suddenly, within a small part of the training, while the loss is falling fast."),
    6,
)


def page() -> None:
    """Draw the page."""
    with framed("Training"):
        head(
            _("When does a model learn where to attend?"),
            _(
                "Guess, then press play: after how many *updates* of its parameters do the maps show which word the "
                "model needs?"
            ),
            _NOTES,
            parts=1,
        )
        with st.container(key="part_1"):
            _stage()
            st.caption(_(_NOTE))


@st.fragment
def _stage() -> None:
    with plainly("training"):
        _STAGE(key="training_stage", data={"tasks": list(TASKS), "presets": list(PRESETS)})
