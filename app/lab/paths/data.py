"""The evidence for the Paths page's cards, computed when a card is answered."""

import copy
from dataclasses import dataclass
from difflib import SequenceMatcher
from graphlib import CycleError
from typing import Any

import torch

from app.lab.kit import shipped
from app.lab.kit.evidence import Bars, Caption, Drawing, Finding, Map, Text, decimals, table
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


def asked_with_the_next_state() -> Finding:
    """Show the cycle that s_i as the query would cause, and where s_i attends at the next step."""
    ring, trace = cycle()[:-1], shipped.trace(BAHDANAU, SENTENCE)
    best = [trace.source[word.step.looks[0].scores.argmax().item()] for word in trace.words]
    later = _(
        "$s_i$ is a query too, but one step later, where it is called $s_{i-1}$. The source word with the highest "
        "score for each query:"
    )
    rows = table(
        {N_("word yᵢ"): word.token, N_("query sᵢ₋₁, for this word"): now, N_("query sᵢ, for the next word"): then}
        for word, now, then in zip(trace.words, best, best[1:], strict=False)
    )
    return Finding(
        Drawing(
            "app.lab.paths.chart:ring", (ring,), _("A cycle: {symbols}").format(symbols=" → ".join([*ring, ring[0]]))
        ),
        _(
            "With $s_i$ as the query, the step has nowhere to begin: each of these {n} quantities is computed from the "
            "one before it."
        ).format(n=len(ring)),
        (Text(later), rows),
    )


def without_the_context() -> list[dict[str, Any]]:
    """log p of a translation with the context vector removed from one place at a time."""
    rows = []
    for name, places in (
        (BAHDANAU, {N_("the state sᵢ"): ("decoder.C.weight", None), N_("the output"): ("decoder.C_o.weight", None)}),
        (LUONG, {N_("the output h̃ₜ"): ("decoder.W_c.weight", "memory")}),
    ):
        model = shipped.model(name)
        rows.append(
            {"model": name, N_("context removed from"): _("nowhere"), N_("log p of the translation"): _log_p(model)}
        )
        for place, (weight, columns) in places.items():
            changed = _log_p(_without(model, weight, getattr(model.config, columns) if columns else None))
            rows.append({"model": name, N_("context removed from"): _(place), N_("log p of the translation"): changed})
    return rows


def where_the_context_goes() -> Finding:
    """Show what the removal from each place costs."""
    rows = without_the_context()
    bahdanau, no_state, no_output, luong, no_luong = (row["log p of the translation"] for row in rows)
    losses = [bahdanau - no_state, bahdanau - no_output, luong - no_luong]
    of = (
        _(
            "“{sentence}” → “{target}”, by forced decoding. In a copy of the model, the matrix that multiplies the "
            "context vector is set to zero. {model} has no input feeding: its state depends on the context only "
            "through the words."
        )
    ).format(sentence=SENTENCE, target=TARGET, model=LUONG)
    return Finding(
        Bars(
            [_("Bahdanau: state"), _("Bahdanau: output"), _("Luong: output")],
            {N_("loss of log p"): losses},
            _("loss of log p, nats"),
            ".1f",
            _("context removed from"),
        ),
        _(
            "Removing the context from the state costs Bahdanau's model {state:.1f} nats, and removing it from the "
            "output layer {output:.1f}; Luong's model uses it in the output only."
        ).format(state=losses[0], output=losses[1]),
        (table(rows), Caption(of)),
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
class Comparison:
    """Two attention maps of one source, compared where the target words are the same."""

    forced: Any  # Trace
    free: Any
    first: int  # the first step with different words
    before: float  # the largest difference of two rows before it, as a share of the weight
    after: list[tuple[float, int]]  # the differences after it, with the step of the forced map
    rows: list[float | None]  # the difference at each step of the forced map; None where the free one has no such word


def forced_against_free() -> Comparison:
    """A model forced to a given translation, and the same model decoding freely."""
    pair = next(pair for pair in captions() if pair.id == SWAPPED)
    forced, free = shipped.trace(LUONG, pair.de, target=pair.en), shipped.trace(LUONG, pair.de)
    pairs = [
        (block.a + i, block.b + i)
        for block in SequenceMatcher(None, forced.target, free.target, autojunk=False).get_matching_blocks()
        for i in range(block.size)
    ]
    differences = [(forced.weights()[i] - free.weights()[j]).abs().sum().item() / 2 for i, j in pairs]
    first = next((k for k, (i, j) in enumerate(zip(forced.target, free.target, strict=False)) if i != j), len(pairs))
    before = max((difference for difference, (i, _) in zip(differences, pairs, strict=True) if i < first), default=0.0)
    after = [(difference, i) for difference, (i, _) in zip(differences, pairs, strict=True) if i > first]
    rows = dict(zip((i for i, _ in pairs), differences, strict=True))
    return Comparison(forced, free, first, before, after, [rows.get(i) for i in range(len(forced.target))])


def forced_and_free() -> Finding:
    """Show how much the rows of the two maps differ, and the maps."""
    found = forced_against_free()
    words = found.forced.target
    forced = _("{model}, forced: {words}").format(model=LUONG, words=" ".join(words[:-1]))
    return Finding(
        Bars(words, {N_("difference of the rows"): found.rows}, _("difference, share of the weight")),
        _(
            "The rows of the first {first} words, which both translations share, are equal; later rows of the same "
            "word differ by up to {most:.0%} of the weight."
        ).format(first=found.first, most=max((far or 0.0 for far in found.rows[found.first :]), default=0.0)),
        (
            Text(
                _(
                    "The rows of the steps before {first} are equal up to {before}. A word that only one of the "
                    "two translations contains has no bar."
                ).format(first=found.first, before=decimals(found.before))
            ),
            Caption(escaped(forced)),
            Map(found.forced),
            Caption(_("Free decoding")),
            Map(found.free),
        ),
    )
