"""Facts about this machine's processor, and the arithmetic that suits it.

Nothing here uses a stopwatch: two measurements may disagree, and a training that is resumed must round as it began.
"""

import platform
from functools import cache
from pathlib import Path
from typing import NamedTuple

import torch

CPUINFO = Path("/proc/cpuinfo")


class Suited(NamedTuple):
    """What is fast on the processors of one vendor."""

    products: str  # the library for fp32 matrix products: "mkl" or "onednn"
    bf16: str  # the instructions (see torch.cpu.get_capabilities) that multiply bf16 matrices faster than fp32 ones


# By the vendor's name in the processor. MKL multiplies at half speed on AMD's processors.
TABLE = {
    "AuthenticAMD": Suited("onednn", "avx512_bf16"),
    "GenuineIntel": Suited("mkl", "amx_bf16"),
}
OTHERS = Suited("mkl", "bf16")  # ARM: its flag for bf16 is called so, and torch multiplies as it likes


@cache
def vendor() -> str:
    """The vendor of the processor, a key of TABLE; empty for others."""
    text = CPUINFO.read_text(errors="replace") if CPUINFO.is_file() else platform.processor()
    return next((name for name in TABLE if name in text), "")


def suited() -> Suited:
    """What is fast on this processor, going by its vendor."""
    return TABLE.get(vendor(), OTHERS)


def multiplies_bf16() -> bool:
    """Whether bf16 matrix products are faster than fp32 ones here."""
    return bool(torch.cpu.get_capabilities().get(suited().bf16))


def description() -> str:
    """What decides how the processor rounds: its vendor, the vector instructions that torch uses, and bf16."""
    bf16 = [suited().bf16] if multiplies_bf16() else []
    return " ".join([vendor() or platform.machine(), torch.backends.cpu.get_cpu_capability(), *bf16])
