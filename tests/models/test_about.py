"""Model folders from others: the entries of config.json are checked on loading, and wrong ones are named."""

import json
import re
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from app.service import catalogue
from attn_core.cli.streams import visible
from attn_core.files import CheckpointError
from attn_core.models.about import ABOUT, check_about
from attn_core.models.checkpoint import read_config
from attn_core.models.folders import pretrained, read_record
from tests.helpers.shipped import rewritten
from tests.helpers.terminal import run, saved

WRONG: dict[str, list[Any]] = {  # values of the wrong type, by type
    "a string": [3, None, ["x"], {"x": 1}, "\ud800"],
    "an integer": ["3", 2.5, True, None, [3], 10**400],
    "a number": ["3.1", None, [3], True, float("nan"), float("inf"), 10**400],
    "true or false": [1, "true", None],
    "two integers": [[1], [1, "2"], 3, "12", [1, 2, 3]],
    "an object of strings and numbers": ["x", [1], {"a": [1]}, {"a": {}}],
    "a list of objects with the same names": [[], {}, "rows", [3], [{"n": 1}, {"m": 1}], [{"n": [1]}]],
}


def entries(schema: dict[str, Any], path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]]:
    """The path and the type of every entry."""
    found = []
    for name, wanted in schema.items():
        if isinstance(wanted, list):
            name, wanted = f"{name}[0]", wanted[0]
        found += entries(wanted, (*path, name)) if isinstance(wanted, dict) else [((*path, name), wanted)]
    return found


@pytest.fixture
def models(tmp_path, monkeypatch) -> Path:
    """A folder of models, one of them valid."""
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    saved(tmp_path / "sound", window="local-p")
    return tmp_path


def other(models: Path, about: Any, name: str = "other") -> Path:
    """A model whose config.json has this `about`."""
    folder = Path(copytree(models / "sound", models / name))
    rewritten(folder, lambda record: record.update(about=about))
    return folder / "config.json"


@pytest.mark.parametrize(("path", "wanted"), entries(ABOUT), ids=str)
def test_a_value_of_another_kind_is_named(path, wanted):
    for value in WRONG[wanted]:
        about = value
        for name in reversed(path):
            about = {name.removesuffix("[0]"): [about] if name.endswith("[0]") else about}
        with pytest.raises(ValueError, match=rf"^about\.{re.escape('.'.join(path))} must be {wanted}, not "):
            check_about(about)


@pytest.mark.parametrize("about", [[], "x", 3, None, {"test": 3}, {"data": []}, {"machine": "fast"}])
def test_what_should_be_an_object_is_one(about):
    with pytest.raises(ValueError, match="must be an object"):
        check_about(about)


def test_the_models_that_ship_and_entries_that_nobody_reads_pass():
    for path in pretrained().glob("*/config.json"):
        check_about(json.loads(path.read_text("utf-8"))["about"])
    check_about({"mood": ["good"], "test": {"mood": None}})


def test_every_reader_names_the_file(models):
    path = other(models, {"test": {"bleu": "high"}})
    message = "about.test.bleu must be a number, not 'high'"
    with pytest.raises(CheckpointError) as error:
        read_config(path.parent)
    assert str(path) in str(error.value)
    assert message in str(error.value)
    found, broken = catalogue.catalogue()
    assert list(found) == ["sound"]
    assert message in broken[0]


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_the_other_models_are_listed(models, more):
    path = other(models, {"test": {"bleu": "high"}})
    found = run("models", *more)
    assert "sound" in found.out
    assert "other" not in found.out
    assert found.status == 1
    assert found.err.count("\n") == 1
    assert found.err.startswith(f"error: {path} is damaged or belongs to another project")


@pytest.fixture
def pointer(models) -> Path:
    """A copy of a shipped pointer network."""
    return Path(copytree(Path(__file__).parents[2] / "pretrained" / "pointer-sort", models / "sort"))


@pytest.mark.parametrize("test", [{"headline": 3}, {"rows": "many"}, "good"])
def test_measuring_a_model_with_a_wrong_card_prints_one_line(pointer, test):
    rewritten(pointer, lambda record: record["about"].update(test=test))
    found = run("measure", pointer, "--examples", 2, "--card")
    assert (found.status, found.out, found.err.count("\n")) == (1, "", 1)
    assert "about.test" in found.err


def test_a_card_with_missing_entries_prints_one_line(models, pointer):
    rewritten(pointer, lambda record: record["about"].pop("preset"))
    before = (pointer / "config.json").read_bytes()
    found = run("measure", pointer, "--examples", 2, "--card")
    assert found.status == 1
    assert "lacks 'preset', which the card needs" in found.err
    assert (pointer / "config.json").read_bytes() == before
    found = run("card", other(models, {"test": {"bleu": 30.0}}).parent)
    assert found.status == 1
    assert "lacks 'bleu_low', which the card needs" in found.err


def test_control_characters_in_a_note_are_escaped(models):
    other(models, {"note": "red \x1b[31m\x07\u202enote\nnext"})
    found = run("models")
    assert found.status == 0
    assert r"other: red \x1b[31m\x07\u202enote\nnext" in found.out
    assert not set("\x1b\x07\u202e") & set(found.out)
    assert visible("Übung – 3 × „α“") == "Übung – 3 × „α“"


def test_control_characters_in_an_error_are_escaped(models):
    other(models, {"note": "x"}, "a\x1b[31mb").write_text("{")
    found = run("models")
    assert "\x1b" not in found.err
    assert r"a\x1b[31mb" in found.err


@pytest.mark.parametrize("name", [3, None, ["x"]])
def test_the_name_of_a_model_is_a_string(models, name):
    path = other(models, {})
    rewritten(path.parent, lambda record: record.update(name=name))
    with pytest.raises(CheckpointError, match="name must be a string"):
        read_record(path.parent, "translator")
