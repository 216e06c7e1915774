"""The notebooks: committed without outputs, short cells, true readings, and traces equal to the dashboard's."""

import ast
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
import plotly.io as pio
import pytest
from nbformat import NotebookNode
from playwright.sync_api import Browser, expect
from plotly.offline import get_plotlyjs

from app.service.decode import translate_request
from app.service.request import Request
from attn_core import load
from attn_core.figures import training_curves
from attn_core.training.course import Course
from notebooks import render
from notebooks.clean import clean
from tests.helpers.notebook_claims import CLAIMS, SENTENCES
from tests.helpers.shared import once

ROOT = Path(__file__).parents[2]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NAMES = [path.stem for path in PATHS]

_ANSWER = re.compile(r"```python\n(?P<code>.*?)```(?:\s+```text\n(?P<says>.*?)```)?", re.DOTALL)


@dataclass(frozen=True)
class Ran:
    """An executed notebook, and the outputs of cells appended by the test."""

    notebook: NotebookNode
    trace: list[str]  # model, sentence, the trace as JSON
    claims: dict[str, str]
    answers: list[tuple[str | None, str]]  # the output of an answer, as printed in the notebook and as run

    def to_json(self) -> str:
        return json.dumps(vars(self) | {"notebook": nbformat.writes(self.notebook)})

    @classmethod
    def from_json(cls, text: str) -> "Ran":
        made = json.loads(text)
        return cls(**made | {"notebook": nbformat.reads(made["notebook"], as_version=4)})


def cells(path: Path, kind: str) -> list[NotebookNode]:
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


@contextmanager
def one_thread() -> Iterator[None]:
    """Kernels use one thread, as the dashboard does, so that sums are equal to the last bit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        patch.setenv("PYTHONPATH", str(ROOT))
        yield


@pytest.fixture(scope="session")
def ran() -> Callable[[str], Ran]:
    """The executed notebook, run once for all workers."""
    return cache(lambda name: Ran.from_json(once(name, lambda: executed(name).to_json())))


def executed(name: str) -> Ran:
    path = ROOT / "notebooks" / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    own = len(notebook.cells)
    answers = [found for cell in cells(path, "markdown") for found in _ANSWER.finditer(cell.source)]
    record = f"trace.model, {SENTENCES[name]}, attn_core.dump(trace)" if name in SENTENCES else ""
    claims = [f"print(bool({claim}\n))" for claim in CLAIMS[name].values()]
    extra = [f"import json, attn_core\nprint(json.dumps([{record}]))", *claims, *(found["code"] for found in answers)]
    # A failing notebook must not fail the others.
    notebook.cells += [nbformat.v4.new_code_cell(code, metadata={"tags": ["raises-exception"]}) for code in extra]
    with one_thread():
        render.run(notebook, seconds=600)
    said = ["".join(out.get("text", "") for out in cell.outputs) for cell in notebook.cells[own:]]
    del notebook.cells[own:]
    return Ran(
        notebook,
        json.loads(said[0]),
        dict(zip(CLAIMS[name], said[1:], strict=False)),
        [(found["says"], text) for found, text in zip(answers, said[1 + len(claims) :], strict=True)],
    )


def test_every_notebook_has_its_claims_and_its_sentence():
    assert list(CLAIMS) == NAMES
    assert set(SENTENCES) < set(NAMES)


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_a_notebook_is_committed_as_it_was_written(path):
    """Outputs, execution counts and editor settings are not committed; `make format` removes them."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    text = path.read_text("utf-8")
    assert text == clean(text), f"{path.name} has outputs or settings in it: run `make format`"


