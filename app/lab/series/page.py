"""The Series page: a forecast of a time series, and the attention of each of its days over the past."""

from pathlib import Path

from app.lab.kit.described import LabPage, Section, Stage, draw
from app.lab.series.cards import CARDS
from app.shell.notes import Notes
from attn_core.messages import N_

__all__ = ["CARDS", "page"]

_HERE = Path(__file__).parent
PAGE = LabPage(
    N_("Series"),
    N_("Which days of the past does a forecast attend to?"),
    N_(
        "An encoder and a decoder with attention, on numbers instead of words: 42 known days, and a forecast of the "
        "next 14. Step through the forecast, and drag a past value: the model runs in your browser and forecasts "
        "again. The weekly pattern shows as **large weights 7, 14, 21, … days earlier**."
    ),
    (
        Section(
            Stage(
                "series_lab",
                _HERE / "series.js",
                _HERE / "series.css",
                "app.lab.series.stage:series",
                kind="series",
            ),
            note=N_(
                "The series are synthetic: a weekly pattern that drifts, a slower season, a trend, noise, and dips on "
                "holidays, which the model knows in advance. It was trained on other series of this kind."
            ),
        ),
    ),
    CARDS,
    Notes(
        (
            N_("Before the first step, ask which past days the forecast will use."),
            N_("Drag the value of the day with the largest weight: the forecast follows."),
            N_("Drag a day with another weekday: the forecast hardly changes."),
        ),
        N_(
            "To those with the same weekday: about two thirds of the weight is on the last of them, and one fifth on "
            "the one before."
        ),
        5,
    ),
)


def page() -> None:
    """Draw the page."""
    draw(PAGE)
