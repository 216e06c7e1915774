"""The stored data of stages are those that would be computed."""

import json
from shutil import copytree, rmtree
from typing import Any

import pytest

from app.lab.kit import described, shipped, stored
from app.lab.kit.described import STORED, computed
from app.lab.kit.described import stored as stored_data
from app.shell.markdown import escaped
from app.site.lab import lab_page
from attn_core.attention.scores import Dot
from attn_core.attention.settings import SCORES
from attn_core.models import folders
from tests.helpers.scripts import forgotten
from tests.helpers.shipped import rewritten, ship
from tests.lab.apptest import sent, visit

STAGES = [one for _place, page in described.pages() for one in described.stages(page) if one.in_file]


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal, with numbers that were rounded to four decimals on any processor."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == pytest.approx(other, abs=2e-3) if isinstance(one, float) else one == other


def test_the_comparison_sees_a_difference():
    assert same({"a": [1.0, "x"]}, {"a": [1.0001, "x"]})
    for other in ({"a": [1.01, "x"]}, {"a": [1.0]}, {"b": [1.0, "x"]}, {"a": [1.0, "y"]}):
        assert not same({"a": [1.0, "x"]}, other)


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_stored_data_are_current(stage):
    found = json.loads(STORED.read_text("utf-8"))[stage.name]
    assert found["made_from"] == described.made_from(stage), "run python -m app.lab.kit.stored"
    assert same(json.loads(json.dumps(computed(stage))), found["data"]), "run python -m app.lab.kit.stored"


def test_the_file_has_the_stages_of_the_pages_and_no_others(tmp_path, monkeypatch):
    assert list(json.loads(STORED.read_text("utf-8"))) == [stage.name for stage in STAGES]
    monkeypatch.setattr(stored, "STORED", tmp_path / "stored.json")
    monkeypatch.setattr(stored, "computed", lambda stage: {"of": stage.name})
    stored.write()
    assert json.loads((tmp_path / "stored.json").read_text("utf-8")) == {
        one.name: {"made_from": described.made_from(one), "data": {"of": one.name}} for one in STAGES
    }


@pytest.fixture
def recomputed(monkeypatch):
    """The names of the stages whose data are computed, which takes no time here."""
    names: list[str] = []
    monkeypatch.setattr(described, "computed", lambda stage: names.append(stage.name) or {})
    return names


def test_without_the_file_data_are_computed(tmp_path, monkeypatch, recomputed):
    monkeypatch.setattr(described, "STORED", tmp_path / "none.json")
    described._stored.cache_clear()
    stored_data(STAGES[0])
    assert recomputed == [STAGES[0].name]
    described._stored.cache_clear()


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_the_models_of_a_stage_are_those_that_its_data_come_from(stage, monkeypatch):
    asked, shipped_model = set(), shipped._shipped
    monkeypatch.setattr(shipped, "_shipped", lambda name: asked.add(name) or shipped_model(name))
    computed(stage)
    assert asked == set(stage.models)


@pytest.mark.parametrize("change", ["weights", "settings", "none"])
def test_the_stored_data_of_other_models_are_not_shown(tmp_path, monkeypatch, recomputed, change):
    """Of a model with the same name and other weights; another card, or none of that name, changes nothing."""
    stage = next(one for one in STAGES if one.name == "lab_heads_fixed")
    model = copytree(folders.PRETRAINED / "transformer", tmp_path / "transformer")
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    rewritten(model, lambda record: record["about"].update(epoch=99))
    assert stored_data(stage)["sentences"]
    assert recomputed == []
    if change == "weights":
        weights = (model / "model.safetensors").read_bytes()
        (model / "model.safetensors").write_bytes(weights[:-1] + bytes([weights[-1] ^ 1]))
    elif change == "settings":
        rewritten(model, lambda record: record["model"]["decoder"].update(heads=2))
    else:
        rmtree(model)
    stored_data(stage)
    assert recomputed == ([] if change == "none" else [stage.name])


def test_the_stored_data_without_a_registered_score_are_not_shown(recomputed):
    stage = next(one for one in STAGES if one.name == "lab_score")
    assert stored_data(stage)["functions"]
    with forgotten():
        SCORES.add("mine")(type("Mine", (Dot,), {}))
        stored_data(stage)
    assert recomputed == [stage.name]


def test_a_part_that_cannot_be_computed_is_left_out_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(described, "_stored", dict)
    monkeypatch.setenv("ATTN_PRETRAINED", str(ship(tmp_path, "bahdanau", "transformer", "luong-general-local-p")))
    app = visit("app.lab.window.page")
    said = "This part of the page cannot be shown: there is no model luong-general-local-m in pretrained"
    assert [one for one in app.warning if escaped(said) in one.value]
    assert sent(app, "lab_window_reach") is None
    assert sent(app, "lab_window")
    place, page = next((place, page) for place, page in described.pages() if page.title == "Window lab")
    files: dict[str, str] = {}
    on_site = lab_page(place, page, {card.slug: "" for card in page.cards}, {}, files)
    assert said in on_site.body
    assert [stage["name"] for stage in on_site.record["stages"]] == ["lab_window"]
    assert [name for name in files if name.endswith(".js")] == ["lab_window.js"]
