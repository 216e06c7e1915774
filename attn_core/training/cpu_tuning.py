"""Set this process up for work on the CPU: memory of the C library and of oneDNN, and who multiplies matrices.

All of it holds for the whole process, so only programs call it (this project's command line, its benchmarks): a library
should not change its caller's process. Nothing here runs on import, and importing it does not import torch.
"""

import ctypes
import os
import platform

from attn_core.registry import load

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of malloc.h
CACHES = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "64", "LRU_CACHE_CAPACITY": "16"}  # read once, as torch is imported


def tune_cpu(products: str | None = None) -> str:
    """Tune this process for training and decoding on the CPU; returns the library that multiplies fp32 matrices.

    Calls `tune_memory`, so the first call should come before torch is imported. Then fp32 products go to `products`,
    "mkl" or "onednn"; None measures which one is faster here. Their results differ by rounding, so a run that is
    resumed takes the library it began with from its state. May be called again; a process that multiplies with oneDNN
    continues to.
    """
    tune_memory()
    return str(load("attn_core.training.products:multiply_with")(products))


def tune_memory() -> None:
    """The part of `tune_cpu` that must come before torch is imported, and does not import it."""
    bound_caches()
    keep_memory()


def keep_memory() -> bool:
    """Let glibc keep freed blocks of up to 32 MiB instead of handing them back to the system; False without glibc.

    Training frees and asks for the same blocks of some megabytes at every update. A block that comes fresh from the
    system is cleared page by page as it is first touched, which can cost more than the arithmetic on it. Of an update
    of a `small` model (72 ms) this saves a quarter of the page faults, 1 to 5 ms; where many such blocks live at
    once, much more. Call it before the first tensor is made. Up to 1 GiB that is no longer needed stays with us.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    libc = ctypes.CDLL(None)
    # 32 MiB is the most that glibc accepts on a 64-bit machine. mallopt returns 1 when it took the value.
    return bool(libc.mallopt(M_MMAP_THRESHOLD, 32 << 20)) and bool(libc.mallopt(M_TRIM_THRESHOLD, 1 << 30))


def bound_caches() -> None:
    """Let oneDNN, and torch's layer above it, remember fewer of the shapes that they have multiplied.

    They keep what they built for up to 1024 shapes, and no two batches of text have the same: in bf16 with 30,000
    words, `small` grew from 0.9 GB to 2.0 GB in 240 updates. With these bounds it stayed at 1.1 GB, as fast. Values
    that the environment has already stay. Call it before torch is imported, which reads them once.
    """
    for name, shapes in CACHES.items():
        os.environ.setdefault(name, shapes)
