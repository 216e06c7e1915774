"""The cells and steps of a heatmap by words, for a vocabulary of word pieces, as the player shows them.

The weights of a source word's pieces are summed; those of a target word's pieces, which are chosen one a step, are
averaged over their steps. Scores and the Gaussian belong to pieces: by words there are none.
"""

from collections.abc import Sequence
from itertools import groupby
from statistics import mean
from typing import Any

from attn_core.data.subwords import word_numbers


def joined_cells(rows: Sequence[dict[str, Any]], source: Sequence[str], target: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of `cells` by words: one for each target and source word, with the positions of the words.

    `source` and `target` are the tokens as in the vocabulary. A word is in the window if one of its pieces is, at one
    of the steps.
    """
    columns, lines = word_numbers(source), word_numbers(target)
    groups: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((lines[row["target_position"]], columns[row["source_position"]]), []).append(row)
    return [
        {"target_position": t, "source_position": s, "score": None, "gaussian": None}
        | {part: sum(row[part] for row in pieces) / lines.count(t) for part in ("alignment", "weight")}
        | {"in_window": any(row["in_window"] for row in pieces)}
        for (t, s), pieces in groups.items()
    ]


def joined_steps(rows: Sequence[dict[str, Any]], source: Sequence[str], target: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of `steps` by words: p_t is the mean over a word's steps, between words as it was between pieces."""
    columns, lines = word_numbers(source), word_numbers(target)
    edges = _edges(columns)
    joined = []
    for t, steps in groupby(rows, key=lambda row: lines[row["target_position"]]):
        pieces = list(steps)
        centers = [_between(row["center"], edges) for row in pieces if row["center"] is not None]
        firsts = [columns[row["first"]] for row in pieces if row["first"] is not None]
        lasts = [columns[row["last"]] for row in pieces if row["last"] is not None]
        joined.append(
            {
                "target_position": t,
                "center": mean(centers) if centers else None,
                "first": min(firsts, default=None),
                "last": max(lasts, default=None),
            }
        )
    return joined


def _edges(columns: Sequence[int]) -> list[float]:
    """The left edge of each piece, and the right edge of the last; words are 1 wide, and their pieces share that."""
    places = [column + columns[:i].count(column) / columns.count(column) for i, column in enumerate(columns)]
    return [*places, columns[-1] + 1]


def _between(center: float, edges: Sequence[float]) -> float:
    """A position among pieces as one among words; it may lie beyond the last one."""
    at = center + 0.5
    piece = min(max(int(at // 1), 0), len(edges) - 2)
    return edges[piece] + (at - piece) * (edges[piece + 1] - edges[piece]) - 0.5
