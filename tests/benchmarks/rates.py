"""Measure matrix products on this processor, and compare with what attn_core/processor.py says is fast here.

python -m tests.benchmarks rates

Prints GFLOP/s of one core for fp32 products by MKL and by oneDNN and for bf16 products, measured in turns. A processor
without bf16 emulates its products at a hundredth of the speed, so there they are left out.
"""

import argparse
import statistics
from collections.abc import Callable
from time import perf_counter

import torch
from torch import Tensor

from attn_core.processor import Kind, Suited, computes_bf16, kind, suited

ROWS, INNER, COLUMNS = 832, 512, 2048  # a batch of 64 sentences of 13 words, and the gates of an LSTM of 512 units
TURNS = 15
NOISE = 1.1  # a choice is wrong if another is faster by more than this factor


def measured(turns: int = TURNS) -> dict[str, float]:
    """GFLOP/s of one core by kind of product: mkl, onednn and bf16, as far as they exist here; medians."""
    torch.set_num_threads(1)
    left, right = torch.randn(ROWS, INNER), torch.randn(INNER, COLUMNS)
    short = left.bfloat16(), right.bfloat16()
    kinds: dict[str, Callable[[], Tensor]] = {}
    if computes_bf16():
        kinds["bf16"] = lambda: short[0] @ short[1]
    if torch.backends.mkl.is_available():
        kinds["mkl"] = lambda: left @ right
    if torch.backends.mkldnn.is_available():
        kinds["onednn"] = lambda: torch.ops.mkldnn._linear_pointwise.default(left, right.T, None, "none", [], "")
    times: dict[str, list[float]] = {name: [] for name in kinds}
    for _ in range(turns):
        for name, product in kinds.items():
            began = perf_counter()
            product()
            times[name].append(perf_counter() - began)
    return {name: 2e-9 * ROWS * INNER * COLUMNS / statistics.median(each) for name, each in times.items()}


def verdict(rates: dict[str, float], here: Kind, choice: Suited) -> str:
    """A line for each choice of the table that the `rates` contradict, or one that says that it holds."""
    named = f"{here.vendor or 'unknown vendor'}, {here.bf16 or 'no bf16'}"
    fp32 = {name: rate for name, rate in rates.items() if name != "bf16"}
    wrong = []
    fastest = max(fp32, key=lambda name: fp32[name])
    if fp32.get(choice.products, 0) * NOISE < fp32[fastest]:
        wrong.append(f"fp32 products: the table says {choice.products}, and {fastest} is faster here")
    multiplied, bf16 = fp32.get(choice.products, fp32[fastest]), rates.get("bf16", 0)
    slow, fast = (bf16, multiplied) if choice.bf16 else (multiplied, bf16)
    if slow * NOISE < fast:
        wrong.append(f"precision: the table says {'bf16' if choice.bf16 else 'fp32'}, and the other is faster here")
    if not wrong:
        return f"The table of processors ({named}) holds on this machine."
    return "\n".join(f"WRONG TABLE ({named}) {line}; please report it with this output." for line in wrong)


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    rates = measured()
    print("GFLOP/s of one core: " + ", ".join(f"{name} {rate:.0f}" for name, rate in sorted(rates.items())))
    print(verdict(rates, kind(), suited()))
