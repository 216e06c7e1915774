"""Seeded random numbers where no torch.Generator can be passed, such as when layers initialise their weights."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch

_drawing = threading.Lock()


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seed torch's global generator for the block or the decorated function, and restore its state afterwards.

    The whole process shares this generator. Only one thread uses it at a time, so what is computed for a reader does
    not depend on the others. Blocks cannot be nested.
    """
    with _drawing, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield
