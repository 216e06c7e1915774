"""Tune this process for the CPU: the memory of glibc and oneDNN, threads, and the library for matrix products.

The settings affect the whole process, so only programs call these functions (the command line, the benchmarks); a
library should not change its caller's process. Importing this file has no effect and does not import torch.
"""

import ctypes
import os
import platform
import re

from attn_core.messages import print_warning
from attn_core.registry import load

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # constants of malloc.h
SPINS = "30000"
MOST_THREADS = 1024  # the system refuses to start many more, and libgomp then ends the process
CACHES = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "64", "LRU_CACHE_CAPACITY": "16"}  # read once, when torch is imported


def tune_cpu(products: str | None = None) -> str:
    """Tune this process for training and decoding on the CPU; returns the library for fp32 matrix products.

    The first call should precede the import of torch: see `tune_memory`. Threads are limited to the cores that this
    process may use. `products` is the library, "mkl" or "onednn"; None selects the one that suits the processor. The
    results of the two differ by rounding, so a resumed run uses the library recorded in its state (rounding.py). May be
    called again, but does not switch from oneDNN back to MKL.
    """
    tune_memory()
    load("attn_core.training.speed.threads:limit_threads")()
    return str(load("attn_core.training.speed.products:multiply_with")(products))


def tune_memory() -> None:
    """The part of `tune_cpu` that must run before torch is imported; it does not import torch."""
    check_thread_count()
    bound_waiting()
    bound_caches()
    keep_memory()


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
    busy processes a training of (c) of the benchmarks made 804 words a second with the default, 1,364 with 10,000
    checks and 1,859 with none; beside four, 776 with 30,000, and with the default it did not end in time. On a quiet
    machine (AMD EPYC) no difference from the default was above the noise of 10%. Settings of the environment are kept.
    Call this before torch is imported, which reads them once.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", SPINS)


def keep_memory() -> bool:
    """Let glibc keep freed blocks of up to 32 MiB instead of returning them to the system; False without glibc.

    Training frees and allocates the same blocks of some megabytes at every update. The system clears a new block page
    by page when it is first touched, which can cost more than the arithmetic on it. For an update of a small model
    (72 ms) this saves a quarter of the page faults, 1 to 5 ms; with many such blocks at once, much more. Call this
    before the first tensor is created. Up to 1 GiB of freed memory stays in the process.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    libc = ctypes.CDLL(None)
    # 32 MiB is the maximum of glibc on a 64-bit machine. mallopt returns 1 if it accepts the value.
    return bool(libc.mallopt(M_MMAP_THRESHOLD, 32 << 20)) and bool(libc.mallopt(M_TRIM_THRESHOLD, 1 << 30))


def bound_caches() -> None:
    """Limit the caches that oneDNN, and torch's layer above it, keep per shape of a product.

    They cache up to 1024 shapes, but batches of text rarely have the same shape: in bf16 with 30,000 words a small
    model grew from 0.9 GB to 2.0 GB in 240 updates. With these limits it stayed at 1.1 GB and was as fast. Variables
    already set in the environment are kept. Call this before torch is imported, which reads them once.
    """
    for name, shapes in CACHES.items():
        os.environ.setdefault(name, shapes)
