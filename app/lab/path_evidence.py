"""The evidence of the Paths page's cards, computed when a card is turned."""

from difflib import SequenceMatcher
from graphlib import CycleError
from typing import Any

import streamlit as st

from app.lab import shipped, show

BAHDANAU, LUONG = "bahdanau", "luong-general-global"
SENTENCE = "Ein Mädchen versucht, mit der Hand einen Fisch zu fangen."
TARGET = "A girl is trying to catch a fish with her hand."
SWAPPED = "snow-umbrella"  # of our captions: a translation may name the umbrella or the snow first


def asked_with_the_next_state() -> None:
    """The order that cannot be made, and where the model looks when it is asked with the state of a step later."""
    import torch

    from attn_core.paths import path

    model = shipped.model(BAHDANAU)
    graph = path(model.config)
    symbols = {node.id: node.symbol for node in graph.nodes}
    try:
        graph.queried_with(graph.instead).schedule()
    except CycleError as error:
        ring = " → ".join(f"${symbols[node]}$".replace("α", r"\alpha") for node in error.args[1])
        st.markdown(f"Let $s_i$ look, and sorting the graph of this model's step fails: {ring} is a circle.")
    trace = shipped.trace(BAHDANAU, SENTENCE)
    looks = [word.step.looks[0] for word in trace.words]
    with torch.inference_mode():
        later = torch.stack([look.query for look in looks[1:]])  # s_i of a step is the s_{i-1} of the next
        scores = model.decoder.attention.score(later[None], trace.memory.keys[None])[0]
    rows, moved = [], 0
    for word, look, row in zip(trace.words, looks, scores, strict=False):
        now, then = look.scores.argmax().item(), row.argmax().item()
        moved += now != then
        rows.append({"word": word.token, "asked with s_{i-1}": trace.source[now], "asked with s_i": trace.source[then]})
    st.markdown(
        f"Afterwards, when $s_i$ is known, one can ask with it: in **{moved} of {len(rows)}** steps the best score "
        "moves, to the word that the *next* step wants. The map slips by one row."
    )
    show.table(rows)


def where_the_context_goes() -> None:
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
    show.table(rows)
    st.caption(
        f"“{SENTENCE}” → “{TARGET}”, the models made to say it. The matrix that reads the context is set to zero in a "
        f"copy. {LUONG} has no input feeding: its state never hears of the context, except through the words."
    )


def _log_p(model: Any) -> float:
    import torch

    from attn_core import force

    torch.set_num_threads(1)  # the setting is each thread's own
    with torch.inference_mode():
        return force(model, SENTENCE, TARGET).log_prob


def _without(model: Any, weight: str, columns: int | None) -> Any:
    """A view of the model whose matrix `weight` has zeros in its first `columns` (None: in all). The model stays."""
    import torch

    view = model.with_window(model.config.window)
    part, _, name = weight.rpartition(".")
    reader = view.get_submodule(part)
    changed = getattr(reader, name).detach().clone()
    changed[:, :columns] = 0
    setattr(reader, name, torch.nn.Parameter(changed, requires_grad=False))
    return view


def forced_and_free() -> None:
    """The maps of a model that is made to say a translation, and that says its own."""
    from attn_core.captions import captions
    from attn_core.figures import heatmap

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
    st.markdown(f"The words agree up to step {first}, and there the rows are equal up to {before:.0e}.")
    if after:
        most, where = max(after)
        mean = sum(far for far, _ in after) / len(after)
        st.markdown(
            f"After that even the rows of words that both say differ, by {mean:.0%} of the weight on average and by "
            f"**{most:.0%}** at “{forced.target[where]}”; the others have no counterpart."
        )
    for title, trace in ((f"{LUONG}, made to say: {pair.en}", forced), ("By itself", free)):
        st.caption(title)
        chart = heatmap(trace, dark=st.context.theme.type == "dark")
        st.altair_chart(chart, theme=None, width="content", key=f"map_of_{trace.settings['search']}")
