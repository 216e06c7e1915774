"""The charts of the Results page."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import altair as alt

from app.lab.kit import show
from attn_core.messages import _
from attn_core.palette import SERIES, SERIES_ON_DARK

Rows = Sequence[dict[str, Any]]
_TICK = "M0,-0.5V0.5"  # SVG path of a vertical line
# The height is that of the plot: by default Streamlit takes it for plot and legend together.
PLOT = alt.AutoSizeParams(type="fit-x", contains="padding")


def beside(rows: Rows, title: str, dark: bool) -> Any:
    """Each row's mean with its interval, its seeds as ticks, and the paper's number as a hollow diamond.

    A row may lack our numbers or the paper's.
    """
    ink = show.colors(dark)
    here, seeds, paper = _("here, with 95% interval"), _("single seeds"), _("paper")
    names = [row["name"] for row in rows]
    own = [{**row, "of": here} for row in rows if "mean" in row]
    theirs = [{"name": row["name"], "value": row["paper"], "of": paper} for row in rows if row["paper"] is not None]
    dots = [{"name": row["name"], "value": value, "of": seeds} for row in own for value in row["each"]]
    shades = {here: ink["weight"], seeds: ink["changed"], paper: ink["score"]}
    kinds = list(dict.fromkeys(mark["of"] for mark in (*own, *dots, *theirs)))
    legend = alt.Legend(title=None, orient="top", direction="vertical", labelLimit=300, symbolOpacity=1)
    color = alt.Color("of:N", scale=alt.Scale(domain=kinds, range=[shades[kind] for kind in kinds]), legend=legend)
    marks = {here: "circle", seeds: _TICK, paper: "diamond"}
    shape = alt.Shape("of:N", scale=alt.Scale(domain=kinds, range=[marks[kind] for kind in kinds]), legend=legend)
    room = 7.5 * max(map(len, names))  # the site's font may be wider than the one that was measured
    axis = alt.Axis(labelLimit=260, minExtent=room, labelFlush=False, domain=False, ticks=False)
    y = alt.Y("name:N", sort=names, title=None, axis=axis, scale=alt.Scale(domain=names))
    ten = alt.Axis(tickCount=10, labelFlush=False)
    across = partial(alt.X, scale=alt.Scale(zero=False, nice=True), axis=ten, title=title)
    name = alt.Tooltip("name:N", title=_("model"))
    layers = []
    if own:
        base = alt.Chart(alt.Data(values=own)).encode(
            y, color, tooltip=[name, *(alt.Tooltip(f"{key}:Q", format=".2f") for key in ("mean", "low", "high"))]
        )
        layers.append(base.mark_rule(strokeWidth=3, opacity=0.55).encode(alt.X("low:Q"), alt.X2("high")))
        ticks = alt.Chart(alt.Data(values=dots)).mark_point(size=144, strokeWidth=2, opacity=1)
        value = alt.Tooltip("value:Q", title=_("one seed"), format=".2f")
        layers.append(ticks.encode(alt.X("value:Q"), y, color, shape, tooltip=[name, value]))
        layers.append(base.mark_point(size=90, strokeWidth=2, opacity=1).encode(alt.X("mean:Q"), shape))
    if theirs:
        value = alt.Tooltip("value:Q", title=paper, format=".2f")
        diamonds = alt.Chart(alt.Data(values=theirs)).mark_point(size=90, strokeWidth=2, opacity=1)
        layers.append(diamonds.encode(across("value:Q"), y, color, shape, tooltip=[name, value]))
    layers[0] = layers[0].encode(across(layers[0].encoding.x.shorthand))
    return alt.layer(*layers).properties(height=alt.Step(30))


def by_length(rows: Rows, names: Sequence[str], dark: bool) -> Any:
    """BLEU by group of source lengths, one line with its interval for each model."""
    said = alt.Axis(labelExpr=f"{list(names)}[datum.value]", labelAngle=0)
    base = alt.Chart(alt.Data(values=list(rows))).encode(
        alt.X("place:O", title=_("words of the source sentence"), axis=said),
        _color(rows, dark),
        tooltip=[alt.Tooltip("of:N", title=_("model")), alt.Tooltip("mean:Q", title=_("BLEU"), format=".1f")],
    )
    up = alt.Y("mean:Q", title=_("BLEU"), scale=alt.Scale(zero=True))
    band = base.mark_area(opacity=0.12).encode(alt.Y("low:Q", title=_("BLEU")), alt.Y2("high"))
    line = base.mark_line(strokeWidth=2.5, point=alt.OverlayMarkDef(size=70)).encode(up)
    return (band + line).properties(height=400, autosize=PLOT)


def learning(rows: Rows, dark: bool) -> Any:
    """Validation perplexity by epoch, a line for each model."""
    drawn = alt.Chart(alt.Data(values=list(rows))).mark_line(strokeWidth=2.5, point=alt.OverlayMarkDef(size=50))
    return drawn.encode(
        alt.X("epoch:O", title=_("epoch"), axis=alt.Axis(labelAngle=0)),
        alt.Y("perplexity:Q", title=_("validation perplexity"), scale=alt.Scale(zero=False)),
        _color(rows, dark),
        tooltip=[
            alt.Tooltip("of:N", title=_("model")),
            alt.Tooltip("epoch:O", title=_("epoch")),
            alt.Tooltip("perplexity:Q", title=_("validation perplexity"), format=".2f"),
        ],
    ).properties(height=320, autosize=PLOT)


def _color(rows: Rows, dark: bool) -> alt.Color:
    series = SERIES_ON_DARK if dark else SERIES
    names = list(dict.fromkeys(row["of"] for row in rows))
    legend = alt.Legend(title=None, orient="top", direction="vertical", labelLimit=300, symbolOpacity=1)
    return alt.Color("of:N", sort=names, scale=alt.Scale(domain=names, range=series[: len(names)]), legend=legend)
