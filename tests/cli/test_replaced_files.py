"""What commands replace: only what they wrote themselves, and other files only with --force."""

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from app.site import page
from attn_core.browser import GENERATOR
from attn_core.cli import COMMANDS
from attn_core.data.tokenizer import Tokenizer
from attn_core.files import Unreplaceable
from attn_core.registry import load
from attn_core.training.practice import practise
from tests.helpers.serving import ROOT
from tests.helpers.terminal import Run, files_under, lines, run, saved

RECORD = {"format": 1, "kind": "translator", "settings": {}, "copies": {}}
PLAN = '[models.precious]\npreset = "pointer-sort"\nsettings = {updates = 2, epochs = 1}\n'


@dataclass(frozen=True)
class Output:
    """A command with an output: its words for the output at a path, whose name is `name`."""

    words: Callable[[Path], list[object]]
    name: str = "out"
    text: str = ""
    direct: bool = False  # devices and pipes are written directly

    def written(self, place: Path, *more: str) -> Run:
        return run(*self.words(place), *more, text=self.text)


def texts(place: Path) -> list[object]:
    base = place.parent.parent
    return ["--source", base / "t.de", "--reference", base / "t.en", "--tokenized"]


def model(place: Path) -> Path:
    return place.parent.parent / "model"


FILES = {
    "handout": Output(lambda place: ["handout", model(place), "--text", "a b", "--out", place]),
    "export": Output(lambda place: ["export", model(place), "--to", "browser", "--out", place]),
    "export, own folder": Output(lambda place: ["export", place.parent, "--to", "browser"], "browser.json"),
    "traces": Output(
        lambda place: ["translate", model(place), "--max-length", 2, "--traces", place], text="a\n", direct=True
    ),
    "card": Output(lambda place: ["card", place.parent], "README.md"),
}
FOLDERS = {
    "quantize": Output(lambda place: ["quantize", model(place), *texts(place), "--loss", 100, "--out", place]),
    "export": Output(lambda place: ["export", model(place), "--to", "onnx", "--out", place]),
    "build": Output(
        lambda place: ["build", place.parent / "models.toml", "--work", place.parent.parent / "runs"], "precious"
    ),
}


@pytest.fixture
def place(request, tmp_path, monkeypatch) -> Path:
    """The path of the output in the folder `here`; beside it a model and texts. What takes long is replaced."""
    saved(tmp_path / "model")
    lines(tmp_path / "t.de", "a b", "c"), lines(tmp_path / "t.en", "n o", "p")
    here = tmp_path / "here"
    output = request.param
    if output.name in ("browser.json", "README.md"):
        saved(here)
    else:
        here.mkdir()
    lines(here / "models.toml", PLAN)

    def trained(words: list[str], *_given: object) -> int:
        out = Path(words[words.index("--out") + 1]) if "--out" in words else None
        if out:
            (out / "config.json").write_text(json.dumps({"format": 2, "name": "new", "model": {}, "train": {}}))
        return 0

    def described(_model: object, *, encode: Callable[..., dict], **_options: object) -> dict:
        return RECORD | {"encoder": encode("encoder", type("Traced", (), {"case": {}}))}

    monkeypatch.setattr("attn_core.browser.html", lambda *_given, **_options: f"<!doctype html>{GENERATOR} new")
    monkeypatch.setattr("attn_core.export.document.exported", lambda _model: json.dumps(RECORD | {"name": "new"}))
    monkeypatch.setattr("attn_core.export.onnx.document", described)
    monkeypatch.setattr("attn_core.export.onnx._onnx", lambda _traced: type("Saved", (), {"save": save_new}))
    monkeypatch.setattr("attn_core.cli.build._status", trained)
    return here / output.name


def save_new(path: Path) -> None:
    path.write_text("new")


def each(outputs: dict[str, Output]) -> pytest.MarkDecorator:
    """Parametrize a test by output, and by the path of the output."""
    found = [pytest.param(output, output, id=name) for name, output in outputs.items()]
    return pytest.mark.parametrize(("output", "place"), found, indirect=["place"])


def kind(path: Path) -> int:
    return stat.S_IFMT(os.lstat(path).st_mode)


def refused(found: Run) -> bool:
    return found.status in (1, 2) and found.err.startswith("error: ") and found.err.count("\n") == 1


@each(FILES)
def test_a_file_of_the_reader_is_replaced_only_with_force(output, place):
    place.write_text("mine")
    before = files_under(place.parent)
    found = output.written(place)
    assert refused(found), found
    assert f"{place} was not written by this command" in found.err
    assert "--force" in found.err
    assert files_under(place.parent) == before
    assert output.written(place, "--force").status == 0
    assert place.read_text("utf-8") != "mine"


