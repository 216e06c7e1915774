"""Forecasting with attention: the encoder, decoder and score of translation on numbers in place of words.

The data are made up: each series is a sum of two seasons, a trend, noise, and a dip on holidays. The calendar is known
in advance, but the shape of the week is another one in each series and changes slowly: a forecast has to look back.

    from attn_core.series import draw, forecast, load
    batch = draw(1, seed=3)
    found = forecast(load("series"), batch)
    found.values, found.steps.looks[0].weights      # 14 days ahead; over the 42 days of the history
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

from attn_core import drawn
from attn_core.attention import Attention
from attn_core.config import Config, ModelConfig, TrainConfig
from attn_core.decoders import ORDERS, FixedVector
from attn_core.devices import device_of
from attn_core.encoders import ENCODERS
from attn_core.model import ENCODER_OF
from attn_core.recipes import configure
from attn_core.scores import SCORES
from attn_core.state import Progress
from attn_core.trace import Memory, Record, Step, cat
from attn_core.windows import WINDOWS

KIND = "series"
WEEK, SLOW = 7, 28  # days of the two seasons
HISTORY, HORIZON = 42, 14
CALENDAR = WEEK + 3  # numbers that say which day it is: of the week, sine and cosine of the slow season, a holiday
NOISE = 0.3  # standard deviation; that of the week's shape is 1 at first, and that of its change in a week is DRIFT
DRIFT = 0.4
UPDATES = 150  # in an epoch
HELD_OUT = 2**31  # added to the seed of what is measured, so that training has drawn none of it


@dataclass(frozen=True)
class Batch(Record):
    """Series, in any unit: what is known and what comes. `signal` is what comes without the noise."""

    history: Float[Tensor, "b src"]
    calendar: Float[Tensor, "b days c"]  # of history and future
    future: Float[Tensor, "b tgt"]
    signal: Float[Tensor, "b tgt"]


def draw(count: int, seed: int | tuple[int, ...] = 0) -> Batch:
    """`count` made-up series, the same for the same seed.

    Each has its own level, trend, shape of the week with its drift, strength and phase of the slow season, and dip on
    holidays, which come on one day in twenty.
    """
    dice, days = np.random.default_rng(seed), HISTORY + HORIZON
    day = np.arange(days) + dice.integers(SLOW, size=(count, 1))
    changes = dice.normal(size=(count, -(-days // WEEK), WEEK))
    changes[:, 1:] *= DRIFT
    holiday = dice.random((count, days)) < 0.05
    slow = 2 * np.pi * day / SLOW
    signal = changes.cumsum(1).reshape(count, -1)[:, :days]  # whichever weekday comes first
    signal += dice.uniform(0.2, 0.8, (count, 1)) * np.sin(slow + dice.uniform(0, 2 * np.pi, (count, 1)))
    signal += dice.normal(0, 0.02, (count, 1)) * np.arange(days) + dice.normal(0, 3, (count, 1))
    signal -= dice.uniform(1.5, 2.5, (count, 1)) * holiday
    values = signal + dice.normal(0, NOISE, (count, days))
    calendar = np.concatenate(
        [np.eye(WEEK)[day % WEEK], np.stack([np.sin(slow), np.cos(slow), holiday], -1)], -1, dtype=np.float64
    )
    parts = values[:, :HISTORY], calendar, values[:, HISTORY:], signal[:, HISTORY:]
    return Batch(*(torch.from_numpy(part.astype(np.float32)) for part in parts))


@dataclass(frozen=True)
class SeriesConfig(Config):
    """The forecaster's place on the axes, and its sizes."""

    score: str | None = "general"  # a key of SCORES; none: one vector for the history
    order: str = "step-then-look"
    hidden: int = 48
    embedding: int = 24

    @property
    def point(self) -> ModelConfig:
        """What the same parts would be in a translator. Raises ValueError for a point that there is not."""
        bidirectional = self.score is not None
        return ModelConfig(
            score=self.score,
            window=None if self.score is None else "global",
            order=self.order,
            embedding=self.embedding,
            encoder_hidden=self.hidden // 2 if bidirectional else self.hidden,
            hidden=self.hidden,
            align_hidden=self.hidden,
            attentional=self.embedding,
            bidirectional=bidirectional,
            tied=False,
            dropout=0.0,
            output_dropout=0.0,
        )

    def __post_init__(self):
        self.point  # noqa: B018  raises what is wrong


@dataclass(frozen=True)
class Forecast(Record):
    """Values in the unit of the history, and how each of them came about (`*b` of the Step is (b, tgt))."""

    values: Float[Tensor, "b tgt"]
    steps: Step
    memory: Memory


