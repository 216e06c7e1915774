"""A grid of small weight matrices: the layers and heads of a Transformer."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
from jaxtyping import Float
from torch import Tensor

from attn_core.figures.heatmap import color
from attn_core.palette import LIGHT

SIDE = 150  # pixels of a map's longer side


def grid(
    maps: Mapping[str, Float[Tensor, "rows columns"]],
    rows: Sequence[str],
    columns: Sequence[str],
    across: int = 4,
    positions: bool = True,
    signed: bool = False,
) -> alt.FacetChart:
    """The weight matrices in `maps`, each with its name as title, `across` per line; all have the same words.

    The tooltip has a cell's words and weight. Labels include positions, unless `positions` is false. NaN, for a
    masked position, leaves the cell empty. With `signed`, the numbers are shares from -1 to 1, such as
    Attribution.relative, and not weights. Raises ValueError if `maps` is empty, and for a matrix that does not have a
    row and a column for each word.
    """
    if not maps:
        raise ValueError("maps must not be empty")
    for name, weights in maps.items():
        if weights.shape != (len(rows), len(columns)):
            raise ValueError(
                f"{name} must have {len(rows)} x {len(columns)} weights for these words, not "
                f"{' x '.join(map(str, weights.shape))}"
            )
    down, right = ([f"{place} {word}" for place, word in enumerate(words)] for words in (rows, columns))
    shown = "share" if signed else "weight"
    values = [
        {"map": name, "from": down[i], "to": right[j], shown: weight}
        for name, weights in maps.items()
        for i, row in enumerate(weights.tolist())
        for j, weight in enumerate(row)
        if weight == weight  # not NaN
    ]
    axis: dict[str, Any] = {} if positions else {"labelExpr": r"replace(datum.label, /^\d+ /, '')"}
    axis |= {"labelLimit": 120, "labelFontSize": 11, "labelColor": LIGHT["ink"], "domain": False, "ticks": False}
    x = alt.X("to:N", title=None, scale=alt.Scale(domain=right), axis=alt.Axis(labelAngle=-60, **axis))
    y = alt.Y("from:N", title=None, scale=alt.Scale(domain=down), axis=alt.Axis(**axis))
    tips = [alt.Tooltip("from:N"), alt.Tooltip("to:N"), alt.Tooltip(f"{shown}:Q", format=".6g")]
    cell = SIDE / max(len(rows), len(columns))
    header = alt.Header(title=None, labelFontSize=13, labelAnchor="start", labelColor=LIGHT["dim"])
    return (
        alt.Chart(alt.Data(values=values))
        .mark_rect()
        .encode(x, y, color(shown, LIGHT), tooltip=tips)
        .properties(width=cell * len(columns), height=cell * len(rows))
        .facet(alt.Facet("map:N", sort=list(maps), header=header), columns=across, spacing=12)
        .configure_view(stroke=LIGHT["outside"])
        .configure(background=LIGHT["background"])
    )
