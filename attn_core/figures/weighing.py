"""One look, as soft attention is usually drawn: compare, softmax, weigh, add up."""

from collections.abc import Sequence

import altair as alt
import torch
from jaxtyping import Float
from torch import Tensor

from attn_core.figures.sketch import BLUE, DIM, INK, PALE, PAPER, Arrow, Box, Mark, Text, short, sketch
from attn_core.trace import Look

LEFT, WIDEST, COLUMN = 96, 900, (46, 84)  # pixels, as in network
FEW = 4  # vectors of so many numbers are written out
POSITIVE, NEGATIVE = (36, 67, 196), (194, 87, 12)


def weighing(
    look: Look,
    states: Float[Tensor, "src mem"],
    words: Sequence[str],
    keys: Float[Tensor, "src k"] | None = None,
    numbers: int = 20,
) -> alt.LayerChart:
    """A query, the states it is compared with, their scores and weights, and the sum of the weighed states.

    With `keys` these are what is compared, and the states are values, which are read alone.

    Of long vectors the first `numbers` are drawn: blue above 0, orange below, the darker the further away. `states`
    are those that the look read. Raises ValueError unless there is a word for each of them.
    """
    if len(words) != len(states):
        raise ValueError(f"{len(words)} words and {len(states)} states: each state needs its word")
    column = min(COLUMN[1], max(COLUMN[0], (WIDEST - LEFT) / (len(words) + 3)))
    what, compared = ("state", states) if keys is None else ("value", keys)
    shown, of_keys, of_query = (min(numbers, part.size(-1)) for part in (states, compared, look.query))
    longest = max(shown, of_keys, of_query)
    written = longest <= FEW
    cell = 22.0 if written else 120.0 / longest
    most = torch.cat([part.flatten() for part in (states[:, :shown], compared[:, :of_keys])]).abs().max().item()
    page = _Strips(most or 1.0, column * 0.56, cell, written)
    top, high = 34.0, max(of_keys, of_query) * cell
    scores, softmax, weights = top + high + 44, top + high + 84, top + high + 124
    weighed = weights + 40
    rows = {top + high / 2: "states" if keys is None else "keys", scores: "scores", weights: "weights"}
    rows[weighed + shown * cell / 2] = f"weight × {what}"
    marks: list[Mark] = [Text(LEFT - 8, y, name, 12, align="right", color=DIM) for y, name in rows.items()]
    at = [LEFT + (place + 1.5) * column for place in range(len(words) + 1)]
    query = LEFT + column / 2
    marks += [Text(query, 14, "query", 12, color=DIM), *page.strip(look.query[:of_query], query, top, "query")]
    marks += [Box((at[0] + at[-2]) / 2, softmax, at[-2] - at[0] + column * 0.8, 22, color=DIM)]
    marks += [Text((at[0] + at[-2]) / 2, softmax, "softmax", 12, color=DIM)]
    for x, word, key, state, score, weight in zip(
        at, words, compared[:, :of_keys], states[:, :shown], look.scores.tolist(), look.weights.tolist(), strict=False
    ):
        marks += [Text(x, 14, short(word, column), tip=word), *page.strip(key, x, top, word)]
        marks += [*page.strip(weight * state, x, weighed, f"{weight:.4f} × {word}")]
        for y, value, fill in ((scores, score, PAPER), (weights, weight, _mixed(POSITIVE, 0.75 * weight))):
            tip = f"{word}: {value:.6g}"
            marks.append(Box(x, y, column * 0.8, 24, color=BLUE, fill=fill, tip=tip))
            marks.append(Text(x, y, f"{value:.2f}", 12, color=PAPER if y == weights and weight > 0.7 else INK, tip=tip))
        marks.append(Arrow(x, top + high + 3, x, scores - 13, color=DIM))
        marks += [Arrow(x, y, x, y + 17, color=DIM) for y in (scores + 12, softmax + 11, weights + 20)]
    marks.append(Arrow(query, top + high + 3, at[0] - column * 0.42, scores - 3, color=DIM))
    marks += [
        Text((at[-2] + at[-1]) / 2, weighed + shown * cell / 2, "= Σ", 15, True),
        Text(at[-1], weighed - 14, "context", 12),
    ]
    marks += page.strip(look.context[:shown], at[-1], weighed, "context")
    return sketch(marks, at[-1] + column / 2, weighed + shown * cell + 8, 1)


class _Strips:
    """Vectors as strips of cells, one colour scale for all."""

    def __init__(self, most: float, width: float, cell: float, written: bool):
        self.most, self.width, self.cell, self.written = most, width, cell, written

    def strip(self, vector: Float[Tensor, "n"], x: float, top: float, name: str) -> list[Mark]:
        marks: list[Mark] = []
        for place, value in enumerate(vector.tolist()):
            y = top + (place + 0.5) * self.cell
            share = min(1.0, abs(value) / self.most)
            fill, tip = _mixed(POSITIVE if value >= 0 else NEGATIVE, share), f"{name}, number {place + 1}: {value:.4f}"
            marks.append(Box(x, y, self.width, self.cell, color=PALE, fill=fill, tip=tip, sharp=not self.written))
            if self.written:
                marks.append(Text(x, y, f"{value:.2f}", 12, color=PAPER if share > 0.6 else INK, tip=tip))
        return marks


def _mixed(color: tuple[int, int, int], share: float) -> str:
    """So much of a colour on white."""
    return "#" + "".join(f"{round(255 + share * (part - 255)):02x}" for part in color)
