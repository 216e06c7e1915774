"""Making a forecaster, in about a minute of one core."""

from attn_core.synthetic.forecasting.data import draw
from attn_core.synthetic.forecasting.measures import measure
from attn_core.synthetic.forecasting.net import Forecaster, SeriesConfig
from attn_core.synthetic.on_the_fly import DrawnConfig, Kind

EXAMPLES = 300  # that an epoch is measured on
SMALL = DrawnConfig(updates=150, epochs=8, rate=5e-3, warmup=50)
RECIPES: dict[str, tuple[SeriesConfig, DrawnConfig]] = {
    "series": (SeriesConfig(), SMALL),
    "series-fixed-vector": (SeriesConfig(score=None, order="attend-then-update"), SMALL),
}

KIND = Kind(
    "series",
    SeriesConfig,
    Forecaster,
    RECIPES,
    draw=lambda config, size, seed: draw(size, seed),
    measure=lambda model, seed: measure(model, EXAMPLES, seed),
)
learn, load = KIND.learn, KIND.load
