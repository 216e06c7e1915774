"""Several processes, started by torchrun on the CPU, train the same model as a single process."""

import json
import math
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch

from attn_core.data.captions import captions
from attn_core.models.recipe import TrainConfig
from attn_core.training import run as runs
from attn_core.training.corpus_task import share
from attn_core.training.distributed import World, join
from tests.cli.test_cli_train import SETTINGS as SMALL
from tests.cli.test_cli_train import state
from tests.helpers.terminal import files_under, lines, set_options

ROOT = Path(__file__).parents[2]
PAIRS = 41  # in updates of 8: the last one has a single pair, so one of the processes has none
SETTINGS = SMALL | {"wide": 1, "precision": "fp32", "batch": 4, "save_every": 4}
EXACT = SETTINGS | {"dropout": 0, "output_dropout": 0}

# The program of each process. It trains as `python -m attn_core train` does; at update AT of this run, process DIES is
# killed, or process 0 sends Ctrl-C to torchrun, and each process waits for the signal before it continues.
PROCESS = """
import json, os, signal, sys, threading
import torch
from attn_core.training import loop as training
from attn_core.cli import main

torch.set_num_threads(1)
rank, at, dies = os.environ["RANK"], int(os.environ["AT"]), os.environ["DIES"]
update, calls = training.take_update, 0
told, plain = threading.Event(), signal.signal

def hearing(number, handler):
    def heard(*arguments):
        told.set()
        return handler(*arguments)

    return plain(number, heard if callable(handler) else handler)

signal.signal = hearing

def update_and_die(*arguments):
    global calls
    calls += 1
    if calls == at and rank == dies:
        os.kill(os.getpid(), signal.SIGKILL)
    if calls == at and not dies and rank == "0":
        os.kill(os.getppid(), signal.SIGINT)
    if calls > at and not dies:
        told.wait()
    total = update(*arguments)
    if rank == "0":
        print(total.item(), file=losses, flush=True)
    return total

losses = open(os.environ["LOSSES"], "a")
training.take_update = update_and_die
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def here(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("processes")
    for lang in ("de", "en"):
        lines(folder / f"own.{lang}", *(" ".join(getattr(pair, f"{lang}_tokens")) for pair in captions()[:PAIRS]))
    (folder / "process.py").write_text(PROCESS)
    return folder


def torchrun(here: Path, out: str, settings: dict, *more: str, at: int = 10**6, dies: str = "") -> tuple[int, str]:
    """Run two processes; returns torchrun's status and standard error. The losses are in OUT.losses."""
    words = ["train", "luong-general-local-p", "--train", "own", "--valid", "own", "--out", out, "--tokenized", *more]
    words += set_options(settings)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "process.py"]
    environment = {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    environment |= {"AT": str(at), "DIES": dies, "LOSSES": f"{out}.losses"}
    run = subprocess.run(
        [*command, *words],
        cwd=here,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return run.returncode, run.stderr


def losses_in(path: Path) -> list[float]:
    return [float(line) for line in path.read_text().split()]


@pytest.mark.slow
def test_two_processes_equal_one_with_twice_the_batch(here, tmp_path):
    """In fp32 without dropout, up to rounding; also with batches in two halves per process."""
    alone: list[float] = []

    def on_event(event):
        if event.scores is None:
            alone.append(event.total.item())

    arguments = ("luong-general-local-p", str(here / "own"), str(here / "own"), "de", "en", tmp_path / "one")
    runs.train(*arguments, tokenized=True, settings=EXACT | {"batch": 8}, on_event=on_event)
    status, err = torchrun(here, "two", EXACT | {"batch": 2, "accumulate": 2})
    assert status == 0, err
    (opening,) = err.splitlines()
    assert opening.startswith(f"{PAIRS} training pairs, {PAIRS} validation pairs; vocabularies: ")
    assert len(alone) == 3 * math.ceil(PAIRS / 8)
    assert losses_in(here / "two.losses") == pytest.approx(alone, rel=1e-5)
    folders = (tmp_path / "one", here / "two")
    one, two = (map(json.loads, (folder / "metrics.jsonl").read_text().splitlines()) for folder in folders)
    for ours, theirs in zip(one, two, strict=True):
        assert theirs["train_loss"] == pytest.approx(ours["train_loss"], rel=1e-5)
        assert theirs["perplexity"] == pytest.approx(ours["perplexity"], rel=1e-5)
    assert sorted(files_under(here / "two")) == sorted(files_under(tmp_path / "one"))
    assert json.loads((here / "two/config.json").read_text())["about"]["machine"]["processes"] == 2


@pytest.mark.slow
def test_a_killed_and_a_stopped_training_resume_to_the_same_result(here):
    """With dropout, whose random numbers differ between processes."""
    status, err = torchrun(here, "whole", SETTINGS)
    assert status == 0, err
    whole = losses_in(here / "whole.losses")
    assert len(whole) == 18

    status, err = torchrun(here, "parts", SETTINGS, at=7, dies="1")  # in the second epoch, three updates after a save
    ours = [line for line in err.splitlines() if line.startswith("error: ")]
    assert status != 0
    assert len(ours) == 1, err
    assert "another process of this training has ended" in ours[0]
    assert "--resume" in ours[0]
    assert state(here / "parts")[1]["updates"] == 6  # when the first epoch ended
    assert [name for name in files_under(here) if ".part" in name] == []

    (here / "parts.losses").unlink()
    status, err = torchrun(here, "parts", SETTINGS, "--resume", at=3)  # Ctrl-C
    assert status != 0
    assert "and saved; to continue: torchrun --nproc-per-node 2 -m attn_core train luong-general-local-p" in err
    assert err.count("to continue:") == 1
    done = state(here / "parts")[1]["updates"]
    assert 9 <= done < 18
    assert losses_in(here / "parts.losses") == whole[6:done]

    status, err = torchrun(here, "parts", SETTINGS, "--resume")
    assert status == 0, err
    assert losses_in(here / "parts.losses") == whole[6:]
    assert state(here / "parts") == state(here / "whole")


@pytest.mark.slow
def test_an_error_in_the_input_is_printed_once(here):
    status, err = torchrun(here, "new", SETTINGS | {"batch": "many"})
    assert status != 0
    assert [line for line in err.splitlines() if line.startswith("error: ")] == [
        "error: setting batch must be a whole number, not 'many'"
    ]
    assert not (here / "new").exists()


@pytest.mark.parametrize("pairs", [1, 2, 5, 23, 24])
@pytest.mark.parametrize(("size", "accumulate"), [(1, 1), (1, 4), (3, 2), (4, 1)])
def test_each_pair_of_an_update_is_used_once(size, accumulate, pairs):
    class One(World):
        def __init__(self, rank):
            self.rank, self.size = rank, size

    recipe = TrainConfig(batch=math.ceil(24 / size / accumulate), accumulate=accumulate)
    shares = [share(np.arange(pairs) * 10, recipe, One(rank)) for rank in range(size)]
    assert [len(parts) for parts in shares] == [accumulate] * size
    read = sorted(number for parts in shares for part in parts for number in part.tolist())
    assert read == [10 * i for i in range(pairs)]
    sizes = [len(part) for parts in zip(*shares, strict=True) for part in parts]
    assert max(sizes) <= recipe.batch
    assert all(0 <= before - after <= 1 for before, after in pairwise(sizes)), "larger parts come first"


def test_a_process_alone_needs_no_others(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    with join() as world:
        assert (world.rank, world.size, world.first) == (0, 1, True)
        assert [world.any(answer) for answer in (True, False)] == [True, False]
        assert world.lead(lambda: "done") == "done"
        assert world.agree(lambda: {"bleu": 3.5}) == {"bleu": 3.5}
        state = torch.tensor([1, 2], dtype=torch.uint8)
        assert world.gather(state).tolist() == [[1, 2]]


def test_a_process_without_its_own_gpu_is_an_error(monkeypatch):
    address = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29500"}
    for name, value in ({"WORLD_SIZE": "3", "RANK": "2", "LOCAL_RANK": "2"} | address).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    with pytest.raises(ValueError, match=r"more processes than GPUs \(2\)"), join():
        pass
