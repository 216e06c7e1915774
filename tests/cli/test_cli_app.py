"""`app`: the dashboard of a clone, started from anywhere."""

import os
import runpy
import shutil
import signal
import sys
from pathlib import Path

import pytest

from app.lab.training.routes import SWITCH
from app.service.catalogue import catalogue
from attn_core.cli import app as command
from tests.helpers.scripts import forgotten, script
from tests.helpers.serving import ROOT, Server
from tests.helpers.shipped import rewritten
from tests.helpers.terminal import make, run, saved


@pytest.fixture
def started(monkeypatch) -> list:
    """What would have been run, instead of running it: module, words, folder."""
    found = []
    monkeypatch.setattr(runpy, "run_module", lambda name, **_: found.append((name, sys.argv[1:], Path.cwd())) or {})
    monkeypatch.setattr(sys, "argv", ["attn-core"])
    monkeypatch.chdir(Path.cwd())  # restored afterwards
    return found


def test_streamlit_runs_in_the_clone_with_the_options_given(started, tmp_path):
    os.chdir(tmp_path)
    assert run("app").status == 0
    assert run("app", "--port", 8600, "--", "--server.address", "0.0.0.0").status == 0
    script = ["run", "app/streamlit_app.py"]
    assert started == [
        ("streamlit", script, ROOT),
        ("streamlit", [*script, "--server.port", "8600", "--server.address", "0.0.0.0"], ROOT),
    ]


def test_trainings_are_switched_on_by_an_option_alone(started, monkeypatch):
    monkeypatch.setenv(SWITCH, "0")
    assert run("app").status == 0
    assert os.environ[SWITCH] == "0"
    assert run("app", "--training").status == 0
    assert os.environ[SWITCH] == "1"
    assert [words for _, words, _ in started] == [["run", "app/streamlit_app.py"]] * 2


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(("given", "switched"), [([], False), (["TRAINING=1"], True), (["TRAINING="], False)])
def test_make_switches_trainings_on(given, switched):
    assert ("--training" in make("app", *given)) == switched


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize("target", ["app", "site"])
def test_make_passes_on_a_script_and_models_of_its_command_line(target, monkeypatch):
    monkeypatch.setenv("LOAD", "of-the-environment.py")
    assert "--load" not in make(target)
    assert '--load "own.py" --model "runs/a" --model "runs/b"' in make(target, "LOAD=own.py", "MODEL=runs/a runs/b")
    assert make("app", "HOST=0.0.0.0", "LOAD=own.py").count('--load "own.py"') == 2  # of the site, too


def test_a_model_of_ones_own_is_offered_with_its_script(started, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    path = script(tmp_path)
    with forgotten():
        assert run("settings", "--presets", "--load", path).status == 0
        model = saved(tmp_path / "mine", score="general", window="backwards", half_width=2)
        (model / "browser.json").write_text("{}")
    with forgotten():
        found = run("app", "--model", "mine")
        assert (found.status, found.err.count("\n"), started) == (2, 1, [])
        assert "config.json needs the window 'backwards', which is not registered here: give the script" in found.err
        assert run("app", "--load", path, "--model", "mine").status == 0
        assert catalogue()[0]["mine"].point["window"] == "backwards"
        assert (catalogue()[0]["mine"].folder, len(started)) == (model, 1)
    assert "mine" not in catalogue()[0]


def test_a_model_that_cannot_be_offered_is_one_line(started, tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path / "pretrained"))
    saved(tmp_path / "pretrained" / "bahdanau")
    same, odd, other = (saved(tmp_path / name) for name in ("runs/bahdanau", "my model#1", "other"))
    rewritten(other, lambda record: record.update(kind="pointer"))
    for folder, message in {
        same: f"has the name of the model in {tmp_path / 'pretrained' / 'bahdanau'}: rename the folder",
        odd: "the folder's name 'my model#1' is part of addresses: rename it, with letters, digits and hyphens only",
        other: "other is a model of kind pointer; the Explorer shows translators only",
        tmp_path: "holds no config.json",
        tmp_path / "none": "unknown model",
    }.items():
        found = run("app", "--model", folder)
        assert (found.status, found.out, found.err.count("\n"), started) == (2, "", 1, [])
        assert message in found.err


def test_a_model_without_an_export_is_exported_first(started, tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr("attn_core.export.document.write", written.append)
    model = saved(tmp_path / "mine")
    with forgotten():
        found = run("app", "--model", model)
    assert (found.status, written, len(started)) == (0, [model], 1)
    assert found.err == f"{model} is not exported for the browser yet: writing its browser.json\n"


def test_a_package_without_a_clone_says_where_the_dashboard_is(started, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "ROOT", tmp_path)
    found = run("app")
    assert (found.status, found.out) == (1, "")
    assert found.err == (
        "error: the dashboard is not part of the installed package: clone the repository, and in its folder run: "
        f'{sys.executable} -m pip install -e ".[app]"\n'
    )
    assert started == []


def test_a_clone_without_streamlit_says_how_to_install_it(started, monkeypatch):
    monkeypatch.setattr(command.importlib.util, "find_spec", lambda name: None)
    found = run("app")
    assert (found.status, started) == (1, [])
    assert (
        found.err == f'error: Streamlit is not installed: in {ROOT} run: {sys.executable} -m pip install -e ".[app]"\n'
    )


def test_a_port_is_a_port(started):
    assert run("app", "--port", 0).status == 2
    assert started == []


@pytest.mark.slow
def test_the_dashboard_answers(tmp_path):
    server = Server("attn_core", "app", "--port", cwd=tmp_path)
    try:
        server.wait()
    finally:
        server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(timeout=60) in (0, -signal.SIGTERM, 128 + signal.SIGTERM)
