"""The evidence for the Paths page's cards, computed when a card is answered."""

import copy
from dataclasses import dataclass
from difflib import SequenceMatcher
from graphlib import CycleError
from typing import Any

import torch

from app.lab.kit import shipped
from app.lab.kit.evidence import Caption, Evidence, Map, Text, table
from app.shell.markdown import escaped
from attn_core import force
from attn_core.data.captions import captions
from attn_core.explain.paths import path
from attn_core.messages import N_, _

BAHDANAU, LUONG = "bahdanau", "luong-general-global"
SENTENCE = "Ein Mädchen versucht, mit der Hand einen Fisch zu fangen."
TARGET = "A girl is trying to catch a fish with her hand."
SWAPPED = "snow-umbrella"  # of our captions: a translation may name the umbrella or the snow first


def cycle() -> list[str]:
    """The symbols of the cycle in the shipped model's step if s_i is the query; empty if there is no cycle."""
    graph = path(shipped.model(BAHDANAU).config)
    symbols = {node.id: node.symbol for node in graph.nodes}
    try:
        graph.queried_with(graph.instead).schedule()
    except CycleError as error:
        return [symbols[node] for node in error.args[1]]
    return []


def asked_with_the_next_state() -> Evidence:
    """Show the cycle that s_i as the query would cause, and where s_i attends at the next step."""
    ring = " → ".join(f"${symbol}$".replace("α", r"\alpha") for symbol in cycle())
    yield Text(
        _("With $s_i$ as the query, this model's step cannot be put in order: {ring} is a cycle.").format(ring=ring)
    )
    trace = shipped.trace(BAHDANAU, SENTENCE)
    best = [trace.source[word.step.looks[0].scores.argmax().item()] for word in trace.words]
    yield Text(
        _(
            "$s_i$ is a query too, but one step later, where it is called $s_{i-1}$. The source word with the highest "
            "score for each query:"
        )
    )
    yield table(
        {N_("word y_i"): word.token, N_("query s_{i-1}, for this word"): now, N_("query s_i, for the next word"): then}
        for word, now, then in zip(trace.words, best, best[1:], strict=False)
    )


def without_the_context() -> list[dict[str, Any]]:
    """log p of a translation with the context vector removed from one place at a time."""
    rows = []
    for name, places in (
        (BAHDANAU, {N_("the state s_i"): ("decoder.C.weight", None), N_("the output"): ("decoder.C_o.weight", None)}),
        (LUONG, {N_("the output h̃_t"): ("decoder.W_c.weight", "memory")}),
    ):
        model = shipped.model(name)
        rows.append(
            {"model": name, N_("context removed from"): _("nowhere"), N_("log p of the translation"): _log_p(model)}
        )
        for place, (weight, columns) in places.items():
            changed = _log_p(_without(model, weight, getattr(model.config, columns) if columns else None))
            rows.append({"model": name, N_("context removed from"): _(place), N_("log p of the translation"): changed})
    return rows


def where_the_context_goes() -> Evidence:
    """Show what the removal from each place costs."""
    yield table(without_the_context())
    yield Caption(
        _(
            "“{sentence}” → “{target}”, by forced decoding. In a copy of the model, the matrix that multiplies the "
            "context vector is set to zero. {model} has no input feeding: its state depends on the context only "
            "through the words."
        ).format(sentence=SENTENCE, target=TARGET, model=LUONG)
    )


def _log_p(model: Any) -> float:
    torch.set_num_threads(1)  # the setting is each thread's own
    with torch.inference_mode():
        return force(model, SENTENCE, TARGET).log_prob


def _without(model: Any, weight: str, columns: int | None) -> Any:
    """A copy of the model whose matrix `weight` has zeros in its first `columns` (None: in all)."""
    changed = copy.deepcopy(model)  # all visitors share the model
    changed.get_parameter(weight).data[:, :columns] = 0
    return changed


@dataclass(frozen=True)
class Apart:
    """Two attention maps of one source, compared where the target words are the same."""

    forced: Any  # Trace
    free: Any
    first: int  # the first step with different words
    before: float  # the largest difference of two rows before it, as a share of the weight
    after: list[tuple[float, int]]  # the differences after it, with the step of the forced map


def compared() -> Apart:
    """A model forced to a given translation, and the same model decoding freely."""
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


def forced_and_free() -> Evidence:
    """Show the two maps and how much they differ."""
    found = compared()
    yield Text(
        _("The words agree before step {first}, and the rows of these steps are equal up to {before:.0e}.").format(
            first=found.first, before=found.before
        )
    )
    if found.after:
        least, most = min(found.after), max(found.after)
        mean = sum(far for far, _ in found.after) / len(found.after)
        words = found.forced.target
        yield Text(
            _(
                "After it, the rows of words that both contain differ by {mean:.0%} of the weight on average: by "
                "{least:.0%} at “{first}” and by **{most:.0%}** at “{second}”. The other rows have no counterpart."
            ).format(
                mean=mean, least=least[0], first=escaped(words[least[1]]), most=most[0], second=escaped(words[most[1]])
            )
        )
    for title, trace in (
        (_("{model}, forced: {words}").format(model=LUONG, words=" ".join(found.forced.target[:-1])), found.forced),
        (_("Free decoding"), found.free),
    ):
        yield Caption(escaped(title))
        yield Map(trace)