def test_cleaning_removes_what_a_run_adds():
    notebook = nbformat.read(PATHS[0], as_version=4)
    written = PATHS[0].read_text("utf-8")
    cell = next(cell for cell in notebook.cells if cell.cell_type == "code")
    cell.outputs = [nbformat.v4.new_output("stream", text="x")]
    cell.execution_count = 3
    cell.metadata["collapsed"] = True
    notebook.metadata["widgets"] = {}
    notebook.metadata.kernelspec["display_name"] = "Python 3 (ipykernel)"
    notebook.metadata.language_info["version"] = "3.11.2"
    left = nbformat.writes(notebook)
    assert left != written
    assert clean(left) == written


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_a_notebook_has_the_rhythm(path):
    """Question, equation, short cells that define nothing, a figure, readings, two or three exercises."""
    prose = [cell.source for cell in cells(path, "markdown")]
    assert prose[0].startswith(f"# {path.stem[:2]} · ")
    assert "**Question.**" in prose[0]
    assert re.search(r"\beq\. \d", prose[1])
    assert any("**Reading.**" in text for text in prose)
    assert [line for text in prose for line in text.splitlines() if line.startswith("#") and "$" in line] == []
    answers = sum(text.count("<details><summary>Answer</summary>") for text in prose)
    assert 2 <= answers <= 3
    assert answers == sum(text.count("</details>") for text in prose)
    code = {cell.id: cell.source for cell in cells(path, "code")}
    assert {key: n for key, text in code.items() if (n := len(text.splitlines())) > 15} == {}
    kinds = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
    assert [
        key for key, text in code.items() if any(isinstance(node, kinds) for node in ast.walk(ast.parse(text)))
    ] == []
    assert any(
        re.search(r"^(curves|bars|grid|heatmaps?|intervals|network|weighing|widget)\(", text, re.MULTILINE)
        for text in code.values()
    )


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_a_notebook_opens_with_two_sentences_on_what_you_will_learn(path):
    opening = cells(path, "markdown")[0].source.split("\n\n")[1]
    assert opening.startswith("You will learn ")
    assert len(re.findall(r"[.?!](?=\s|$)", opening.replace("et al.", ""))) == 2


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_sigma_is_the_width_of_a_gaussian_and_never_the_logistic_function(path):
    assert [text for cell in cells(path, "markdown") for text in re.findall(r".*\\sigma *\(.*", cell.source)] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_and_its_checks_hold(ran, name):
    streams = [out.text for cell in ran(name).notebook.cells for out in cell.get("outputs", []) if "text" in out]
    assert [text for text in streams if "False" in text] == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "claim"), [(name, claim) for name in NAMES for claim in CLAIMS.get(name, {})])
def test_statements_in_readings_are_true(ran, name, claim):
    assert ran(name).claims[claim] == "True\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_answers_run_and_print_what_they_say(ran, name):
    answers = ran(name).answers
    assert answers
    assert [text for _, text in answers if not text.strip()] == []
    assert [(says, text) for says, text in answers if says is not None and says != text] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name in SENTENCES])
def test_the_numbers_are_those_of_the_dashboard(ran, name):
    model, sentence, record = ran(name).trace
    assert translate_request(load(model), Request(sentence))["trace"] == json.loads(record)


@pytest.mark.parametrize("name", NAMES)
def test_a_rendered_page_draws_everything_and_loads_nothing(ran, name, browser: Browser, tmp_path):
    notebook = ran(name).notebook
    path = tmp_path / "page.html"
    path.write_text(render.page(notebook, name), "utf-8")
    widgets = [
        out for cell in notebook.cells for out in cell.get("outputs", []) if render.WIDGET in out.get("data", {})
    ]
    figures = [
        out for cell in notebook.cells for out in cell.get("outputs", []) if render.PLOTLY in out.get("data", {})
    ]
    asked, wrong = [], []
    with browser.new_page() as page:
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_function("document.querySelectorAll('.chart canvas, .chart svg').length > 0")
        drawn = page.locator(".chart canvas, .chart svg").count() + page.locator("iframe.player").count()
        players = [page.frame_locator("iframe.player").nth(i) for i in range(page.locator("iframe.player").count())]
        assert [player.locator("canvas").count() > 0 for player in players] == [True] * len(players)
        assert drawn == len(widgets) > 0
        assert page.locator(".plot .js-plotly-plot").count() == len(figures)
        assert len(figures) == (name == "08-train-your-own")
        assert page.locator("math").count() > 5
        assert "$" not in page.locator("body").inner_text()
    assert wrong == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:", "blob:"))] == []


def plotted(figure: dict) -> NotebookNode:
    """A cell with the output that a kernel writes for a Plotly figure."""
    return nbformat.v4.new_code_cell(
        "x", outputs=[nbformat.v4.new_output("display_data", pio.renderers["plotly_mimetype"].to_mimebundle(figure))]
    )


