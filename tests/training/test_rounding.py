"""A resumed training rounds as before: its state has the threads and the processor that it began with."""

import json
from pathlib import Path

import pytest
import torch
from safetensors import safe_open

from attn_core import processor
from attn_core.files import CheckpointError
from attn_core.models.recipe import TrainConfig
from attn_core.training import rounding
from attn_core.training.distributed import World
from attn_core.training.loop import make_optimizer
from attn_core.training.run_state import Progress, State, round_as_begun
from tests.helpers.support import tiny


def begin(folder: Path, **recorded) -> Path:
    """A training's state in `folder` which says this of the process that wrote it."""
    model = tiny().float()
    now = {"threads": 1, "processor": processor.description()} | recorded
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("attn_core.training.run_state.rounding", lambda: now)
        State(folder, model, make_optimizer(model, TrainConfig()), {}, {}).store(Progress())
    return folder


def test_the_number_of_threads_is_the_recorded_one_unless_another_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(rounding, "usable_cores", lambda: 4)
    begin(tmp_path, threads=3)
    round_as_begun(tmp_path, None, World())
    assert torch.get_num_threads() == 3
    round_as_begun(tmp_path, 2, World())
    assert torch.get_num_threads() == 2


@pytest.mark.parametrize(
    ("recorded", "message"),
    [
        ({"threads": 5}, "began with 5 threads, but this machine has 4 cores; for the same result add --threads 5"),
        (
            {"products": "mkl"},
            "began with an earlier version of this program, whose sums round differently; to continue",
        ),
        ({"processor": "Z80"}, r"on a processor that rounds differently \(Z80; this one is "),
    ],
)
def test_a_machine_that_rounds_differently_refuses_to_resume(recorded, message, tmp_path, monkeypatch):
    monkeypatch.setattr(rounding, "usable_cores", lambda: 4)
    begin(tmp_path, **recorded)
    with pytest.raises(CheckpointError, match=f"{message}.*add --allow-rounding"):
        round_as_begun(tmp_path, None, World())
    round_as_begun(tmp_path, None, World(), anyway=True)
    assert torch.get_num_threads() == 1, "five threads on four cores are not taken"


def test_more_threads_than_cores_are_taken_if_the_environment_asks_for_them(tmp_path, monkeypatch):
    """With OMP_NUM_THREADS=4, torch begins with four threads on two cores."""
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    monkeypatch.setattr(rounding, "usable_cores", lambda: 2)
    begin(tmp_path, threads=4)
    torch.set_num_threads(4)
    round_as_begun(tmp_path, None, World())
    assert torch.get_num_threads() == 4
    torch.set_num_threads(2)
    with pytest.raises(CheckpointError, match="began with 4 threads, but this machine has 2 cores"):
        round_as_begun(tmp_path, None, World())


def test_a_new_run_rounds_as_this_machine_does():
    round_as_begun(None, None, World())


def test_the_state_records_how_its_process_rounds(tmp_path):
    model = tiny().float()
    state = State(tmp_path, model, make_optimizer(model, TrainConfig()), {}, {"seed": 1}, epochs=4)
    state.store(Progress())
    with safe_open(tmp_path / "state.safetensors", "pt") as file:
        run = json.loads(file.metadata()["run"])
    assert run == {"seed": 1, "threads": 1, "processor": processor.description(), "epochs": 4}


@pytest.mark.parametrize("vendor", ["GenuineIntel", "AuthenticAMD"])
def test_the_vendor_is_read_from_the_system(vendor, tmp_path, monkeypatch):
    found = processor.vendor.__wrapped__  # without the cache
    monkeypatch.setattr(processor, "CPUINFO", tmp_path / "cpuinfo")
    monkeypatch.setattr(processor.platform, "processor", lambda: f"Family 6 Model 85 Stepping 7, {vendor}")
    assert found() == vendor  # as on Windows
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nCPU implementer\t: 0x41\n")
    assert found() == ""  # an ARM
    (tmp_path / "cpuinfo").write_text(f"processor\t: 0\nvendor_id\t: {vendor}\nmodel name\t: Some CPU\n")
    assert found() == vendor
