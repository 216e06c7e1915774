"""Forecasting: the synthetic series, the forecaster, its measures, and errors."""

import math
from dataclasses import replace

import pytest
import torch

from attn_core.files import CheckpointError
from attn_core.synthetic import forecasting as series
from attn_core.synthetic.forecasting import (
    HISTORY,
    HORIZON,
    NOISE,
    WEEK,
    Forecaster,
    SeriesConfig,
    draw,
    forecast,
    measure,
    measures,
    seasonal_naive,
)
from tests.helpers.support import close

SIZES = {"hidden": 6, "embedding": 5}
POINTS = {
    "luong": {"order": "update-then-attend", "score": "general"},
    "bahdanau": {"order": "attend-then-update", "score": "additive"},
    "fixed-vector": {"order": "attend-then-update", "score": None},
}


def net(point: str = "luong", std: float = 0.4) -> Forecaster:
    model = Forecaster(SeriesConfig(**SIZES | POINTS[point]), "tiny").eval().requires_grad_(False)
    dice = torch.Generator().manual_seed(0)
    for parameter in model.parameters():
        parameter.normal_(std=std, generator=dice)
    return model


def test_a_series_is_its_signal_and_noise_on_a_calendar_that_goes_on():
    batch = draw(400, 5)
    noise = (batch.future - batch.signal).flatten()
    assert noise.mean().abs() < 0.02
    assert noise.std().item() == pytest.approx(NOISE, rel=0.05)
    week, holidays = batch.calendar[..., :WEEK], batch.calendar[..., -1]
    assert (week.sum(-1) == 1).all()
    days = week.argmax(-1)
    assert ((days[:, 1:] - days[:, :-1]) % WEEK == 1).all()
    assert holidays.mean().item() == pytest.approx(0.05, abs=0.01)
    assert draw(2, 5).history.equal(draw(2, 5).history)
    assert not draw(2, 5).history.equal(draw(2, 6).history)


def test_holidays_are_dips():
    """A day is close to the same weekday of the week before; a holiday is about 2 below it."""
    batch = draw(2000, 1)
    change = batch.history[:, WEEK:] - batch.history[:, :-WEEK]
    holiday = batch.calendar[:, WEEK:HISTORY, -1] - batch.calendar[:, : HISTORY - WEEK, -1]
    assert change[holiday == 1].mean().item() == pytest.approx(-2, abs=0.1)
    assert change[holiday == -1].mean().item() == pytest.approx(2, abs=0.1)


def test_the_naive_forecast_repeats_the_last_week():
    batch = draw(2, 3)
    found = seasonal_naive(batch)
    for t in range(HORIZON):
        close(found[:, t], batch.history[:, HISTORY - WEEK + t % WEEK])


@pytest.mark.parametrize("point", POINTS)
def test_a_forecast_uses_only_the_calendar_of_the_future(point):
    model, batch = net(point), draw(3, 2)
    blind = series.Batch(batch.history, batch.calendar, batch.future * math.nan, batch.signal * math.nan)
    found = forecast(model, blind)
    assert found.values.isfinite().all()
    close(found.values, forecast(model, batch).values)
    assert found.values.shape == (3, HORIZON)


@pytest.mark.parametrize("point", POINTS)
def test_forecasting_is_teacher_forcing_on_its_own_values(point):
    """If the forecast is taken as the future, the loss is 0: step by step equals all at once."""
    model, batch = net(point), draw(3, 2)
    values = forecast(model, batch).values
    assert model.loss(series.Batch(batch.history, batch.calendar, values, values)).item() == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("point", POINTS)
def test_a_forecast_follows_the_unit_of_the_history(point):
    """The forecast of 3 x + 5 is 3 times the forecast of x, plus 5."""
    model, batch = net(point), draw(2, 4)
    moved = series.Batch(3 * batch.history + 5, batch.calendar, batch.future, batch.signal)
    close(forecast(model, moved).values, 3 * forecast(model, batch).values + 5, atol=1e-4)


def test_the_context_is_the_weighted_history():
    found = forecast(net(), draw(2, 4))
    (look,) = found.steps.looks
    assert look.weights.shape == (2, HORIZON, HISTORY)
    close(look.weights.sum(-1), torch.ones(2, HORIZON), atol=1e-5)
    close(look.context, look.weights @ found.memory.states, atol=1e-5)
    assert forecast(net("fixed-vector"), draw(2, 4)).steps.looks == ()


