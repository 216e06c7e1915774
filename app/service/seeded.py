"""Random numbers from a seed where a generator of one's own cannot be given, such as for the weights of new layers."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch

_drawing = threading.Lock()


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Draw torch's random numbers from `seed` inside the block or the decorated function, and as before after it.

    Torch has one generator for the whole process. One thread uses it at a time, so that what is computed for a reader
    does not depend on the others. Blocks cannot be nested.
    """
    with _drawing, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield
