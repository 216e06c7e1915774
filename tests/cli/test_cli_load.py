"""`--load`: scripts of a reader, imported before any command; each mistake is one line that names the script."""

import json
import random
import sys
from collections.abc import Iterator

import pytest

from attn_core import cli
from attn_core.attention.settings import WINDOWS
from attn_core.models import scripts
from attn_core.trace.reading import parse
from tests.helpers.scripts import BACKWARDS, forgotten, script
from tests.helpers.shipped import rewritten
from tests.helpers.terminal import SMALL, run, saved, set_options


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    with forgotten():
        yield


@pytest.mark.parametrize("command", [one.name for one in cli.COMMANDS])
def test_every_command_imports_a_script(command, tmp_path):
    """Its help comes after --load, which is read first."""
    found = run(command, "--load", script(tmp_path), "--help")
    assert (found.status, found.err) == (0, "")
    assert "backwards" in WINDOWS


@pytest.mark.parametrize("form", ["before", "after", "equals"])
def test_a_window_of_a_script_has_a_preset(form, tmp_path):
    path = script(tmp_path)
    words = ["settings", "luong-general-backwards"]
    forms = {
        "before": ["--load", path, *words],
        "after": [*words, "--load", path],
        "equals": [f"--load={path}", *words],
    }
    found = run(*forms[form])
    assert (found.status, found.err) == (0, "")
    assert "attention.window=backwards" in found.out


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("none.py", None, "cannot be read (No such file or directory); give the path of a Python script"),
        ("bad.py", "x = (", "is not a Python script (line 1: '(' was never closed); correct it, or give the script"),
        ("zero.py", "\0", "is not a Python script ("),
        ("fails.py", "\nmissing\n", "cannot be imported: line 2: NameError: name 'missing' is not defined; correct"),
        ("lines.py", "raise RuntimeError('a\\nb')", "cannot be imported: line 1: RuntimeError: a b; correct"),
        ("ends.py", "import sys; sys.exit(0)", "cannot be imported: line 1: it ends the program; correct the script"),
        ("imports.py", "import no_such_module", "line 1: ModuleNotFoundError: No module named 'no_such_module'"),
        (
            "taken.py",
            BACKWARDS.replace('"backwards"', '"local-p"'),
            "ValueError: there is a window 'local-p' in attn_core; choose another name",
        ),
    ],
    ids=lambda given: given if str(given).endswith(".py") else "",
)
def test_a_script_that_cannot_be_imported_is_one_line(name, code, message, tmp_path):
    path = tmp_path / name
    if code is not None:
        path.write_text(code)
    found = run("models", "--load", path)
    assert (found.status, found.out, found.err.count("\n")) == (2, "", 1)
    assert found.err.startswith("error: ")
    assert str(path) in found.err
    assert message in found.err


def test_two_scripts_with_one_name_are_an_error_that_names_both(tmp_path):
    first, second = script(tmp_path), script(tmp_path, name="other.py")
    found = run("models", "--load", first, "--load", second)
    assert (found.status, found.out, found.err.count("\n")) == (2, "", 1)
    assert f"{second} cannot be imported" in found.err
    assert f"there is a window 'backwards' in {first}; choose another name" in found.err


def test_a_folder_and_an_empty_name_are_no_scripts(tmp_path):
    for given in (tmp_path, ""):
        found = run("models", "--load", given)
        assert (found.status, found.err.count("\n")) == (2, 1)
        assert "cannot be read (Is a directory)" in found.err


def test_a_script_is_imported_once(tmp_path, monkeypatch):
    path = script(tmp_path, f"print('imported')\n{BACKWARDS}")
    monkeypatch.chdir(tmp_path)
    assert run("settings", "--presets", "--load", path, "--load", "./backwards.py").out.count("imported\n") == 1
    assert scripts.load_options() == ["--load", str(path)]


def test_a_script_may_import_modules_of_its_folder(tmp_path, monkeypatch):
    """Its own name hides no module, and it is not the main program."""
    (tmp_path / "beside_the_script.py").write_text(BACKWARDS)
    path = script(tmp_path, "import beside_the_script\nassert __name__ != '__main__'\n", "random.py")
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert run("models", "--json", "--load", path).status == 0
    assert sys.modules["random"] is random
    assert "backwards" in WINDOWS


@pytest.mark.slow
def test_a_window_of_a_script_is_trained_used_and_exported(tmp_path):
    """By two updates: 40 examples in batches of 20."""
    model, path = tmp_path / "model", script(tmp_path)
    words = ("train", "luong-general-backwards", "--load", path, "--task", "reverse", "--out", model)
    found = run(*words, "--examples", 40, *set_options(SMALL | {"batch": 20, "epochs": 1}))
    assert found.status == 0, found.err
    record = json.loads((model / "config.json").read_text("utf-8"))
    assert record["about"]["load"] == ["backwards.py"]
    assert record["model"]["attention"]["window"]["name"] == "backwards"
    translated = run("translate", model, "--load", path, "--traces", tmp_path / "traces", text="a b c\n")
    assert (translated.status, translated.err) == (0, "")
    trace = parse((tmp_path / "traces").read_text("utf-8"))
    assert trace.words[0].step.looks[0].focus.center == 2.0  # the last of three words
    assert run("export", model, "--to", "browser", "--load", path).status == 0
    exported = json.loads((model / "browser.json").read_text("utf-8"))
    assert (exported["steps"][0]["window"], exported["windows"]["backwards"]["centered"]) == ("backwards", True)
    card = run("card", model, "--load", path)
    assert card.status == 0, card.err
    command = "attn_core train luong-general-backwards --load backwards.py --task reverse"
    assert command in (model / "README.md").read_text("utf-8")


def test_without_its_script_a_model_names_it(tmp_path):
    with forgotten():
        path = script(tmp_path)
        assert run("settings", "--presets", "--load", path).status == 0
        model = saved(tmp_path / "mine", score="general", window="backwards", half_width=2)
    rewritten(model, lambda record: record["about"].update(load=["backwards.py"]))
    message = (
        "config.json needs the window 'backwards', which is not registered here: give the script that registers it "
        "with --load (it was trained with --load backwards.py); in Python, import it before you load the model\n"
    )
    for words in (("translate", model), ("card", model), ("handout", model, "--out", tmp_path / "page.html")):
        found = run(*words, text="a\n")
        assert (found.status, found.err.count("\n"), found.err.endswith(message)) == (1, 1, True), found.err
        if words[0] == "translate":
            assert run(*words, "--load", path, text="a\n").status == 0
            scripts._loaded.clear()
            del WINDOWS["backwards"]


def test_models_lists_a_model_with_a_window_of_a_script(tmp_path, monkeypatch):
    path = script(tmp_path)
    assert run("settings", "--presets", "--load", path).status == 0
    saved(tmp_path / "pretrained" / "mine", score="general", window="backwards", half_width=2)
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path / "pretrained"))
    found = run("models", "--load", path)
    assert (found.status, found.err) == (0, "")
    assert "backwards" in found.out
