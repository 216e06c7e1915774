"""Forecasting with attention: the encoder, decoder and score of the translators, on numbers instead of words.

The series are synthetic: each is a sum of two seasons, a trend, noise, and a dip on holidays. The calendar is known
in advance; the weekly pattern differs between series and changes slowly, so a forecast needs the history.

    from attn_core.synthetic.forecasting import draw, forecast, load
    batch = draw(1, seed=3)
    found = forecast(load("series"), batch)
    found.values                        # forecasts for the next 14 days
    found.steps.looks[0].weights        # their attention weights over the 42 days of the history
"""

from typing import Any

from attn_core.synthetic.forecasting.data import CALENDAR, HISTORY, HORIZON, NOISE, WEEK, Batch, draw
from attn_core.synthetic.forecasting.forecast import Forecast, forecast, seasonal_naive
from attn_core.synthetic.forecasting.measures import measure, report
from attn_core.synthetic.forecasting.net import Forecaster, SeriesConfig
from attn_core.synthetic.forecasting.training import RECIPES, learn, load

# Text of the model cards. TASK is one of the Hugging Face hub's task types.
TASK = "time-series-forecasting"
ABOUT = (
    "The encoder, score and decoder of the translators, on numbers: a day of the history (its value and its calendar) "
    "takes the place of a word, and the output layer predicts a number. The synthetic series are sums of a weekly "
    "pattern that differs between series and drifts, a slower season, a trend, noise, and dips on holidays."
)
MEASURES = (
    "Errors are mean absolute errors in standard deviations of the noise: `mae` of the model, `naive` of repeating "
    "the last known week, `floor` of the series without its noise, the lowest error possible. `season` is the share "
    "of forecast days whose largest attention weight is on the last known day with the same weekday, `weekday` the "
    "mean weight on all days with the same weekday."
)
EXAMPLE = """from attn_core.synthetic.forecasting import draw, forecast, load

found = forecast(load("NAME"), draw(1, seed=3))
print(found.values, found.steps.looks)"""


def example(config: dict[str, Any]) -> str:
    """Example code for a model of this config; NAME stands for the model."""
    return EXAMPLE


__all__ = [
    "CALENDAR",
    "HISTORY",
    "HORIZON",
    "NOISE",
    "RECIPES",
    "WEEK",
    "Batch",
    "Forecast",
    "Forecaster",
    "SeriesConfig",
    "draw",
    "forecast",
    "learn",
    "load",
    "measure",
    "report",
    "seasonal_naive",
]
