"""Tune this process for the CPU: its threads, and the caches of oneDNN.

The settings affect the whole process, so only programs call these functions (the command line, the benchmarks); a
library should not change its caller's process. Importing this file has no effect and does not import torch.
"""

import os
import re

from attn_core.messages import print_warning
from attn_core.registry import load

SPINS = "30000"
MOST_THREADS = 1024  # the system refuses to start many more, and libgomp then ends the process
CACHES = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "64", "LRU_CACHE_CAPACITY": "16"}  # read once, when torch is imported


def tune_cpu() -> None:
    """Tune this process for training and decoding on the CPU.

    The first call should precede the import of torch: see `tune_before_torch`. Threads are limited to the cores that
    this process may use.
    """
    tune_before_torch()
    load("attn_core.training.speed.threads:limit_threads")()


def tune_before_torch() -> None:
    """The part of `tune_cpu` that must run before torch is imported; it does not import torch."""
    check_thread_count()
    bound_waiting()
    bound_caches()


def check_thread_count() -> None:
    """Unset an OMP_NUM_THREADS that is not a number of threads, with a warning that names it; OpenMP's does not."""
    value = os.environ.get("OMP_NUM_THREADS")
    if value is None:
        return
    numbers = value.split(",")  # one for each level of nesting
    if not all(re.fullmatch(r"\s*[0-9]{1,9}\s*", text) and 1 <= int(text) <= MOST_THREADS for text in numbers):
        del os.environ["OMP_NUM_THREADS"]
        print_warning(f"OMP_NUM_THREADS={value!r} is ignored: it takes a number of threads, 1 to {MOST_THREADS}")


def bound_waiting() -> None:
    """Let a thread that waits for others check 30,000 times, not 300,000, before it gives its core to another process.

    On two cores that other processes use too, two threads with libgomp's default mostly wait for each other. Beside two
    busy processes, training is 1.5 times as fast with this limit (benchmark `gains`); on a quiet machine the difference
    is below the noise. Settings of the environment are kept. Call this before torch is imported, which reads them once.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", SPINS)


def bound_caches() -> None:
    """Limit the caches that oneDNN, and torch's layer above it, keep per shape of a product.

    They cache up to 1024 shapes, but batches of text rarely have the same shape. With these limits a training process
    is as fast and takes 625 MB instead of 838, on two threads 647 instead of 1,159 (benchmark `gains`); see also
    tests/benchmarks/README.md. Variables already set in the environment are kept. Call this before torch is imported,
    which reads them once.
    """
    for name, shapes in CACHES.items():
        os.environ.setdefault(name, shapes)
