"""Run the notebooks and write each as an HTML page that needs no network: `make notebooks`.

    python notebooks/render.py 04 09     only these
    python notebooks/render.py --force   also in place of files that this program did not write

The pages are written to notebooks/html. Charts and players work in them; formulas are MathML, which browsers render.
"""

import html
import json
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
import plotly.offline
import vl_convert
from latex2mathml.converter import convert
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert import HTMLExporter
from nbformat import NotebookNode

from attn_core import browser as player
from attn_core.data.subwords import readable
from attn_core.files import Unreplaceable, check_file, replacing
from attn_core.messages import print_text, visible
from attn_core.program import run_program

HERE = Path(__file__).parent
WIDGET, WIDGETS = "application/vnd.jupyter.widget-view+json", "application/vnd.jupyter.widget-state+json"
PLOTLY = "application/vnd.plotly.v1+json"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # of tracebacks in a terminal
_MATH = re.compile(r"(?P<code>```.*?```|`[^`\n]*`)|\$\$(?P<block>.+?)\$\$|\$(?P<inline>.+?)\$", re.DOTALL)

_CHART = '<div class="chart"></div><script type="application/json">{spec}</script>'
_PLOT = '<div class="plot"><div></div></div><script type="application/json">{figure}</script>'
# The iframe takes the height of the player; a srcdoc page has the same origin, so its size is accessible.
_PLAYER = """<iframe class="player" srcdoc="{page}" onload="const main = this.contentDocument.querySelector('main');
new ResizeObserver(() => this.style.height = main.offsetHeight + 'px').observe(main)"></iframe>"""
_STYLE = "iframe.player { width: 100%; height: 600px; border: 0; }"  # by which these pages are recognised
_END = """<style>
{style}
.chart, .plot, .jp-RenderedHTMLCommon table {{ max-width: 100%; overflow-x: auto; }}
.plot > div {{ min-width: 640px; }}
.jp-OutputArea-output pre {{ word-break: normal; overflow-wrap: break-word; }}
.jp-InputArea-editor pre {{ white-space: pre-wrap; }}
.equation {{ margin: 1em 0; text-align: center; font-size: 1.1em; }}
details {{ margin: .5em 0; padding: .4em .8em; border-left: 3px solid #c4cad6; }}
summary {{ cursor: pointer; font-weight: 600; }}
main {{ max-width: 1060px; margin: 0 auto; }}
</style>
<script>{vega}</script>
<script>
for (const place of document.querySelectorAll(".chart"))
  vegaEmbed(place, JSON.parse(place.nextElementSibling.textContent), {{ mode: "vega-lite", actions: false }});
</script>
{plots}</body>"""
# At the end of the pages with Plotly figures; plotly.js has almost 5 MB.
_PLOTS = """<script>{plotly}</script>
<script>
for (const place of document.querySelectorAll(".plot")) {{
  const {{ data, layout }} = JSON.parse(place.nextElementSibling.textContent);
  const config = {{ displaylogo: false, responsive: true, showSendToCloud: false }};
  Plotly.newPlot(place.firstElementChild, data, layout, config);
}}
</script>
"""


def run(notebook: NotebookNode, seconds: int | None = None) -> NotebookNode:
    """Execute the notebook in place with a new kernel in notebooks/.

    Raises CellExecutionError when a cell fails, CellTimeoutError when one takes longer than `seconds` (None: no limit).
    """
    how = {"timeout": seconds, "startup_timeout": seconds or 600, "extra_arguments": ["--log-level=ERROR"]}
    place = {"metadata": {"path": str(HERE)}}
    return NotebookClient(notebook, kernel_name="python3", resources=place, **how).execute()


