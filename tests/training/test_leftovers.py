"""Leftovers and messages of runs that were killed, failed, or ran out of disk space."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors import SafetensorError
from safetensors.torch import save_file

from attn_core import files
from attn_core.files import FullDisk, remove_leftovers, replacing, unfinished
from attn_core.models.recipe import TrainConfig
from attn_core.training.distributed import World
from attn_core.training.run_state import STATE, provisional
from attn_core.training.task import Run
from tests.helpers.terminal import files_under

ROOT = Path(__file__).parents[2]
TRAIN = [sys.executable, "-m", "attn_core", "train", "luong-general-global", "--task", "reverse", "--examples", "40"]
SIZES = ["--set", "epochs=2", "--set", "warmup=1"]  # a warm-up longer than the run prints a warning
MASTER = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29500"}


def command(line: str, *more: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A shell runs `line`, in which "$@" is a small training with `more` words."""
    return subprocess.run(
        ["bash", "-c", line, "bash", *TRAIN, *SIZES, *more],
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "1"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


# Leftovers of killed processes.


def test_a_killed_process_leaves_a_part_that_the_next_run_removes(tmp_path):
    code = (
        "import os; from pathlib import Path; from attn_core.files import replacing\n"
        "with replacing(Path('corpus/train.arrow')) as one, replacing(Path('state.safetensors')) as other:\n"
        "    one.write_text('half'); other.write_text('half'); os._exit(9)"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=False)
    left = [path.name for path in tmp_path.rglob(".*.part")]
    assert sorted(name.split(".")[1] for name in left) == ["state", "train"]
    with Run(None, TrainConfig(), tmp_path).begin(World()):
        pass
    assert files_under(tmp_path) == {"corpus": None}


def test_files_that_another_process_is_writing_are_kept(tmp_path):
    with unfinished(tmp_path / "state.safetensors") as part:
        save_file({"a": torch.ones(3)}, part)  # which puts another file in its place
        remove_leftovers(tmp_path)
        assert part.exists()
    assert files_under(tmp_path) == {}


def test_files_of_other_names_are_no_leftovers(tmp_path):
    for name in ("notes.part", ".hidden", "state.safetensors"):
        (tmp_path / name).write_text("mine")
    remove_leftovers(tmp_path)
    assert len(files_under(tmp_path)) == 3


def test_a_file_is_synced_before_it_is_renamed_and_its_folder_after(tmp_path, monkeypatch):
    seen = []

    def sync(handle: int) -> None:
        there = (tmp_path / "state").exists() and (tmp_path / "state").read_text()
        seen.append((Path(f"/proc/self/fd/{handle}").readlink().name, there))

    monkeypatch.setattr(files.os, "fsync", sync)
    (tmp_path / "state").write_text("old")
    with replacing(tmp_path / "state") as part:
        part.write_text("new")
    assert seen == [("state", "old"), (tmp_path.name, "new")]


# Full disks.


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        SafetensorError('Error while serializing: I/O error: Os { message: "No space left" } (os error 28)'),
    ],
)
def test_a_full_disk_is_reported_and_existing_files_are_kept(error, tmp_path):
    (tmp_path / "state").write_text("old")
    with (
        pytest.raises(FullDisk, match=r"state could not be written: .*; free some disk space"),
        replacing(tmp_path / "state"),
    ):
        raise error
    assert files_under(tmp_path) == {"state": b"old"}


def test_other_errors_are_unchanged(tmp_path):
    for error in (FileNotFoundError(errno.ENOENT, "No such file", "x"), SafetensorError("invalid header")):
        with pytest.raises(type(error)), replacing(tmp_path / "state"):
            raise error


@pytest.mark.slow
def test_training_on_a_full_disk_prints_one_line(tmp_path):
    """The limit on the size of a file is one that the vocabularies keep to, and the state does not."""
    out = str(tmp_path / "new")
    found = command('ulimit -f 24; trap "" XFSZ; "$@"', "--out", out)
    lines = found.stderr.splitlines()
    assert lines[-1].startswith(f"error: {out}/{STATE} could not be written: File too large; free some disk space")
    assert "Traceback" not in found.stderr
    assert found.returncode == 1
    assert files_under(tmp_path) == {}
    assert command('"$@"', "--out", out).returncode == 0
    state = (tmp_path / "new" / STATE).read_bytes()
    again = command('ulimit -f 24; trap "" XFSZ; "$@"', "--out", out, "--resume", "--set", "epochs=3")
    assert again.stderr.splitlines()[-1].endswith("then continue with --resume; the last saved state is intact"), (
        again.stderr
    )
    assert (tmp_path / "new" / STATE).read_bytes() == state
    assert [name for name in files_under(tmp_path / "new") if ".part" in name] == []


# Folders that a failed run made.


def fail(out: Path, error: BaseException, *names: str) -> None:
    """A run in `out` that writes files of these names, and then fails."""
    with provisional(out, [one for one in (out, *out.parents) if not one.exists()]):
        for name in names:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_text("")
        raise error


@pytest.mark.parametrize("error", [ValueError("no"), FullDisk("no room")])
def test_a_folder_created_by_a_failed_run_is_removed(error, tmp_path):
    with pytest.raises(type(error), match=str(error)):
        fail(tmp_path / "a" / "b", error, "corpus/train.arrow", "source.json")
    assert files_under(tmp_path) == {}


def test_a_folder_stays_once_a_state_is_saved_or_when_it_was_there_before(tmp_path):
    with pytest.raises(ValueError, match="no"):
        fail(tmp_path / "new", ValueError("no"), STATE)
    (tmp_path / "old").mkdir()
    with pytest.raises(ValueError, match="no"):
        fail(tmp_path / "old", ValueError("no"), "source.json")
    assert set(files_under(tmp_path)) == {"new", f"new/{STATE}", "old", "old/source.json"}


def test_an_interruption_leaves_what_was_prepared_for_the_next_run(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        fail(tmp_path / "new", KeyboardInterrupt(), "source.json")
    assert set(files_under(tmp_path)) == {"new", "new/source.json"}


# Odd surroundings.


@pytest.mark.slow
def test_training_continues_with_standard_output_closed(tmp_path):
    found = command('"$@" >&-', "--out", str(tmp_path / "new"))
    assert (found.returncode, found.stderr.splitlines()[1:]) == (0, []), found.stderr
    assert (tmp_path / "new" / "config.json").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "message"),
    [
        (
            {"WORLD_SIZE": "2", "RANK": "0"},
            "LOCAL_RANK, MASTER_PORT, MASTER_ADDR are missing or not a number: start with torchrun",
        ),
        ({"WORLD_SIZE": "2", "LOCAL_RANK": "0"} | MASTER, "RANK is missing or not a number"),
        ({"WORLD_SIZE": "2", "RANK": "0", "LOCAL_RANK": "0"}, "MASTER_PORT, MASTER_ADDR are missing"),
        ({"WORLD_SIZE": "2", "RANK": "2", "LOCAL_RANK": "0"} | MASTER, "RANK=2 is not below WORLD_SIZE=2"),
        ({"WORLD_SIZE": "many"}, "WORLD_SIZE, RANK, LOCAL_RANK, MASTER_PORT, MASTER_ADDR are missing or not a number"),
    ],
)
def test_an_incomplete_torchrun_environment_is_reported_in_one_line(environment, message, tmp_path):
    found = command('"$@"', "--out", str(tmp_path / "new"), **environment)
    assert found.returncode == 1
    assert found.stderr.startswith("error: ")
    assert found.stderr.count("\n") == 1
    assert message in found.stderr
