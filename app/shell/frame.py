"""What every page has around it: title, width, style, and plain words when something goes wrong."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from app.shell.markdown import escaped

_HERE = Path(__file__).parent
_LOG = logging.getLogger(__name__)
_STYLE = f"<style>{(_HERE / 'page.css').read_text('utf-8')}</style>"


@contextmanager
def framed(name: str, title: str = "") -> Iterator[None]:
    """The page `name` under `title`, which is what the browser's tab says; without one it says the name."""
    st.set_page_config(
        title or f"{name} · Attention explorer", str(_HERE / "icon.svg"), layout="wide", initial_sidebar_state=300
    )
    st.html(_STYLE)
    with plainly(name):
        yield


@contextmanager
def plainly(name: str) -> Iterator[None]:
    """Whatever goes wrong inside is said in plain words; its details go to the log."""
    try:
        yield
    except Exception:  # noqa: BLE001  the last resort of a page; a visitor must not meet a traceback
        _LOG.exception("the %s failed", name)
        st.error(
            "Something went wrong while drawing this page; the details are in the terminal where the dashboard was "
            "started. Reloading the page without the part after “?” in the address starts afresh."
        )


def notice(*lines: str) -> None:
    """What a link asks for that cannot be read, or is not here: said in one style on every page."""
    st.warning("  \n".join(map(escaped, lines)), icon=":material/info:")


def offered(key: str, values: Iterable[str], thing: str) -> None:
    """Say so when a link asks, under `key`, for a `thing` that is none of `values`.

    Streamlit drops such a value of a widget without a word. Call it before the widget is made.
    """
    said = st.query_params.get(key, "")
    if said and key not in st.session_state and said not in values:
        notice(f"There is no {thing} “{said[:40]}” here; the page's own choice is shown instead.")
