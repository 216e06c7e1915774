"""The Window lab: the effect of p_t, D and sigma on one step's scores, and where local-m fails."""

from pathlib import Path

import streamlit as st

from app.lab.kit import choose, shipped
from app.lab.kit.cards import deck
from app.lab.kit.component import component
from app.lab.kit.head import head
from app.lab.kit.records import gram, wire
from app.lab.kit.sentences import REORDERED, Reordered, first_step
from app.lab.window.cards import CARDS
from app.shell.frame import framed, plainly
from app.shell.markdown import escaped
from attn_core import text_of
from attn_core.attention.settings import GAUSSIANS
from attn_core.data.captions import captions
from attn_core.messages import _

_HERE = Path(__file__).parent
_BY_HAND = component("window_lab", _HERE / "byhand.js", _HERE / "window.css")
_REACH = component("reach_lab", _HERE / "reach.js", _HERE / "reach.css")
_ORDERS = ("update-then-attend", "attend-then-update")
_FIRST = "luong-general-local-p"
_AGAINST = {"local-m": "luong-general-local-m", "local-p": _FIRST, "global": "luong-general-global"}


def page() -> None:
    """Draw the page."""
    with framed("Window lab"):
        head(
            _("What does a local window do to attention, and what does it cost?"),
            _(
                "Drag the label $p_t$, the ends of the window or the dot $\\sigma$. The scores are those of a trained "
                "model at this step; everything below them is recomputed."
            ),
        )
        _by_hand()
        _out_of_reach()
        deck(CARDS)


@st.fragment
def _by_hand() -> None:
    with plainly("window"):
        chosen = choose.translated(
            "window", [*(one.de for one in REORDERED), *(one.de for one in captions())], _ORDERS, _FIRST
        )
        if not chosen:
            return
        text, name = chosen
        trace = shipped.trace(name, text)
        data = {"trace": wire(trace), "gram": gram(trace), "modes": list(GAUSSIANS), "step": first_step(text, trace)}
        data["address"] = choose.address("window_text", text)
        _BY_HAND(key="window_lab", data=data)
        st.caption(
            _(
                "*The paper*: equation 10 of Luong 2015 and the default of his code, alignment weights × Gaussian "
                "without division by their sum (`after_softmax` here). *Renormalised*: divided by their sum, as "
                "neither the paper nor his code does (`renorm`). *Authors' normLocalAttn*: an option of his code, "
                "softmax(score × Gaussian); a negative score times a small number moves *towards* 0, so words at the "
                "edge can gain weight (`on_scores`). |c|: the length of the context vector. The decoder states are "
                "those of the recorded translation; the Explorer translates again with other values of D and σ."
            )
        )


@st.fragment
def _out_of_reach() -> None:
    with plainly("window"), st.container(key="out_of_reach"):
        st.subheader(_("Where local-m fails: the needed word is outside the window"), anchor=False)
        st.markdown(
            _(
                "In German some verbs come last. At step $t$, local-m attends around position $t$, wherever the verb "
                "is. All three models are forced to produce the same English sentence; the underlined word needs the "
                "framed German one."
            )
        )
        chosen = st.selectbox(
            _("Sentence"),
            range(len(REORDERED)),
            format_func=lambda i: REORDERED[i].de,
            key="reordered",
            label_visibility="collapsed",
        )
        try:
            data = reach(REORDERED[chosen])
        except ValueError as error:  # a model is not there, or its files are damaged
            st.info(escaped(_("This cannot be shown here: {error}.").format(error=error)), icon=":material/info:")
        else:
            _REACH(key="reach_lab", data=data)


def reach(pair: Reordered) -> dict:
    """The traces of the models under forced decoding of `pair.en`, and each model's own translation.

    Raises ValueError if one of the models is not shipped.
    """
    runs = []
    for label, name in _AGAINST.items():
        said = text_of(shipped.model(name), shipped.trace(name, pair.de))
        runs.append(
            {"model": name, "label": label, "said": said, "trace": wire(shipped.forced(name, pair.de, pair.en))}
        )
    source, target = runs[0]["trace"]["source"], runs[0]["trace"]["target"]
    needed = {"source": source.index(pair.needed), "target": target.index(pair.word)}
    return {"source": source, "target": target, "needed": needed, "runs": runs}
