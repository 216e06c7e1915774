"""The lab's stages as Streamlit components."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from attn_core.web import bundle


def component(name: str, module: str, sheet: str) -> Callable[..., Any]:
    """The stage that `module`.js of the player draws, in the style of `sheet`.css; `name` is Streamlit's."""
    host = '<div class="ap-host"></div>'
    return st.components.v2.component(
        name,
        html=host,
        css=bundle.style(bundle.PLAYER / f"{sheet}.css"),
        js=bundle.module(bundle.PLAYER / f"{module}.js"),
    )
