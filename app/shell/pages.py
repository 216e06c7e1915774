"""The pages of the dashboard. A new page is one line here and one module with a function `page()`."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from attn_core.registry import load


@dataclass(frozen=True)
class Place:
    """One page: its name in the menu, its address, the module that draws it, and what the menu says of it."""

    title: str
    path: str  # after the server's address; the first page has none
    module: str
    about: str


EXPLORER = Place("Explorer", "", "app.explorer.page", "A sentence, a trained model, and every step of its translation")
LAB = (
    Place(
        "Score lab", "score-lab", "app.lab.score.page", "Drag a query and its keys; see what each score function says"
    ),
    Place("Window lab", "window-lab", "app.lab.window.page", "Drag p_t, D and sigma over a trained model's scores"),
    Place("Heads", "heads", "app.lab.heads.page", "What each layer and head of a Transformer looks at"),
    Place("Paths", "paths", "app.lab.paths.page", "Bahdanau's and Luong's step as graphs, with the numbers in them"),
    Place("Pointer", "pointer", "app.lab.pointer.page", "Draw points; see which of them a pointer network chooses"),
    Place(
        "Variants", "variants", "app.lab.variants.page", "What papers, authors' code, tutorials and toolkits compute"
    ),
)


def menu() -> StreamlitPage:
    """The page that was asked for. No other page's module is imported: the Explorer must not wait for the lab."""
    return st.navigation([_page(place) for place in (EXPLORER, *LAB)], position="top")


def _page(place: Place) -> StreamlitPage:
    first = place is EXPLORER
    path = place.path or "explorer"  # the default page needs a name too; it is served without one
    return st.Page(_opening(place), title=place.title, url_path=path, default=first, help=place.about)


def _opening(place: Place) -> Callable[[], None]:
    def open_page() -> None:
        load(f"{place.module}:page")()

    return open_page
