"""What the differences between variants do to BLEU, as `make bench-variants` measured it."""

import json
from pathlib import Path
from typing import Any

MEASURED = Path(__file__).with_name("measured.json")


def spread(difference: dict[str, Any], sign: int = 1) -> dict[str, Any]:
    """A row's "difference", times `sign`, as it is drawn: {"mean", "low", "high", "each": those of single seeds}."""
    low, high = sorted(sign * difference[end] for end in ("low", "high"))
    each = [sign * one[0] for one in difference["each"].values()]
    return {"mean": sign * difference["mean"], "low": low, "high": high, "each": each}


def signed(bleu: float) -> str:
    """A difference with its sign, to two decimals."""
    return f"{bleu:+.2f}".replace("-", "−")


def undecided(difference: dict[str, Any]) -> bool:
    """Whether the interval holds 0: no evidence of a difference."""
    return difference["low"] <= 0 <= difference["high"]


def measured() -> dict[str, Any] | None:
    """The numbers of the last run of `make bench-variants`; None when there was none.

    `rows` is variant to {"bleu": {seed: BLEU}, "perplexity": {seed: ...}, "mean", "deviation", "parameters",
    "by_length", "cpu_seconds": one for each seed}; all but the papers' own also have "against" and "difference"
    {"mean", "low", "high", "each": {seed: [difference, low, high]}}, BLEU less that of the paper's model with 95%
    intervals (see tests/benchmarks/variants.py). `settings` are those that all of them were trained with,
    `circumstances` the day and the machine.
    """
    return json.loads(MEASURED.read_text("utf-8")) if MEASURED.exists() else None
