"""Evaluate a forecaster on held-out series: errors, and where its attention weights are."""

from typing import Any

import torch

from attn_core.synthetic.forecasting.data import HISTORY, HORIZON, NOISE, WEEK, draw
from attn_core.synthetic.forecasting.forecast import forecast, seasonal_naive
from attn_core.synthetic.forecasting.net import Forecaster

HELD_OUT = 2**31  # added to the seed of test series, so that training has drawn none of them


def measure(model: Forecaster, examples: int = 1000, seed: int = 0) -> dict[str, float]:
    """Scores on `examples` held-out series; errors are in standard deviations of the noise.

    `mae` is the mean absolute error of the model, `naive` that of `seasonal_naive`, `floor` that of the signal without
    its noise, the lowest error possible. With attention, `season` is the share of forecast days whose largest
    attention weight is on the last known day with the same weekday, and `weekday` the mean weight on all days with the
    same weekday. Raises ValueError for less than 1 example.
    """
    if examples < 1:
        raise ValueError(f"examples must be at least 1, not {examples}")
    device = next(model.parameters()).device
    batch = draw(examples, (HELD_OUT + seed,)).map(lambda part: part.to(device))
    found = forecast(model, batch)
    errors = {"mae": found.values, "naive": seasonal_naive(batch), "floor": batch.signal}
    scores = {name: (values - batch.future).abs().mean().item() / NOISE for name, values in errors.items()}
    if found.steps.looks:
        weights = found.steps.looks[0].weights
        past = torch.arange(HISTORY, device=device)
        same = (torch.arange(HISTORY, HISTORY + HORIZON, device=device).unsqueeze(1) - past) % WEEK == 0
        last = (past * same).amax(1)
        scores |= {
            "season": (weights.argmax(-1) == last).float().mean().item(),
            "weekday": (weights * same).sum(-1).mean().item(),
        }
    return scores


def report(model: Forecaster, examples: int = 1000) -> dict[str, Any]:
    """The scores of `measure` as one row, with a `headline`. Raises ValueError for less than 1 example."""
    scores = measure(model, examples)
    what = "Forecaster without attention" if model.config.score is None else "Forecaster with attention"
    errors = f"{scores['mae']:.2f} standard deviations of the noise, seasonal-naive forecast {scores['naive']:.2f}"
    headline = f"{what}, {HORIZON} days ahead: mean absolute error {errors}"
    return {"headline": headline, "examples": examples, "rows": [scores]}
