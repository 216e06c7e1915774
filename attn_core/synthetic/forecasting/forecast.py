"""Forecasts: what comes after a history, by a model or by the last week again."""

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
    """Values in the unit of the history, and how each of them came about (`*b` of the Step is (b, tgt))."""

    values: Float[Tensor, "b tgt"]
    steps: Step
    memory: Memory


@torch.inference_mode()
def forecast(model: Forecaster, batch: Batch) -> Forecast:
    """The days after the history, each from the forecast of the day before; `future` and `signal` are not read.

    Raises ValueError for no series, for a history of less than two days or with numbers that are not finite, and for a
    calendar of other series or without a day after it.
    """
    count, known = batch.history.shape
    if not count or known < 2 or not batch.history.isfinite().all():
        raise ValueError(f"history must be 2 finite days or more of 1 series or more, not {known} days of {count}")
    if batch.calendar.shape[::2] != (count, CALENDAR) or batch.calendar.size(1) <= known:
        shape = " x ".join(map(str, batch.calendar.shape))
        raise ValueError(
            f"calendar must be {count} x more than {known} days x {CALENDAR} numbers: the days of the history and "
            f"those to forecast, not {shape}"
        )
    memory, carry, mean, deviation = model.begin(batch)
    before, steps, values = (batch.history[:, -1:] - mean) / deviation, [], []
    for day in batch.calendar[:, batch.history.size(1) :].unbind(1):
        before, step, carry = model.step(before, day.unsqueeze(1), carry, memory)
        steps.append(step)
        values.append(before)
    return Forecast(torch.cat(values, 1) * deviation + mean, cat(steps, dim=1), memory)


def seasonal_naive(batch: Batch) -> Float[Tensor, "b tgt"]:
    """Each day as the same day of the last week that is known. Raises ValueError for less than a week."""
    if batch.history.size(1) < WEEK:
        raise ValueError(f"history must be {WEEK} days or more, not {batch.history.size(1)}")
    last = batch.history[:, -WEEK:]
    return last.repeat(1, -(-batch.future.size(1) // WEEK))[:, : batch.future.size(1)]