@each(FILES)
def test_an_earlier_file_of_the_command_and_an_empty_one_are_replaced(output, place):
    place.write_text("")
    for _time in range(2):
        found = output.written(place)
        assert found.status == 0, found.err
        assert place.stat().st_size


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_device(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))  # a null device of this test's own
    except PermissionError:
        pytest.skip("only root can make a device")


def link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


SPECIAL = {
    "pipe": make_pipe,
    "device": make_device,
    "link to a file": link("theirs"),
    "link to nothing": link("nowhere"),
    "link to itself": link("out"),
    "link to a folder": link("their-folder"),
}


@pytest.mark.parametrize("force", [(), ("--force",)], ids=["", "force"])
@pytest.mark.parametrize("thing", SPECIAL)
@each(FILES | {f"{name}, folder": output for name, output in FOLDERS.items()})
def test_links_pipes_and_devices_are_never_replaced(output, place, thing, force):
    theirs = place.with_name("theirs")
    theirs.write_text("mine")
    lines(place.parent / "their-folder" / "keep.txt", "mine") if place.with_name("their-folder").mkdir() else None
    SPECIAL[thing](place)
    before, found_kind = files_of(place.parent), kind(place)
    reader = os.open(place, os.O_RDONLY | os.O_NONBLOCK) if thing == "pipe" else None  # a pipe waits for one
    found = output.written(place, *force)
    if reader is not None:
        os.close(reader)
    assert kind(place) == found_kind
    assert files_of(place.parent) == before
    assert found.status == 0 if output.direct and thing in ("pipe", "device") else refused(found), found


def files_of(folder: Path) -> dict[str, object]:
    """The regular files and links below a folder, with their contents."""
    return {
        str(path.relative_to(folder)): path.readlink() if path.is_symlink() else path.is_file() and path.read_bytes()
        for path in folder.rglob("*")
    }


@each(FILES)
def test_a_folder_is_not_replaced_by_a_file_and_the_error_names_it(output, place):
    place.mkdir()
    (place / "keep.txt").write_text("mine")
    for force in ((), ("--force",)):
        found = output.written(place, *force)
        assert refused(found), found
        assert str(place) in found.err
        assert ".part" not in found.err
    assert files_under(place) == {"keep.txt": b"mine"}


@pytest.mark.parametrize("where", ["/dev/shm/attn-{}", "/proc/self/cwd/kept-{}", "/dev/../{}/kept"])
def test_a_file_is_a_file_wherever_it_is(where, tmp_path, monkeypatch):
    saved(tmp_path / "model")
    monkeypatch.chdir(tmp_path)
    place = Path(where.format(str(tmp_path).strip("/") if ".." in where else os.getpid()))
    place.write_text("mine")
    try:
        found = run("translate", tmp_path / "model", "--traces", place, text="a b\n")
        assert refused(found)
        assert f"{place} was not written by this command" in found.err
        assert place.read_text() == "mine"
    finally:
        place.unlink()


@pytest.mark.slow
@pytest.mark.parametrize("stream", ["/dev/stdout", "/dev/fd/1"])
def test_traces_go_to_standard_output_also_if_it_is_a_file(stream, tmp_path):
    words = [sys.executable, "-m", "attn_core", "translate", str(saved(tmp_path / "model")), "--traces", stream]
    with (tmp_path / "out").open("wb") as out:
        subprocess.run(words, input=b"a b\n", stdout=out, cwd=ROOT, check=True)
    assert '"steps"' in (tmp_path / "out").read_text("utf-8")


@each(FOLDERS)
def test_a_folder_of_the_reader_stays_and_with_force_its_files_do(output, place):
    for name in ("keep.txt", "deep/keep.txt"):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("mine")
    before = files_under(place)
    found = output.written(place)
    assert refused(found), found
    assert f"{place} contains deep, which this command did not write" in found.err
    assert files_under(place) == before
    assert output.written(place, "--force").status == 0
    after = files_under(place)
    assert after.keys() > before.keys()
    assert {name: after[name] for name in before} == before


@each(FOLDERS)
def test_a_folder_of_the_reader_with_the_name_of_a_file_is_kept_even_with_force(output, place):
    assert output.written(place).status == 0
    name = next(path.name for path in sorted(place.iterdir()) if path.is_file())
    shutil.rmtree(place)
    (place / name).mkdir(parents=True)
    (place / name / "keep.txt").write_text("mine")
    before = files_under(place)
    assert refused(output.written(place, "--force"))
    assert files_under(place) == before


@each(FOLDERS)
def test_an_own_folder_with_a_file_of_the_reader_is_kept(output, place):
    assert output.written(place).status == 0
    (place / "notes.txt").write_text("mine")
    if output.name == "precious":  # otherwise the model counts as built
        lines(place.parent.parent / "here/models.toml", PLAN.replace("epochs = 1", "epochs = 2"))
    before = files_under(place)
    found = output.written(place)
    assert found.status in (1, 2)
    assert files_under(place) == before


