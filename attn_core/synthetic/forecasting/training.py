"""Training a forecaster, about a minute on one core."""

from pathlib import Path
from typing import cast

from attn_core.models.checkpoint import read
from attn_core.models.recipe import DrawnConfig
from attn_core.synthetic.forecasting.data import draw
from attn_core.synthetic.forecasting.measures import measure
from attn_core.synthetic.forecasting.net import Forecaster, SeriesConfig
from attn_core.training.drawn_task import Drawn

EXAMPLES = 300  # series in the validation after each epoch
SMALL = DrawnConfig(updates=150, epochs=8, rate=5e-3, warmup=50)
RECIPES: dict[str, tuple[SeriesConfig, DrawnConfig]] = {
    "series": (SeriesConfig(), SMALL),
    "series-fixed-vector": (SeriesConfig(score=None, order="attend-then-update"), SMALL),
}

DRAWN = Drawn(
    RECIPES,
    Forecaster,
    draw=lambda config, size, seed: draw(size, seed),
    measure=lambda model, seed: measure(model, EXAMPLES, seed),
)
learn = DRAWN.learn


def load(name_or_path: str | Path) -> Forecaster:
    """Load a trained forecaster by its name in `pretrained/` or the path of its folder; see `checkpoint.read`."""
    return cast(Forecaster, read(name_or_path, Forecaster.kind))
