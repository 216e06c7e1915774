"""Forecasts by a model, and the seasonal-naive forecast that repeats the last week."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from attn_core.synthetic.forecasting.data import CALENDAR, WEEK, Batch
from attn_core.synthetic.forecasting.net import Forecaster
from attn_core.trace import Memory, Record, Step
from attn_core.trace.tensors import cat


@dataclass(frozen=True)
class Forecast(Record):
    """Forecast values in the unit of the history, and the steps that computed them (`*b` of the Step is (b, tgt))."""

    values: Float[Tensor, "b tgt"]
    steps: Step
    memory: Memory


@torch.inference_mode()
def forecast(model: Forecaster, batch: Batch) -> Forecast:
    """Forecast the days after the history, feeding back each forecast; `future` and `signal` are not used.

    Raises ValueError for an empty batch, for a history shorter than two days or with values that are not finite, and
    for a calendar of another shape or without days after the history.
    """
    count, known = batch.history.shape
    if not count or known < 2 or not batch.history.isfinite().all():
        raise ValueError(
            f"history must hold finite values for at least 1 series of at least 2 days, found {count} x {known}"
        )
    if batch.calendar.shape[::2] != (count, CALENDAR) or batch.calendar.size(1) <= known:
        shape = " x ".join(map(str, batch.calendar.shape))
        raise ValueError(
            f"calendar must have shape {count} x days x {CALENDAR} with more than {known} days (history and days to "
            f"forecast), not {shape}"
        )
    memory, carry, mean, deviation = model.begin(batch)
    before, steps, values = (batch.history[:, -1:] - mean) / deviation, [], []
    for day in batch.calendar[:, batch.history.size(1) :].unbind(1):
        before, step, carry = model.step(before, day.unsqueeze(1), carry, memory)
        steps.append(step)
        values.append(before)
    return Forecast(torch.cat(values, 1) * deviation + mean, cat(steps, dim=1), memory)


def seasonal_naive(batch: Batch) -> Float[Tensor, "b tgt"]:
    """Repeat the last week of the history. Raises ValueError for a history shorter than a week."""
    if batch.history.size(1) < WEEK:
        raise ValueError(f"history must be at least {WEEK} days, not {batch.history.size(1)}")
    last = batch.history[:, -WEEK:]
    return last.repeat(1, -(-batch.future.size(1) // WEEK))[:, : batch.future.size(1)]
