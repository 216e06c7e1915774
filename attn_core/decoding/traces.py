"""Traces of sentences from the record of a search: each row cut to the words of its sentence."""

from dataclasses import replace

from attn_core.decoding.search import Column, Found, Result
from attn_core.models.translator import Translator
from attn_core.trace import Focus, Look, Memory, Step, Trace, Word


def trace_of(
    model: Translator,
    how: dict,
    source: list[str],
    result: Result,
    row: int,
    found: Found,
    top: int,
    spelt: tuple[str, ...] | None = None,
) -> Trace:
    """The trace of one output (`found`) of a sentence in a batch.

    `spelt` holds the words of a forced target as they were written.
    """
    unknown = tuple(model.source.unknown(source))
    if model.config.source_eos:
        source = [*source, "</s>"]  # added by the model; a typed </s> is an unknown word
    n = len(source)
    words = tuple(_word(model, result.columns[t], found, t, n, top, spelt) for t in range(len(found.words)))
    memory = _memory_of_row(result.memory, row, n)
    settings = model.settings | how
    return Trace(model.name, settings, tuple(source), unknown, memory, words)


def _word(
    model: Translator, column: Column, found: Found, t: int, n: int, top: int, spelt: tuple[str, ...] | None
) -> Word:
    row = found.rows[t]
    best = column.log_probs[row].topk(min(top, column.log_probs.size(1)))
    ranked = zip(best.indices.tolist(), best.values.tolist(), strict=True)
    return Word(
        t=t,
        token=spelt[t] if spelt else model.target.token(found.words[t]),
        log_prob=found.log_probs[t],
        top=tuple((model.target.token(word), log_prob) for word, log_prob in ranked),
        step=_step_of_row(column.step, row, n, t + 1),
    )


def _memory_of_row(memory: Memory, row: int, n: int) -> Memory:
    """The memory of one row, cut to the `n` positions of its sentence."""
    states, keys, mask = (x[row, :n].cpu() for x in (memory.states, memory.keys, memory.src_mask))
    looks = tuple(_cut(look.map(lambda x: x[row, :n].cpu()), n) for look in memory.looks)
    return Memory(states, keys, mask, looks)


def _step_of_row(step: Step, row: int, n: int, prefix: int) -> Step:
    """The step of one row, cut to the `n` positions of its source and the `prefix` positions of <s> and its words."""
    step = step.map(lambda x: x[row].cpu())
    looks, own = (tuple(_cut(look, m) for look in found) for found, m in ((step.looks, n), (step.own, prefix)))
    return replace(step, looks=looks, own=own)


def _cut(look: Look, n: int) -> Look:
    """The attention over the first `n` positions."""
    scores, align, weights = (x[..., :n] for x in (look.scores, look.alignment, look.weights))
    focus = Focus(look.focus.inside[..., :n], look.focus.gaussian[..., :n], look.focus.center)
    values = None if look.values is None else look.values[..., :n, :]
    return replace(look, scores=scores, focus=focus, alignment=align, weights=weights, values=values)
