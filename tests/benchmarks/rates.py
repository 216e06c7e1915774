"""Measure matrix products on this processor, and compare with what attn_core/processor.py says is fast here.

python -m tests.benchmarks rates

Prints GFLOP/s of one core for products in fp32 and in bf16, measured in turns. A processor without bf16 emulates it at
a hundredth of the speed, so there it is left out.
"""

import argparse
import statistics
from time import perf_counter

import torch

from attn_core.processor import Kind, computes_bf16, kind, multiplies_bf16

ROWS, INNER, COLUMNS = 832, 512, 2048  # a batch of 64 sentences of 13 words, and the gates of an LSTM of 512 units
TURNS = 15
NOISE = 1.1  # a choice is wrong if the other is faster by more than this factor


def measured(turns: int = TURNS) -> dict[str, float]:
    """GFLOP/s of one core in fp32 and, where it exists, in bf16; medians."""
    torch.set_num_threads(1)
    pair = torch.randn(ROWS, INNER), torch.randn(INNER, COLUMNS)
    factors = {"fp32": pair} | ({"bf16": (pair[0].bfloat16(), pair[1].bfloat16())} if computes_bf16() else {})
    times: dict[str, list[float]] = {name: [] for name in factors}
    for _ in range(turns):
        for name, (left, right) in factors.items():
            began = perf_counter()
            left @ right
            times[name].append(perf_counter() - began)
    return {name: 2e-9 * ROWS * INNER * COLUMNS / statistics.median(each) for name, each in times.items()}


def verdict(rates: dict[str, float], here: Kind, chosen: str) -> str:
    """A line that says whether the precision `chosen` for this kind of processor is the faster one by the `rates`."""
    named = f"{here.vendor or 'unknown vendor'}, {here.bf16 or 'no bf16'}"
    fastest = max(rates, key=lambda name: rates[name])
    if rates.get(chosen, 0) * NOISE < rates[fastest]:
        return (
            f"WRONG: RATES in attn_core/processor.py select {chosen} ({named}), but {fastest} is faster here; please "
            "report it with this output."
        )
    return f"The table of processors ({named}) holds on this machine."


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    rates = measured()
    print("GFLOP/s of one core: " + ", ".join(f"{name} {rate:.0f}" for name, rate in sorted(rates.items())))
    print(verdict(rates, kind(), "bf16" if multiplies_bf16() else "fp32"))
