"""The evidence of the Paths page's cards, computed when a card is turned."""

import copy
from dataclasses import dataclass
from difflib import SequenceMatcher
from graphlib import CycleError
from typing import Any

import streamlit as st
import torch

from app.lab.kit import shipped, show
from app.shell.markdown import escaped
from attn_core import force
from attn_core.data.captions import captions
from attn_core.explain.paths import path
from attn_core.figures import heatmap

BAHDANAU, LUONG = "bahdanau", "luong-general-global"
SENTENCE = "Ein Mädchen versucht, mit der Hand einen Fisch zu fangen."
TARGET = "A girl is trying to catch a fish with her hand."
SWAPPED = "snow-umbrella"  # of our captions: a translation may name the umbrella or the snow first


def circle() -> list[str]:
    """The symbols of the circle in the step of the shipped model that appears when s_i looks; none if it could."""
    graph = path(shipped.model(BAHDANAU).config)
    symbols = {node.id: node.symbol for node in graph.nodes}
    try:
        graph.queried_with(graph.instead).schedule()
    except CycleError as error:
        return [symbols[node] for node in error.args[1]]
    return []


def asked_with_the_next_state() -> None:
    """The order that cannot be made, and where s_i looks once it is there, which is at the next step."""
    ring = " → ".join(f"${symbol}$".replace("α", r"\alpha") for symbol in circle())
    st.markdown(f"Let $s_i$ look, and sorting the graph of this model's step fails: {ring} is a circle.")
    trace = shipped.trace(BAHDANAU, SENTENCE)
    best = [trace.source[word.step.looks[0].scores.argmax().item()] for word in trace.words]
    st.markdown(
        "$s_i$ asks too, one step later: it is the next step's $s_{i-1}$. Where each state finds its best score:"
    )
    show.table(
        {"word y_i": word.token, "s_{i-1}, for this word": now, "s_i, for the next word": then}
        for word, now, then in zip(trace.words, best, best[1:], strict=False)
    )


def without_the_context() -> list[dict[str, Any]]:
    """log p of a translation with the context taken out of one place at a time."""
    rows = []
    for name, places in (
        (BAHDANAU, {"the state s_i": ("decoder.C.weight", None), "the output": ("decoder.C_o.weight", None)}),
        (LUONG, {"the output h̃_t": ("decoder.W_c.weight", "memory")}),
    ):
        model = shipped.model(name)
        rows.append({"model": name, "context removed from": "nowhere", "log p of the translation": _log_p(model)})
        for place, (weight, columns) in places.items():
            changed = _log_p(_without(model, weight, getattr(model.config, columns) if columns else None))
            rows.append({"model": name, "context removed from": place, "log p of the translation": changed})
    return rows


def where_the_context_goes() -> None:
    """What each place loses without the context."""
    show.table(without_the_context())
    st.caption(
        f"“{SENTENCE}” → “{TARGET}”, the models made to say it. The matrix that reads the context is set to zero in a "
        f"copy. {LUONG} has no input feeding: its state never hears of the context, except through the words."
    )


def _log_p(model: Any) -> float:
    torch.set_num_threads(1)  # the setting is each thread's own
    with torch.inference_mode():
        return force(model, SENTENCE, TARGET).log_prob


def _without(model: Any, weight: str, columns: int | None) -> Any:
    """A copy of the model whose matrix `weight` has zeros in its first `columns` (None: in all)."""
    changed = copy.deepcopy(model)  # the model itself is everybody's
    changed.get_parameter(weight).data[:, :columns] = 0
    return changed


@dataclass(frozen=True)
class Apart:
    """Two maps of one source, compared where both say the same word."""

    forced: Any  # Trace
    free: Any
    first: int  # the first step at which the words differ
    before: float  # the largest difference of two rows up to there, as a share of the weight
    after: list[tuple[float, int]]  # the differences behind it, with the step of the forced map


def compared() -> Apart:
    """A model that is made to say a translation, and that says its own."""
    pair = next(one for one in captions() if one.id == SWAPPED)
    forced, free = shipped.forced(LUONG, pair.de, pair.en), shipped.trace(LUONG, pair.de)
    pairs = [
        (block.a + i, block.b + i)
        for block in SequenceMatcher(None, forced.target, free.target, autojunk=False).get_matching_blocks()
        for i in range(block.size)
    ]
    apart = [(forced.weights()[i] - free.weights()[j]).abs().sum().item() / 2 for i, j in pairs]
    first = next((k for k, (i, j) in enumerate(zip(forced.target, free.target, strict=False)) if i != j), len(pairs))
    before = max((far for far, (i, _) in zip(apart, pairs, strict=True) if i < first), default=0.0)
    after = [(far, i) for far, (i, _) in zip(apart, pairs, strict=True) if i > first]
    return Apart(forced, free, first, before, after)


def forced_and_free() -> None:
    """The two maps, and how far apart they are."""
    found = compared()
    st.markdown(f"The words agree up to step {found.first}, and there the rows are equal up to {found.before:.0e}.")
    if found.after:
        least, most = min(found.after), max(found.after)
        mean = sum(far for far, _ in found.after) / len(found.after)
        words = found.forced.target
        st.markdown(
            f"After that, rows of words that both say differ by {mean:.0%} of the weight on average: by {least[0]:.0%} "
            f"at “{escaped(words[least[1]])}”, by **{most[0]:.0%}** at “{escaped(words[most[1]])}”. The other rows "
            "have no counterpart."
        )
    for title, trace in (
        (f"{LUONG}, made to say: {' '.join(found.forced.target[:-1])}", found.forced),
        ("By itself", found.free),
    ):
        st.caption(title)
        chart = heatmap(trace, dark=st.context.theme.type == "dark")
        st.altair_chart(chart, theme=None, width="content", key=f"map_of_{trace.settings['search']}")
