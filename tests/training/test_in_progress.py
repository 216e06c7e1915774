"""The files that announce a training while it goes on."""

import errno
import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from attn_core.files import CheckpointError
from attn_core.training import in_progress
from attn_core.training.in_progress import PID, STATUS, announced, process, status
from attn_core.training.practice import practise
from tests.helpers.terminal import files_under

TRAINING = """
import sys, time
from pathlib import Path
from attn_core.training.in_progress import announced
with announced(Path(sys.argv[1])) as announce:
    announce(lambda: {"update": 3, "updates": 9})
    print("now", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def training(tmp_path):
    """A process that says it trains in `tmp_path`."""
    running = subprocess.Popen([sys.executable, "-c", TRAINING, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "now\n"
    yield running
    running.kill()
    running.communicate()


def test_a_training_is_known_until_its_process_ends_however_it_ends(training, tmp_path):
    assert process(tmp_path) == training.pid
    assert status(tmp_path) == {"update": 3, "updates": 9}
    training.kill()
    training.wait()
    assert (tmp_path / PID).exists(), "a killed process leaves its file"
    assert process(tmp_path) is None


def test_two_processes_do_not_train_in_one_folder(training, tmp_path, monkeypatch):
    monkeypatch.setattr(in_progress, "PATIENCE", 0.1)
    with pytest.raises(CheckpointError, match="another process is training in"), announced(tmp_path):
        pass
    assert process(tmp_path) == training.pid


def test_a_second_training_changes_nothing_in_the_folder_of_the_first(training, tmp_path, monkeypatch):
    """It is refused before it prepares its text, and it does not remove the folder."""
    monkeypatch.setattr(in_progress, "PATIENCE", 0.1)
    before = files_under(tmp_path)
    with pytest.raises(CheckpointError, match="another process is training in"):
        practise("copy", "bahdanau", tmp_path, examples=64)
    assert files_under(tmp_path) == before
    assert process(tmp_path) == training.pid


def test_a_file_that_is_removed_while_a_process_waits_for_it_is_made_again(tmp_path):
    """The first process removes its file when it ends; a lock on the removed file would keep nobody out."""
    waited = threading.Event()

    def second():
        with announced(tmp_path):
            waited.set()
            assert process(tmp_path) == os.getpid()

    with ThreadPoolExecutor(1) as pool:
        with announced(tmp_path):
            other = pool.submit(second)
            assert not waited.wait(0.2)
        other.result(timeout=60)


def test_a_status_that_cannot_be_written_does_not_end_the_training(tmp_path, monkeypatch):
    def full(*_arguments, **_options):
        raise OSError(errno.ENOSPC, "No space left on device")

    with announced(tmp_path) as announce:
        with monkeypatch.context() as patched:
            patched.setattr(Path, "write_text", full)
            announce(lambda: {"update": 1})
        assert status(tmp_path) == {}


def test_a_number_in_a_file_that_nobody_locks_is_no_training(tmp_path):
    (tmp_path / PID).write_text("1\n")
    assert process(tmp_path) is None
    assert process(tmp_path / "nothing") is None
    assert status(tmp_path) == {}


def test_training_announces_where_it_is_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(in_progress, "OFTEN", 0)
    seen = []

    def on_event(event, model):
        if (tmp_path / STATUS).exists():
            seen.append(json.loads((tmp_path / STATUS).read_text("utf-8")))

    settings = {"embedding": 7, "attentional": 7, "decoder.hidden": 6, "encoder.hidden": 3, "epochs": 1, "batch": 16}
    practise("copy", "bahdanau", tmp_path, examples=64, settings=settings, on_event=on_event)
    assert [one["update"] for one in seen] == [1, 2, 3, 4], "the last is seen in the event of the epoch"
    assert {(one["updates"], one["epochs"]) for one in seen} == {(4, 1)}
    assert seen[-1]["seconds_left"] == 0
    assert not (tmp_path / STATUS).exists()
    assert not (tmp_path / PID).exists()