def test_the_measures_by_hand(monkeypatch):
    """A model that forecasts the true future and has its weights on days with the same weekday only."""
    batch = draw(50, (measures.HELD_OUT,))
    weights = torch.zeros(50, HORIZON, HISTORY)
    for t in range(HORIZON):
        weights[:, t, HISTORY - WEEK + t % WEEK] = 0.75
        weights[:, t, t % WEEK] = 0.25
    weights[:, 0] = weights[:, 0].roll(1, -1)  # the weights of one day in fourteen are one day off
    found = forecast(net(), batch)
    (look,) = found.steps.looks
    looks = (type(look)(look.query, look.scores, look.focus, weights, weights, look.context),)
    step = type(found.steps)(looks, found.steps.hidden, found.steps.attentional)
    monkeypatch.setattr(measures, "forecast", lambda model, batch: series.Forecast(batch.future, step, found.memory))
    scores = measure(net(), 50)
    assert scores["mae"] == 0
    assert scores["season"] == pytest.approx(13 / 14)
    assert scores["weekday"] == pytest.approx(13 / 14)
    assert scores["naive"] == pytest.approx((seasonal_naive(batch) - batch.future).abs().mean().item() / NOISE)
    assert scores["floor"] == pytest.approx(math.sqrt(2 / math.pi), rel=0.1)


@pytest.mark.slow
def test_a_trained_forecaster_can_be_loaded_from_disk(tmp_path):
    scores = []
    settings = SIZES | {"updates": 30, "epochs": 2, "batch": 16, "rate": 0.01, "warmup": 5}
    series.learn(
        "series",
        tmp_path / "mine",
        settings=settings,
        on_event=lambda event: event.scores and scores.append(event.scores),
    )
    assert scores[1]["loss"] < scores[0]["loss"]
    model = series.load(tmp_path / "mine")
    assert model.name == "mine"
    assert measure(model, 300, seed=1)["mae"] == pytest.approx(scores[1]["mae"], rel=1e-3)


def test_the_shipped_model_attends_a_week_back_and_beats_the_naive_forecast():
    """As stated on its card."""
    scores = measure(series.load("series"), 200)
    assert scores["season"] > 0.95
    assert scores["weekday"] > 0.9
    assert scores["floor"] < scores["mae"] < 0.75 * scores["naive"]


def test_errors_name_the_setting_and_what_was_expected(tmp_path):
    with pytest.raises(ValueError, match="unknown score"):
        SeriesConfig(score="cosine")
    with pytest.raises(ValueError, match=r"hidden must be even \(half for each direction of the encoder\), not 7"):
        SeriesConfig(hidden=7)
    with pytest.raises(ValueError, match="hidden must be at least 1, not 0"):
        SeriesConfig(hidden=0)
    with pytest.raises(ValueError, match="choose one of: series, series-fixed-vector"):
        series.learn("weather", tmp_path)
    with pytest.raises(CheckpointError, match="unknown model"):
        series.load("weather")


def test_series_that_cannot_be_forecast_raise_value_errors():
    model, batch = Forecaster(SeriesConfig(**SIZES)), draw(2)
    with pytest.raises(ValueError, match="count must be at least 1 series, not 0"):
        draw(0)
    with pytest.raises(ValueError, match="examples must be at least 1, not 0"):
        measure(model, 0)
    odd = batch.history.clone()
    odd[1, 3] = float("nan")
    short, none = replace(batch, history=batch.history[:, :1]), batch.map(lambda part: part[:0])
    for wrong in (replace(batch, history=odd), short, none):
        with pytest.raises(ValueError, match="history must hold finite values for at least 1 series of"):
            forecast(model, wrong)
    for calendar in (batch.calendar[:, :HISTORY], batch.calendar[..., :3]):
        with pytest.raises(ValueError, match="calendar must have shape 2 x days x 10 with more than 42 days"):
            forecast(model, replace(batch, calendar=calendar))
    with pytest.raises(ValueError, match="history must be at least 7 days, not 6"):
        seasonal_naive(replace(batch, history=batch.history[:, :6]))
