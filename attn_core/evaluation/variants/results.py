"""The BLEU of the variants, as measured by the benchmark `variants`."""

import json
from pathlib import Path
from typing import Any

MEASURED = Path(__file__).with_name("measured.json")


def spread(difference: dict[str, Any], sign: int = 1) -> dict[str, Any]:
    """A row's "difference" times `sign`, for a figure: {"mean", "low", "high", "each": those of the seeds}."""
    low, high = sorted(sign * difference[end] for end in ("low", "high"))
    each = [sign * one[0] for one in difference["each"].values()]
    return {"mean": sign * difference["mean"], "low": low, "high": high, "each": each}


def signed(bleu: float) -> str:
    """A difference with its sign and two decimals."""
    return f"{bleu:+.2f}".replace("-", "−")


def undecided(difference: dict[str, Any]) -> bool:
    """Whether the interval contains 0: no evidence of a difference."""
    return difference["low"] <= 0 <= difference["high"]


def measured() -> dict[str, Any] | None:
    """The results of the last run of the benchmark `variants`; None if there was none.

    `rows` maps each variant to {"bleu": {seed: BLEU}, "perplexity": {seed: ...}, "mean", "deviation", "parameters",
    "by_length", "cpu_seconds": one for each seed}; all but the papers' own also have "against" and "difference"
    {"mean", "low", "high", "each": {seed: [difference, low, high]}}, the BLEU minus that of the paper's model, with 95%
    intervals (see tests/benchmarks/variants.py). `settings` are the common training settings, `circumstances` the date
    and the machine.
    """
    return json.loads(MEASURED.read_text("utf-8")) if MEASURED.exists() else None
