"""Downloads: the figure, the numbers and the working player, each made when it is requested."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from app.service.answer import Answer
from app.service.catalogue import Shipped
from app.service.view import View
from attn_core.messages import _
from attn_core.registry import load
from attn_core.web import bundle, html
from attn_core.web.hosts.streamlit import component
from attn_core.web.model_files import GRAPHS

_ICON = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4v11m-5-5 5 5 5-5M5 20h14"/></svg>'
_HANDOUT = component(
    "handout",
    Path(__file__).with_name("handout.js"),
    f'<button type="button">{_ICON}<span></span></button>',
    bundle.sheet(Path(__file__).parents[1] / "shell" / "copy.css"),
)
_EXPORTS = (
    "app.explorer.exports"  # its functions are loaded when they are first called: torch and charts come with them
)


@dataclass
class Shown:
    """The translation that one visitor's player shows, from which a requested download is made.

    With it the buttons need not be drawn again whenever a slider is released.
    """

    drawn: Answer = field(default_factory=Answer)  # its first window; the page may have decoded others since
    sentence: View | None = None  # what `drawn` translates
    decoded_here: bool = False  # whether the page shows a later window, which it has decoded
    decode: Callable[[], Answer] = Answer  # with the present window, from the cache if it was decoded before
    look: int | None = None  # of the figure: the number of a head; None: the mean of all heads

    @property
    def answer(self) -> Answer:
        """The translation with the present window."""
        return self.decode()


def downloads(model: Shipped, view: View, shown: Shown) -> None:
    """A button for each kind of file; figures and tables need a model with attention."""
    if not shown.drawn.trace:
        return
    stem = f"{model.name}-{_slug(view.text)}"
    looks = model.config.attention is not None

    def export(name: str, *options: Any) -> Any:
        return load(f"{_EXPORTS}:{name}")(shown.answer.trace, *options)

    with st.container(horizontal=True, gap="small"):
        pixels, vectors = _("Download the heatmap as an image"), _("Download the heatmap as vector graphics")
        _button("PNG", f"{stem}.png", "image/png", lambda: export("png", shown.look), pixels, looks)
        _button("SVG", f"{stem}.svg", "image/svg+xml", lambda: export("svg", shown.look), vectors, looks)
        numbers = _("Download all weights, one per line; positions count from 0")
        _button("CSV", f"{stem}.csv", "text/csv", lambda: export("csv"), numbers, looks)
        whole = _("Download the complete trace")
        _button("JSON", f"{stem}.json", "application/json", lambda: f"{shown.answer.trace}\n", whole)
        _handout(f"{stem}.html", model, view, shown)


@st.fragment
def _handout(name: str, model: Shipped, view: View, shown: Shown) -> None:
    """A button for a page with the player, which opens at the step that the reader is at when clicking.

    The page contains the model, so that it translates other sentences too, if the model is exported for the browser.
    """
    asked = (st.session_state.get("handout") or {}).get("asked")
    page = None
    if asked:
        page = html(
            shown.answer.trace,
            f"{view.text.strip()} → {shown.answer.text}",
            step=max(int(asked.get("step") or 0), 0),
            look=asked.get("look"),
            models=[model.folder] if (model.folder / GRAPHS).is_file() else [],
            text=view.text.strip(),
        )
    _HANDOUT(key="handout", data={"page": page, "name": name}, on_asked_change=lambda: None, width="content")


def _button(label: str, name: str, kind: str, make: Callable[[], str | bytes], about: str, there: bool = True) -> None:
    st.download_button(
        label,
        make,
        name,
        kind,
        key=f"take_{name.rpartition('.')[2]}",
        help=about if there else _("This model has no attention to show."),
        disabled=not there,
        on_click="ignore",
        icon=":material/download:",
    )


def figure(shown: Shown) -> None:
    """The heatmap as a chart, drawn only while its expander is open."""
    shown.look = None
    with st.expander(_("Heatmap as a figure"), key="figure", on_change="rerun") as place:
        if place.open:
            looks = load(f"{_EXPORTS}:looks")(shown.answer.trace)
            if len(looks) > 1:
                shown.look = st.selectbox(
                    _("Layer and head"),
                    [None, *range(len(looks))],
                    format_func=lambda look: (
                        _("mean of {n} heads").format(n=len(looks))
                        if look is None
                        else _("layer {layer}, head {head}").format(
                            layer=looks[look].layer + 1, head=looks[look].head + 1
                        )
                    ),
                    key="figure_look",
                    width=220,
                    help=_("The PNG and SVG files show this layer and head."),
                )
            dark = st.context.theme.type == "dark"
            chart = load(f"{_EXPORTS}:chart")(shown.answer.trace, shown.look, dark)
            st.altair_chart(chart, theme=None, width="content", key="heatmap")


def _slug(text: str) -> str:
    """The first words as a file name that every system takes."""
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain)[:5])[:50] or "sentence"
