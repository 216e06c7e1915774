"""The Series page: a forecast of a time series, and the attention of each of its days over the past."""

from pathlib import Path

from app.lab.kit.described import LabPage, Section, Stage
from app.lab.series.cards import CARDS
from app.shell.notes import Notes
from attn_core.messages import N_

_HERE = Path(__file__).parent
PAGE = LabPage(
    title=N_("Series"),
    about=N_("Change the past of a time series, and see which days its forecast attends to"),
    order=70,
    question=N_("Which days of the past does a forecast attend to?"),
    first=N_(
        "An encoder and a decoder with attention, on numbers instead of words: 42 known days, and a forecast of the "
        "next 14. Step through the forecast, and drag a past value: the model runs in your browser and forecasts "
        "again. The weekly pattern shows as **large weights 7, 14, 21, … days earlier**."
    ),
    sections=(
        Section(
            Stage(_HERE / "series.js", "app.lab.series.data:series", kind="series", in_file=True),
            note=N_(
                "The series are synthetic: a weekly pattern that drifts, a slower season, a trend, noise, and dips on "
                "holidays, which the model knows in advance. It was trained on other series of this kind."
            ),
        ),
    ),
    cards=CARDS,
    notes=Notes(
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
