"""Programs that are interrupted or killed: their exit status, and what they leave."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from attn_core.files import replacing, replacing_folder
from attn_core.models.folders import ROOT
from attn_core.training.loop import Interrupted, stopping
from tests.helpers.terminal import files_under, run

BEGIN = """
from pathlib import Path
import os, time
from attn_core import files
from attn_core.program import run_program
"""
FILL = """
def main():
    with files.replacing_folder(Path('out'), lambda folder: []) as part:
        (part / 'new').write_text('new')
        {there}
"""
KILLED_IN = {
    "while the folder is filled": FILL.format(there="os._exit(9)"),
    "when the old folder has been moved away": "Path.rename = lambda path, to: (os.rename(path, to), os._exit(9))\n"
    + FILL.format(there="pass"),
    "when the new folder is in its place": "files.shutil.rmtree = lambda *_, **__: os._exit(9)\n"
    + FILL.format(there="pass"),
}
# Programs that run for long or write files.
PROGRAMS = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("attn_core", "app", "notebooks")
    for path in (ROOT / folder).rglob("*.py")
    if 'if __name__ == "__main__"' in path.read_text("utf-8")
)


def start(code: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", f"{BEGIN}{code}\nrun_program(main)"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )


@pytest.mark.parametrize("moment", KILLED_IN)
def test_the_next_writing_removes_what_a_killed_process_left_of_a_folder(moment, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/old").write_text("old")
    (tmp_path / ".outer.abcdefgh.part").mkdir()  # of another output
    process = start(KILLED_IN[moment], tmp_path)
    _, printed = process.communicate()
    assert process.returncode == 9, printed
    assert len([path for path in tmp_path.iterdir() if path.name.startswith(".out.")]) > 0
    with suppress(KeyError), replacing_folder(tmp_path / "out", lambda _folder: []):
        raise KeyError  # this writing fails, so the version that was there stays
    assert {path.name for path in tmp_path.iterdir()} == {"out", ".outer.abcdefgh.part"}
    assert files_under(tmp_path / "out") in ({"old": b"old"}, {"new": b"new"})


def test_the_next_writing_removes_what_a_killed_process_left_of_a_file(tmp_path):
    code = "def main():\n    with files.replacing(Path('out')) as part:\n        os._exit(9)"
    process = start(code, tmp_path)
    process.communicate()
    assert process.returncode == 9
    assert [path.name.startswith(".out.") for path in tmp_path.iterdir()] == [True]
    with replacing(tmp_path / "out") as part:
        part.write_text("new")
    assert files_under(tmp_path) == {"out": b"new"}


def test_a_folder_that_another_process_fills_is_no_leftover(tmp_path):
    process = start(FILL.format(there="print('filled', flush=True); time.sleep(60)"), tmp_path)
    try:
        assert process.stdout.readline() == "filled\n"
        with replacing_folder(tmp_path / "out", lambda _folder: []) as part:
            (part / "mine").write_text("")
        assert len([path for path in tmp_path.iterdir() if path.name.endswith(".part")]) == 1
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_program_quietly_and_leaves_no_files(number, tmp_path):
    process = start(FILL.format(there="print('filled', flush=True); time.sleep(60)"), tmp_path)
    assert process.stdout.readline() == "filled\n"
    process.send_signal(number)
    _, printed = process.communicate(timeout=60)
    assert (process.returncode, printed) == (128 + number, "")
    assert files_under(tmp_path) == {}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_file_ends_quietly_during_its_imports(number, tmp_path):
    # A program that was started in the background ignores Ctrl-C, as these tests may do.
    heard = "import signal, time\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    (tmp_path / "slow.py").write_text(f"{heard}print('begun', flush=True)\ntime.sleep(60)\n")
    words = [sys.executable, "-m", "attn_core.program", str(tmp_path / "slow.py")]
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    process.send_signal(number)
    _, printed = process.communicate(timeout=60)
    assert (process.returncode, printed) == (128 + number, "")


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_ends_quietly(name):
    assert "run_program(" in (ROOT / name).read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("seconds", [0.2, 12])
def test_make_site_ends_quietly_and_leaves_no_files(number, seconds, tmp_path):
    """During its imports, and later, on most machines while it writes files."""
    process = start(
        f"import sys\nsys.argv = ['site', '--out', '{tmp_path}/site']\nfrom app.site import __main__ as program\n"
        "import logging\nlogging.disable(logging.WARNING)  # as the program does\n"
        "def main():\n    print('begun', flush=True)\n    return program.main()",
        ROOT,
    )
    assert process.stdout.readline() == "begun\n"
    time.sleep(seconds)
    process.send_signal(number)
    _, printed = process.communicate(timeout=120)
    assert (process.returncode, printed) == (128 + number, "")
    assert files_under(tmp_path) == {}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_training_ends_with_the_status_of_its_signal(number, tmp_path, monkeypatch):
    with stopping() as stop:
        os.kill(os.getpid(), number)
        assert stop.wait(10)

    def stopped(_task: object) -> None:
        raise Interrupted("stopped in epoch 1; continue with --resume", stop.number)

    for where in ("attn_core.cli.train.fit", "attn_core.training.drawn_task.fit"):
        monkeypatch.setattr(where, stopped)
    for preset in (["luong-dot-global", "--task", "copy", "--examples", "9"], ["pointer-sort"]):
        found = run("train", *preset, "--out", tmp_path / preset[0])
        assert found.status == 128 + number
        assert "stopped in epoch 1" in found.err
