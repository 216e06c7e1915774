"""The notebooks: committed without outputs, short, true from top to bottom, and equal to the dashboard."""

import ast
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from playwright.sync_api import Browser

from app.decode import made
from attn_core import load
from notebooks import render
from notebooks.clean import clean
from tests.transformer_claims import TRANSFORMER

ROOT = Path(__file__).parents[1]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NAMES = [path.stem for path in PATHS]

# What the readings say of the shipped models, as expressions in the notebook's own names. A model that is trained anew
# may make a reading false: then this says which.
CLAIMS = {
    "01-fixed-vector": {
        "one part: the intervals overlap": """
            scores[0]["low"] < scores[6]["high"] and scores[6]["low"] < scores[0]["high"]""",
        "from four parts on they do not": """
            all(a["high"] < b["low"] for a, b in zip(scores[3:6], scores[9:]))""",
        "the gap in perplexity widens with every part": """
            (gaps := [a["perplexity"] - b["perplexity"] for a, b in zip(scores[:6], scores[6:])]) == sorted(gaps)""",
        "attention gets worse too": """
            scores[11]["BLEU"] < scores[6]["BLEU"] and scores[11]["perplexity"] > scores[6]["perplexity"]""",
        "far more slowly": """
            (worse := [scores[last]["perplexity"] / scores[first]["perplexity"] for first, last in ((0, 5), (6, 11))])
            and worse[0] > 2 * worse[1]""",
        "the captions are of about 12 words": """
            11.5 < test["mean_source_length"] < 12.5""",
    },
    "02-bahdanau": {
        "the word in the record is the best one": """
            model.target.token(best) == word.token and abs(log_p[best].item() - word.log_prob) < 1e-5""",
        "each score is the difference of two large sums": """
            (terms.abs().sum(dim=1) > 3 * energies.abs()).all()""",
    },
    "03-luong-scores": {
        "entropy of dot falls towards 0": """
            saturation[-2]["entropy in nats"] < 0.3 and saturation[0]["entropy in nats"] > 1.5""",
        "that of scaled_dot stays": """
            max(kept := [r["entropy in nats"] for r in saturation[1::2]]) - min(kept) < 0.35""",
        "the maps agree on most words": """
            (best := torch.stack([one.weights().argmax(1) for one in forced.values()])) is not None
            and (best == best[0]).all(0).float().mean() > 0.5""",
        "the look leaps to the end of the sentence and back": """
            all((w := f.weights().argmax(1).tolist())[f.target.index("catch")] >= 9 > w[f.target.index("fish")]
                for f in forced.values())""",
        "no score is the sharpest for every word": """
            len({min("dot general concat".split(), key=lambda s: next(r["entropy in nats"] for r in sharpness
                 if (r["score"], r["word"]) == (s, word))) for word in {r["word"] for r in sharpness}}) > 1""",
        "the intervals of BLEU overlap": """
            max(r["low"] for r in quality) < min(r["high"] for r in quality)""",
        "no handful of directions stands out": """
            (sigma[:8] ** 2).sum() < 0.3 * (sigma**2).sum()""",
        "the thin model computes what the product of its matrices says": """
            torch.allclose(left[:, :32] * sigma[:32] @ right[:32], thin[32].decoder.attention.score.U_a.weight.T
                           @ thin[32].decoder.attention.score.V_a.weight, atol=1e-4)""",
        "with rank 1 the words stand in the same order or in the reverse one": """
            {tuple(row) for w in force(thin[1], german, english).words
             for row in [w.step.looks[0].scores.argsort().tolist()]} <= {tuple(o), tuple(o[::-1])}
            if (o := force(thin[1], german, english).words[0].step.looks[0].scores.argsort().tolist()) else False""",
        "with 4 numbers a look is mostly wrong": """
            next(r["share"] for r in remains if r["k"] == 4 and r["in the same place"] == "darkest word") < 0.5""",
        "with 32 it is nearly as before": """
            min(r["share"] for r in remains if r["k"] == 32) > 0.8 and thin_aer[32] - quality[1]["AER"] < 0.02""",
        "at 128 nothing is saved": """
            sum(w.numel() for w in thin[128].decoder.attention.score.parameters())
            == sum(w.numel() for w in general.decoder.attention.score.parameters()) == 256 * 256""",
        "the last epoch's rate is 1/16 of the first": """
            (one := [r["rate"] for r in rates if r["training"] == "with dropout"])[0] == 16 * one[-1]""",
        "the three have one recipe, Adam with a cosine": """
            {(r.optimizer, r.schedule) for r in (PRESETS[name][1] for name in names)} == {("adam", "cosine")}""",
    },
    "04-local-windows": {
        "the window reaches to eine alte Frau": """
            all(right.words[t].step.looks[0].focus.inside[j] for t, j in ((0, 4), (1, 5), (2, 6)))""",
        "it has passed Auf dem Markt": """
            not any(right.words[t].step.looks[0].focus.inside[j] for t, j in ((6, 0), (7, 1), (8, 2)))""",
        "p_t is the record's": """
            abs(p - look.focus.center.item()) < 1e-5""",
        "p_t is mostly between two words": """
            all(w.step.looks[0].focus.center % 1 != 0 for w in trace.words)""",
        "the weights do not sum to 1": """
            weights.sum() < 0.99""",
        "hardly more than half of a uniform alignment is left": """
            [round(uniform[d - 1]["mass left"], 3) for d in (2, 10)] == [0.497, 0.576] and
            all(0.48 < r["mass left"] < 0.6 for r in uniform[1:])""",
        "local-m is as good as any in monotone sentences": """
            (e := [r["alignment error rate"] for r in errors])[2] <= min(e[0], e[4]) + 0.02""",
        "and loses most in reordered ones": """
            (e := [r["alignment error rate"] for r in errors])[3] > max(e[1], e[5])""",
        "all intervals overlap": """
            max(r["low"] for r in ladder) < min(r["high"] for r in ladder)""",
        "each filter sums to 1": """
            torch.allclose(F.sum(dim=1), torch.ones(1))""",
    },
    "05-two-paths": {
        "the first query never changes": """
            all(r["change of the query"] == 0 for r in changes if r["step"] == 0)""",
        "those of Luong without feeding never do": """
            all(r["change of the query"] == 0 for r in changes if r["model"] == luong.name)""",
        "all others do": """
            all(r["change of the query"] > 0.01 for r in changes if r["step"] and r["model"] != luong.name)""",
        "the first rung is the large one": """
            ladder[0]["high"] < min(r["low"] for r in ladder[1:])""",
        "between one attention and another the intervals overlap": """
            max(r["low"] for r in ladder[1:5]) < min(r["high"] for r in ladder[1:5])""",
        "the best BLEU has not the best perplexity": """
            max(ladder, key=lambda r: r["BLEU"]) is ladder[-1]
            and min(ladder, key=lambda r: r["perplexity"]) is not ladder[-1]""",
        "after the first word greedy search is ahead, and behind at the end": """
            (g := [r["log p so far"] for r in sums if r["search"] == "greedy"])
            and (b := [r["log p so far"] for r in sums if r["search"] != "greedy"])
            and g[0] > b[0] and g[-1] < b[-1] - 5
            and [searches[name].target[0] for name in searches] == ["no", "there"]""",
        "for some words the two stay close": """
            all(abs(one - other) < 1 for one, other in zip(g[:6], b[:6])) and g[5] - g[-1] > 7""",
        "the two rules choose differently": """
            by_rule["none"][0] > by_rule["length"][0] and by_rule["none"][1] < by_rule["length"][1]""",
        "a beam is worth something for every model": """
            all(one["BLEU"] < other["BLEU"] for one, other in zip(worth[::2], worth[1::2]))""",
        "each of the two words is copied": """
            [text_of(bahdanau, one).split()[-1] for one in replaced.values()] == ["heidelberg.", "waschbären."]""",
        "at most ln 2 more than the better one": """
            all(c["nats"] <= min(a["nats"], b["nats"]) + 0.6932
                for a, b, c in zip(costs[:11], costs[11:22], costs[22:], strict=True))""",
        "over all words less than either": """
            all(surprise["both"][1] < surprise[name][1] and surprise["both"][0] > surprise[name][0]
                for name in surprise if name != "both")""",
        "at the words the and out one model is at a loss and the other is not": """
            all(abs(costs[i]["nats"] - costs[11 + i]["nats"]) > 2 for i in (3, 4))""",
    },
    "06-other-ways": {
        "the mean of drawn reads is the soft read": """
            abs(drawn.mean().item() - 18) < 0.5 and set(drawn.tolist()) == {10.0, 20.0, 60.0}""",
        "hard reads cost something": """
            quality[0]["BLEU"] > quality[1]["BLEU"] > quality[2]["BLEU"]""",
        "of the largest weight the interval overlaps": """
            quality[0]["low"] < quality[1]["high"]""",
        "the estimate is right in the mean": """
            all(errors[i]["error"] / errors[i + 6]["error"] > 20 for i in (0, 7))""",
        "a hundred times as many draws": """
            0.5 < errors[4]["error"] / errors[7]["error"] < 2""",
        "the context lies near the second value": """
            abs(look.context.item() - 5) < 0.5""",
        "the heads end at different maps": """
            (said.weights(0) - said.weights(1)).abs().max().item() > 0.2""",
        "the network walks the true hull": """
            set(pointer.pointed(walk)) == set(hull(points))""",
        "beyond what it was trained on it gets worse": """
            all(reach[i + 2]["exact"] > 1.5 * reach[i + 5]["exact"] for i in (0, 6))""",
        "bahdanau and dot have the most spread looks, come nearest to one for each, and overlap most": """
            all({r["model"] for r in sorted((r for r in looked if r["measure"].startswith(m)),
                                            key=lambda r: sign * r["mean"])[:2]} == {"bahdanau", "luong-dot-global"}
                for m, sign in (("entropy", -1), ("doubly", 1), ("coverage", -1)))""",
        "local-m is the sharpest, overlaps least and is the farthest from one for each": """
            all(sorted((r for r in looked if r["measure"].startswith(m)), key=lambda r: sign * r["mean"])[0]["model"]
                == "luong-general-local-m" for m, sign in (("entropy", 1), ("doubly", -1), ("coverage", 1)))""",
        "the English sentences are longer": """
            sum(len(one.en_tokens) + 1 for one in captions()) > sum(len(one.de_tokens) for one in captions())""",
        "both hardly look at eine, and almost twice at verkauft": """
            all(r["1 - looks"] > 0.5 for r in missing if r["word"] == "4 eine")
            and all(-1 < r["1 - looks"] < -0.7 for r in missing if r["word"] == "3 verkauft")""",
        "for is and for selling": """
            all(one.source[one.words[one.target.index(w)].step.looks[0].weights.argmax()] == "verkauft"
                for one in once.values() for w in ("is", "selling"))""",
    },
    "07-transformer": TRANSFORMER,
    "08-train-your-own": {
        "after the first epoch it looks everywhere a little": """
            diary.traces["after epoch 1"].weights().max().item() < 0.5""",
        "then the diagonal appears": """
            diary.traces["after epoch 6"].weights()[:-1].argmax(1).tolist() == list(range(7, -1, -1))""",
        "the alignment is ahead": """
            all(r["alignment"] >= r["exact"] for r in diary.scores) and diary.scores[2]["alignment"] > 0.6""",
        "one vector is enough for four letters and for hardly any of eight": """
            lengths[9]["exact"] > 0.7 and lengths[11]["exact"] < 0.3""",
        "attention finds eight, and gets worse beyond ten": """
            lengths[3]["exact"] > 0.9 and lengths[6]["exact"] < 0.5""",
        "local-m is right more often than it looks at the right letter": """
            found_by["local-m", "exact"] > found_by["local-m", "alignment"] < 0.5""",
        "local-p finds its way": """
            min(found_by["local-p", key] for key in ("exact", "alignment")) > 0.9""",
        "the dark cells lie seven days apart": """
            found["season"] > 0.95""",
        "the forecast beats as last week, and not the noise": """
            found["floor"] < found["mae"] < 0.8 * found["naive"]""",
    },
    "09-variants": {
        "with a mask the two words share all the weight": """
            all(abs(r["weight of the two words"] - 1) < 1e-6 for r in rows[:11])""",
        "the less of it, the longer another sentence is": """
            (w := [r["weight of the two words"] for r in rows[11:]]) == sorted(w, reverse=True)""",
        "padding counts as much as a word": """
            abs(rows[-1]["weight of the two words"] - 2 / 12) < 0.05""",
        "it follows the authors' code": """
            ours.differences().keys() == {"update", "first_word"}""",
    },
}

