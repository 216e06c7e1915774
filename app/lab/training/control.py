"""Start, pause, resume and stop the training of a small model on a synthetic task, in a process of its own.

There is one at a time. It goes on if the server ends, and the next server finds it by its locked file (in_progress.py).
"""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO

from app.lab.training.runs import STATE, Training, state_of, synthetic_folder, trainings
from attn_core.files import check_file, read_bytes
from attn_core.messages import _, visible
from attn_core.models.folders import ROOT
from attn_core.models.own_files import clear
from attn_core.program import INTERRUPTED
from attn_core.training import in_progress

TASKS = ("reverse", "copy", "sort", "verb-final")
PRESETS = ("bahdanau", "luong-dot-global", "luong-general-global", "luong-general-local-p")
STOPPED = (INTERRUPTED, 128 + signal.SIGTERM, -signal.SIGINT, -signal.SIGTERM)  # exit statuses
LOG = "training.log"  # in the folder of the trainings; the output of the latest one
_lock = threading.Lock()
_started: subprocess.Popen[bytes] | None = None
_name = ""  # of the training in `_started`
_begun = False  # whether it has begun to train: its process ends some time after the training does


def choices() -> dict[str, list[str]]:
    """The data of training.js: the tasks and the models that can be trained on them."""
    return {"tasks": list(TASKS), "presets": list(PRESETS)}


class Refused(ValueError):
    """The training cannot be started or stopped; the message says why."""


def starting() -> str | None:
    """The name of a training that was started and does not train yet."""
    global _begun  # noqa: PLW0603  of the one process that this server has started
    if _started is None or _started.poll() is not None:
        return None
    _begun = _begun or in_progress.process(synthetic_folder() / _name) is not None
    return None if _begun else _name


def failure() -> str | None:
    """The last line that the latest training printed, if it has failed."""
    if _started is None or _started.poll() in (None, 0, *STOPPED):
        return None
    printed = ""
    with suppress(OSError, ValueError):  # the folder was removed, or the file was replaced by a pipe
        printed = read_bytes(synthetic_folder() / LOG).decode("utf-8", "replace")
    lines = [line.strip() for line in printed.split("\n") if line.strip()]
    return visible(lines[-1]) if lines else _("The training has failed.")


def start(task: str, preset: str) -> str:
    """Train `preset` on `task` from the beginning, in place of an ended training of the two; returns its name."""
    if task not in TASKS or preset not in PRESETS:
        raise Refused(_("there is no task {task} or no model {preset}").format(task=task, preset=preset))
    with _lock:
        _check_free()
        name = f"{task}-{preset}"
        if state_of(synthetic_folder() / name) == "paused":
            raise Refused(_("{name} is paused: resume it, or stop it first").format(name=name))
        clear(synthetic_folder() / name)
        _run(name, task, preset)
    return f"runs/{synthetic_folder().name}/{name}"


def resume(name: str) -> None:
    """Go on with a paused training."""
    with _lock:
        training = _own_training(name)
        if training.state != "paused":
            raise Refused(_("{name} is not paused").format(name=name))
        _check_free()
        (task, preset), *_others = [
            (task, preset) for task in TASKS for preset in PRESETS if f"{task}-{preset}" == training.folder.name
        ] or [("", "")]
        if not task:
            raise Refused(_("{name} was not started from this page").format(name=name))
        _run(training.folder.name, task, preset, "--resume")


def pause(name: str) -> None:
    """Interrupt a training after its current update, and wait until it has saved its state."""
    with _lock:
        training = _own_training(name)
        if training.state != "training":
            raise Refused(_("{name} is not training").format(name=training.folder.name))
        _end(training.folder)


def stop(name: str) -> None:
    """End a training for good: what it has recorded stays, and its state is removed."""
    with _lock:
        training = _own_training(name)
        if training.state == "training":
            _end(training.folder)
        (training.folder / STATE).unlink(missing_ok=True)


def _own_training(name: str) -> Training:
    training = trainings().get(name)
    if training is None or not training.own:
        raise Refused(_("{name} was not started from this page").format(name=name))
    return training


def _check_free() -> None:
    if not in_progress.CAN_LOCK:
        raise Refused(_("this system has no file locks; start the training on the command line"))
    busy = [path.name for path in synthetic_folder().glob("*") if state_of(path) == "training"]
    if busy or (begun := starting()):
        raise Refused(_("{name} is training: pause or stop it first").format(name=busy[0] if busy else begun))


def _run(name: str, task: str, preset: str, *more: str) -> None:
    global _started, _name, _begun
    synthetic_folder().mkdir(parents=True, exist_ok=True)
    words = ["train", preset, "--task", task, "--out", str(synthetic_folder() / name), "--threads", "1", "--no-export"]
    check_file(synthetic_folder() / LOG, lambda _path: True)
    with (synthetic_folder() / LOG).open("wb") as log:
        _started, _name, _begun = _process([*words, *more], log), name, False


def _process(words: list[str], log: IO[bytes]) -> subprocess.Popen[bytes]:
    """A process of its own session, which Ctrl-C in the server's terminal does not reach."""
    return subprocess.Popen(
        [sys.executable, "-m", "attn_core", *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def _end(folder: Path) -> None:
    """Interrupt the training in `folder` until it has ended. Raises Refused if it has not after 20 seconds.

    The signal is repeated every 2 seconds, since it can be lost while Python imports the modules.
    """
    pause = threading.Event()
    for trial in range(400):
        if (number := in_progress.process(folder)) is None:
            return
        if trial % 40 == 0:
            starting()  # so that the training is known to have begun, and can be resumed at once
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(number, signal.SIGINT)
        pause.wait(0.05)
    raise Refused(_("{name} did not stop; try again").format(name=folder.name))
