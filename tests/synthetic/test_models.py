"""Models of synthetic data on the command line and in the app: training, evaluation, listing, errors."""

import json
from pathlib import Path

import pytest

from app.service.catalogue import catalogue
from attn_core.cli import main
from attn_core.files import CheckpointError
from attn_core.models.folders import kind_of, pretrained, shipped
from attn_core.models.recipe import DrawnConfig
from attn_core.synthetic import models, pointer
from tests.helpers.shipped import ship
from tests.helpers.terminal import set_options

SHORT = {"updates": 2, "epochs": 1, "batch": 4}
POINTER = {"hidden": 5, "align_hidden": 3, "shortest": 3, "longest": 5} | SHORT
SERIES = {"hidden": 6, "embedding": 4} | SHORT


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with a translator, two pointer networks and a forecaster, all small and barely trained."""
    folder = tmp_path_factory.mktemp("shipped")
    ship(folder, "luong-dot-global")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pointer.training, "EXAMPLES", 5)
        sets = {"pointer-hull": POINTER, "plain-hull": POINTER, "series": SERIES}
        for preset, settings in sets.items():
            assert main(["train", preset, "--out", str(folder / preset), *set_options(settings)]) == 0
    return folder


@pytest.fixture
def here(folder, monkeypatch) -> Path:
    monkeypatch.setenv("ATTN_PRETRAINED", str(folder))
    return folder


def test_kinds_are_told_apart(here, tmp_path):
    assert shipped() == ["luong-dot-global"]
    assert shipped("pointer") == ["plain-hull", "pointer-hull"]
    assert shipped(None) == ["luong-dot-global", "plain-hull", "pointer-hull", "series"]
    (tmp_path / "config.json").write_text("[")
    assert kind_of(tmp_path) == kind_of(tmp_path / "nowhere") == "translator"


def test_the_explorer_lists_translators_only(here):
    found, broken = catalogue()
    assert list(found) == ["luong-dot-global"]
    assert broken == []


def test_models_are_listed_and_translators_stay_as_they_were(here, capsys):
    assert main(["models", "--json"]) == 0
    listed = {model["name"]: model for model in json.loads(capsys.readouterr().out)}
    assert listed.keys() == set(shipped(None))
    assert listed["series"]["kind"] == "series"
    assert listed["luong-dot-global"]["kind"] == "translator"
    assert main(["models"]) == 0
    assert "pointer-hull" in capsys.readouterr().out


def test_a_note_that_models_share_is_printed_once(here, capsys):
    for name in ("plain-hull", "pointer-hull"):
        file = here / name / "config.json"
        record = json.loads(file.read_text("utf-8"))
        record["about"]["note"] = "It is a test."
        file.write_text(json.dumps(record), "utf-8")
    assert main(["models"]) == 0
    assert capsys.readouterr().out.endswith("\nplain-hull, pointer-hull: It is a test.\n")


def test_a_model_is_measured_and_keeps_its_measures(here, capsys):
    call = ["measure", "plain-hull", "--examples", "4", "--lengths", "3,5,6", "--constraint", "distinct"]
    assert main([*call, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["n"] for row in found["rows"]] == [3, 5, 6]
    assert found["rows"][2] == {"n": 6, "accuracy": None, "area": None, "invalid": None}
    assert found["rows"][0]["accuracy"] is not None
    assert main([*call, "--card"]) == 0
    assert "6      FAIL" in capsys.readouterr().out
    assert json.loads((here / "plain-hull" / "config.json").read_text())["about"]["test"] == found
    card = (here / "plain-hull" / "README.md").read_text()
    assert found["headline"] in card
    assert "python -m attn_core train plain-hull --out runs/plain-hull --set hidden=5" in card
    assert "| 6 | FAIL | FAIL | FAIL |" in card
    assert main(["models", "--json"]) == 0
    assert found["headline"] in capsys.readouterr().out


def test_a_forecaster_is_measured(here, capsys):
    assert main(["measure", "series", "--examples", "5", "--card"]) == 0
    assert "seasonal-naive" in capsys.readouterr().out
    assert "from attn_core.synthetic.forecasting import" in (here / "series" / "README.md").read_text()


@pytest.mark.parametrize("name", shipped("pointer") + shipped("series"))
def test_shipped_cards_hold_the_measures_and_their_examples_run(name, capsys):
    folder = pretrained() / name
    record = json.loads((folder / "config.json").read_text())
    text = models.card(record, folder)
    assert (folder / "README.md").read_text() == text
    assert record["about"]["test"]["examples"] == 1000
    recipe = DrawnConfig.from_json(record["train"])  # the file holds exactly the recipe's settings
    assert record["about"]["examples"] == recipe.epochs * recipe.updates * recipe.batch
    assert recipe.to_json() == record["train"]
    assert (folder / "model.safetensors").stat().st_size < 500_000
    exec(text.split("```python\n")[1].split("```")[0], {})
    assert "tensor(" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["measure", "luong-dot-global"], "luong-dot-global is a translator; measure it with `evaluate`"),
        (["measure", "series", "--beam", "3"], "are for pointer networks"),
        (["measure", "pointer-hull", "--lengths", "many"], "expected numbers"),
        (["measure", "pointer-hull", "--lengths", "2"], "needs at least 3 inputs"),
        (
            ["measure", "nosuch"],
            "unknown model 'nosuch': no shipped model (python -m attn_core models lists them)",
        ),
        (["translate", "pointer-hull"], "is a model of kind pointer; expected kind translator"),
        (["train", "pointer-hull", "--out", "OUT", "--set", "nosuch=1"], "unknown setting 'nosuch'"),
        (
            ["train", "pointer-hull", "--out", "OUT", "--set", "average=0.99"],
            "unknown setting 'average'; choose one of: pro",
        ),
        (["train", "series", "--out", "OUT", "--set", "patience=3"], "setting 'patience'; choose one of: score"),
        (["train", "series", "--out", "OUT", "--set", "clip=0"], "clip must be above 0, not 0.0"),
        (["train", "series", "--out", "OUT", "--set", "updates=0"], "updates must be at least 1, not 0"),
        (["train", "pointer-hull", "--out", "SHIPPED/pointer-hull"], "already holds a model"),
        (["card", "series"], "is a model of kind series"),
    ],
)
def test_a_wrong_call_prints_an_error_that_names_it(words, message, here, tmp_path, capsys):
    words = [word.replace("OUT", str(tmp_path / "out")).replace("SHIPPED", str(here)) for word in words]
    assert main(words) != 0
    assert message in capsys.readouterr().err


def test_a_model_of_another_kind_is_not_measured(tmp_path):
    (tmp_path / "config.json").write_text('{"kind": "painter"}')
    with pytest.raises(CheckpointError, match="is a model of kind painter; expected one of: pointer, series"):
        models.report(tmp_path)


def test_every_recipe_has_a_maker():
    names = [name for kind in models.KINDS for name in models.package(kind).RECIPES]
    assert len(names) == len(set(names))
    assert all(name in models.maker(name).RECIPES for name in names)
    assert models.maker("bahdanau") is None
