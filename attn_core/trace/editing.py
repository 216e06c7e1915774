"""Weights and context vectors of a step that a caller sets by hand, in place of those that the model computes.

Attention modules pass what they compute through `edited`, which returns it unchanged except inside an `editing` block.
Everything computed afterwards, such as the context vector from the weights, follows from the edited values.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from torch import Tensor
else:
    Tensor = Any

Quantity = Literal["weights", "context"]


@dataclass(frozen=True)
class Replacement:
    """What a head uses instead of its computed weights (*b src) or context vector (*b mem): `change` of these."""

    quantity: Quantity
    layer: int
    head: int
    change: Callable[[Tensor], Tensor]


_replacements: ContextVar[Sequence[Replacement]] = ContextVar("replacements", default=())


def edited(quantity: Quantity, layer: int, head: int, value: Tensor) -> Tensor:
    """`value`, computed by a head (weights *b src, or context *b mem), after all its replacements, in their order."""
    for one in _replacements.get():
        if (one.quantity, one.layer, one.head) == (quantity, layer, head):
            value = one.change(value)
    return value


def is_edited() -> bool:
    """Whether anything is replaced now; a layer that computes all heads at once then splits them."""
    return bool(_replacements.get())


@contextmanager
def editing(replacements: Sequence[Replacement]) -> Iterator[None]:
    """Set weights and context vectors by hand in the steps that are computed within the block."""
    token = _replacements.set(replacements)
    try:
        yield
    finally:
        _replacements.reset(token)
