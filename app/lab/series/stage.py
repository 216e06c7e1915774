"""The series that the Series page offers."""

from typing import Any

from app.lab.kit.records import few_digits
from attn_core.models import folders
from attn_core.synthetic.forecasting import WEEK, draw

SEEDS = (3, 10, 15, 16, 21, 28)  # some with holidays, one without


def series() -> dict[str, Any]:
    """The data of series.js without addresses: the trained forecaster, and series with their true future."""
    names = folders.shipped("series")
    return {"model": names[0] if names else None, "week": WEEK, "series": [_drawn(seed) for seed in SEEDS]}


def _drawn(seed: int) -> dict[str, Any]:
    batch = draw(1, seed)
    parts = {"history": batch.history, "calendar": batch.calendar, "future": batch.future}
    return {name: few_digits(part[0]) for name, part in parts.items()}