@each(FOLDERS)
def test_a_file_is_not_replaced_by_a_folder(output, place):
    place.write_text("mine")
    for force in ((), ("--force",)):
        assert refused(output.written(place, *force))
        assert place.read_text() == "mine"


def test_every_command_with_an_output_has_force_and_is_in_these_tables():
    named = {output.words(Path("a/b/c"))[0] for output in (*FILES.values(), *FOLDERS.values())}
    for command in COMMANDS:
        app = typer.Typer(add_completion=False)
        app.command()(load(command.where))
        flags = {flag for parameter in get_command(app).params for flag in parameter.opts}
        writes = flags & {"--out", "--traces", "--card", "--work"} or command.name == "card"
        if command.name == "train":  # it writes into a folder beside other files, and replaces none
            continue
        assert bool(writes) == ("--force" in flags), command.name
        assert not writes or command.name in named | {"measure"}, command.name


# Names are no paths.


@pytest.mark.parametrize(
    "name", ["../evil", "/evil", "a/b", "..", ".", "", " ", "a\\\\b", "C:evil", "a\\u0007", ".hidden", "n" * 300]
)
def test_a_model_of_a_plan_has_no_path_as_its_name(name, tmp_path):
    plan = lines(tmp_path / "below/models.toml", "") if (tmp_path / "below").mkdir() else tmp_path / "below/models.toml"
    lines(plan, f'[models."{name}"]', 'preset = "pointer-sort"')
    for more in ((), ("--dry-run",)):
        found = run("build", plan, "--work", tmp_path / "runs", *more)
        assert refused(found), found
        assert "cannot be the name of a folder" in found.err
    assert set(files_under(tmp_path)) == {"below", "below/models.toml"}


@pytest.mark.parametrize("name", ["../evil", "/evil", "a/b", " "])
def test_the_name_of_a_trained_model_is_no_path(name, tmp_path):
    words = ("train", "luong-dot-global", "--task", "copy", "--out", tmp_path / "m", "--examples", 3, "--name", name)
    found = run(*words)
    assert refused(found), found
    assert "cannot be the name of a folder" in found.err
    assert files_under(tmp_path) == {}


# Training writes into a folder.


@pytest.mark.parametrize(
    "name", ["source.json", "metrics.jsonl", "snapshots.json", "browser.json", "training.pid", "corpus/train.arrow"]
)
def test_training_refuses_a_folder_whose_files_it_would_replace(name, tmp_path):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(Unreplaceable, match="that no training wrote"):
        practise("copy", "luong-dot-global", tmp_path, examples=20)
    assert {path: text for path, text in files_under(tmp_path).items() if text} == {name: b"mine"}


def test_training_starts_where_an_interrupted_one_has_prepared_its_text(tmp_path):
    for side in ("source", "target"):
        Tokenizer.train(["a b c"], "zxx", "word", 1).save(tmp_path / f"{side}.json")
    (tmp_path / "notes.txt").write_text("mine")
    settings = {"epochs": 1, "embedding": 4, "decoder.hidden": 6, "encoder.hidden": 3, "attentional": 4}
    practise("copy", "luong-dot-global", tmp_path, examples=20, settings=settings)
    assert (tmp_path / "config.json").exists()
    assert (tmp_path / "notes.txt").read_text() == "mine"


# The site.


def test_files_of_the_reader_in_a_site_stay(tmp_path, monkeypatch):
    out = tmp_path / "site"
    monkeypatch.setattr(page, "_write_files", lambda folder, _address: (folder / "index.html").write_text("ours"))
    page.write(out)
    (out / ".git").mkdir()
    (out / ".git/HEAD").write_text("mine")
    (out / "notes.html").write_text("mine")
    with pytest.raises(Unreplaceable, match=r"contains \.git, which this command did not write"):
        page.write(out)
    page.write(out, force=True)
    there = {name: text for name, text in files_under(out).items() if text == b"mine"}
    assert set(there) == {".git/HEAD", "notes.html"}


@pytest.mark.parametrize("thing", ["pipe", "link to a file", "link to nothing", "link to itself", "link to a folder"])
def test_a_site_takes_the_place_of_no_link_or_pipe(thing, tmp_path, monkeypatch):
    monkeypatch.setattr(page, "_write_files", lambda folder, _address: (folder / "index.html").write_text("ours"))
    (tmp_path / "theirs").write_text("mine")
    (tmp_path / "their-folder").mkdir()
    SPECIAL[thing](tmp_path / "out")
    before = files_of(tmp_path)
    for force in (False, True):
        with pytest.raises(Unreplaceable):
            page.write(tmp_path / "out", force=force)
    assert files_of(tmp_path) == before
