"""Names for intermediate values of a step that the record has no field for, such as the input of the RNN.

A model marks them with `named`, which does nothing unless a caller collects them with `naming`. The export of a model's
graph does, so that every quantity of `explain.step_graph` can be inspected where the graph runs.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor
else:
    Tensor = Any

_collected: ContextVar[dict[str, Any] | None] = ContextVar("named", default=None)


def named(name: str, value: Tensor) -> Tensor:
    """`value` itself, which is the quantity `name` of a decoding step, or that of layer n of a stack if it is `name.n`.

    The first value of a name counts: in several steps that of the first, in a stack of recurrent layers the lowest one.
    """
    found = _collected.get()
    if found is not None:
        found.setdefault(name, value)
    return value


@contextmanager
def naming() -> Iterator[dict[str, Tensor]]:
    """The values that `named` marks within the block, by name."""
    found: dict[str, Any] = {}
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)
