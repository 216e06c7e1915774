"""The course of trainings as a Plotly figure, in which a reader zooms and compares values at an update."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import plotly.graph_objects as go

from attn_core.palette import PLAYER, SERIES, SERIES_ON_DARK
from attn_core.training.course import Course, Points

HEIGHT = 480
SCORES = {"bleu": ("BLEU", "diamond"), "exact": ("exact", "square"), "alignment": ("alignment", "triangle-up")}
GAP = 0.1  # between the panels, as a share of the height


@dataclass(frozen=True)
class Curve:
    """A curve of one training: its panel ("y" or "y2"), its points, and how it is drawn.

    `notes` says of each point when it was measured, since the nearest point may be far from the pointer.
    """

    name: str
    panel: str
    points: Points
    notes: list[str]
    value: str  # format of a value
    dash: str
    marker: str | None = None  # None: too many points for markers


def training_curves(courses: Mapping[str, Course], dark: bool = False) -> go.Figure:
    """Losses, and in percent validation scores and attention weights, over the updates of one or more trainings.

    The axis of updates is logarithmic. Each training has its colour, and its curves differ in dashes and markers; the
    curves of a single training have colours of their own. If a course has no snapshots, all curves are over epochs.
    Raises ValueError if `courses` is empty, or one of them has no curve.
    """
    if not courses:
        raise ValueError("courses must not be empty")
    by_epoch = any(course.snapshots is None for course in courses.values())
    colors = SERIES_ON_DARK if dark else SERIES
    figure = go.Figure()
    for place, (training, course) in enumerate(courses.items()):
        found = _curves(course)
        if not found:
            raise ValueError(f"the training {training!r} has neither a loss nor a score of a translator")
        for number, curve in enumerate(found):
            color = colors[(number if len(courses) == 1 else place) % len(colors)]
            trace = _trace(curve, course.per_epoch if by_epoch else 1, color)
            if len(courses) > 1:
                trace.update(legendgroup=training, legendgrouptitle={"text": training})
            figure.add_trace(trace)
    return _styled(figure, by_epoch, dark)


def _curves(course: Course) -> list[Curve]:
    """The curves of a training that have points, in the order of the legend."""
    training, validation, weights = course.training(), course.validation(), course.largest_weights()
    perplexity = [
        "" if loss is None else f", perplexity {math.exp(loss):.2f}{note}"
        for (_, loss), note in zip(validation, _after_epochs(course, validation), strict=True)
    ]
    snapshots = [f" after update {update:,}" for update, _ in weights]
    found = [
        Curve("training loss", "y", training, [""] * len(training), ".3f", "dot"),
        Curve("validation loss", "y", validation, perplexity, ".3f", "solid", "circle"),
    ]
    for name, points in course.scores().items():
        label, marker = SCORES[name]
        found.append(Curve(label, "y2", points, _after_epochs(course, points), ".1f", "solid", marker))
    found.append(Curve("mean largest weight", "y2", weights, snapshots, ".1f", "dash"))
    return [curve for curve in found if any(value is not None for _, value in curve.points)]


def _after_epochs(course: Course, points: Points) -> list[str]:
    return [f" after epoch {round(update / course.per_epoch)}" for update, _ in points]


def _trace(curve: Curve, unit: int, color: str) -> go.Scatter:
    """The trace of a curve; `unit` is the number of updates in a unit of the axis."""
    percent = "%" if curve.panel == "y2" else ""
    return go.Scatter(
        name=curve.name,
        x=[update / unit if unit > 1 else update for update, _ in curve.points],
        y=[value for _, value in curve.points],
        customdata=curve.notes,
        yaxis=curve.panel,
        mode="lines+markers" if curve.marker else "lines",
        line={"color": color, "dash": curve.dash, "width": 2.5},
        marker={"symbol": curve.marker or "circle", "size": 8},
        hovertemplate=f"%{{y:{curve.value}}}{percent}%{{customdata}}",
    )


def _styled(figure: go.Figure, by_epoch: bool, dark: bool) -> go.Figure:
    across, number = ("epoch", ".3~f") if by_epoch else ("update", ",")
    colors = PLAYER["dark" if dark else "light"]
    title = {"font": {"color": colors["dim"], "size": 13}, "standoff": 10}
    axis = {"gridcolor": colors["line"], "linecolor": colors["dim"], "zeroline": False, "title": title}
    numbers = {
        "nticks": 8,
        "exponentformat": "none",
        "separatethousands": True,
        "unifiedhovertitle": {"text": f"{across} %{{x:{number}}}"},
    }
    half = (1 - GAP) / 2

    def upward(text: str, low: float, high: float) -> dict:
        return axis | {"domain": [low, high], "rangemode": "tozero", "title": {"text": text, **title}}

    return figure.update_layout(
        template="none",
        height=HEIGHT,
        margin={"l": 60, "r": 20, "t": 30, "b": 60},
        paper_bgcolor=colors["surface"],
        plot_bgcolor=colors["surface"],
        font={"color": colors["ink"], "size": 13},
        modebar={"remove": ["sendChartToCloud", "select2d", "lasso2d"]},  # nothing is sent to a server
        hovermode="x unified",
        hoversubplots="axis",  # the values of both panels at once
        hoverdistance=-1,  # of each curve the nearest point, however far away
        hoverlabel={"bgcolor": colors["surface"], "font": {"color": colors["ink"]}},
        xaxis=axis | {"type": "log", "anchor": "y2", "title": {"text": f"{across}, log scale", **title}} | numbers,
        yaxis=upward("loss (nats per word)", half + GAP, 1),
        yaxis2=upward("%", 0, half),
        legend={"groupclick": "togglegroup", "y": 1, "yanchor": "top"},
    )
