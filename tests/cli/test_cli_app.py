"""`app`: the dashboard of a clone, started from anywhere."""

import os
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from app.lab.training.routes import SWITCH
from attn_core.cli import app as command
from tests.helpers.serving import ROOT
from tests.helpers.terminal import run


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
    shown = subprocess.run(["make", "-n", "app", *given], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (SWITCH + "=1" in shown.stdout) == switched


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
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "attn_core", "app", "--port", str(port)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(words, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, **quiet)
    try:
        while True:
            assert process.poll() is None
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) in (0, -signal.SIGTERM, 128 + signal.SIGTERM)
