"""The Series page: its forecasts are torch's, also for a past that the reader has changed; links contain the change."""

from urllib.parse import parse_qs, urlsplit

import pytest
import torch
from playwright.sync_api import expect

from app.lab.series import data as evidence
from app.lab.series.data import SEEDS, series
from attn_core.synthetic.forecasting import WEEK, draw, forecast, load, seasonal_naive
from tests.helpers.browser import pull
from tests.helpers.numbers import written
from tests.lab.stages import LAB


def wanted(seed: int, moved: dict[int, float] | None = None):
    """torch's forecast of one of the page's series, with changed values of the past."""
    batch = draw(1, seed)
    for day, value in (moved or {}).items():
        batch.history[0, day] = value
    return forecast(load("series"), batch), batch


def test_the_page_offers_the_series_of_its_seeds():
    data = series()
    assert data["model"] == "series"
    for one, seed in zip(data["series"], SEEDS, strict=True):
        torch.testing.assert_close(torch.tensor(one["history"]), draw(1, seed).history[0], rtol=1e-4, atol=1e-4)


def test_errors_and_last_week_are_pythons(open_script):
    batch = draw(1, 3)
    naive, future, past = seasonal_naive(batch)[0], batch.future[0], open_script(LAB / "series" / "past.js")
    last = past("lastWeek", batch.history[0].tolist(), WEEK, 14)
    assert last == pytest.approx(naive.tolist())
    assert past("errorOf", last, future.tolist()) == pytest.approx((naive - future).abs().mean().item(), rel=1e-5)


def test_the_forecast_is_torchs_and_follows_the_past(visit_live):
    page = visit_live("series", ready=".sr-finding:not(:empty)", query={"series": "2", "series_step": "3"}, height=1000)
    found, batch = wanted(SEEDS[1])
    finding, error = page.locator(".sr-finding"), page.locator(".sr-error")
    weights = found.steps.looks[0].weights[0, 3]
    expect(finding).to_contain_text(f"Day 45: forecast {written(found.values[0, 3].item(), 2)}")
    expect(finding).to_contain_text(f"{weights.max():.2f}, is on day {int(weights.argmax())}")
    expect(error).to_contain_text(f"forecast {(found.values - batch.future).abs().mean():.2f}")
    page.locator(".ap-details summary").click()
    expect(page.locator("tbody tr")).to_have_count(14)
    page.get_by_label("Past day").fill("38")
    value = page.get_by_label("Value of this day")
    value.press("End")
    most = float(value.input_value())
    moved = wanted(SEEDS[1], {38: most})[0]
    assert abs(moved.values[0, 3] - found.values[0, 3]) > 0.5
    expect(finding).to_contain_text(f"Day 45: forecast {written(moved.values[0, 3].item(), 2)}")
    page.wait_for_function("new URLSearchParams(location.search).has('series_set')")
    assert parse_qs(urlsplit(page.url).query)["series_set"] == [f"38~{most:g}"]
    page.reload()
    expect(finding).to_contain_text(f"Day 45: forecast {written(moved.values[0, 3].item(), 2)}")
    page.get_by_role("button", name="Reset the past").click()
    page.locator(".ap").press("ArrowRight")
    expect(finding).to_contain_text(f"Day 46: forecast {written(found.values[0, 4].item(), 2)}")
    pull(page.locator(".sr-dot").nth(20), 0, -40)
    expect(page.get_by_label("Past day")).to_have_value("20")
    assert float(value.input_value()) > batch.history[0, 20].item() + 0.3
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_most_of_the_weight_is_on_the_same_weekday_and_most_of_it_on_the_last_one():
    shares = evidence.by_week()
    assert sum(shares) == pytest.approx(1, abs=1e-4)
    assert sum(shares[:-1]) > 0.9
    assert shares[0] == max(shares)


def test_the_forecast_is_better_than_last_week_and_worse_than_without_noise():
    forecasts, last, floor = next(iter(evidence.copied().figure.series.values()))
    assert floor < forecasts < last
