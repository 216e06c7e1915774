"""Facts about this machine's processor, and the libraries and precision that suit it.

Nothing is timed here: timings vary from run to run, and a resumed training must round exactly as it did before. The
rates in TABLE were measured once for each kind; `python -m tests.benchmarks rates` measures them again and
checks the table.
"""

import platform
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import torch

CPUINFO = Path("/proc/cpuinfo")


class Kind(NamedTuple):
    """A kind of processor."""

    vendor: str  # as in /proc/cpuinfo; empty for a vendor that is not in TABLE
    bf16: str  # its best instructions for bf16 products, a key of torch.cpu.get_capabilities; empty for none


class Suited(NamedTuple):
    """The fast choices on a kind of processor."""

    products: str  # the library for fp32 matrix products: "mkl" or "onednn"
    bf16: bool  # whether bf16 products are faster than fp32 ones
    rates: Mapping[str, float] = MappingProxyType({})  # measured, in GFLOP/s of one core; a choice rests on them


INSTRUCTIONS = "amx_bf16", "avx512_bf16", "bf16"  # the fastest first; ARM's flag is the last
OTHERS = Suited("mkl", bf16=False)  # the safe choice, torch's defaults, where nothing was measured: AMX and ARM too
TABLE = {
    # An EPYC with both: its bf16 products took a half to a quarter of the time of fp32 ones.
    Kind("AuthenticAMD", "avx512_bf16"): Suited("onednn", bf16=True, rates={"mkl": 90, "onednn": 200}),
    # An EPYC without AVX-512; on another one with it oneDNN is a tenth faster than MKL.
    Kind("AuthenticAMD", ""): Suited("onednn", bf16=False, rates={"mkl": 75, "onednn": 80, "bf16": 1}),
    # An Emerald Rapids in a virtual machine without AMX: bf16 instructions at half the speed of fp32.
    Kind("GenuineIntel", "avx512_bf16"): Suited("mkl", bf16=False, rates={"mkl": 160, "bf16": 80}),
}


@cache
def vendor() -> str:
    """The vendor ID of the processor if it is in TABLE, otherwise empty."""
    text = CPUINFO.read_text(errors="replace") if CPUINFO.is_file() else platform.processor()
    return next((kind.vendor for kind in TABLE if kind.vendor and kind.vendor in text), "")


def onednn_has_bf16() -> bool:
    """Whether oneDNN, which multiplies bf16 matrices on x86, may do so: ONEDNN_MAX_CPU_ISA can forbid it."""
    return bool(torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported())


def computes_bf16() -> bool:
    """Whether torch can compute every model in bf16 here, fast or slow. On x86 its LSTM needs oneDNN's bf16."""
    return onednn_has_bf16() or bool(torch.cpu.get_capabilities().get("bf16"))


def kind() -> Kind:
    """The kind of this processor."""
    has = torch.cpu.get_capabilities()
    bf16 = next((name for name in INSTRUCTIONS if has.get(name)), "")
    return Kind(vendor(), bf16 if computes_bf16() else "")


def suited() -> Suited:
    """The fast choices on this processor; OTHERS for a kind that is not in TABLE."""
    return TABLE.get(kind(), OTHERS)


def multiplies_bf16() -> bool:
    """Whether bf16 matrix products are faster than fp32 ones here."""
    return suited().bf16


def description() -> str:
    """The facts that determine rounding on this processor: vendor, torch's vector instructions, and bf16 support."""
    here = kind()
    bf16 = [here.bf16] if suited().bf16 else []
    return " ".join([here.vendor or platform.machine(), torch.backends.cpu.get_cpu_capability(), *bf16])
