"""The player as an anywidget."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from attn_core.trace import Trace, dump
from attn_core.trace.reading import parse
from attn_core.web import bundle, how


class Player(anywidget.AnyWidget):
    """The step player in a notebook. `trace` is shown; `settled` holds the settings at which a slider was let go.

    `asked` in it numbers them, and `answered` is the number of those that `trace` answers.
    """

    _esm = bundle.module(Path(__file__).with_suffix(".js"))
    _css = bundle.style()
    trace_json = traitlets.Unicode().tag(sync=True)
    theme = traitlets.Unicode("auto").tag(sync=True)
    can_decode = traitlets.Bool(False).tag(sync=True)
    settled = traitlets.Dict(None, allow_none=True).tag(sync=True)
    answered = traitlets.Int(0).tag(sync=True)

    def __init__(
        self, trace: Trace | str, decode: Callable[[dict[str, Any]], Trace] | None = None, theme: str = "auto"
    ):
        text = dump(trace if isinstance(trace, Trace) else parse(trace))
        super().__init__(trace_json=text, theme=theme, can_decode=decode is not None)
        self._decode = decode
        self.observe(self._again, names="settled")

    @property
    def trace(self) -> Trace:
        """The trace on show; set it to show another."""
        return parse(self.trace_json)

    @trace.setter
    def trace(self, trace: Trace) -> None:
        self.trace_json = dump(trace)

    def _again(self, change: dict[str, Any]) -> None:
        settings = change["new"]
        if self._decode and settings:
            with self.hold_sync():
                try:
                    self.trace = self._decode(how(settings))
                finally:  # also when nothing came of it: the player goes back to the trace that it has
                    self.answered = settings.get("asked", 0)
