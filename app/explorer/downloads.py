"""What can be taken away: the figure, the numbers, the working player. Nothing is made before somebody asks for it."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from app.service.answer import Answer
from app.service.catalogue import Shipped
from app.service.view import View
from attn_core.registry import load
from attn_core.web import html

_EXPORTS = (
    "app.explorer.exports"  # its functions are loaded when they are first called: torch and charts come with them
)


@dataclass
class Shown:
    """What one visitor's player shows now; a download is made from this when it is asked for.

    So the buttons need not be drawn again whenever a slider is let go.
    """

    answer: Answer = field(default_factory=Answer)
    look: int | None = None  # of the figure; none: the mean of a step's looks, or its only one


def downloads(model: Shipped, view: View, shown: Shown) -> None:
    """One button for each kind of file; figures and tables need a model that looks."""
    if not shown.answer.trace:
        return
    stem = f"{model.name}-{_slug(view.text)}"
    looks = model.config.attention is not None

    def export(name: str, *options: Any) -> Any:
        return load(f"{_EXPORTS}:{name}")(shown.answer.trace, *options)

    def handout() -> str:
        return html(shown.answer.trace, f"{view.text.strip()} → {shown.answer.text}")

    with st.container(horizontal=True, gap="small"):
        _button("PNG", f"{stem}.png", "image/png", lambda: export("png", shown.look), "The heatmap as a picture", looks)
        _button(
            "SVG", f"{stem}.svg", "image/svg+xml", lambda: export("svg", shown.look), "The heatmap as a drawing", looks
        )
        numbers = "All weights, one to a line; positions from 0"
        _button("CSV", f"{stem}.csv", "text/csv", lambda: export("csv"), numbers, looks)
        _button("JSON", f"{stem}.json", "application/json", lambda: f"{shown.answer.trace}\n", "The whole trace")
        _button("Handout", f"{stem}.html", "text/html", handout, "One page with the working player")


def _button(label: str, name: str, kind: str, make: Callable[[], str | bytes], about: str, there: bool = True) -> None:
    st.download_button(
        label,
        make,
        name,
        kind,
        key=f"take_{label}",
        help=about if there else "This model has no attention to show.",
        disabled=not there,
        on_click="ignore",
        icon=":material/download:",
    )


def figure(shown: Shown) -> None:
    """The trace as a chart, drawn only while somebody looks at it."""
    shown.look = None
    with st.expander("The same trace as a figure", key="figure", on_change="rerun") as place:
        if place.open:
            looks = load(f"{_EXPORTS}:looks")(shown.answer.trace)
            if len(looks) > 1:
                shown.look = st.selectbox(
                    "Layer and head",
                    [None, *range(len(looks))],
                    format_func=lambda look: (
                        f"mean of {len(looks)} looks"
                        if look is None
                        else f"layer {looks[look].layer + 1}, head {looks[look].head + 1}"
                    ),
                    key="figure_look",
                    width=220,
                    help="PNG and SVG below take the figure as it stands here.",
                )
            dark = st.context.theme.type == "dark"
            chart = load(f"{_EXPORTS}:chart")(shown.answer.trace, shown.look, dark)
            st.altair_chart(chart, theme=None, width="content", key="heatmap")


def _slug(text: str) -> str:
    """The first words as a file name that every system takes."""
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain)[:5])[:50] or "sentence"