def page(notebook: NotebookNode, title: str) -> str:
    """An executed notebook as one HTML page that loads nothing. Raises ValueError for an unsupported widget."""
    notebook = nbformat.from_dict(notebook)
    plotted = any(PLOTLY in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))
    widgets = notebook.metadata.pop("widgets", {}).get(WIDGETS, {}).get("state", {})
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _MATH.sub(_mathml, cell.source)
        for output in cell.get("outputs", []):
            if "text/markdown" in output.get("data", {}):
                output.data["text/markdown"] = _MATH.sub(_mathml, output.data["text/markdown"])
            if PLOTLY in output.get("data", {}):
                output.data = {"text/html": _PLOT.format(figure=player.embedded(output.data[PLOTLY]))}
            if WIDGET in output.get("data", {}):
                output.data = {"text/html": _still(widgets[output.data[WIDGET]["model_id"]]["state"])}
    exporter = HTMLExporter(template_name="lab", mathjax_url="", require_js_url="", mermaid_js_url="")
    body, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": title}})
    body = re.sub(r"<script[^>]*\bsrc=[^>]*></script>", "", body)
    body = re.sub(r'<script type="module">(?:(?!</script>).)*mermaid.*?</script>', "", body, flags=re.DOTALL)
    plots = _PLOTS.format(plotly=plotly.offline.get_plotlyjs()) if plotted else ""
    vega = vl_convert.javascript_bundle(vl_version=vl_convert.get_vegalite_versions()[-1])
    end = _END.format(style=_STYLE, vega=vega, plots=plots)
    return body.removesuffix("\n").removesuffix("</html>").rstrip().removesuffix("</body>") + end + "\n</html>\n"


def _mathml(found: re.Match) -> str:
    if found["code"]:
        return found["code"]
    if found["block"]:
        return f'\n<div class="equation">{convert(found["block"], display="block")}</div>\n'
    return convert(found["inline"])


def _still(state: dict[str, Any]) -> str:
    """The HTML of a widget without its kernel: a chart that stays interactive, or a player of the recording."""
    if "spec" in state:
        return _CHART.format(spec=player.embedded(state["spec"]))
    if "trace_json" in state:
        title = " ".join(readable(json.loads(state["trace_json"])["source"]))
        return _PLAYER.format(page=html.escape(player.html(state["trace_json"], title)))
    raise ValueError(f"a page can show charts and players, not a {state.get('_view_name', 'widget')}")


def is_own_page(path: Path) -> bool:
    """Whether a file is a page that this program wrote, by its style."""
    return _STYLE.encode() in path.read_bytes()


def main(numbers: Sequence[str] = (), force: bool = False) -> None:
    """Write the pages of the notebooks whose names start with one of `numbers`, by default of all notebooks.

    A failing notebook keeps its old page, and the others are written. Raises SystemExit after a failure, for an unknown
    number and, unless `force` is set, for a page that this program did not write.
    """
    paths = sorted(HERE.glob("*.ipynb"))
    if unknown := [number for number in numbers if not any(path.name.startswith(number) for path in paths)]:
        names = ", ".join(path.name for path in paths)
        raise SystemExit(visible(f"unknown notebook {', '.join(unknown)}; choose from: {names}"))
    failed = []
    chosen = [path for path in paths if not numbers or path.name.startswith(tuple(numbers))]
    for path in chosen:
        try:
            check_file(_page_of(path), is_own_page, force)
        except Unreplaceable as error:
            raise SystemExit(visible(str(error))) from error
    for path in chosen:
        began = time.perf_counter()
        print_text(f"{path.name} ... ")
        try:
            notebook = run(nbformat.read(path, as_version=4))
        except CellExecutionError as error:
            failed.append(path.name)
            print_text(f"failed\n{_COLOUR.sub('', str(error))}\n")
            continue
        out = _page_of(path)
        with replacing(out) as part:
            part.write_text(page(notebook, path.stem), "utf-8")
        print_text(f"{time.perf_counter() - began:.0f} s, {out.relative_to(HERE.parent)}\n")
    if failed:
        raise SystemExit(visible(f"failed, so their pages were not updated: {', '.join(failed)}"))


def _page_of(notebook: Path) -> Path:
    return HERE / "html" / f"{notebook.stem}.html"


if __name__ == "__main__":
    words = sys.argv[1:]
    run_program(lambda: main([word for word in words if word != "--force"], "--force" in words))
