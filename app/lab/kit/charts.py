"""The charts in a card's evidence, in the player's colours. Altair takes seconds to import, so pages load this late."""

import json
from typing import Any

import altair as alt

from app.lab.kit.evidence import Bars, Chart, Drawing, Map
from app.lab.kit.show import colors
from attn_core.messages import _
from attn_core.palette import DARK, LIGHT
from attn_core.registry import load


def chart(one: Chart, dark: bool) -> Any:
    """The chart of a block, for a dark or a light page."""
    match one:
        case Map(trace):
            return load("attn_core.figures:heatmap")(trace, dark=dark)  # torch comes with it
        case Drawing(draw):
            return draw(dark)
        case Bars():
            return _bars(one, colors(dark))


def alone(one: Chart, dark: bool) -> Any:
    """The chart for a page that gives it no theme, as Streamlit does."""
    drawn = chart(one, dark)
    if isinstance(one, Map):
        return drawn
    theme = DARK if dark else LIGHT
    text = {"labelColor": theme["ink"], "titleColor": theme["dim"], "labelFontSize": 13, "titleFontSize": 13}
    axis = drawn.configure_axis(gridColor=theme["outside"], domain=False, ticks=False, **text).configure_legend(**text)
    return axis.configure_view(stroke=None).properties(background="transparent", width=640)


def _bars(one: Bars, ink: dict[str, str]) -> Any:
    """Grouped bars with tooltips."""
    labels, series = one.labels, {_(name): values for name, values in one.series.items()}
    rows = [
        {"of": name, "label": label, "place": place, "value": float(value)}
        for name, values in series.items()
        for place, (label, value) in enumerate(zip(labels, values, strict=True))
    ]
    names = json.dumps(list(labels))  # the axis has positions, so that a repeated word keeps two bars
    angle = 0 if max(map(len, labels)) * len(labels) < 50 else -40
    axis = alt.Axis(labelExpr=f"{names}[datum.value]", labelAngle=angle, labelOverlap=False, labelLimit=120)
    shades = alt.Scale(domain=list(series), range=list(ink.values())[: len(series)])
    legend = alt.Legend(title=None, orient="top", labelLimit=400) if len(series) > 1 else None
    drawn = alt.Chart(alt.Data(values=rows)).mark_bar(cornerRadiusEnd=2)
    drawn = drawn.encode(
        alt.X("place:O", title=None, axis=axis),
        alt.Y("value:Q", title=one.unit),
        alt.XOffset("of:N", sort=list(series)),
        alt.Color("of:N", scale=shades, legend=legend),
        tooltip=[
            alt.Tooltip("label:N", title=_("item")),
            alt.Tooltip("of:N", title=_("series")),
            alt.Tooltip("value:Q", title=one.unit, format=".4f"),
        ],
    )
    return drawn.properties(height=280)