def test_only_pages_with_a_plotly_figure_contain_plotly_and_only_once():
    library = get_plotlyjs()[:1000]
    for count in (0, 2):
        notebook = nbformat.v4.new_notebook(cells=[plotted({"data": [], "layout": {}})] * count)
        page = render.page(notebook, "x")
        assert page.count(library) == min(count, 1)
        assert page.count('<div class="plot">') == count


@pytest.mark.quick
def test_a_plotly_figure_zooms_in_a_rendered_page(browser: Browser, tmp_path):
    course = Course(None, [{"epoch": epoch, "perplexity": 20 / epoch, "bleu": 3.0 * epoch} for epoch in (1, 2, 4, 8)])
    figure = training_curves({"mine": course}).to_dict()
    path = tmp_path / "page.html"
    path.write_text(render.page(nbformat.v4.new_notebook(cells=[plotted(figure)]), "x"), "utf-8")
    asked, wrong = [], []
    with browser.new_page(viewport={"width": 1280, "height": 800}) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(path.as_uri())
        panel = page.locator(".js-plotly-plot .nsewdrag").first
        shown = page.locator(".legendtext")
        expect(shown).to_have_text(["validation loss", "BLEU"])
        buttons = page.locator(".modebar-btn").evaluate_all("all => all.map(one => one.dataset.title)")
        assert buttons == ["Download plot as a PNG", "Zoom", "Pan", "Zoom in", "Zoom out", "Autoscale", "Reset axes"]
        box = panel.bounding_box()
        middle = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + box["width"] / 2, middle)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] - 5, middle, steps=5)
        page.mouse.up()
        page.wait_for_function("document.querySelector('.js-plotly-plot').layout.xaxis.range[0] > 0.4")
        page.mouse.move(box["x"] + box["width"] - 30, middle)
        said = page.locator(".hoverlayer .legend")
        expect(said).to_contain_text("epoch 8")
        expect(said).to_contain_text("perplexity 2.50 after epoch 8")
        expect(said).to_contain_text("24.0% after epoch 8")
    assert wrong == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:", "blob:"))] == []


@pytest.mark.slow
def test_a_notebook_that_fails_keeps_its_page_and_the_others_are_made(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(render, "HERE", tmp_path / "notebooks")
    (tmp_path / "notebooks/html").mkdir(parents=True)
    old = tmp_path / "notebooks/html/01-wrong.html"
    before = render.page(nbformat.v4.new_notebook(), "as it was")
    old.write_text(before, "utf-8")
    for name, code in (("01-wrong", "1 / 0"), ("02-right", "print('thirteen')"), ("03-other", "print('fourteen')")):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
        nbformat.write(notebook, tmp_path / f"notebooks/{name}.ipynb")
    with one_thread(), pytest.raises(SystemExit, match=r"failed, so their pages were not updated: 01-wrong\.ipynb$"):
        render.main(["01", "02"])
    assert "ZeroDivisionError" in capsys.readouterr().out
    assert old.read_text("utf-8") == before
    assert "thirteen" in (tmp_path / "notebooks/html/02-right.html").read_text("utf-8")
    assert not (tmp_path / "notebooks/html/03-other.html").exists(), "it was not selected"
    with pytest.raises(SystemExit, match=r"unknown notebook 12; choose from: 01-wrong\.ipynb, 02"):
        render.main(["02", "12"])


def test_a_widget_that_no_page_can_show_is_an_error():
    cell = nbformat.v4.new_code_cell("x")
    cell.outputs = [nbformat.v4.new_output("display_data", {render.WIDGET: {"model_id": "a"}})]
    states = {render.WIDGETS: {"state": {"a": {"state": {"_view_name": "SliderView"}}}}}
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"widgets": states})
    with pytest.raises(ValueError, match="charts and players, not a SliderView"):
        render.page(notebook, "x")


@pytest.mark.parametrize(
    ("source", "is_math"),
    [("a $x_1$ b", True), ("$$x$$", True), ("`$x$` costs", False), ("```python\nprint('$x$')\n```", False)],
)
def test_formulas_become_mathml_and_code_stays_code(source, is_math):
    shown = nbformat.v4.new_output("display_data", {"text/markdown": source})
    for cell in (nbformat.v4.new_markdown_cell(source), nbformat.v4.new_code_cell("x", outputs=[shown])):
        page = render.page(nbformat.v4.new_notebook(cells=[cell]), "x")
        assert ("<math" in page) == is_math
