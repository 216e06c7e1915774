"""How the lab shows numbers: charts and tables in the player's colours, one look for all cards."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

LIGHT = {
    "weight": "#2443c4",
    "score": "#8d97a8",
    "window": "#c2570c",
    "ink": "#12151c",
    "dim": "#566074",
    "line": "#dde1e9",
}
DARK = {
    "weight": "#9ccaff",
    "score": "#7d889d",
    "window": "#ffa94d",
    "ink": "#f2f4f9",
    "dim": "#a7b0c2",
    "line": "#2f3645",
}


def colors() -> dict[str, str]:
    """The player's colours (player.css) in the theme of the page."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def table(rows: Iterable[Mapping[str, Any]]) -> None:
    """Rows of text and numbers; numbers to four decimals, as the player's tips say them."""
    st.table([{name: _exact(value) for name, value in row.items()} for row in rows], border="horizontal")


def bars(labels: Sequence[str], series: Mapping[str, Sequence[float]], *, unit: str = "weight") -> None:
    """One panel for each of `series`, a bar for each of `labels`; all panels on one scale."""
    import altair as alt

    ink = colors()
    rows = [
        {"of": name, "label": label, "place": place, "value": float(value)}
        for name, values in series.items()
        for place, (label, value) in enumerate(zip(labels, values, strict=True))
    ]
    across = alt.X(
        "place:O", title=None, axis=alt.Axis(labelExpr=_label(labels), labelAngle=0 if len(labels) < 8 else -40)
    )
    base = alt.Chart(alt.Data(values=rows)).encode(
        across,
        alt.Y("value:Q", title=unit),
        tooltip=[alt.Tooltip("label:N", title="at"), alt.Tooltip("value:Q", title=unit, format=".4f")],
    )
    marks = base.mark_bar(color=ink["weight"], cornerRadiusEnd=2)
    values = base.mark_text(dy=-7, color=ink["ink"], fontSize=12).encode(alt.Text("value:Q", format=".2f"))
    layered = (marks + values) if len(labels) <= 12 else marks
    panel = layered.properties(height=110, width="container") if len(series) == 1 else layered.properties(height=90)
    chart = panel if len(series) == 1 else panel.facet(row=alt.Row("of:N", title=None, sort=list(series)))
    st.altair_chart(chart)


def _label(labels: Sequence[str]) -> str:
    import json

    return f"{json.dumps(list(labels))}[datum.value]"


def _exact(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
