"""The chart of the Pointer page."""

from typing import Any

import altair as alt

from app.lab.kit import show
from attn_core.messages import _


def accuracy(rows: list[dict[str, Any]], kinds: list[str], trained: tuple[int, int], dark: bool) -> Any:
    """Accuracy against the number of inputs for each kind of network, with the training lengths shaded."""
    ink = show.colors(dark)
    lengths = alt.Scale(domain=[min(row["n"] for row in rows) - 2, max(row["n"] for row in rows) + 1.5])
    least, most = trained
    band = alt.Chart(alt.Data(values=[{"from": least, "to": most, "name": _("lengths in training")}]))
    shaded = band.mark_rect(opacity=0.12, color=ink["score"]).encode(alt.X("from:Q", scale=lengths), x2="to:Q")
    band_name = band.mark_text(align="left", baseline="bottom", dx=6, dy=-6, color=ink["score"], fontSize=14)
    shades = alt.Scale(domain=kinds, range=[ink["weight"], ink["changed"]][: len(kinds)])
    base = alt.Chart(alt.Data(values=rows)).encode(
        alt.X(
            "n:Q",
            title=_("number of inputs n"),
            scale=lengths,
            axis=alt.Axis(values=sorted({row["n"] for row in rows}), format="d"),
        ),
        alt.Y(
            "right:Q",
            title=None,
            axis=alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1]),
            scale=alt.Scale(domain=[0, 1.1]),  # room for the number at 100%
        ),
        alt.Color("of:N", legend=alt.Legend(title=None, orient="top", direction="vertical"), scale=shades),
    )
    tips = [alt.Tooltip("of:N"), alt.Tooltip("n:Q"), alt.Tooltip("right:Q", format=".1%")]
    layers = shaded + band_name.encode(x="from:Q", y=alt.datum(0), text="name:N")
    layers += base.mark_line(point=alt.OverlayMarkDef(size=80), strokeWidth=2.5).encode(tooltip=tips)
    for kind, (right, down) in zip(kinds, ((12, -13), (-12, 15)), strict=False):  # beside the lines, which fall
        numbers = base.mark_text(dx=right, dy=down, fontSize=14, fontWeight=600)
        numbers = numbers.encode(text=alt.Text("right:Q", format=".0%"))
        layers += numbers.transform_filter(alt.datum.of == kind)
    return layers.properties(height=320)
