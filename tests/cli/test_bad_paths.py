"""Paths that cannot be read or written, and numbers that are too large: one line, whatever the command."""

from pathlib import Path
from shutil import copytree

import pytest

from attn_core.files import check_file, check_folder
from attn_core.models.folders import ROOT
from attn_core.models.own_files import check_training
from tests.helpers.terminal import files_under, lines, run, saved

PATHS = {
    "loop": "loop",
    "below a loop": "loop/new",
    "below a file": "file/new",
    "deep below a file": "file/a/b",
    "link to nothing": "dangling",
    "below a link to nothing": "dangling/new",
    "long": "n" * 300,
    "deep and long": "/".join(["n" * 200] * 40),
}
COMMANDS = {
    "train": "train luong-dot-global --task copy --examples 9 --out PATH",
    "train, own data": "train pointer-sort --out PATH --set updates=1 --set epochs=1",
    "train, text": "train luong-dot-global --train PATH --valid text --out new",
    "train, hub": "train luong-dot-global --hub PATH --out new",
    "quantize": "quantize model --source text.de --reference text.en --out PATH",
    "handout": "handout model --out PATH",
    "export": "export model --to browser --out PATH",
    "export, onnx": "export model --to onnx --out PATH",
    "translate": "translate model --traces PATH",
    "build": "build PATH",
    "build, work": "build models.toml --work PATH",
    "model": "translate PATH",
    "model, card": "card PATH",
    "model, measure": "measure PATH",
    "model, against": "evaluate model --against PATH --source text.de --reference text.en",
    "source": "evaluate model --source PATH --reference text.en",
    "target": "align model --source text.de --target PATH",
    "raw text": "truecase model --text PATH",
    "gold": "align model --source text.de --target text.en --gold PATH",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    here = tmp_path_factory.mktemp("paths")
    saved(here / "model")
    for language in ("de", "en"):
        lines(here / f"text.{language}", "a b")
    lines(here / "file", "mine")
    lines(here / "models.toml", '[models.own]\npreset = "pointer-sort"')
    (here / "loop").symlink_to("loop")
    (here / "dangling").symlink_to("nowhere")
    return here


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_path_that_cannot_be_used_is_named_in_one_line(command, path, folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setattr("attn_core.cli.build._status", lambda *_given: pytest.fail("it begins to train"))
    before = files_under(folder)
    found = run(*COMMANDS[command].replace("PATH", PATHS[path]).split(), text="a\n")
    assert found.err.startswith("error: "), found
    assert found.err.count("\n") == 1
    assert found.status in (1, 2)
    assert PATHS[path][:20] in found.err
    assert ".part" not in found.err
    assert files_under(folder) == before


CHECKS = {
    "training": check_training,
    "file": lambda path: check_file(path, lambda _path: False),
    "folder": lambda path: check_folder(path, lambda _path: []),
}


@pytest.mark.parametrize("check", CHECKS)
def test_a_nul_character_in_a_path_is_named(check):
    with pytest.raises(ValueError, match=r"'a\\x00b' has a NUL character"):
        CHECKS[check](Path("a\0b"))


@pytest.mark.parametrize("command", ["translate", "card", "export", "handout"])
def test_a_model_copied_without_its_vocabularies_says_what_to_copy(command, tmp_path, monkeypatch):
    copytree(ROOT / "pretrained/bahdanau", tmp_path / "mine")
    more = {"export": ["--to", "browser"], "handout": ["--out", tmp_path / "page.html"]}.get(command, [])
    found = run(command, tmp_path / "mine", *more, text="a\n")
    assert (found.status, found.err.count("\n")) == (1, 1)
    missing = tmp_path / "vocabularies"
    assert f"needs the file {missing}/" in found.err
    assert "copy the folder vocabularies too" in found.err
    assert "damaged" not in found.err


@pytest.mark.parametrize(
    ("words", "most"),
    [
        ("train luong-dot-global --task copy --out new --examples", "1,000,000"),
        ("measure model --examples", "100,000"),
        ("measure model --lengths", "1,000"),
        ("build models.toml --jobs", "256"),
        ("evaluate model --source text.de --reference text.en --join", "16"),
        ("translate model --beam", "200"),
        ("translate model --n-best", "200"),
        ("translate model --max-length", "100,000"),
        ("translate model --min-length", "100,000"),
        ("translate model --window local-m --half-width", "100,000"),
        ("translate model --threads", "1,024"),
        ("train luong-dot-global --task copy --out new --length", "100"),
    ],
)
@pytest.mark.parametrize("number", ["999999999", "9" * 30])
def test_a_number_that_is_too_large_is_refused(words, most, number, folder, monkeypatch):
    monkeypatch.chdir(folder)
    saved(folder / "model") if not (folder / "model").exists() else None
    for module in ("cli.measure", "decoding.effects"):
        monkeypatch.setattr(f"attn_core.{module}.kind_of", lambda _folder: "pointer")
    before = files_under(folder)
    found = run(*words.split(), number, text="a\n")
    assert found.status in (1, 2), found
    assert found.err.count("\n") == 1
    if len(number) < 10:
        assert most in found.err
    assert files_under(folder) == before