# The sentence that the notebook's variable `trace` was made of.
SENTENCES = {
    "01-fixed-vector": 'scene[2]["de"]',
    "02-bahdanau": "sentence",
    "03-luong-scores": "german",
    "04-local-windows": "sentence",
    "05-two-paths": "sentence",
    "06-other-ways": "sentence",
    "07-transformer": "sentence",
    "09-variants": "sentence",
}  # not of notebooks whose models are made in them

_ANSWER = re.compile(r"```python\n(?P<code>.*?)```(?:\s+```text\n(?P<says>.*?)```)?", re.DOTALL)


@dataclass(frozen=True)
class Ran:
    """A notebook executed, and what cells that we put after its last one said."""

    notebook: NotebookNode
    trace: list[str]  # model, sentence, the record as JSON
    claims: dict[str, str]
    answers: list[tuple[str | None, str]]  # what an answer prints, as the notebook says and as it is


def cells(path: Path, kind: str) -> list[NotebookNode]:
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


@contextmanager
def one_thread() -> Iterator[None]:
    """For kernels: with one thread, as the dashboard decodes, sums are the same to the last bit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        patch.setenv("PYTHONPATH", str(ROOT))
        yield


@cache
def ran(name: str) -> Ran:
    path = ROOT / "notebooks" / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    own = len(notebook.cells)
    answers = [found for cell in cells(path, "markdown") for found in _ANSWER.finditer(cell.source)]
    record = f"trace.model, {SENTENCES[name]}, attn_core.dump(trace)" if name in SENTENCES else ""
    claims = [f"print(bool({claim}\n))" for claim in CLAIMS[name].values()]
    extra = [f"import json, attn_core\nprint(json.dumps([{record}]))", *claims, *(found["code"] for found in answers)]
    # One that fails is to fail alone.
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
    """Outputs, counts and an editor's settings are of one run on one machine: `make format` removes them."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    text = path.read_text("utf-8")
    assert text == clean(text), f"{path.name} has outputs or settings in it: run `make format`"


