"""The Heads page: the attention of every layer and head of a Transformer, compared with a fixed layer."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import streamlit as st
import torch

from app.lab.heads.cards import CARDS
from app.lab.heads.shapes import KINDS, shapes
from app.lab.kit import choose, shipped
from app.lab.kit.cards import deck
from app.lab.kit.component import component
from app.lab.kit.head import head
from app.lab.kit.records import few_digits
from app.shell.frame import framed, plainly
from app.shell.markdown import escaped
from attn_core.data.captions import captions
from attn_core.data.subwords import readable
from attn_core.messages import N_, _

_HERE = Path(__file__).parent
_HEADS = component("head_lab", _HERE / "heads.js", _HERE / "heads.css")
_FIXED = component("fixed_lab", _HERE / "fixed.js", _HERE / "heads.css")
_FIRST = "transformer"
_ENOUGH = 12  # sentences of one length to compare

_NOTES = {
    "encoder": N_("One row for each source word: its weights on all source words, itself included (section 3.2.3)."),
    "decoder": N_(
        "One row for each decoder input, from the start symbol <s> on: its weights on itself and on earlier "
        "words. Later words are masked, because they are not known yet (section 3.2.3)."
    ),
    "cross": N_(
        "One row for each step, labelled with the word it produces: its weights on the encoder states. This is "
        "the attention of Bahdanau and Luong, with several heads."
    ),
}


def page() -> None:
    """Draw the page."""
    with framed("Heads"):
        head(
            _("What does each head of a Transformer attend to?"),
            _(
                "Point at a word: every small map marks the row of that word, and the label below it names the word "
                "with the largest weight. Click a small map to enlarge it and see its numbers."
            ),
        )
        _heads()
        _against_fixed()
        _shapes()
        deck(CARDS)


@st.fragment
def _heads() -> None:
    with plainly("heads"):
        if chosen := choose.translated("heads", [one.de for one in captions()], ("transformer",), _FIRST):
            text, name = chosen
            data = looks(shipped.trace(name, text), shipped.model(name).config)
            _HEADS(key="head_lab", data=data | {"address": choose.address("heads_text", text)})


def looks(trace: Any, config: Any) -> dict[str, Any]:
    """All attention maps of a Transformer's trace, by kind, for the browser."""
    source, target = readable(trace.source), readable(trace.target)
    read = ["<s>", *target[:-1]]  # the decoder's inputs
    steps = [word.step for word in trace.words]
    found = {
        "encoder": (source, source, [(x, x.weights, x.scores) for x in trace.memory.looks]),
        "decoder": (read, read, _of_steps([step.own for step in steps])),
        "cross": (target, source, _of_steps([step.looks for step in steps])),
    }
    kinds = [
        {
            "key": key,
            "label": _(KINDS[key]),
            "note": _(_NOTES[key]),
            "rows": rows,
            "columns": columns,
            "looks": [
                {"layer": one.layer, "head": one.head, "weights": _rows(weights), "scores": _rows(scores)}
                for one, weights, scores in maps
            ],
        }
        for key, (rows, columns, maps) in found.items()
    ]
    return {"scale": config.embedding // config["heads"] if config["score"] == "scaled_dot" else None, "kinds": kinds}


def _of_steps(steps: list[tuple]) -> list[tuple]:
    """From the heads of each step to the rows of each head, one for each step."""
    return [(rows[0], [x.weights for x in rows], [x.scores for x in rows]) for rows in zip(*steps, strict=True)]


def _rows(values: Any) -> list[list[float]]:
    return [few_digits(row) for row in values]


@st.fragment
def _against_fixed() -> None:
    with plainly("heads"), st.container(key="against_fixed"):
        st.subheader(_("Is self-attention a fully connected layer between positions?"), anchor=False)
        st.markdown(
            _(
                "A fully connected layer also mixes all words, but its weight for a pair of *positions* is the same "
                "for every sentence. A head computes its weights from the *words*. Below are captions of equal length: "
                "click a cell to see the weight of that pair of positions in each of them. Among all fixed layers, the "
                "mean of these maps has the smallest squared distance to them."
            )
        )
        name = st.session_state.get("heads_model")
        try:
            data = one_length(name or _FIRST)
        except ValueError as error:  # the model is not there, or its files are damaged
            st.info(escaped(_("This cannot be shown here: {error}.").format(error=error)), icon=":material/info:")
        else:
            _FIXED(key="fixed_lab", data=data)


def one_length(name: str) -> dict[str, Any]:
    """The encoder's maps for the captions that have the most frequent number of tokens.

    Raises ValueError if there is no such model, or if no two captions have the same length.
    """
    model = shipped.model(name)
    lengths = defaultdict(list)
    for one in captions():
        tokens = model.source.tokens(one.de)
        lengths[len(tokens)].append(tokens)
    chosen = max(lengths.values(), key=len)[:_ENOUGH]
    if len(chosen) < 2:
        raise ValueError(_("no two captions have the same number of tokens for {name}").format(name=name))
    ids = torch.tensor([model.source_ids(tokens) for tokens in chosen])
    torch.set_num_threads(1)  # the setting is each thread's own
    with torch.inference_mode():
        memory = model.encode(ids, torch.ones_like(ids, dtype=torch.bool))[0]
    end = ["</s>"] * model.config.source_eos
    return {
        "looks": [{"layer": one.layer, "head": one.head} for one in memory.looks],
        "sentences": [
            {"words": readable([*tokens, *end]), "maps": [_rows(one.weights[row]) for one in memory.looks]}
            for row, tokens in enumerate(chosen)
        ],
    }


@st.fragment
def _shapes() -> None:
    with plainly("heads"), st.container(key="shapes"):
        st.subheader(_("Queries, keys and values, to scale"), anchor=False)
        name, text = (st.session_state.get(key) for key in ("heads_model", "heads_text"))
        try:
            model, trace = shipped.model(name or _FIRST), shipped.trace(name or _FIRST, text or captions()[0].de)
        except ValueError as error:
            st.info(escaped(_("This cannot be shown here: {error}.").format(error=error)), icon=":material/info:")
            return
        kind = st.segmented_control(
            _("Attention"),
            list(KINDS),
            format_func=lambda key: _(KINDS[key]),
            default="encoder",
            key="shapes_kind",
            required=True,
            label_visibility="collapsed",
        )
        st.html(shapes(model.config, len(trace.source), len(trace.target), kind))
