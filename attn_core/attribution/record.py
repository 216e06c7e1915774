"""The record of an attribution: for each written word a number for each source word."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

COLUMNS = ("step", "word", "position", "source", "value", "attributed", "error")


@dataclass(frozen=True)
class Attribution:
    """How much each source word mattered for each word of a translation, by one method.

    `values[t, s]` is the number of source token s for target token t; both count from 0. If `signed`, it is in the
    units of the attributed quantity, and positive where the source word raises it; otherwise it is not negative, has no
    sign to lose, and is comparable within a row only. `attributed` is the quantity itself at each step, such as
    log p(y_t | y_<t, x), natural; None for a method that attributes no quantity. `errors` is what the method's own
    check misses for each word: for integrated gradients |sum of the row - (quantity - quantity at the baseline)|.
    """

    model: str
    method: str
    settings: dict[str, Any]  # of the method
    quantity: str  # what is attributed; empty for a method that attributes no quantity
    signed: bool
    source: tuple[str, ...]
    target: tuple[str, ...]
    values: Float[Tensor, "tgt src"]
    attributed: Float[Tensor, "tgt"] | None = None
    errors: Float[Tensor, "tgt"] | None = None

    @property
    def relative(self) -> Float[Tensor, "tgt src"]:
        """The values of each target token, divided by the largest absolute value among them; rows of zeros stay.

        So that `figures.grid` can show the maps of several methods side by side.
        """
        largest = self.values.abs().amax(1, keepdim=True)
        return self.values / torch.where(largest > 0, largest, 1)

    def to_json(self) -> dict[str, Any]:
        """The record as a JSON object: its fields, tensors as lists (values: one list for each target token)."""
        found = dict(vars(self))
        for name in ("values", "attributed", "errors"):
            found[name] = None if found[name] is None else found[name].tolist()
        return found

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The record as a table with the columns COLUMNS, one row for each pair of a target and a source token."""
        of_steps = [[None] * len(self.target) if x is None else x.tolist() for x in (self.attributed, self.errors)]
        for t, row in enumerate(self.values.tolist()):
            for s, value in enumerate(row):
                yield t, self.target[t], s, self.source[s], value, of_steps[0][t], of_steps[1][t]

    def __str__(self) -> str:
        """The values as a table for a terminal: a line for each source token, a column for each target token."""
        head = ["", *self.target]
        columns = zip(self.source, self.values.T.tolist(), strict=True)
        lines = [head, *([token, *(f"{x:.2f}" for x in column)] for token, column in columns)]
        first, *others = (max(map(len, column)) for column in zip(*lines, strict=True))
        aligned = (
            [token.ljust(first), *(cell.rjust(n) for cell, n in zip(cells, others, strict=True))]
            for token, *cells in lines
        )
        return "\n".join("  ".join(line) for line in aligned)
