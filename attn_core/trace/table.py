"""Traces as an Arrow table, one row for each sentence; `attn_core translate --table` writes such a table as Parquet.

A row describes itself, so tables of several models and settings can be joined. Positions, words and heads count from 0.

    model, settings     the model's name, and the settings of the trace as JSON: window, search, edits (see trace)
    source, unknown     source tokens, and the positions of those outside the vocabulary
    layer, head         of each look, the heads that attend to the source; an RNN has one unless it has several heads
    encoder_weights     [head][query][key], a Transformer's self-attention in the encoder; empty for an RNN

These columns have one entry for each token of the translation, so `table.explode([...])` of pandas or polars has a row
for each of them:

    target, log_prob    the tokens, </s> included if the model chose it, and their natural log probabilities
    top_tokens, top_log_probs    [rank], the most probable tokens, best first
    scores, alignment, gaussian, weights    [look][source position], as in trace.Look; `weights` multiply the states
    center              [look], p_t; null without a local window
    first, last         [look], the first and the last position in view, inclusive; null if none is
    own_weights         [head][position in <s> and the earlier tokens], a Transformer's self-attention in the decoder

A line without a word has empty lists and null `settings`. A translation of its text, and the line, are added by the
command (cli/table.py).
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from attn_core.trace.records import Focus, Look, Trace, Word

_WORDS, _POSITIONS, _NUMBERS = pa.list_(pa.string()), pa.list_(pa.int32()), pa.list_(pa.float32())
_ROWS = pa.list_(_NUMBERS)  # of numbers: one for each look of a word
COLUMNS = pa.schema(
    {
        "model": pa.string(),
        "settings": pa.string(),
        "source": _WORDS,
        "unknown": _POSITIONS,
        "layer": _POSITIONS,
        "head": _POSITIONS,
        "target": _WORDS,
        "log_prob": _NUMBERS,
        "top_tokens": pa.list_(_WORDS),
        "top_log_probs": _ROWS,
        "scores": pa.list_(_ROWS),
        "alignment": pa.list_(_ROWS),
        "gaussian": pa.list_(_ROWS),
        "weights": pa.list_(_ROWS),
        "center": _ROWS,
        "first": pa.list_(_POSITIONS),
        "last": pa.list_(_POSITIONS),
        "own_weights": pa.list_(_ROWS),
        "encoder_weights": pa.list_(_ROWS),
    }
)


def table(traces: Sequence[Trace | None], before: Mapping[str, pa.Array] | None = None) -> pa.Table:
    """The table of these traces; None is a line without a word. `before` are columns in front of those above."""
    rows = [_row(trace) for trace in traces]
    columns = {name: pa.array([row.get(name) for row in rows], kind) for name, kind in _types()}
    return pa.table({**(before or {}), **columns})


def _types() -> list[tuple[str, pa.DataType]]:
    return [(field.name, field.type) for field in COLUMNS]


def _row(trace: Trace | None) -> dict[str, Any]:
    if trace is None:
        return {name: [] for name, kind in _types() if pa.types.is_list(kind)}
    row: dict[str, Any] = {
        "model": trace.model,
        "settings": json.dumps(trace.settings, ensure_ascii=False),
        "source": trace.source,
        "unknown": trace.unknown,
        "layer": [look.layer for look in trace.words[0].step.looks] if trace.words else [],
        "head": [look.head for look in trace.words[0].step.looks] if trace.words else [],
        "encoder_weights": [look.weights.tolist() for look in trace.memory.looks],
    }
    words = [_word(word) for word in trace.words]
    return row | {name: [word[name] for word in words] for name in _word_columns()}


def _word_columns() -> list[str]:
    names = [field.name for field in COLUMNS]
    return [*names[names.index("target") : names.index("encoder_weights")]]


def _word(word: Word) -> dict[str, Any]:
    """The entries of a word."""
    looks = word.step.looks
    spans = [_span(look.focus) for look in looks]
    return {
        "target": word.token,
        "log_prob": word.log_prob,
        "top_tokens": [token for token, _ in word.top],
        "top_log_probs": [log_prob for _, log_prob in word.top],
        "scores": [look.scores.tolist() for look in looks],
        "alignment": [look.alignment.tolist() for look in looks],
        "gaussian": [look.focus.gaussian.tolist() for look in looks],
        "weights": [look.weights.tolist() for look in looks],
        "center": [_center(look) for look in looks],
        "first": [first for first, _ in spans],
        "last": [last for _, last in spans],
        "own_weights": [look.weights.tolist() for look in word.step.own],
    }


def _center(look: Look) -> float | None:
    return None if look.focus.center is None else look.focus.center.item()


def _span(focus: Focus) -> tuple[int | None, int | None]:
    seen = focus.inside.nonzero().flatten().tolist()
    return (seen[0], seen[-1]) if seen else (None, None)
