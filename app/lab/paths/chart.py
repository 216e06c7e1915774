"""The chart of a cycle of quantities, each computed from the one before it."""

import math
from typing import Any

import altair as alt

from app.lab.kit import show
from attn_core.palette import DARK, LIGHT


def ring(symbols: list[str], dark: bool) -> Any:
    """The `symbols` on a circle, clockwise from the top, with an arrow from each to the next."""
    ink = show.colors(dark)
    places = [(math.sin(turn), math.cos(turn)) for turn in (math.tau * k / len(symbols) for k in range(len(symbols)))]
    nodes = [{"x": x, "y": y, "name": _plain(symbol)} for (x, y), symbol in zip(places, symbols, strict=True)]
    arrows = []
    for (x, y), (u, v) in zip(places, [*places[1:], places[0]], strict=True):
        # Vega turns a triangle clockwise from up; an arrow ends before its symbol.
        turn = math.degrees(math.atan2(u - x, v - y))
        ends = {"x": x + 0.25 * (u - x), "y": y + 0.25 * (v - y), "u": x + 0.75 * (u - x), "v": y + 0.75 * (v - y)}
        arrows.append(ends | {"turn": turn})
    scale = alt.Scale(domain=[-1.25, 1.25])
    lines = alt.Chart(alt.Data(values=arrows)).mark_rule(strokeWidth=2.5, color=ink["weight"])
    drawn = lines.encode(alt.X("x:Q", scale=scale, axis=None), alt.Y("y:Q", scale=scale, axis=None), x2="u:Q", y2="v:Q")
    heads = alt.Chart(alt.Data(values=arrows)).mark_point(shape="triangle", size=110, filled=True, color=ink["weight"])
    drawn += heads.encode(x="u:Q", y="v:Q", angle=alt.Angle("turn:Q", scale=None), opacity=alt.value(1))
    names = alt.Chart(alt.Data(values=nodes)).mark_text(
        fontSize=22, fontWeight=600, color=(DARK if dark else LIGHT)["ink"]
    )
    return (drawn + names.encode(x="x:Q", y="y:Q", text="name:N")).properties(height=240, width=260)


def _plain(symbol: str) -> str:
    """A symbol of a step graph (LaTeX with a subscript of one letter) as text."""
    return symbol.replace("_{i}", "ᵢ")
