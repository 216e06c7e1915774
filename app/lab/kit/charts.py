"""The charts in a card's evidence, in the player's colours. Altair takes seconds to import, so pages load this late."""

import json
from typing import Any

import altair as alt

from app.lab.kit.evidence import Bars, Chart, Drawing, Map
from app.lab.kit.show import colors
from attn_core.messages import _
from attn_core.palette import DARK, LIGHT
from attn_core.registry import load

MOST_LETTERS = 60  # of all labels together, for them to stand upright
MOST_LABELS = 20  # more labels cannot be read; the tooltips have them


def chart(block: Chart, dark: bool) -> Any:
    """The chart of a block, for a dark or a light page."""
    match block:
        case Map(trace):
            return load("attn_core.figures:heatmap")(trace, dark=dark)  # torch comes with it
        case Drawing(draw, data):
            return load(draw)(*data, dark)
        case Bars():
            return _bars(block, colors(dark), DARK if dark else LIGHT)


def themed_chart(block: Chart, dark: bool) -> Any:
    """The chart in the dashboard's theme, for a page without Streamlit, which would give it that."""
    drawn = chart(block, dark)
    if isinstance(block, Map):
        return drawn
    theme = DARK if dark else LIGHT
    text = {"labelColor": theme["ink"], "titleColor": theme["dim"], "labelFontSize": 14, "titleFontSize": 14}
    room = {"labelPadding": 6, "titlePadding": 14}
    axis = drawn.configure_axis(gridColor=theme["outside"], domain=False, ticks=False, **room, **text)
    return axis.configure_legend(**text).configure_view(stroke=None).properties(background="transparent", width=560)


def _bars(bars: Bars, ink: dict[str, str], theme: dict[str, str]) -> Any:
    """Grouped bars with tooltips, and with numbers above them if the block has a format for these."""
    labels, series = bars.labels, {_(name): values for name, values in bars.series.items()}
    rows = [
        {"of": name, "label": label, "place": place, "value": float(value)}
        for name, values in series.items()
        for place, (label, value) in enumerate(zip(labels, values, strict=True))
        if value is not None
    ]
    names = json.dumps(list(labels))  # the axis has positions, so that a repeated word keeps two bars
    axis = alt.Axis(
        labelExpr=f"{names}[datum.value]",
        labelAngle=0 if max(map(len, labels)) * len(labels) < MOST_LETTERS else -40,
        labels=len(labels) <= MOST_LABELS,
        labelOverlap=False,
        labelLimit=150,
    )
    scale = alt.Axis(tickMinStep=1 if bars.numbers == "d" else 0)
    if "%" in bars.numbers:
        scale.format = ".0%"
    shades = alt.Scale(domain=list(series), range=list(ink.values())[: len(series)])
    legend = alt.Legend(title=None, orient="top", columns=1, labelLimit=400) if len(series) > 1 else None
    base = alt.Chart(alt.Data(values=rows)).encode(
        alt.X("place:O", title=bars.along or None, axis=axis, scale=alt.Scale(domain=list(range(len(labels))))),
        alt.Y("value:Q", title=bars.unit, axis=scale),
        alt.XOffset("of:N", sort=list(series)),
    )
    drawn = base.mark_bar(cornerRadiusEnd=2).encode(
        alt.Color("of:N", scale=shades, legend=legend),
        tooltip=[
            alt.Tooltip("label:N", title=_("item")),
            alt.Tooltip("of:N", title=_("series")),
            alt.Tooltip("value:Q", title=bars.unit, format=".4f"),
        ],
    )
    if bars.numbers:
        style: dict[str, Any] = {"fontSize": 14, "fontWeight": 600, "color": theme["ink"]}
        text = alt.Text("value:Q", format=bars.numbers)
        over, under = base.mark_text(baseline="bottom", dy=-3, **style), base.mark_text(baseline="top", dy=3, **style)
        drawn += over.encode(text=text).transform_filter("datum.value >= 0")
        drawn += under.encode(text=text).transform_filter("datum.value < 0")
    return drawn.properties(height=240)
