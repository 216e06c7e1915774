"""The stored data of stages are those that would be computed."""

import json
from typing import Any

import pytest

from app.lab.kit import described, stored
from app.lab.kit.described import STORED, computed
from app.lab.kit.described import stored as stored_data

STAGES = [one for _place, page in described.pages() for one in described.stages(page) if one.data]


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
    assert same(json.loads(json.dumps(computed(stage))), stored_data(stage)), "run python -m app.lab.kit.stored"


def test_the_file_has_the_stages_of_the_pages_and_no_others(tmp_path, monkeypatch):
    assert list(json.loads(STORED.read_text("utf-8"))) == [stage.name for stage in STAGES]
    monkeypatch.setattr(stored, "STORED", tmp_path / "stored.json")
    monkeypatch.setattr(stored, "computed", lambda stage: {"of": stage.name})
    stored.write()
    assert json.loads((tmp_path / "stored.json").read_text("utf-8")) == {one.name: {"of": one.name} for one in STAGES}


def test_without_the_file_data_are_computed(tmp_path, monkeypatch):
    monkeypatch.setattr(described, "STORED", tmp_path / "none.json")
    described._stored.cache_clear()
    monkeypatch.setattr(described, "computed", lambda stage: {"of": stage.name})
    assert stored_data(STAGES[0]) == {"of": STAGES[0].name}
    described._stored.cache_clear()
