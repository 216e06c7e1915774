"""The Pointer page: its data, and the figure of the measures."""

import json
from pathlib import Path

import pytest

from app.lab.pointer import data as pointer
from attn_core.models import folders
from attn_core.models.checkpoint import save
from attn_core.models.recipe import DrawnConfig
from attn_core.synthetic.pointer import CONSTRAINTS, PointerConfig, PointerNet, load, point
from attn_core.synthetic.pointer.problems import PROBLEMS
from tests.lab.apptest import run, sent, tables, visit

ROWS = [{"n": 5, "accuracy": 0.25}, {"n": 15, "accuracy": None}]  # no words for 15
TEST = {"examples": 4, "beam": 1, "constraint": "none", "rows": ROWS}
PAGE, STAGE = "app.lab.pointer.page", "lab_pointer"


def test_there_is_a_task_for_every_shipped_network_and_a_rule_for_every_constraint():
    assert set(pointer.models()) == set(pointer.TASKS) == set(pointer.START)
    assert tuple(pointer.RULES) == CONSTRAINTS


def test_the_page_names_the_networks_and_where_their_files_are():
    data = sent(visit(PAGE), STAGE)
    assert [one["model"] for one in data["problems"]] == ["pointer-hull", "pointer-sort"]
    assert [(one["plain"], one["longest"]) for one in data["problems"]] == [("plain-hull", 10), (None, None)]
    assert set(data["addresses"]) == {"pointer-hull", "pointer-sort", "plain-hull"}
    assert data["addresses"]["pointer-hull"]["record"].startswith("/model/pointer-hull/")


@pytest.mark.parametrize("name", ["pointer-hull", "pointer-sort"])
def test_the_page_opens_with_inputs_on_which_the_network_is_right(name):
    task = pointer.about(name)["model"]["problem"]
    pointed = point(load(name), pointer.START[task]).settings["pointed"]
    walk = [place - 1 for place in pointed if place]
    assert PROBLEMS[task]().measure([pointer.START[task]], [walk])["accuracy"] == 1


def test_the_figures_have_the_numbers_of_the_models_cards():
    charts = [json.loads(one.proto.spec) for one in visit(PAGE).get("vega_lite_chart")]
    for task, chart in zip(pointer.TASKS, charts, strict=True):
        wanted = []
        for output, said in pointer.OUTPUTS.items():
            if name := pointer.models(output).get(task):
                record = json.loads((folders.find(name) / "config.json").read_text("utf-8"))
                rows = [row for row in record["about"]["test"]["rows"] if row["accuracy"] is not None]
                wanted += [{"of": said, "n": row["n"], "right": row["accuracy"]} for row in rows]
        drawn = [layer["data"]["values"] for layer in chart["layer"] if layer["encoding"].get("y", {}).get("field")]
        assert drawn
        assert all(values == wanted for values in drawn)


def test_the_card_has_the_numbers_of_the_figure():
    app = visit(PAGE, card="pointer-plain")
    app.button(key="answer_pointer-plain_0").click()
    (table,) = tables(run(app))
    said = {(column, n): text for column in table for n, text in zip(table["points"], table[column], strict=True)}
    rows = pointer.measured("hull")
    for row in rows:
        assert said[row["of"], str(row["n"])] == f"{row['right']:.0%} correct"
    assert list(said.values()).count("cannot answer") == 2 * len(pointer.accuracies("pointer-hull")) - len(rows)


def test_a_plain_model_is_named_beside_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "pointer-hull").symlink_to(folders.find("pointer-hull"))
    plain = PointerNet(PointerConfig(problem="hull", output="vocabulary", longest=8), "plain-hull").eval()
    save(plain, DrawnConfig(), tmp_path / "plain-hull", {"test": TEST})
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    (one,) = pointer.tasks()["problems"]
    assert (one["model"], one["plain"], one["longest"]) == ("pointer-hull", "plain-hull", 8)
    rows = [row for row in pointer.measured("hull") if row["of"] == "plain attention"]
    assert rows == [{"of": "plain attention", "n": 5, "right": 0.25}]


def test_without_a_network_no_file_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    app = visit(PAGE)
    assert sent(app, STAGE)["addresses"] == {}
    assert any("has been measured" in one.value for one in app.caption)
