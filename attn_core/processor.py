"""Facts about this machine's processor, and the precision that suits it.

Nothing is timed here: timings vary from run to run, and a resumed training must round exactly as it did before. RATES
were measured once for each kind; `python -m tests.benchmarks rates` measures them again and checks the choice.
"""

import platform
from functools import cache
from pathlib import Path
from typing import NamedTuple

import torch

CPUINFO = Path("/proc/cpuinfo")


class Kind(NamedTuple):
    """A kind of processor."""

    vendor: str  # as in /proc/cpuinfo; empty for a vendor that is not in RATES
    bf16: str  # its best instructions for bf16 products, a key of torch.cpu.get_capabilities; empty for none


INSTRUCTIONS = "amx_bf16", "avx512_bf16", "bf16"  # the fastest first; ARM's flag is the last
# GFLOP/s of one core with matrices in fp32 and in bf16, by kind.
RATES = {
    # An EPYC with AVX-512 and bf16 instructions.
    Kind("AuthenticAMD", "avx512_bf16"): {"fp32": 90, "bf16": 200},
    # An EPYC without AVX-512, which emulates bf16.
    Kind("AuthenticAMD", ""): {"fp32": 75, "bf16": 1},
    # An Emerald Rapids in a virtual machine without AMX: bf16 instructions at half the speed of fp32.
    Kind("GenuineIntel", "avx512_bf16"): {"fp32": 160, "bf16": 80},
}


@cache
def vendor() -> str:
    """The vendor ID of the processor if it is in RATES, otherwise empty."""
    text = CPUINFO.read_text(errors="replace") if CPUINFO.is_file() else platform.processor()
    return next((kind.vendor for kind in RATES if kind.vendor and kind.vendor in text), "")


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


def multiplies_bf16() -> bool:
    """Whether bf16 matrix products were measured to be faster than fp32 ones on this kind of processor.

    False for kinds that were not measured (ARM, Intel with AMX): fp32 is the safe choice.
    """
    rates = RATES.get(kind())
    return rates is not None and rates["bf16"] > rates["fp32"]


def description() -> str:
    """The facts that determine rounding on this processor: vendor, torch's vector instructions, and bf16 support."""
    here = kind()
    bf16 = [here.bf16] if multiplies_bf16() else []
    return " ".join([here.vendor or platform.machine(), torch.backends.cpu.get_cpu_capability(), *bf16])
