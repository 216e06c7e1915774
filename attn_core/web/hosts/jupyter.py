"""The player as an anywidget."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from attn_core.trace import Trace, dump
from attn_core.trace.reading import parse
from attn_core.web import bundle, how
from attn_core.web.model_files import model_files
from attn_core.web.still import sentences, svg


class Player(anywidget.AnyWidget):
    """The step player in a notebook. It shows `trace`; `settled` holds the settings at the last slider release.

    `settled["asked"]` is the number of that request, and `answered` the number of the request that `trace` answers.
    `models` holds the files of the models that translate in the page (hosts/types.d.ts, LiveModel) with their weights
    as bytes. What the page decodes stays there: `settled` then has `here`, and `trace` is the one assigned last.
    """

    _esm = property(lambda _self: bundle.module(Path(__file__).with_suffix(".js")))  # in the language at that time
    _css = bundle.style(bundle.LIVE)
    trace_json = traitlets.Unicode().tag(sync=True)
    theme = traitlets.Unicode("auto").tag(sync=True)
    can_decode = traitlets.Bool(False).tag(sync=True)
    settled = traitlets.Dict(None, allow_none=True).tag(sync=True)
    answered = traitlets.Int(0).tag(sync=True)
    models = traitlets.List(traitlets.Dict()).tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        trace: Trace | str,
        decode: Callable[[dict[str, Any]], Trace] | None = None,
        theme: str = "auto",
        models: Sequence[str | Path] = (),
        text: str | None = None,
    ):
        super().__init__(
            trace_json=dump(trace if isinstance(trace, Trace) else parse(trace)),
            theme=theme,
            can_decode=decode is not None,
            models=[one.record | {"weights": one.weights} for one in map(model_files, models)],
            text=text or "",
        )
        self._decode = decode
        self.observe(self._again, names="settled")

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The view of the widget, and for renderers that have no widgets the heatmap as SVG and the sentences as text.

        A front end shows only the richest of them.
        """
        made = super()._repr_mimebundle_(**options)
        data, *metadata = made if isinstance(made, tuple) else (made,)
        still = {"text/plain": sentences(self.trace), "image/svg+xml": svg(self.trace)}
        data = (data or {}) | still
        return (data, *metadata) if isinstance(made, tuple) else data

    @property
    def trace(self) -> Trace:
        """The displayed trace; assign another to display it."""
        return parse(self.trace_json)

    @trace.setter
    def trace(self, trace: Trace) -> None:
        self.trace_json = dump(trace)

    def _again(self, change: dict[str, Any]) -> None:
        settings = change["new"]
        if self._decode and settings and not settings.get("here"):
            with self.hold_sync():
                try:
                    self.trace = self._decode(how(settings))
                finally:  # also after an error: the player returns to its current trace
                    self.answered = settings.get("asked", 0)
