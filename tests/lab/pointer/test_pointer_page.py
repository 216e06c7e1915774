"""The Pointer page: data sent to the browser, links with points, and the figure of the measures."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.lab.pointer import networks
from app.lab.pointer import page as pointer
from app.shell.markdown import escaped
from attn_core.models import folders
from attn_core.models.checkpoint import save
from attn_core.models.recipe import DrawnConfig
from attn_core.synthetic.pointer import CONSTRAINTS, PointerConfig, PointerNet, load, point
from attn_core.synthetic.pointer.problems import PROBLEMS
from tests.lab.apptest import run, sent, visit

ROWS = [{"n": 5, "accuracy": 0.25}, {"n": 15, "accuracy": None}]  # no words for 15
TEST = {"examples": 4, "beam": 1, "constraint": "none", "rows": ROWS}


PAGE, STAGE = "app.lab.pointer.page", "pointer_lab"


def test_there_is_a_task_for_every_shipped_network_and_a_rule_for_every_constraint():
    assert set(networks.models()) == set(pointer.TASKS) == set(pointer.START)
    assert tuple(pointer.RULES) == CONSTRAINTS
    assert all(networks.sides(task) == PROBLEMS[task].inputs for task in pointer.TASKS)


@pytest.mark.parametrize("task", pointer.TASKS)
def test_the_stage_gets_the_record_of_the_model(task):
    data = sent(visit(PAGE, pointer_task=task, pointer_rule="distinct"), STAGE)
    name = networks.models()[task]
    trace = point(load(name), pointer.START[task], constraint="distinct")
    assert (data["problem"], data["constraint"], data["trace"]["model"]) == (task, "distinct", name)
    assert data["inputs"] == data["trace"]["settings"]["inputs"] == pointer.START[task]
    assert data["trace"]["settings"]["pointed"] == trace.settings["pointed"]
    for step, word in zip(data["trace"]["steps"], trace.words, strict=True):
        assert step["looks"][0]["weights"] == pytest.approx(word.step.looks[0].weights.tolist(), abs=1e-6)


def test_the_page_opens_with_points_on_which_the_network_is_right():
    for task, name in networks.models().items():
        inputs = pointer.START[task]
        walk = [
            place - 1 for place in sent(visit(PAGE, pointer_task=task), STAGE)["trace"]["settings"]["pointed"] if place
        ]
        assert PROBLEMS[task]().measure([inputs], [walk])["accuracy"] == 1, name


@pytest.mark.parametrize("inputs", [[[0.1, 0.25], [0.9, 0.3], [0.4, 0.8]], [[0.5, 1.0], [0.0, 0.001]]])
def test_a_link_has_the_points(inputs):
    text = networks.written(inputs)
    assert set(text) <= set("0123456789.-_")
    assert networks.read(text, "hull", 25) == inputs
    data = sent(visit(PAGE, points=text), STAGE)
    assert data["inputs"] == inputs
    assert (data["trace"] is None) is (len(inputs) < PROBLEMS["hull"].least)


@pytest.mark.quick(2)
@pytest.mark.parametrize("text", ["nonsense", "0.1-0.2_0.3", "0.1-1.2", "0.1-nan", "_".join(["0.1-0.2"] * 26), "0.5"])
def test_a_link_that_nobody_can_have_drawn_gives_the_page_its_own_points(text):
    app = visit(PAGE, points=text)
    assert sent(app, STAGE)["inputs"] == pointer.START["hull"]
    assert "are not valid" in app.warning[0].value


def test_where_a_hand_let_go_is_asked_for_and_stands_in_the_address():
    app = AppTest.from_string(
        "import streamlit as st, app.lab.pointer.page as module\n"
        "st.session_state.pointer_drawn = {}\n"
        "st.session_state.stage = {'asked': {'inputs': [[0.1, 0.2], [0.7, 0.2], [0.5, 0.9]], 'asked': 1}}\n"
        "module._keep('hull', 'stage')\n"
        "module.page()",
        default_timeout=120,
    )
    run(app)
    assert sent(app, STAGE)["inputs"] == [[0.1, 0.2], [0.7, 0.2], [0.5, 0.9]]
    assert app.query_params["points"] in ("0.1-0.2_0.7-0.2_0.5-0.9", ["0.1-0.2_0.7-0.2_0.5-0.9"])


def test_the_figures_have_the_numbers_of_the_models_cards():
    charts = [json.loads(one.proto.spec) for one in visit(PAGE).get("vega_lite_chart")]
    for task, chart in zip(pointer.TASKS, charts, strict=True):
        wanted = []
        for output, said in networks.OUTPUTS.items():
            if name := networks.models(output).get(task):
                record = json.loads((folders.find(name) / "config.json").read_text("utf-8"))
                rows = [row for row in record["about"]["test"]["rows"] if row["accuracy"] is not None]
                wanted += [{"of": said, "n": row["n"], "right": row["accuracy"]} for row in rows]
        drawn = [layer["data"]["values"] for layer in chart["layer"] if layer["encoding"].get("y", {}).get("field")]
        assert drawn
        assert all(values == wanted for values in drawn)


def test_the_card_has_the_numbers_of_the_figure():
    app = visit(PAGE, card="pointer-plain")
    app.button(key="answer_pointer-plain_0").click()
    (table,) = run(app).table
    said = {
        (column, n): text.replace("\\", "")  # as a reader sees it: a backslash keeps text from being markup
        for column in table.value.columns
        for n, text in zip(table.value["points"], table.value[column], strict=True)
    }
    rows = pointer.measured("hull")
    for row in rows:
        assert said[row["of"], str(row["n"])] == f"{row['right']:.0%} correct"
    assert list(said.values()).count("cannot answer") == 2 * len(networks.accuracies("pointer-hull")) - len(rows)


def test_a_plain_model_is_asked_too_as_far_as_it_has_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "pointer-hull").symlink_to(folders.find("pointer-hull"))
    plain = PointerNet(PointerConfig(problem="hull", output="vocabulary", longest=8), "plain-hull").eval()
    save(plain, DrawnConfig(), tmp_path / "plain-hull", {"test": TEST})
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    beside = sent(visit(PAGE), STAGE)["beside"]
    pointed = point(load("plain-hull"), pointer.START["hull"]).settings["pointed"]
    assert beside == {"model": "plain-hull", "longest": 8, "pointed": pointed}
    beside = sent(visit(PAGE, points=networks.written([*pointer.START["hull"], [0.5, 0.5]])), STAGE)["beside"]
    assert beside == {"model": "plain-hull", "longest": 8, "pointed": None}
    rows = [row for row in pointer.measured("hull") if row["of"] == "plain attention"]
    assert rows == [{"of": "plain attention", "n": 5, "right": 0.25}]


def test_without_a_network_the_page_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    app = visit(PAGE)
    assert sent(app, STAGE) is None
    assert "no trained pointer network" in app.info[0].value


def test_a_damaged_network_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "pointer-hull"
    folder.mkdir()
    for name in ("config.json", "model.safetensors"):
        whole = (folders.find("pointer-hull") / name).read_bytes()
        (folder / name).write_bytes(whole if name == "config.json" else whole[:100])
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    app = visit(PAGE)
    assert escaped("pointer-hull cannot be used") in app.info[0].value
