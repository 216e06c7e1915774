"""What the differences between variants do to BLEU, as `make bench-variants` measured it."""

import json
from pathlib import Path
from typing import Any

MEASURED = Path(__file__).with_name("measured.json")


def measured() -> dict[str, Any] | None:
    """The numbers of the last run of `make bench-variants`; None when there was none.

    `rows` is variant to {"bleu": {seed: BLEU}, "perplexity": {seed: ...}, "mean", "deviation", "parameters"}, with
    "against" and "difference" {"mean", "low", "high", "each": {seed: [difference, low, high]}} for all but the papers'
    own: BLEU less that of the paper's model, with 95% intervals (see tests/benchmarks/variants.py). `settings` are
    those that all of them were trained with, `circumstances` the day and the machine.
    """
    return json.loads(MEASURED.read_text("utf-8")) if MEASURED.exists() else None
