"""The player as an anywidget."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from attn_core.browser import bundle
from attn_core.browser.still import sentences, svg
from attn_core.export import facts
from attn_core.export.model_files import model_files
from attn_core.messages import _
from attn_core.registry import load
from attn_core.trace import Trace, dump
from attn_core.trace.reading import parse


class Player(anywidget.AnyWidget):
    """The step player in a notebook, which shows `trace`.

    `models` holds the files of the models that translate in the page (hosts/types.d.ts, LiveModel) with their weights
    as bytes. What the page decodes stays there: `trace` is the one assigned last. `known` has what the page must know
    of the windows and attention types of `trace` (see facts.py).
    """

    _esm = property(lambda _self: bundle.module(Path(__file__).with_suffix(".js")))  # in the language at that time
    _css = bundle.style(bundle.LIVE)
    trace_json = traitlets.Unicode().tag(sync=True)
    theme = traitlets.Unicode("auto").tag(sync=True)
    known = traitlets.Dict().tag(sync=True)
    models = traitlets.List(traitlets.Dict()).tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        trace: Trace | str,
        theme: str = "auto",
        models: Sequence[str | Path] = (),
        text: str | None = None,
    ):
        shown = trace if isinstance(trace, Trace) else parse(trace)
        super().__init__(
            trace_json=dump(shown),
            theme=theme,
            known=facts.of_trace(shown.settings),
            models=[files.record | {"weights": files.weights} for files in map(model_files, models)],
            text=text or "",
        )

    @classmethod
    def of(cls, shown: Any, text: str | None, theme: str, models: Sequence[str | Path]) -> "Player":
        """The player of a trace, or of a model with its translation of `text`: see `attn_core.browser.widget`."""
        if isinstance(shown, Trace) or (isinstance(shown, str) and shown.lstrip().startswith("{")):
            return cls(shown, theme, models, text)
        model = load("attn_core.models.checkpoint:load")(shown) if isinstance(shown, str | Path) else shown
        folder = getattr(model, "folder", None)
        if folder is None:
            message = _("a widget shows a trace, or a model that was loaded from a folder, not {shown}")
            raise ValueError(message.format(shown=type(shown).__name__))
        if text is None:
            examples = load("attn_core.data.examples:examples")(model.source.lang, model.target.lang)
            text = examples[0].source if examples else ""
        trace = load("attn_core.decoding.translate:translate")(model, text)
        return cls(trace, theme, [folder, *models], text)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The view of the widget, and for renderers that have no widgets the heatmap as SVG and the sentences as text.

        A front end shows only the richest of them.
        """
        bundle = super()._repr_mimebundle_(**options)
        data, *metadata = bundle if isinstance(bundle, tuple) else (bundle,)
        data = (data or {}) | {"text/plain": sentences(self.trace), "image/svg+xml": svg(self.trace)}
        return (data, *metadata) if isinstance(bundle, tuple) else data

    @property
    def trace(self) -> Trace:
        """The displayed trace; assign another to display it."""
        return parse(self.trace_json)

    @trace.setter
    def trace(self, trace: Trace) -> None:
        with self.hold_sync():
            self.known = facts.of_trace(trace.settings)
            self.trace_json = dump(trace)
