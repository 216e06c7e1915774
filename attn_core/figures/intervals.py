"""Differences with their intervals, one per row."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from attn_core.figures.charts import WIDTH
from attn_core.messages import _
from attn_core.palette import DARK, LIGHT


def intervals(
    rows: Sequence[Mapping[str, Any]], title: str, chosen: str | None = None, dark: bool = False
) -> alt.LayerChart:
    """A point at the `mean` and a bar from `low` to `high` for each row, and a tick for each value in its `each`.

    A row is {"name", "mean", "low", "high", "each": numbers}. The row named `chosen` is coloured, the others are grey.
    A name stands above its bar, so that long names leave the whole width to the bars, also on a phone.
    Raises ValueError if `rows` is empty, and if no row is named `chosen`.
    """
    if not rows:
        raise ValueError("rows must not be empty")
    if chosen is not None and chosen not in (names := [row["name"] for row in rows]):
        raise ValueError(f"chosen must be the name of a row, one of {', '.join(names)}, not {chosen!r}")
    colors = DARK if dark else LIGHT
    shown = [{**row, "chosen": chosen in (None, row["name"])} for row in rows]
    dots = [{"name": row["name"], "value": value, "chosen": row["chosen"]} for row in shown for value in row["each"]]
    above = alt.Axis(
        domain=False,
        ticks=False,
        labelAlign="left",
        labelBaseline="bottom",
        labelLimit=alt.ExprRef("width"),
        labelOffset=-8,
        labelPadding=0,
    )
    y = alt.Y("name:N", sort=None, title=None, axis=above)

    def shade(name: str) -> alt.Color:
        return alt.Color(
            "chosen:N", scale=alt.Scale(domain=[True, False], range=[colors[name], colors["grey"]]), legend=None
        )

    numbers = [alt.Tooltip(f"{key}:Q", format="+.2f") for key in ("mean", "low", "high")]
    values = [{key: row[key] for key in ("name", "mean", "low", "high", "chosen")} for row in shown]
    base = alt.Chart(alt.Data(values=values)).encode(y, tooltip=[alt.Tooltip("name:N"), *numbers])
    bar = base.mark_rule(strokeWidth=3, opacity=0.55).encode(
        alt.X("low:Q", title=None, axis=alt.Axis(tickMinStep=1)), alt.X2("high"), shade("weight")
    )
    point = base.mark_point(filled=True, size=110, opacity=1).encode(alt.X("mean:Q"), shade("weight"))
    seed = alt.Tooltip("value:Q", title=_("one seed"), format="+.2f")
    each = (
        alt.Chart(alt.Data(values=dots))
        .mark_tick(thickness=2, size=14)
        .encode(alt.X("value:Q"), y, shade("changed"), tooltip=[seed])
    )
    zero = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(strokeDash=[4, 3], color=colors["ink"])
    layers = alt.layer(zero.encode(alt.X("zero:Q")), bar, each, point)
    # At the left, like the names; the axis would put it in the middle.
    caption = alt.TitleParams(title, orient="bottom", anchor="start", frame="bounds", fontSize=14)
    styled = layers.properties(width=WIDTH, height=alt.Step(44), title=caption).configure_view(stroke=None)
    return styled.configure_axis(labelFontSize=13)
