"""Quiz cards about the forecast of a time series."""

from app.lab.kit.cards import Card
from attn_core.messages import N_

CARDS = (
    Card(
        "series-week",
        N_("A forecaster attends to the same weekday of past weeks"),
        N_("Where in the past are most of the attention weights of a forecast day?"),
        (
            N_("On the last few days, whatever their weekday"),
            N_("On the days with the same weekday"),
            N_("On all days alike, since each belongs to the trend"),
        ),
        1,
        N_(
            "The weekly pattern is the largest part of these series, and it drifts from week to week. So the last day "
            "with the same weekday says most, the one before it less. The weekday is an input of every day, and the "
            "score learns to match it."
        ),
        "app.lab.series.data:weekly",
        N_("measured in this project, on synthetic series"),
        holds=True,
        level="research",
    ),
    Card(
        "series-copy",
        N_("A forecast that attends to last week repeats last week"),
        N_(
            "The largest weight is nearly always on the last known day with the same weekday. How do the forecasts "
            "compare with last week's values?"
        ),
        (
            N_("They are the same values, with a delay"),
            N_("They are worse: attention adds noise of its own"),
            N_("They have a smaller error"),
        ),
        2,
        N_(
            "The weights average the encoder's states, not the values. A state has seen its neighbours, the holiday "
            "and the season, and the decoder adds the trend and the calendar of the day to forecast. Repeating last "
            "week also repeats its noise and its holidays."
        ),
        "app.lab.series.data:copied",
        N_("measured in this project, on synthetic series"),
        level="research",
    ),
)
