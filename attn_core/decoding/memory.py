"""Running out of memory while decoding is reported as an error of the text. Does not import torch."""

from collections.abc import Iterator
from contextlib import contextmanager


def is_out_of_memory(error: BaseException) -> bool:
    """Whether this is Python's error for that or torch's, on a CPU or a GPU."""
    named = type(error).__name__ == "OutOfMemoryError" or "can't allocate memory" in str(error)
    return isinstance(error, MemoryError) or named


@contextmanager
def within_memory() -> Iterator[None]:
    """Raise ValueError if the block, which decodes text, runs out of memory."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        raise ValueError("there is not enough memory for this text; use shorter sentences or a smaller beam") from error
