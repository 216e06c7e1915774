"""Charts in the player's colours, the same for all cards. Altair takes seconds to import, so pages load this late."""

import json
from collections.abc import Mapping, Sequence

import altair as alt
import streamlit as st

from app.lab.kit.show import colors
from attn_core.messages import _


def bars(labels: Sequence[str], series: Mapping[str, Sequence[float]], *, unit: str = "weight") -> None:
    """Show a bar for each of `labels`, grouped for up to three `series`, with tooltips."""
    ink, series = colors(), {_(name): values for name, values in series.items()}
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
    chart = alt.Chart(alt.Data(values=rows)).mark_bar(cornerRadiusEnd=2)
    chart = chart.encode(
        alt.X("place:O", title=None, axis=axis),
        alt.Y("value:Q", title=unit),
        alt.XOffset("of:N", sort=list(series)),
        alt.Color("of:N", scale=shades, legend=legend),
        tooltip=[
            alt.Tooltip("label:N", title=_("item")),
            alt.Tooltip("of:N", title=_("series")),
            alt.Tooltip("value:Q", title=unit, format=".4f"),
        ],
    )
    st.altair_chart(chart.properties(height=280))
