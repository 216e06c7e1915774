"""The Paths page: Bahdanau's and Luong's step as two graphs, with the numbers of a decoded sentence in them."""

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

_HERE = Path(__file__).parent
_PATHS = component("path_lab", _HERE / "walk.js", _HERE / "paths.css")


def page() -> None:
    """Draw the page."""
    with framed("Paths"):
        head(
            "In which order does a step compute, and which state may look?",
            "Press play in either diagram. Then let the other state look, and see what becomes of the order.",
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
            bahdanau = choose.model("paths_bahdanau", "Look, then step", ("attend-then-update",), "bahdanau")
        with right:
            luong = choose.model("paths_luong", "Step, then look", ("update-then-attend",), "luong-general-local-p")
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
        except ValueError as error:  # a variant whose step has other arrows
            st.info(f"This model's step cannot be drawn: {escaped(str(error))}", icon=":material/info:")
            return
        pairs = [partners(*two) for two in permutations(traces.values(), 2)]
        step = first_step(text, traces[names[0]])
        _PATHS(
            key="path_lab",
            data={"paths": paths, "pairs": pairs, "step": step, "address": choose.address("paths_text", text)},
        )


def _as_printed(name: str) -> bool:
    """Whether to show Bahdanau's step as the paper prints it instead of as the authors' code, and `name`, runs it."""
    code, printed = "as the authors' code runs it", "as equation 4 prints it"
    said = st.segmented_control(
        "Bahdanau's step",
        [code, printed],
        default=code,
        required=True,
        key="paths_update",
        help="The paper prints $s_i = f(s_{i-1}, y_{i-1}, c_i)$ and a readout of $s_i$. The authors' code, GroundHog, "
        f"which {name} follows, chooses $y_i$ first and makes $s_i$ with it: $s_{{i-1}}$ already knows the word "
        "before. The look comes before the step in both. As printed there are shapes, and no numbers.",
    )
    return said == printed
