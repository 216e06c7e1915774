"""The lab's stages as Streamlit components."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from attn_core.web import bundle
from attn_core.web.hosts import streamlit


def component(name: str, module: Path, sheet: Path) -> Callable[..., Any]:
    """The stage that the ES module `module` draws, with the style sheet `sheet`; `name` is its name in Streamlit."""
    return streamlit.component(name, module, '<div class="ap-host"></div>', bundle.style(sheet))
