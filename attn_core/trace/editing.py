"""Weights and context vectors of a step that a caller sets by hand, in place of those that the model computes.

A model offers them with `edited`, which returns the computed ones unless the caller has set others with `editing`. What
is computed from them, such as the context vector from the weights, follows from what was set.
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

WEIGHTS: Literal["weights"] = "weights"
CONTEXT: Literal["context"] = "context"


@dataclass(frozen=True)
class Put:
    """What a head uses instead of its computed weights (*b src) or context vector (*b mem): `change` of these."""

    what: Literal["weights", "context"]
    layer: int
    head: int
    change: Callable[[Tensor], Tensor]


_puts: ContextVar[Sequence[Put]] = ContextVar("puts", default=())


def edited(what: str, layer: int, head: int, value: Tensor) -> Tensor:
    """The `value` that a head computed or what is set by hand; of several, each changes what the one before left."""
    for put in _puts.get():
        if (put.what, put.layer, put.head) == (what, layer, head):
            value = put.change(value)
    return value


def is_edited() -> bool:
    """Whether anything is set by hand, so that a layer which computes all heads at once takes them apart."""
    return bool(_puts.get())


@contextmanager
def editing(puts: Sequence[Put]) -> Iterator[None]:
    """Set weights and context vectors by hand in the steps that are computed within the block."""
    token = _puts.set(puts)
    try:
        yield
    finally:
        _puts.reset(token)
