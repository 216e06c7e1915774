"""The attention of one query as it is usually drawn: compare, softmax, weight, sum."""

from collections.abc import Sequence

import altair as alt
import torch
from jaxtyping import Float
from torch import Tensor

from attn_core.data.subwords import readable
from attn_core.explain.step_graph import step_graph
from attn_core.figures.made import CLOSE, Made, Numbers, made
from attn_core.figures.sketch import Arrow, Box, Mark, Text, short, sketch
from attn_core.models.config import ModelConfig
from attn_core.palette import BLUE, DIM, INK, ORANGE, PALE, PAPER, RED, share
from attn_core.trace import Look

LEFT, WIDEST, COLUMN = 96, 900, (46, 84)  # pixels, as in network
FEW = 4  # the entries of vectors of at most this size are written out
ROW = 40  # pixels between rows of numbers


def weighing(
    look: Look,
    states: Float[Tensor, "src mem"],
    words: Sequence[str],
    config: ModelConfig | None = None,
    keys: Float[Tensor, "_ k"] | None = None,
    numbers: int = 20,
) -> alt.LayerChart:
    """A query, the states it is compared with, their scores and weights, and the weighted sum of the states.

    The steps from scores to weights are those of the model's `config`: softmax or sparsemax of the positions in view,
    the Gaussian of a local window, and the choice of hard attention; by default, softmax and soft attention. No arrow
    leaves the score of a position out of view, and no arrow leads from a state to its score if the score is `location`.
    With `keys`, the query is compared with the keys, and the states are values.

    Only the first `numbers` entries of vectors are drawn: blue if positive, red if negative, darker if larger.
    `states` are the values that the look averaged. Raises ValueError if there are not as many words and keys as states,
    if the weighted sum of the states is not the look's context, if the config gives other weights than the look has,
    and if the look has a batch axis.
    """
    config = config or ModelConfig()
    way = made(look, config)
    compares = "memory" in step_graph(config)["scores"].inputs
    if keys is not None and not compares:
        raise ValueError("the location score does not use keys: omit keys")
    _check(look, states, words, keys)
    words = readable(words)
    column = min(COLUMN[1], max(COLUMN[0], (WIDEST - LEFT) / (len(words) + 3)))
    what, compared = ("state", states) if keys is None else ("value", keys)
    shown, of_keys, of_query = (min(numbers, part.size(-1)) for part in (states, compared, look.query))
    longest = max(shown, of_keys, of_query)
    written = longest <= FEW
    cell = 22.0 if written else 120.0 / longest
    most = torch.cat([part.flatten() for part in (states[:, :shown], compared[:, :of_keys])]).abs().max().item()
    page = _Page(words, look, column, _Strips(most or 1.0, column * 0.56, cell, written))
    top, high = 34.0, max(of_keys, of_query) * cell
    marks = page.name(top + high / 2, "states" if keys is None else "keys")
    marks += [Text(page.query, 14, "query", 12, color=DIM)]
    marks += page.strips.strip(look.query[:of_query], page.query, top, "query")
    for x, word, key in zip(page.at, words, compared[:, :of_keys], strict=True):
        marks += [Text(x, 14, short(word, column), tip=word), *page.strips.strip(key, x, top, word)]
        if compares:
            marks.append(Arrow(x, top + high + 3, x, top + high + 31, color=DIM))
    marks += page.query_arrows(top + high)
    marks += page.weights(top + high + 44, way)
    weighed = page.bottom + ROW
    marks += page.name(weighed + shown * cell / 2, f"weight × {what}")
    for x, word, state, weight, seen in zip(
        page.at, words, states[:, :shown], look.weights.tolist(), look.focus.inside.tolist(), strict=True
    ):
        if seen:
            marks += page.strips.strip(weight * state, x, weighed, f"{weight:.4f} × {word}")
            marks.append(Arrow(x, page.bottom + 20, x, page.bottom + 37, color=DIM))
    marks += [
        Text((page.at[-1] + page.sum) / 2, weighed + shown * cell / 2, "= Σ", 15, True),
        Text(page.sum, weighed - 14, "context", 12),
    ]
    marks += page.strips.strip(look.context[:shown], page.sum, weighed, "context")
    return sketch(marks, page.sum + column / 2, weighed + shown * cell + 8, 1)


def _check(
    look: Look, states: Float[Tensor, "src mem"], words: Sequence[str], keys: Float[Tensor, "_ k"] | None
) -> None:
    if len(words) != len(states):
        raise ValueError(f"expected a word for each of {len(states)} states, not {len(words)} words")
    if len(states) != look.scores.numel():
        raise ValueError(f"expected a state for each of the look's {look.scores.numel()} scores, not {len(states)}")
    if keys is not None and len(keys) != len(states):
        raise ValueError(f"expected a key for each of {len(states)} states, not {len(keys)} keys")
    if states.size(-1) != look.context.size(-1):
        raise ValueError(
            f"states must have the size of the look's context, {look.context.size(-1)}, not {states.size(-1)}"
        )
    states = states.detach().to(look.weights.dtype)
    far = (look.weights @ states - look.context).abs().max()
    if not far <= CLOSE * max(1.0, states.abs().max().item()):
        raise ValueError(
            "the weighted sum of the states is not the look's context: give the states that it averaged "
            "(memory.states, or the values of one head)"
        )


