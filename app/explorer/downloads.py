"""The files that the server makes of what the Explorer shows.

POST /download/png, pdf   the heatmap of the head `layer`, `head`; of the mean of all heads where they are null
POST /download/handout   an HTML page with the player, which opens at `step` with that head

The request is a JSON object as in types.d.ts (Download). Errors are as service/posts.py says. The table of the weights
and the trace itself are made in the page (downloads.js).
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import index
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from app.service.catalogue import Shipped
from app.service.posts import HEADERS, Refused, WorkQueue, named_model, post_route
from app.service.request import as_unicode
from app.shell.shared import LONGEST_ADDRESS
from attn_core.browser import MEAN, html
from attn_core.browser.limits import MOST_LETTERS, MOST_STEPS
from attn_core.export.model_files import GRAPHS
from attn_core.messages import _
from attn_core.registry import load

MOST_BYTES = 32_000_000  # of a request: the trace of the longest sentence by a Transformer with 100 heads
_THREADS, _MOST_WAITING = 2, 10  # a file takes up to a second
# Its functions are loaded when they are first called: torch and charts come with them.
_EXPORTS = "app.explorer.exports"


@dataclass(frozen=True)
class ShownTranslation:
    """The translation that a page shows, with the step, layer and head on show, all counted from 0."""

    model: Shipped
    text: str
    trace: str  # JSON
    step: int
    layer: int | None
    head: int | str | None
    by_words: bool  # whether the heatmap joins word pieces
    address: str  # of the view where others can reach it, or ""

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> "ShownTranslation":
        """That of a request. Raises ValueError if the request has another form, and Refused for an unknown model."""
        model = named_model(body.get("model"))
        try:
            shown = cls(
                model=model,
                text=as_unicode(body["text"]).strip()[:MOST_LETTERS],
                trace=json.dumps(body["trace"], ensure_ascii=False),
                step=index(body["step"]),
                layer=None if body["layer"] is None else index(body["layer"]),
                head=body["head"] if body["head"] in (None, MEAN) else index(body["head"]),
                by_words=bool(body.get("byWords")),
                address=_address(body.get("address")),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(_("The request does not describe a translation: {reason}").format(reason=error)) from error
        if not 0 <= shown.step <= MOST_STEPS:
            raise ValueError(
                _("The request does not describe a translation: {reason}").format(reason=f"step {shown.step}")
            )
        return shown

    @property
    def one_head(self) -> tuple[int, int] | None:
        """The layer and head; None for the mean, and for a model with one head."""
        return (self.layer, self.head) if self.layer is not None and isinstance(self.head, int) else None


def routes() -> list[Route]:
    """The routes above, with a queue of their own."""
    return [post_route("/download/{kind}", WorkQueue(_THREADS, _MOST_WAITING), MOST_BYTES, _download)]


def _download(path: Mapping[str, str], body: dict[str, Any]) -> Response:
    if path["kind"] not in _KINDS:
        raise Refused(_("There is no such file."), 404)
    media_type, make = _KINDS[path["kind"]]
    # The browser must save the file: opened, it would be a page of this server with text from the request.
    headers = HEADERS | {"Content-Disposition": "attachment"}
    return Response(make(ShownTranslation.of(body)), media_type=media_type, headers=headers)


def _picture(kind: str, shown: ShownTranslation) -> str | bytes:
    return load(f"{_EXPORTS}:{kind}")(shown.trace, shown.one_head, shown.by_words)


def _handout(shown: ShownTranslation) -> str:
    """A page with the model inside, which translates other sentences too, if the model is exported for the browser."""
    live = (shown.model.folder / GRAPHS).is_file()
    return html(
        shown.trace,
        None if live else shown.text,
        step=shown.step,
        layer=shown.layer,
        head=shown.head,
        models=[shown.model.folder] if live else [],
        text=shown.text,
        address=shown.address,
    )


def _address(written: Any) -> str:
    address = str(written or "")
    return address if address.startswith(("http://", "https://")) and len(address) <= LONGEST_ADDRESS else ""


_KINDS: dict[str, tuple[str, Callable[[ShownTranslation], str | bytes]]] = {
    "png": ("image/png", lambda shown: _picture("png", shown)),
    "pdf": ("application/pdf", lambda shown: _picture("pdf", shown)),
    "handout": ("text/html", _handout),
}
