"""The variation of a gradient estimate as an Altair chart."""

from collections.abc import Mapping
from typing import Any

import altair as alt

from attn_core.models.recipe import CREDITS
from attn_core.palette import BLUE, GREEN, INK

BASELINE, NONE = "with a baseline", "without"


def gradient_noise(gradient: Mapping[str, Mapping[str, Mapping[str, float]]]) -> alt.FacetChart:
    """Bars of the standard deviation of REINFORCE's gradient by the credit of a sample, with and without a baseline.

    `gradient` is the field of that name in the results of tests/benchmarks/hard.py: for each stage of training and each
    credit ("word", and "word, no baseline"), {"mean", "deviation"}. The tick is the norm of the mean; a longer bar is
    noise. Raises ValueError if `gradient` is empty.
    """
    rows = []
    for when, found in gradient.items():
        for name, numbers in found.items():
            credit, _, bare = name.partition(", ")
            row: dict[str, Any] = {"when": when, "credit": CREDITS.get(credit, credit)}
            row["baseline"] = NONE if bare else BASELINE
            rows.append(row | {key: numbers[key] for key in ("mean", "deviation")})
    if not rows:
        raise ValueError("gradient must not be empty")
    shades = alt.Scale(domain=[BASELINE, NONE], range=[BLUE, GREEN])
    tips: list[Any] = [
        "credit:N",
        "baseline:N",
        alt.Tooltip("deviation:Q", format=".4f"),
        alt.Tooltip("mean:Q", format=".4f"),
    ]
    down = alt.Y(
        "credit:N",
        title="a sample is credited with the loss of",
        sort=list(CREDITS.values()),
        axis=alt.Axis(labelLimit=300),
    )
    base = alt.Chart().encode(down, tooltip=tips)
    offset = alt.YOffset("baseline:N", sort=[BASELINE, NONE])
    bars = base.mark_bar(cornerRadiusEnd=2).encode(
        alt.X("deviation:Q", title="standard deviation of one estimate; tick: norm of the mean"),
        offset,
        alt.Color("baseline:N", scale=shades, legend=alt.Legend(title=None, orient="top")),
    )
    means = base.mark_tick(thickness=3, size=14, color=INK).encode(alt.X("mean:Q"), offset)
    numbers = base.mark_text(align="left", dx=4).encode(
        alt.X("deviation:Q"), offset, alt.Text("deviation:Q", format=".2f")
    )
    layers = alt.layer(bars, means, numbers, data=alt.Data(values=rows)).properties(width=320, height=170)
    return layers.facet(alt.Facet("when:N", title=None, sort=list(gradient)))
