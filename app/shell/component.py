"""Stages as Streamlit components."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from attn_core.browser import bundle
from attn_core.browser.hosts import streamlit

TOUR = Path(__file__).with_name("tour.css")
NOTES = Path(__file__).with_name("notes.css")
SHARE = Path(__file__).with_name("share.css")
NUMBERS = Path(__file__).parent / "numbers" / "numbers.css"


def component(name: str, module: Path, *sheets: Path) -> Callable[..., Any]:
    """The stage that the ES module `module` draws, with the style sheets `sheets`; `name` is its name in Streamlit."""
    return streamlit.component(name, module, '<div class="ap-host"></div>', bundle.style(bundle.LIVE, TOUR, *sheets))
