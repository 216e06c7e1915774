"""The Paths page: Bahdanau's and Luong's decoding step as two graphs with the numbers of a decoded sentence."""

from itertools import permutations
from pathlib import Path

import streamlit as st

from app.lab.kit import choose, shipped
from app.lab.kit.cards import deck
from app.lab.kit.component import component
from app.lab.kit.head import head
from app.lab.kit.sentences import REORDERED, first_step
from app.lab.paths.cards import CARDS
from app.lab.paths.drawn import drawn
from app.lab.paths.pairs import partners
from app.shell.frame import framed, offered, plainly
from app.shell.markdown import escaped
from attn_core.data.captions import captions
from attn_core.messages import N_, _

_HERE = Path(__file__).parent
_PATHS = component("path_lab", _HERE / "walk.js", _HERE / "paths.css")
# Bahdanau's step, by its name in the address.
_FORMS = {"code": N_("authors' code"), "paper": N_("paper, equation 4")}


def page() -> None:
    """Draw the page."""
    with framed("Paths"):
        head(
            _("In which order is a decoding step computed, and which state can be the query?"),
            _("Press play in either diagram. Then try the other state as the query and see what happens to the order."),
        )
        _both()
        deck(CARDS)


@st.fragment
def _both() -> None:
    with plainly("paths"):
        for key, order in (("paths_bahdanau", "attend-then-update"), ("paths_luong", "update-then-attend")):
            offered(key, choose.models([order]))
        middle, left, right = st.columns([2, 1, 1], gap="small")
        with middle:
            text = choose.sentence("paths_text", [*(one.de for one in REORDERED), *(one.de for one in captions())])
        with left:
            bahdanau = choose.model("paths_bahdanau", _("Attend, then update"), ("attend-then-update",), "bahdanau")
        with right:
            luong = choose.model(
                "paths_luong", _("Update, then attend"), ("update-then-attend",), "luong-general-local-p"
            )
        names = [name for name in (bahdanau, luong) if name]
        if not names or not all(choose.decoded(name, text) for name in names):
            return
        models = {name: shipped.model(name) for name in names}
        configs = {name: one.config for name, one in models.items()}
        if bahdanau and configs[bahdanau]["update"] == "groundhog" and _as_printed(bahdanau):
            configs[bahdanau] = configs[bahdanau].set({"update": "printed", "readout": "s_cur"})
        traces = {name: shipped.trace(name, text) for name in names}
        try:
            paths = [
                drawn(traces[name], configs[name], len(one.target), bare=configs[name] != one.config)
                for name, one in models.items()
            ]
        except ValueError as error:  # a variant whose step has a different graph
            st.info(
                _("The step of this model cannot be drawn: {reason}").format(reason=escaped(str(error))),
                icon=":material/info:",
            )
            return
        pairs = [partners(*two) for two in permutations(traces.values(), 2)]
        step = first_step(text, traces[names[0]])
        _PATHS(
            key="path_lab",
            data={"paths": paths, "pairs": pairs, "step": step, "address": choose.address("paths_text", text)},
        )
        if bahdanau:
            st.caption(_("In Bahdanau's step $i$ counts from 1, as in the paper; in Luong's, $t$ counts from 0."))


def _as_printed(name: str) -> bool:
    """Whether to show Bahdanau's step as printed in the paper instead of as in the authors' code and in `name`."""
    offered("paths_update", _FORMS)
    said = choose.pick(
        _("Bahdanau's step"),
        _FORMS,
        "paths_update",
        _(
            "In the paper $s_i = f(s_{i-1}, y_{i-1}, c_i)$, and the output layer uses $s_i$. The authors' code, "
            "GroundHog, first chooses $y_i$ and then computes $s_i$ from it, so that $s_{i-1}$ already contains the "
            "previous word. Both attend before they update."
        ),
    )
    told = (
        _("This is the step of the paper. {name} was trained with the authors' code instead, so there are no numbers.")
        if said == "paper"
        else _(
            "{name} was trained with the authors' code, where $s_i$ is computed from $y_i$. The paper has "
            "$y_{{i-1}}$ instead: choose “{printed}” to see its step."
        )
    )
    st.caption(told.format(name=escaped(name), printed=_(_FORMS["paper"])))
    return said == "paper"
