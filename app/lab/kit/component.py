"""The lab's stages as Streamlit components."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from attn_core.web import bundle


def component(name: str, module: Path, sheet: Path) -> Callable[..., Any]:
    """The stage that the ES module `module` draws, with the style sheet `sheet`; `name` is its name in Streamlit."""
    host = '<div class="ap-host"></div>'
    return st.components.v2.component(name, html=host, css=bundle.style(sheet), js=bundle.module(module))
