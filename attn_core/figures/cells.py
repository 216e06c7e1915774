"""A Trace as table rows: one for each cell of its heatmap, or one for each step."""

from dataclasses import replace
from typing import Any

import torch

from attn_core.trace import Focus, Look, Trace, Word


def cells(trace: Trace, look: int | None = None) -> list[dict[str, Any]]:
    """One row for each target and source position, with both words and all numbers; no rows without attention.

    If a step has several looks (a Transformer's), `look` selects one by index; by default the rows have their means.
    Raises ValueError for an index that a step does not have.
    """
    rows = []
    for word in trace.words:
        if not word.step.looks:
            continue
        part = _one(word, look)
        columns = zip(
            trace.source,
            *(x.tolist() for x in (part.scores, part.alignment, part.focus.gaussian, part.weights, part.focus.inside)),
            strict=True,
        )
        for s, (source, score, align, gaussian, weight, inside) in enumerate(columns):
            rows.append(
                {
                    "target_position": word.t,
                    "target": word.token,
                    "source_position": s,
                    "source": source,
                    "score": score,
                    "alignment": align,
                    "gaussian": gaussian,
                    "weight": weight,
                    "in_window": inside,
                }
            )
    return rows


def steps(trace: Trace, look: int | None = None) -> list[dict[str, Any]]:
    """One row for each step with attention: its word, p_t (None unless local) and the window's first and last position.

    Raises ValueError for a `look` that a step does not have.
    """
    rows = []
    for word in trace.words:
        if not word.step.looks:
            continue
        focus = _one(word, look).focus
        seen = focus.inside.nonzero().flatten().tolist()
        rows.append(
            {
                "target_position": word.t,
                "target": word.token,
                "center": None if focus.center is None else focus.center.item(),
                "first": seen[0] if seen else None,
                "last": seen[-1] if seen else None,
            }
        )
    return rows


def _one(word: Word, look: int | None) -> Look:
    looks = word.step.looks
    if look is None:
        return looks[0] if len(looks) == 1 else _mean(looks)
    if not 0 <= look < len(looks):
        raise ValueError(f"look must be an index from 0 to {len(looks) - 1} in this trace, not {look}")
    return looks[look]


def _mean(looks: tuple[Look, ...]) -> Look:
    """The mean of the looks of a step; p_t only if it is the same in all."""
    scores, align, weights, gaussian = (
        torch.stack(parts).mean(0)
        for parts in zip(*((x.scores, x.alignment, x.weights, x.focus.gaussian) for x in looks), strict=True)
    )
    inside = torch.stack([look.focus.inside for look in looks]).any(0)
    centers = [look.focus.center for look in looks]
    first = centers[0]
    alike = first is not None and all(center is not None and torch.equal(center, first) for center in centers)
    focus = Focus(inside, gaussian, first if alike else None)
    return replace(looks[0], scores=scores, alignment=align, weights=weights, focus=focus)