class _Page:
    """The layout of the columns, and the rows of numbers between the keys and the weighted sum."""

    def __init__(self, words: Sequence[str], look: Look, column: float, strips: "_Strips"):
        self.words, self.look, self.column, self.strips = words, look, column, strips
        *self.at, self.sum = (LEFT + (place + 1.5) * column for place in range(len(words) + 1))
        self.query = LEFT + column / 2
        self.bottom = 0.0  # y of the last row of numbers

    def name(self, y: float, name: str) -> list[Mark]:
        return [Text(LEFT - 8, y, name, 12, align="right", color=DIM)]

    def query_arrows(self, y: float) -> list[Mark]:
        """Arrows from the query, whose strip ends at `y`, to the score of each position."""
        rail, beside = y + 16, self.column * 0.2
        marks: list[Mark] = [
            Arrow(self.query, y + 3, self.query, rail, color=DIM, head=False),
            Arrow(self.query, rail, self.at[-1] - beside, rail, color=DIM, head=False),
        ]
        return marks + [Arrow(x - beside, rail, x - beside, y + 31, color=DIM) for x in self.at]

    def weights(self, y: float, way: Made) -> list[Mark]:
        """The rows from scores to weights, in the order of Attention.look."""
        look = self.look
        scores, bell = look.scores, look.focus.gaussian
        marks = self.row(y, "scores", scores, everywhere=True)
        if way.gaussian == "on_scores":
            marks += [*self.row(y + ROW, "Gaussian", bell, "×"), *self.row(y + 2 * ROW, "product", scores * bell, "=")]
            y += 2 * ROW
        marks += self.box(y + ROW, way.align)
        y += 2 * ROW
        shares = look.alignment
        if way.gaussian in ("after_softmax", "renorm"):
            marks += [*self.row(y, way.align.split(",")[0], shares), *self.row(y + ROW, "Gaussian", bell, "×")]
            y += 2 * ROW
            shares = shares * bell
            if way.gaussian == "renorm":
                marks += [*self.row(y, "product", shares, "="), *self.box(y + ROW, "divide by the sum")]
                y += 2 * ROW
                shares = shares / shares.sum().clamp_min(torch.finfo(shares.dtype).tiny)
        before = "=" if way.gaussian == "after_softmax" else ""
        if way.hard:
            marks += [*self.row(y, "soft weights", shares, before), *self.box(y + ROW, "choose one position")]
            y, before = y + 2 * ROW, ""
        self.bottom = y
        return [*marks, *self.row(y, "weights", look.weights, before, filled=True)]

    def row(
        self, y: float, name: str, values: Numbers, sign: str = "", everywhere: bool = False, filled: bool = False
    ) -> list[Mark]:
        """A number for each position in view; `sign` is the operation on the row above, if there is no box between."""
        marks = self.name(y, f"{sign} {name}".strip())
        color = ORANGE if name == "Gaussian" else BLUE
        for x, word, value, seen in zip(
            self.at, self.words, values.tolist(), self.look.focus.inside.tolist(), strict=True
        ):
            if not (seen or everywhere):
                marks.append(Text(x, y, "–", 12, color=DIM, tip=f"{word}: out of view"))
                continue
            part = 0.75 * min(1.0, value) if filled else 0.0
            tip = f"{word}: {value:.6g}" + ("" if seen else ", out of view")
            ink = PAPER if part > 0.525 else INK if seen else DIM
            marks.append(
                Box(x, y, self.column * 0.8, 24, color=color if seen else PALE, fill=share(BLUE, part), tip=tip)
            )
            marks.append(Text(x, y, f"{value:.2f}", 12, color=ink, tip=tip))
        return marks

    def box(self, y: float, name: str) -> list[Mark]:
        """A box for an operation on all positions in view, with an arrow in and an arrow out for each."""
        seen = [x for x, inside in zip(self.at, self.look.focus.inside.tolist(), strict=True) if inside]
        if not seen:
            return [Text((self.at[0] + self.at[-1]) / 2, y, "no position is in view", 12, color=DIM)]
        middle = (seen[0] + seen[-1]) / 2
        marks: list[Mark] = [Box(middle, y, seen[-1] - seen[0] + self.column * 0.8, 22, color=DIM)]
        marks.append(Text(middle, y, name, 12, color=DIM))
        return marks + [Arrow(x, start, x, start + 17, color=DIM) for x in seen for start in (y - 28, y + 11)]


class _Strips:
    """Vectors as strips of cells with a common colour scale."""

    def __init__(self, most: float, width: float, cell: float, written: bool):
        self.most, self.width, self.cell, self.written = most, width, cell, written

    def strip(self, vector: Float[Tensor, "n"], x: float, top: float, name: str) -> list[Mark]:
        marks: list[Mark] = []
        for place, value in enumerate(vector.tolist()):
            y = top + (place + 0.5) * self.cell
            part = min(1.0, abs(value) / self.most)
            fill, tip = share(BLUE if value >= 0 else RED, part), f"{name}, entry {place}: {value:.4f}"
            marks.append(Box(x, y, self.width, self.cell, color=PALE, fill=fill, tip=tip, sharp=not self.written))
            if self.written:  # + 0.0: no -0.00
                marks.append(Text(x, y, f"{value + 0.0:.2f}", 12, color=PAPER if part > 0.6 else INK, tip=tip))
        return marks
