"""The Heads page: what every layer and head of a Transformer looks at, and what sets it apart from a fixed layer."""

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

_HERE = Path(__file__).parent
_HEADS = component("head_lab", _HERE / "heads.js", _HERE / "heads.css")
_FIXED = component("fixed_lab", _HERE / "fixed.js", _HERE / "heads.css")
_FIRST = "transformer"
_ENOUGH = 12  # sentences of one length that are compared

_NOTES = {
    "encoder": "A row for each source word: how much it reads of every source word, itself too (section 3.2.3).",
    "decoder": "A row for each word that was said, from the start <s> on: it reads itself and what was said before. "
    "Later words are masked; they are not known yet (section 3.2.3).",
    "cross": "A row for each step, named by the word that it says: what it reads of the encoder's states. This is the "
    "attention of Bahdanau and Luong, several times over.",
}


def page() -> None:
    """Draw the page."""
    with framed("Heads"):
        head(
            "What does each head of a Transformer look at?",
            "Point at a word: every small map shows the row of that word, and below it where this head looks most. "
            "Choose a small map to see it large, with its numbers.",
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
    """Every look of a Transformer's trace, by kind, as the browser draws them."""
    source, target = readable(trace.source), readable(trace.target)
    read = ["<s>", *target[:-1]]  # what the decoder has read when it says `target`
    steps = [word.step for word in trace.words]
    found = {
        "encoder": (source, source, [(x, x.weights, x.scores) for x in trace.memory.looks]),
        "decoder": (read, read, _of_steps([step.own for step in steps])),
        "cross": (target, source, _of_steps([step.looks for step in steps])),
    }
    kinds = [
        {
            "key": key,
            "label": KINDS[key],
            "note": _NOTES[key],
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
    """From the looks of each step to each look's rows, one for a step."""
    return [(rows[0], [x.weights for x in rows], [x.scores for x in rows]) for rows in zip(*steps, strict=True)]


def _rows(values: Any) -> list[list[float]]:
    return [few_digits(row) for row in values]


@st.fragment
def _against_fixed() -> None:
    with plainly("heads"), st.container(key="against_fixed"):
        st.subheader("Is self-attention a fully connected layer between positions?", anchor=False)
        st.markdown(
            "Such a layer also mixes all words, but it learns one weight for each pair of *positions* and keeps it for "
            "every sentence: its weights are fixed. A head makes its weights anew from the *words*. Here are captions "
            "of one length: click a cell, and see the weight of that pair of positions in each of them. The fixed "
            "layer that comes nearest to all these maps is their mean."
        )
        name = st.session_state.get("heads_model")
        try:
            data = one_length(name or _FIRST)
        except ValueError as error:  # the model is not there, or its files are damaged
            st.info(escaped(f"This cannot be shown here: {error}."), icon=":material/info:")
        else:
            _FIXED(key="fixed_lab", data=data)


def one_length(name: str) -> dict[str, Any]:
    """The encoder's maps of those of our captions that have the commonest number of tokens.

    Raises ValueError when there is no such model, or no two captions of one length.
    """
    model = shipped.model(name)
    lengths = defaultdict(list)
    for one in captions():
        tokens = model.source.tokens(one.de)
        lengths[len(tokens)].append(tokens)
    chosen = max(lengths.values(), key=len)[:_ENOUGH]
    if len(chosen) < 2:
        raise ValueError(f"no two captions have as many tokens for {name}")
    ids = torch.tensor([model.source_ids(tokens) for tokens in chosen])
    torch.set_num_threads(1)  # the setting is each thread's own
    with torch.inference_mode():
        memory, _ = model.encode(ids, torch.ones_like(ids, dtype=torch.bool))
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
        st.subheader("Queries, keys and values, to scale", anchor=False)
        name, text = (st.session_state.get(key) for key in ("heads_model", "heads_text"))
        try:
            model, trace = shipped.model(name or _FIRST), shipped.trace(name or _FIRST, text or captions()[0].de)
        except ValueError as error:
            st.info(escaped(f"This cannot be shown here: {error}."), icon=":material/info:")
            return
        kind = st.segmented_control(
            "Attention",
            list(KINDS),
            format_func=KINDS.__getitem__,
            default="encoder",
            key="shapes_kind",
            required=True,
            label_visibility="collapsed",
        )
        st.html(shapes(model.config, len(trace.source), len(trace.target), kind))
