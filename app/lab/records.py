"""What the lab's components are sent of a Trace."""

import json
from typing import Any

from attn_core.trace import Trace, dump

DIGITS = 5  # significant digits of a vector's numbers on their way to the browser; it shows four


def wire(trace: Trace) -> dict[str, Any]:
    """The trace as the browser reads it (schema 1)."""
    return json.loads(dump(trace))


def gram(trace: Trace) -> list[list[float]]:
    """The inner products of the memory's states: all that the length of a context depends on."""
    return few_digits(trace.memory.states @ trace.memory.states.T)


def few_digits(values: Any) -> Any:
    """A tensor as (nested) lists of numbers that are short to write."""
    return json.loads(json.dumps(values.tolist()), parse_float=lambda digits: float(f"{float(digits):.{DIGITS}g}"))
