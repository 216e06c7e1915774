"""The pages of the dashboard: the Explorer, and one for each folder of app/lab with a page.py."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from attn_core.messages import N_, _
from attn_core.registry import load

LABS = "app.lab"  # the package with the lab pages


@dataclass(frozen=True)
class MenuItem:
    """A page in the menu: its title, its address, the module that draws or describes it, and its tooltip."""

    title: str
    path: str  # after the server's address; the first page has none
    module: str  # with a function `page`, or with PAGE, the description of a lab page (app/lab/kit/described.py)
    about: str
    lecture: bool = True  # whether it has a lecture layout (lecture.js)


EXPLORER = MenuItem(
    N_("Explorer"), "", "app.explorer.page", N_("Follow a trained model through every step of a translation")
)


@cache
def labs() -> tuple[MenuItem, ...]:
    """The lab pages in the order of the menu.

    Only their descriptions are imported: the Explorer must not wait for what they show.
    """
    folders = [Path(folder) for folder in load(f"{LABS}:__path__")]
    names = sorted(file.parent.name for folder in folders for file in folder.glob("*/page.py"))
    pages = {name: load(f"{LABS}.{name}.page:PAGE") for name in names}
    return tuple(
        MenuItem(page.title, page.address or name, f"{LABS}.{name}.page", page.about, page.notes is not None)
        for name, page in sorted(pages.items(), key=lambda item: item[1].order)
    )


def lab(path: str) -> MenuItem:
    """The lab page with an address."""
    return next(item for item in labs() if item.path == path)


def lecture_pages() -> list[str]:
    """The addresses of the pages that Page Down goes through in lecture layout."""
    return [item.path or "./" for item in (EXPLORER, *labs()) if item.lecture]


def menu() -> StreamlitPage:
    """The requested page."""
    return st.navigation([_page(item) for item in (EXPLORER, *labs())], position="top")


def _page(item: MenuItem) -> StreamlitPage:
    first = item is EXPLORER
    path = item.path or "explorer"  # the default page needs a name too; it is served without one
    return st.Page(_opening(item), title=_(item.title), url_path=path, default=first, help=_(item.about))


def _opening(item: MenuItem) -> Callable[[], None]:
    def open_page() -> None:
        if item is EXPLORER:
            load(f"{item.module}:page")()
        else:
            load(f"{LABS}.kit.dashboard:draw")(load(f"{item.module}:PAGE"))

    return open_page
