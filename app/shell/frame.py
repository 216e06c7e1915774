"""The frame of every page: title, width, style, and an error message when the page cannot be drawn."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from app.shell.markdown import escaped
from app.shell.pages import lecture_pages
from app.shell.table import SHEET
from attn_core.messages import N_, _

_HERE = Path(__file__).parent
_LOG = logging.getLogger(__name__)
_STYLE = (_HERE / "page.css").read_text("utf-8") + SHEET.read_text("utf-8")
_MENU = (_HERE / "menu.js").read_text("utf-8")
_NAME = N_("Attention explorer")


@contextmanager
def framed(name: str, title: str = "") -> Iterator[None]:
    """Draw the page `name` inside. Its title in the browser's tab is `title`, or its name and the dashboard's."""
    title = _(title) if title else f"{_(name)} · {_(_NAME)}"
    st.set_page_config(title, str(_HERE / "icon.svg"), layout="wide", initial_sidebar_state=300)
    app, menu = (json.dumps(text, ensure_ascii=False) for text in (_(_NAME), _("Menu")))
    st.html(f"<style>:root {{ --app-name: {app}; --menu: {menu}; }}\n{_STYLE}</style>")
    st.html(f"<script>{_MENU.replace('PAGES', ' '.join(lecture_pages()))}</script>", unsafe_allow_javascript=True)
    with errors_shown(name):
        yield


@contextmanager
def errors_shown(name: str) -> Iterator[None]:
    """Show a message if the code inside raises an error, and log the traceback."""
    try:
        yield
    except Exception:  # noqa: BLE001  the last resort of a page; a visitor must not meet a traceback
        _LOG.exception("the %s failed", name)
        st.error(
            _(
                "Something went wrong while drawing this page. The error is in the terminal where the dashboard was "
                "started. To start afresh, delete the part of the address from “?” on and reload the page."
            )
        )


def notice(*lines: str) -> None:
    """Report what a link asks for that cannot be read or does not exist, in the same style on every page."""
    st.warning("  \n".join(map(escaped, lines)), icon=":material/info:")
