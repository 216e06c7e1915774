"""Tables of results as Altair charts: curves over a numeric field, bars over a nominal field."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from attn_core.palette import DIM, INK, LINE, PAPER, SERIES

Rows = Sequence[Mapping[str, Any]]

WIDTH, HEIGHT = 560, 280


def curves(
    rows: Rows,
    x: str,
    y: str,
    color: str,
    low: str | None = None,
    high: str | None = None,
    log: str = "",
    title: str | None = None,
) -> alt.LayerChart:
    """`y` against `x`, one curve for each value of `color`; the arguments are names of fields.

    `low` and `high` are the ends of an interval around y, drawn as a band. `log` names the logarithmic axes: "x", "y"
    or "xy". A click on the legend selects one curve, shift-click adds others. Raises ValueError if a row lacks a
    field.
    """
    data = _data(rows, x, y, color, *filter(None, (low, high)))
    legend = alt.selection_point(fields=[color], bind="legend")
    across = alt.Scale(type="log", nice=False) if "x" in log else alt.Scale(zero=False)
    upward = alt.Scale(type="log") if "y" in log else alt.Scale(zero=True)
    base = (
        alt.Chart(data)
        .encode(
            alt.X(x, type="quantitative", scale=across, title=x),
            _color(color),
            opacity=alt.condition(legend, alt.value(1), alt.value(0.08)),
            tooltip=[_tip(rows, name) for name in rows[0]],
        )
        .add_params(legend)
    )
    up = alt.Y(y, type="quantitative", scale=upward, title=y)
    layers = [base.mark_line(strokeWidth=2.5).encode(up), base.mark_point(filled=True, size=70, opacity=1).encode(up)]
    if low and high:
        band = alt.Chart(data).mark_area(opacity=0.14)
        faded = alt.condition(legend, alt.value(0.14), alt.value(0.02))
        band = band.encode(
            alt.X(x, type="quantitative"),
            alt.Y(low, type="quantitative", title=y),
            alt.Y2(high),
            _color(color),
            opacity=faded,
        )
        layers.insert(0, band)
    return _styled(alt.layer(*layers), title)


def bars(
    rows: Rows,
    x: str,
    y: str,
    color: str | None = None,
    side_by_side: bool = False,
    low: str | None = None,
    high: str | None = None,
    title: str | None = None,
) -> alt.LayerChart:
    """A bar of height `y` for each `x`, in the order of the rows; bars of the same x are stacked, or `side_by_side`.

    `low` and `high` are the ends of an interval around y, drawn as a line. The arguments are names of fields. Raises
    ValueError if a row lacks a field.
    """
    data = _data(rows, x, y, *filter(None, (color, low, high)))
    across = alt.X(x, type="nominal", sort=None, title=None, axis=alt.Axis(labelAngle=-40, labelLimit=200))
    base = alt.Chart(data).encode(across, tooltip=[_tip(rows, name) for name in rows[0]])
    if side_by_side and color:
        base = base.encode(alt.XOffset(color, type="nominal", sort=None))
    chart = base.mark_bar(color=SERIES[0]).encode(alt.Y(y, type="quantitative", title=y))
    layers = [chart]
    if color:
        legend = alt.selection_point(fields=[color], bind="legend")
        opacity = alt.condition(legend, alt.value(1), alt.value(0.12))
        layers = [chart.encode(_color(color), alt.Order("place:Q"), opacity=opacity).add_params(legend)]
    if low and high:
        span = base.mark_rule(strokeWidth=2, color=INK).encode(alt.Y(low, type="quantitative", title=y), alt.Y2(high))
        layers.append(span)
    return _styled(alt.layer(*layers), title)


def _data(rows: Rows, *fields: str) -> alt.Data:
    if not rows:
        raise ValueError("rows must not be empty")
    for row in rows:
        for field in fields:
            if field not in row:
                raise ValueError(
                    f"each row must have a field {field!r}, but a row has only {', '.join(map(repr, row))}"
                )
    return alt.Data(values=[{"place": place, **row} for place, row in enumerate(rows)])


def _color(field: str) -> alt.Color:
    key = alt.Legend(title=field, symbolOpacity=1, symbolStrokeWidth=0)
    return alt.Color(field, type="nominal", sort=None, scale=alt.Scale(range=SERIES), legend=key)


def _tip(rows: Rows, name: str) -> alt.Tooltip:
    if all(isinstance(row.get(name), int | float) for row in rows):
        return alt.Tooltip(name, type="quantitative", format=".5~g")
    return alt.Tooltip(name, type="nominal")


def _styled(chart: Any, title: str | None) -> Any:
    if title:
        chart = chart.properties(title=title)
    return (
        chart.properties(width=WIDTH, height=HEIGHT, background=PAPER)
        .configure_view(stroke=None)
        .configure_title(anchor="start", fontSize=14, fontWeight="normal", color=DIM)
        .configure_axis(
            labelFontSize=14, titleFontSize=14, labelColor=INK, titleColor=DIM, gridColor=LINE, domainColor=DIM
        )
        .configure_legend(labelFontSize=14, titleFontSize=14, labelColor=INK, titleColor=DIM, labelLimit=300)
    )