class Forecaster(nn.Module):
    """A translator's encoder and decoder whose embeddings are linear maps of numbers and whose output is a number.

    A day is its value, in standard deviations from the mean of the history, and its calendar. The decoder reads the
    value of the day before with the calendar of the day that it is to say.
    """

    def __init__(self, config: SeriesConfig, name: str = "untrained"):
        super().__init__()
        self.config, self.name, point = config, name, config.point
        self.encoder = ENCODERS[ENCODER_OF[point.order]](point, 1)
        if point.score is None:
            self.decoder = FixedVector(point, 1, None)
        else:
            score = SCORES[point.score](point.hidden, point.memory, point.align_hidden)
            self.decoder = ORDERS[point.order](point, 1, Attention(score, WINDOWS["global"](point.hidden, 0, None)))
        self.encoder.embed = nn.Linear(1 + CALENDAR, point.embedding)
        self.decoder.embed = nn.Linear(1 + CALENDAR, point.embedding)
        self.decoder.output = nn.Linear(point.attentional, 1)

    def begin(self, batch: Batch) -> tuple[Memory, Any, Tensor, Tensor]:
        """The history read: memory, carry, and the mean and the standard deviation that its values are measured by."""
        mean, deviation = batch.history.mean(1, keepdim=True), batch.history.std(1, keepdim=True).clamp(min=1e-6)
        scaled = (batch.history - mean) / deviation
        days = torch.cat([scaled.unsqueeze(-1), batch.calendar[:, : scaled.size(1)]], -1)
        mask = torch.ones_like(scaled, dtype=torch.bool)
        encoded = self.encoder.read(self.encoder.embed(days), mask)
        attention = self.decoder.attention
        memory = attention.memory(encoded.states, mask) if attention else Memory(encoded.states, encoded.states, mask)
        return memory, self.decoder.start(encoded), mean, deviation

    def step(
        self, before: Float[Tensor, "b tgt"], calendar: Float[Tensor, "b tgt c"], carry: Any, memory: Memory
    ) -> tuple[Float[Tensor, "b tgt"], Step, Any]:
        """What comes after each value `before`, on the days of `calendar`."""
        read = self.decoder.embed(torch.cat([before.unsqueeze(-1), calendar], -1))
        step, carry = self.decoder.read(read, carry, memory)
        return self.decoder.output(step.attentional).squeeze(-1), step, carry

    def loss(self, batch: Batch) -> Float[Tensor, ""]:
        """Mean absolute error, in standard deviations of the history, each day being told the true day before."""
        memory, carry, mean, deviation = self.begin(batch)
        gold = (batch.future - mean) / deviation
        before = torch.cat([(batch.history[:, -1:] - mean) / deviation, gold[:, :-1]], 1)
        said, *_ = self.step(before, batch.calendar[:, batch.history.size(1) :], carry, memory)
        return (said - gold).abs().mean()


@torch.inference_mode()
def forecast(model: Forecaster, batch: Batch) -> Forecast:
    """The days after the history, each from the forecast of the day before; `future` and `signal` are not read."""
    memory, carry, mean, deviation = model.begin(batch)
    before, steps, values = (batch.history[:, -1:] - mean) / deviation, [], []
    for day in batch.calendar[:, batch.history.size(1) :].unbind(1):
        before, step, carry = model.step(before, day.unsqueeze(1), carry, memory)
        steps.append(step)
        values.append(before)
    return Forecast(torch.cat(values, 1) * deviation + mean, cat(steps, dim=1), memory)


def seasonal_naive(batch: Batch) -> Float[Tensor, "b tgt"]:
    """Each day as the same day of the last week that is known."""
    last = batch.history[:, -WEEK:]
    return last.repeat(1, -(-batch.future.size(1) // WEEK))[:, : batch.future.size(1)]


def measure(model: Forecaster, examples: int = 1000, seed: int = 0) -> dict[str, float]:
    """How good the forecasts of series are that were not trained on; errors are in standard deviations of the noise.

    `mae` is the mean absolute error against what came, `naive` that of `seasonal_naive`, `floor` that of the signal
    without its noise, which nobody can beat. With attention, `season`: the share of days whose most looked-at day of
    the history is the last one with the same place in the week; `weekday`: the mean weight of all that have the same.
    """
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
    """The measures as one row, with a `headline`."""
    scores = measure(model, examples)
    what = "forecaster without attention" if model.config.score is None else "forecaster with attention"
    errors = f"{scores['mae']:.2f} standard deviations of the noise, seasonal-naive {scores['naive']:.2f}"
    headline = f"{what}, {HORIZON} days ahead: mean absolute error {errors}"
    return {"headline": headline, "examples": examples, "rows": [scores]}


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
EXAMPLE = """from attn_core.series import draw, forecast, load

found = forecast(load("NAME"), draw(1, seed=3))
print(found.values, found.steps.looks)"""


def example(config: dict[str, Any]) -> str:
    """Code that runs a model of this config; NAME stands for the model."""
    return EXAMPLE


SMALL = TrainConfig(
    batch=64, epochs=8, rate=5e-3, schedule="cosine", warmup=50, clip=1.0, label_smoothing=0.0, precision="fp32"
)
RECIPES: dict[str, tuple[SeriesConfig, TrainConfig]] = {
    "series": (SeriesConfig(), SMALL),
    "series-fixed-vector": (SeriesConfig(score=None, order="look-then-step"), SMALL),
}


def learn(
    name: str,
    out: str | Path,
    *,
    settings: dict[str, Any] | None = None,
    resume: bool = False,
    device: str = "auto",
    watch: Callable[[dict[str, Any]], None] = lambda scores: None,
) -> Progress:
    """Train one of RECIPES on made-up series and write it to the folder `out`; about a minute of one core.

    `settings` override fields of its SeriesConfig and TrainConfig; `device` is as in devices.device_of. `watch` gets
    each epoch's scores, see `measure`.
    Raises ValueError for an unknown name or setting, CheckpointError for an `out` that holds a model already.
    """
    config, recipe = configure(name, settings or {}, RECIPES)
    torch.manual_seed(recipe.seed)
    model = Forecaster(config, Path(out).resolve().name).to(device_of(device))
    return drawn.fit_drawn(
        model,
        lambda number: draw(recipe.batch, (recipe.seed, number)),
        UPDATES,
        recipe,
        Path(out),
        kind=KIND,
        measure=lambda: measure(model, 300, recipe.seed),
        about={"preset": name, "settings": settings or {}},
        resume=resume,
        watch=watch,
    )


def load(name_or_path: str | Path) -> Forecaster:
    """A trained forecaster by its name in `pretrained/` or the path of its folder; see `drawn.load`."""
    return drawn.load(name_or_path, KIND, SeriesConfig, Forecaster)
