"""Forecasting with attention: the encoder, decoder and score of translation on numbers in place of words.

The data are made up: each series is a sum of two seasons, a trend, noise, and a dip on holidays. The calendar is known
in advance, but the shape of the week is another one in each series and changes slowly: a forecast has to look back.

    from attn_core.synthetic.forecasting import draw, forecast, load
    batch = draw(1, seed=3)
    found = forecast(load("series"), batch)
    found.values, found.steps.looks[0].weights      # 14 days ahead; over the 42 days of the history
"""

from typing import Any

from attn_core.synthetic.forecasting.data import CALENDAR, HISTORY, HORIZON, NOISE, WEEK, Batch, draw
from attn_core.synthetic.forecasting.forecast import Forecast, forecast, seasonal_naive
from attn_core.synthetic.forecasting.measures import measure, report
from attn_core.synthetic.forecasting.net import Forecaster, SeriesConfig
from attn_core.synthetic.forecasting.training import RECIPES, learn, load

# For the cards.
ABOUT = (
    "The encoder, the score and the decoder of translation on numbers: a day of the history is a word that is its "
    "value and its calendar, and the output layer says a number. The made-up series are the sum of a week whose "
    "shape is another one in each series and drifts, a slower season, a trend, noise, and dips on holidays."
)
MEASURES = (
    "Errors are mean absolute ones in standard deviations of the noise: `mae` the model's, `naive` those of the "
    "same day of the last known week, `floor` those of the series without its noise, which nobody can beat. "
    "`season` is the share of forecast days that look most at the last known day with the same place in the week, "
    "`weekday` the weight on all such."
)
EXAMPLE = """from attn_core.synthetic.forecasting import draw, forecast, load

found = forecast(load("NAME"), draw(1, seed=3))
print(found.values, found.steps.looks)"""


def example(config: dict[str, Any]) -> str:
    """Code that runs a model of this config; NAME stands for the model."""
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
