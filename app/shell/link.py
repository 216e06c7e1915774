"""The Share button: the address of the view, step included, which the page's stages keep in the address bar."""

from pathlib import Path

from app.shell.component import SHARE
from attn_core.browser.hosts.streamlit import component

_HERE = Path(__file__).parent
_ICON = (
    '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7L12.4 6"/>'
    '<path d="M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7l1.2-1.3"/></svg>'
)
_SHARE = component(
    "share",
    _HERE / "share-button.js",
    f'<button type="button">{_ICON}<span></span></button>',
    "".join(sheet.read_text("utf-8") for sheet in (_HERE / "button.css", SHARE)),
)


def share_button() -> None:
    """A Share button for the current view."""
    _SHARE(key="share", width="content")
