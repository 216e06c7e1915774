"""The number of threads that suits this process; imports torch, which cpu_tuning.py must not."""

import os

import torch
from joblib import cpu_count


def usable_cores() -> int:
    """The cores that this process may use, at least 1: a container's share of the machine, rounded up."""
    return int(cpu_count())


def limit_threads() -> None:
    """Let torch use no more threads than there are usable cores, unless OMP_NUM_THREADS asks for more.

    In a container with a share of the cores torch counts those of the whole machine, and its threads then spend their
    time waiting for each other: with four times as many threads as cores, training is 1.6 times as fast with this limit
    (benchmark `gains`).
    """
    if "OMP_NUM_THREADS" not in os.environ and torch.get_num_threads() > usable_cores():
        torch.set_num_threads(usable_cores())
