"""Values that a caller sets by hand, in place of those that the model computes.

Attention modules pass their weights and context vectors through `edited`, encoders the embeddings of the source and
the values of self-attention. It returns them unchanged except inside an `editing` block. Everything computed
afterwards, such as the context vector from the weights, follows from the edited values.
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

Quantity = Literal["weights", "context", "embedding", "value"]


@dataclass(frozen=True)
class Replacement:
    """What a head uses instead of its computed weights (*b src) or context vector (*b mem): `change` of these.

    Two belong to no head, and their head is 0: the embeddings of the source (b src m), in written order, of layer 0,
    and the values of all heads in a layer of the encoder's self-attention (b heads src v).
    """

    quantity: Quantity
    layer: int
    head: int
    change: Callable[[Tensor], Tensor]


_replacements: ContextVar[Sequence[Replacement]] = ContextVar("replacements", default=())


def edited(quantity: Quantity, layer: int, head: int, value: Tensor) -> Tensor:
    """`value`, computed by a head or an encoder (see Replacement), after all its replacements, in their order."""
    for one in _replacements.get():
        if (one.quantity, one.layer, one.head) == (quantity, layer, head):
            value = one.change(value)
    return value


def is_edited() -> bool:
    """Whether anything is replaced now; a layer that computes all heads at once then splits them."""
    return bool(_replacements.get())


@contextmanager
def editing(replacements: Sequence[Replacement]) -> Iterator[None]:
    """Set values by hand in what is computed within the block."""
    token = _replacements.set(replacements)
    try:
        yield
    finally:
        _replacements.reset(token)