def test_cleaning_takes_out_what_a_run_leaves():
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


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_and_its_checks_hold(name):
    streams = [out.text for cell in ran(name).notebook.cells for out in cell.get("outputs", []) if "text" in out]
    assert [text for text in streams if "False" in text] == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "claim"), [(name, claim) for name in NAMES for claim in CLAIMS.get(name, {})])
def test_what_a_reading_says_is_so(name, claim):
    assert ran(name).claims[claim] == "True\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_answers_run_and_print_what_they_say(name):
    answers = ran(name).answers
    assert answers
    assert [text for _, text in answers if not text.strip()] == []
    assert [(says, text) for says, text in answers if says is not None and says != text] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SENTENCES)
def test_the_numbers_are_those_of_the_dashboard(name):
    model, sentence, record = ran(name).trace
    assert made(load(model), sentence).trace == record


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("name", NAMES)
def test_a_rendered_page_draws_everything_and_loads_nothing(name, browser: Browser, tmp_path):
    notebook = ran(name).notebook
    path = tmp_path / "page.html"
    path.write_text(render.page(notebook, name), "utf-8")
    widgets = [
        out for cell in notebook.cells for out in cell.get("outputs", []) if render.WIDGET in out.get("data", {})
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
        assert page.locator("math").count() > 5
        assert "$" not in page.locator("body").inner_text()
    assert wrong == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:", "blob:"))] == []


def test_a_notebook_that_fails_keeps_its_page_and_the_others_are_made(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(render, "HERE", tmp_path / "notebooks")
    (tmp_path / "notebooks/html").mkdir(parents=True)
    old = tmp_path / "notebooks/html/01-wrong.html"
    old.write_text("as it was", "utf-8")
    for name, code in (("01-wrong", "1 / 0"), ("02-right", "print('thirteen')"), ("03-other", "print('fourteen')")):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
        nbformat.write(notebook, tmp_path / f"notebooks/{name}.ipynb")
    with one_thread(), pytest.raises(SystemExit, match=r"These failed, .*: 01-wrong\.ipynb$"):
        render.main(["01", "02"])
    assert "ZeroDivisionError" in capsys.readouterr().out
    assert old.read_text("utf-8") == "as it was"
    assert "thirteen" in (tmp_path / "notebooks/html/02-right.html").read_text("utf-8")
    assert not (tmp_path / "notebooks/html/03-other.html").exists(), "it was not asked for"
    with pytest.raises(SystemExit, match=r"no notebook 12; there are: 01-wrong\.ipynb, 02"):
        render.main(["02", "12"])


def test_a_widget_that_no_page_can_show_is_said():
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
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(source)])
    assert ("<math" in render.page(notebook, "x")) == is_math
