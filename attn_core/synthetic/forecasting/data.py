"""Synthetic series with a known calendar; each has its own weekly pattern."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from attn_core.trace import Record

WEEK, SLOW = 7, 28  # days of the two seasons
HISTORY, HORIZON = 42, 14
CALENDAR = WEEK + 3  # calendar features: one-hot weekday, sine and cosine of the slow season, holiday
NOISE = 0.3  # standard deviation of the noise; that of the first week's pattern is 1
DRIFT = 0.4  # standard deviation of the pattern's change from week to week


@dataclass(frozen=True)
class Batch(Record):
    """Series, in any unit: history and future. `signal` is the future without its noise."""

    history: Float[Tensor, "b src"]
    calendar: Float[Tensor, "b days c"]  # for history and future
    future: Float[Tensor, "b tgt"]
    signal: Float[Tensor, "b tgt"]


def draw(count: int, seed: int | tuple[int, ...] = 0) -> Batch:
    """`count` synthetic series, the same for the same seed.

    Each has its own level, trend, drifting weekly pattern, strength and phase of the slow season, and dip on holidays
    (one day in twenty). Raises ValueError for less than 1 series.
    """
    if count < 1:
        raise ValueError(f"count must be at least 1 series, not {count}")
    dice, days = np.random.default_rng(seed), HISTORY + HORIZON
    day = np.arange(days) + dice.integers(SLOW, size=(count, 1))
    changes = dice.normal(size=(count, -(-days // WEEK), WEEK))
    changes[:, 1:] *= DRIFT
    holiday = dice.random((count, days)) < 0.05
    slow = 2 * np.pi * day / SLOW
    signal = changes.cumsum(1).reshape(count, -1)[:, :days]  # a series may start on any weekday
    signal += dice.uniform(0.2, 0.8, (count, 1)) * np.sin(slow + dice.uniform(0, 2 * np.pi, (count, 1)))
    signal += dice.normal(0, 0.02, (count, 1)) * np.arange(days) + dice.normal(0, 3, (count, 1))
    signal -= dice.uniform(1.5, 2.5, (count, 1)) * holiday
    values = signal + dice.normal(0, NOISE, (count, days))
    calendar = np.concatenate(
        [np.eye(WEEK)[day % WEEK], np.stack([np.sin(slow), np.cos(slow), holiday], -1)], -1, dtype=np.float64
    )
    parts = values[:, :HISTORY], calendar, values[:, HISTORY:], signal[:, HISTORY:]
    return Batch(*(torch.from_numpy(part.astype(np.float32)) for part in parts))
