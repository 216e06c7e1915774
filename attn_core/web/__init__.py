"""The step player: one ES module without dependencies, and thin adapters that pass it a trace.

html(trace)     one self-contained page that works from a file without a network
widget(trace)   a JupyterLab widget, which can decode again through a callback
attn_core.web.hosts.streamlit.player(trace, key=...)   a Streamlit component
"""

import json
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from attn_core import messages, palette
from attn_core.registry import load
from attn_core.trace import Trace, dump, summary
from attn_core.web import bundle

# The page runs only its inline scripts and cannot reach any address.
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"

_PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 0; background: Canvas; color: CanvasText; font-family: system-ui, sans-serif; }}
main {{ max-width: 1760px; margin: 0 auto; padding: clamp(8px, 1.6vw, 28px); }}
h1 {{ margin: 0 0 .15em; font-size: clamp(1.15rem, .9rem + .8vw, 1.7rem); font-weight: 650; overflow-wrap: anywhere; }}
.about {{ margin: 0 0 1em; opacity: .72; overflow-wrap: anywhere; }}
@media (prefers-color-scheme: dark) {{ body {{ background: {dark}; }} }}
{style}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p class="about">{about}</p>
<div id="player"></div>
</main>
<script type="application/json" id="trace">{trace}</script>
<script type="application/json" id="options">{options}</script>
<script type="module">
{script}
</script>
</body>
</html>
"""


def html(trace: Any, title: str | None = None, *, step: int = 0, look: str | None = None) -> str:
    """One HTML page that contains the player and the trace; it needs no network and no server.

    `trace` is a Trace or its JSON (schema 1 or 2). `title` is the heading of the page, by default the source sentence.
    The player opens at `step` with the layer and head `look`, such as "2.3", or "mean" (None: the clearest head).
    Raises ValueError when `trace` is text but not the JSON of a trace.
    """
    record = _record(trace)
    return _PAGE.format(
        language=messages.language(),
        policy=escape(_POLICY),
        title=escape(title or " ".join(record["source"]) or messages._("Attention")),
        about=escape(summary(record["model"], record["settings"])),
        dark=palette.PAGE["dark"],
        style=bundle.style(),
        script=bundle.module(Path(__file__).parent / "hosts" / "page.js"),
        trace=embedded(record),
        options=embedded({"step": step, "look": look}),
    )


def widget(trace: Any, decode: Callable[[dict[str, Any]], Any] | None = None, theme: str = "auto") -> Any:
    """The player as a JupyterLab widget.

    `decode` returns a Trace for the settings at which a slider was released, `{"window", "half_width", "sigma"}`, all
    None for "as trained"; for example `lambda how: translate(model, text, **how)`. Without `decode` the sliders only
    preview with frozen states. Raises ValueError when `trace` is text but not the JSON of a trace.
    """
    player = load("attn_core.web.hosts.jupyter:Player")  # imports anywidget, which only notebooks need
    return player(trace=trace, decode=decode, theme=theme)


def how(settled: dict[str, Any] | None) -> dict[str, Any]:
    """Keyword arguments of `translate` for the settings of the player at a slider's release; all None: as trained."""
    if settled is None or settled["as_trained"]:
        return {"window": None, "half_width": None, "sigma": None}
    return {name: settled[name] for name in ("window", "half_width", "sigma")}


def embedded(record: dict[str, Any]) -> str:
    """JSON that is safe inside a script element: no `<` can close the element or open a comment."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", r"\u003c").replace("\u2028", r"\u2028").replace("\u2029", r"\u2029")


def _record(trace: Any) -> dict[str, Any]:
    return json.loads(dump(trace if isinstance(trace, Trace) else load("attn_core.trace.reading:parse")(trace)))
