"""The step player: one ES module without dependencies, and thin adapters that pass it a trace.

html(trace)     one self-contained page that works from a file without a network; with `models` it also translates
widget(trace)   a JupyterLab widget that shows a recording
widget(model, text)   a JupyterLab widget that translates in the page, with sliders for the window
attn_core.browser.hosts.streamlit.player(trace, key=...)   a Streamlit component that shows a recording
"""

import json
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any

from attn_core import messages
from attn_core.browser import bundle
from attn_core.browser.standalone import GENERATOR, standalone_page
from attn_core.export import facts
from attn_core.registry import load
from attn_core.trace import Trace, dump, summary

MEAN = "mean"  # the `head` that stands for the mean over all heads

_SCRIPTS = "script-src 'unsafe-inline'"
# To translate, it compiles the kernel of its engine, and starts a worker from a text of its own.
_ENGINE = " 'wasm-unsafe-eval'; worker-src blob:"

_BODY = """<main>
<h1>{title}</h1>
<p class="about">{about}</p>
<div id="player"></div>
<noscript>{still}</noscript>
{code}</main>
<script type="application/json" id="trace">{trace}</script>
<script type="application/json" id="options">{options}</script>
{models}<script type="module">
{script}
</script>"""


def html(
    trace: Any,
    title: str | None = None,
    *,
    step: int = 0,
    layer: int | None = None,
    head: int | str | None = None,
    models: Sequence[str | Path] = (),
    text: str | None = None,
    address: str = "",
) -> str:
    """One HTML page that contains the player and the trace; it needs no network and no server.

    `trace` is a Trace or its JSON. `title` is the heading of the page, by default the source sentence.
    The player opens at `step` with the head `head` of `layer`, all from 0, or with the mean over all heads, head="mean"
    (None: the clearest head). It is a recording, without sliders for the window.

    With `models`, names or folders of translators, the page contains them and translates what a reader types or sets;
    `text` is the sentence in its box, by default the tokens of the trace. The first model should be that of the trace,
    and its name is the default of `title`. `address`: that of the live view, which the page shows with its QR code.

    Raises ValueError when `trace` is text but not the JSON of a trace, and CheckpointError for files that are damaged.
    """
    parsed = trace if isinstance(trace, Trace) else load("attn_core.trace.reading:parse")(trace)
    record = json.loads(dump(parsed))
    hosts = Path(__file__).parent / "hosts"
    options: dict[str, Any] = {"step": step, "layer": layer, "head": head} | facts.of_trace(record["settings"])
    about = summary(record["model"], record["settings"])
    if models:
        options["text"] = text
        title = title or record["model"]
        about = messages._("The model runs in this page and translates while you type.")
    title = title or " ".join(record["source"]) or messages._("Attention")
    body = _BODY.format(
        title=escape(title),
        about=escape(about),
        still=load("attn_core.browser.still:svg")(parsed),
        script=bundle.module(hosts / ("handout.js" if models else "page.js")),
        trace=embedded(record),
        options=embedded(options),
        models=_models(models) if models else "",
        code=_qr_code(address) if address else "",
    )
    style = bundle.page_style(*([bundle.LIVE] if models else []))
    return standalone_page(title, style, body, _SCRIPTS + _ENGINE if models else _SCRIPTS)


def _qr_code(address: str) -> str:
    """The address and its QR code. Raises ValueError for something else than an address, and without segno."""
    if not address.startswith(("http://", "https://")):
        raise ValueError(
            messages._("the address must start with http:// or https://, not {address}").format(address=address)
        )
    try:
        make = load("segno:make")
    except ModuleNotFoundError as error:
        raise ValueError(messages._("a QR code needs segno; install it with `pip install segno`")) from error
    image = make(address, micro=False).svg_inline(omitsize=True, light="white")
    link = f'<a href="{escape(address)}">{escape(address)}</a>'
    return (
        f'<figure class="code">{image}<figcaption>{escape(messages._("Live view"))}<br>{link}</figcaption></figure>\n'
    )


def _models(names: Sequence[str | Path]) -> str:
    """The models as script elements: one with the records of all, and one for the weights of each."""
    models = [load("attn_core.export.model_files:model_files")(name) for name in names]
    parts = [f'<script type="application/json" id="models">{embedded([model.record for model in models])}</script>\n']
    parts += [
        f'<script type="text/plain" id="weights-{number}">{b64encode(model.weights).decode()}</script>\n'
        for number, model in enumerate(models)
    ]
    return "".join(parts)


def widget(
    shown: Any,
    text: str | None = None,
    theme: str = "auto",
    *,
    models: Sequence[str | Path] = (),
) -> Any:
    """The player as a JupyterLab widget.

    `shown` is a Trace or its JSON, which is shown as a recording, or a model: a Translator from a folder, or the name
    or folder of one. The notebook's page receives the model's files once and translates what a reader types or sets,
    also while the kernel is busy or after it has ended. `text` is the sentence in its box, by default an example in the
    model's language. `models` are more models to choose from, by name or folder; with a trace, its own is the first.

    Raises ValueError when `shown` is neither, for a model that was not loaded from a folder, and for a text without a
    word; CheckpointError for files that are damaged.
    """
    player = load("attn_core.browser.hosts.jupyter:Player")  # imports anywidget, which only notebooks need
    return player.of(shown, text=text, theme=theme, models=models)


def embedded(record: Any) -> str:
    """JSON that is safe inside a script element: no `<` can close the element or open a comment."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", r"\u003c").replace("\u2028", r"\u2028").replace("\u2029", r"\u2029")


def is_page(path: Path) -> bool:
    """Whether a file is a page that `html` wrote."""
    with suppress(OSError), path.open("rb") as file:
        return GENERATOR.encode() in file.read(100_000)
    return False
