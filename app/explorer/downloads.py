"""Downloads: the figure, the numbers and the working player, each made of what the stage shows when it is requested."""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from app.shell.shared import LONGEST
from attn_core.messages import _
from attn_core.models import folders
from attn_core.registry import load
from attn_core.web import MEAN, bundle, html
from attn_core.web.hosts.streamlit import component
from attn_core.web.model_files import GRAPHS

_ICON = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4v11m-5-5 5 5 5-5M5 20h14"/></svg>'
_HANDOUT = component(
    "handout",
    Path(__file__).with_name("handout.js"),
    f'<button type="button">{_ICON}<span></span></button>',
    bundle.sheet(Path(__file__).parents[1] / "shell" / "button.css"),
)
# Its functions are loaded when they are first called: torch and charts come with them.
_EXPORTS = "app.explorer.exports"


@dataclass(frozen=True)
class Shown:
    """What the stage shows (types.d.ts, Shown): a translation, the step, and the layer and head, all from 0."""

    id: int
    text: str
    model: str
    trace: str
    step: int
    layer: int | None
    head: int | str | None

    @property
    def one_head(self) -> tuple[int, int] | None:
        """Layer and head of the head on show; None if it is the mean, or if the model has one head only."""
        return (self.layer, self.head) if self.layer is not None and isinstance(self.head, int) else None

    @classmethod
    def of(cls, message: Mapping[str, Any] | None) -> "Shown | None":
        """What the stage's last message says; None before the first. Raises ValueError where it is no such message."""
        if message is None:
            return None
        try:
            trace = json.dumps(message["trace"], ensure_ascii=False)
            layer = None if message["layer"] is None else int(message["layer"])
            head = message["head"] if message["head"] in (None, MEAN) else int(message["head"])
            step = max(int(message["step"]), 0)
            return cls(int(message["id"]), str(message["text"]), str(message["model"]), trace, step, layer, head)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not what a stage shows: {error}") from error


def downloads(shown: Shown | None) -> None:
    """A button for each kind of file, and the figure; `shown` is None until the stage has told what it shows."""
    stem = f"{shown.model}-{_slug(shown.text)}" if shown else "attention"

    def export(name: str, *options: Any) -> Any:
        return load(f"{_EXPORTS}:{name}")(shown.trace, *options) if shown else ""

    head = _figure(shown)
    there = shown is None or _attends(shown)
    with st.container(horizontal=True, gap="small"):
        of = {"model": shown.model if shown else ""}  # in a comparison, the downloads are of the model in the player
        pixels = _("Download the heatmap of {model} as an image").format(**of)
        vectors = _("Download the heatmap of {model} as vector graphics").format(**of)
        _button("PNG", f"{stem}.png", "image/png", lambda: export("png", head), pixels, there)
        _button("SVG", f"{stem}.svg", "image/svg+xml", lambda: export("svg", head), vectors, there)
        numbers = _("Download all weights of {model}, one per line; positions count from 0").format(**of)
        _button("CSV", f"{stem}.csv", "text/csv", lambda: export("csv"), numbers, there)
        whole = _("Download the complete trace of {model}").format(**of)
        _button("JSON", f"{stem}.json", "application/json", lambda: f"{shown.trace}\n" if shown else "", whole)
        _handout(f"{stem}.html", shown)


@st.fragment
def _handout(name: str, shown: Shown | None) -> None:
    """A button for a page with the player, which opens at the step on show.

    The page contains the model, so that it translates other sentences too, if the model is exported for the browser.
    """
    page = None
    if shown and (asked := (st.session_state.get("handout") or {}).get("asked")):
        folder = folders.find(shown.model)
        live = (folder / GRAPHS).is_file()
        page = html(
            shown.trace,
            None if live else shown.text.strip(),
            step=shown.step,
            layer=shown.layer,
            head=shown.head,
            models=[folder] if live else [],
            text=shown.text.strip(),
            address=_address(asked),
        )
    _HANDOUT(key="handout", data={"page": page, "name": name}, on_asked_change=lambda: None, width="content")


def _address(asked: Any) -> str:
    """The address of the view where others can reach it, as the browser has it; empty if there is none."""
    address = str(asked.get("address", "")) if isinstance(asked, Mapping) else ""
    return address if address.startswith(("http://", "https://")) and len(address) <= LONGEST else ""


def _attends(shown: Shown) -> bool:
    steps = json.loads(shown.trace)["steps"]
    return bool(steps and steps[0]["looks"])


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


def _figure(shown: Shown | None) -> tuple[int, int] | None:
    """The heatmap as a chart, drawn only while its expander is open; returns the layer and head for the files.

    It is the head on show, unless the reader chooses another one; None for the mean of all heads.
    """
    head = shown.one_head if shown else None
    with st.expander(_("Heatmap as a figure"), key="figure", on_change="rerun") as place:
        if not (place.open and shown and _attends(shown)):
            return head
        heads = load(f"{_EXPORTS}:heads")(shown.trace)
        if len(heads) > 1:
            choices = [None, *heads]
            head = st.selectbox(
                _("Layer and head of the figure"),
                choices,
                index=choices.index(head) if head in heads else 0,
                format_func=lambda one: (
                    _("layer {layer}, head {head}").format(layer=one[0], head=one[1])
                    if one
                    else _("mean of {n} heads").format(n=len(heads))
                ),
                key=f"figure_head_{head}",  # another head on show is chosen here too
                width=220,
                help=_("While this is open, the PNG and SVG files show this head; otherwise the one on the page."),
            )
        dark = st.context.theme.type == "dark"
        st.altair_chart(load(f"{_EXPORTS}:chart")(shown.trace, head, dark), theme=None, width="content", key="heatmap")
        return head


def _slug(text: str) -> str:
    """The first words as a file name that every system takes."""
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain)[:5])[:50] or "sentence"
