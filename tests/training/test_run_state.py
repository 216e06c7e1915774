"""The state of a training on disk: what is resumed, what is refused, and what a failed run leaves."""

import json
import os
import signal
from pathlib import Path
from unittest import mock

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from attn_core.files import CheckpointError
from attn_core.models.checkpoint import load, read_config
from attn_core.models.recipe import TrainConfig
from attn_core.training import run as runs
from attn_core.training.distributed import World
from attn_core.training.loop import Interrupted, make_optimizer
from attn_core.training.run_state import STATE, Progress, State, check, provisional, recorded_setting
from tests.helpers.support import tiny
from tests.helpers.terminal import files_under, lines

SETTINGS = {
    "embedding": 4,
    "attentional": 4,
    "decoder.hidden": 6,
    "encoder.hidden": 3,
    "min_frequency": 1,
    "warmup": 2,
    "patience": 0,
    "snapshots": 0,
}


# Another text.


def train(folder: Path, text: str, out: Path, epochs: int, **options) -> None:
    settings = SETTINGS | {"epochs": epochs}
    prefix = str(folder / text)
    runs.train("luong-dot-global", prefix, str(folder / "valid"), "de", "en", out, settings=settings, **options)


@pytest.fixture
def folder(tmp_path) -> Path:
    """Three texts: `other` has the words of `text` in another order, with as many in each line."""
    for name, first in (("text", "a b c"), ("other", "c b a"), ("valid", "a b c")):
        lines(tmp_path / f"{name}.de", first, "b c"), lines(tmp_path / f"{name}.en", "n o", "o n o")
    return tmp_path


def test_another_training_text_with_the_same_counts_does_not_resume(folder):
    train(folder, "text", folder / "m", 1, tokenized=True)
    with pytest.raises(CheckpointError, match="the training text has changed since this run began"):
        train(folder, "other", folder / "m", 2, tokenized=True, resume=True)
    train(folder, "text", folder / "m", 2, tokenized=True, resume=True)
    assert check(folder / "m", {}).epoch == 2


def test_a_longer_training_text_is_named_too(folder):
    """Not its number of pairs, which differs as well."""
    train(folder, "text", folder / "m", 1, tokenized=True)
    lines(folder / "text.de", "a b c", "b c", "c"), lines(folder / "text.en", "n o", "o n o", "n")
    with pytest.raises(CheckpointError, match="the training text has changed since this run began"):
        train(folder, "text", folder / "m", 2, tokenized=True, resume=True)


def rewrite(path: Path, change) -> None:
    """Write a state again with the metadata that `change` makes of it."""
    with safe_open(path, "pt") as file:
        metadata = {name: json.loads(text) for name, text in file.metadata().items()}
    changed = change(metadata)
    save_file(load_file(path), path, changed and {name: json.dumps(value) for name, value in changed.items()})


def test_a_state_without_metadata_is_an_error_with_the_reason(folder):
    train(folder, "text", folder / "m", 1, tokenized=True)
    rewrite(folder / "m" / STATE, lambda metadata: None)
    assert recorded_setting(folder / "m", "threads") is None
    with pytest.raises(CheckpointError, match=r"cannot resume from .*: it contains no training progress"):
        train(folder, "text", folder / "m", 2, tokenized=True, resume=True)


def test_a_damaged_state_is_named_as_such(folder):
    train(folder, "text", folder / "m", 1, tokenized=True)
    (folder / "m" / STATE).write_bytes((folder / "m" / STATE).read_bytes()[:-100])
    with pytest.raises(CheckpointError, match=r"cannot resume from .*: the file is damaged .* start a new training"):
        train(folder, "text", folder / "m", 2, tokenized=True, resume=True)


def test_a_resumed_run_has_the_epochs_that_it_began_with_unless_others_are_set(folder):
    def resume(**settings) -> Progress:
        prefixes = str(folder / "text"), str(folder / "valid")
        made = {"settings": SETTINGS | settings, "tokenized": True, "resume": True}
        return runs.train("luong-dot-global", *prefixes, "de", "en", folder / "m", **made)

    train(folder, "text", folder / "m", 1, tokenized=True)
    assert resume().epoch == 1
    assert resume(epochs=3).epoch == 3
    assert resume().epoch == 3
    with pytest.raises(CheckpointError, match=r"seed was 1, not 7 \(to resume, repeat --set seed=1\); use the model"):
        resume(seed=7)
    with pytest.raises(CheckpointError, match=r"was .*, not .*\(to resume, repeat --set warmup=2 --set seed=1\)"):
        resume(warmup=3, seed=7)


def test_a_run_resumed_without_epochs_records_them_in_its_model(folder):
    """For the command on its card; the preset has 20."""
    settings = SETTINGS | {"epochs": 2}
    words = "luong-dot-global", str(folder / "text"), str(folder / "valid"), "de", "en", folder / "m"

    def stop(event):
        if event.scores is None:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted, match="stopped in epoch 1"):
        runs.train(*words, tokenized=True, settings=settings, on_event=stop)
    with pytest.raises(CheckpointError, match=r"training has not finished an epoch: continue .* --resume"):
        load(folder / "m")
    runs.train(*words, tokenized=True, settings=SETTINGS, resume=True)
    record = read_config(folder / "m")
    assert (record["train"].epochs, record["about"]["settings"]["epochs"]) == (2, 2)


# Random numbers of a GPU.


def state(folder: Path, device: str) -> State:
    model = tiny().float()
    return State(folder, model, make_optimizer(model, TrainConfig()), {}, {}, World(torch.device(device)))


def test_the_random_numbers_of_a_gpu_are_those_of_the_run(tmp_path):
    numbers = torch.arange(5, dtype=torch.uint8)
    one = torch.device("cuda:1")
    with (
        mock.patch.object(torch.cuda, "get_rng_state", return_value=numbers) as get,
        mock.patch.object(torch.cuda, "set_rng_state") as put,
    ):
        state(tmp_path, "cuda:1").store(Progress())
        state(tmp_path, "cuda:1").restore()
    get.assert_called_once_with(one)
    (found, device), _ = put.call_args
    assert (found.tolist(), device) == ([0, 1, 2, 3, 4], one)


def test_a_run_on_the_cpu_does_not_use_a_gpu_that_is_there(tmp_path):
    with (
        mock.patch.object(torch.cuda, "is_available", return_value=True),
        mock.patch.object(torch.cuda, "get_rng_state", side_effect=AssertionError),
        mock.patch.object(torch.cuda, "set_rng_state", side_effect=AssertionError),
    ):
        state(tmp_path, "cpu").store(Progress(epoch=3))
        assert state(tmp_path, "cpu").restore().epoch == 3
    assert "random.cuda" not in load_file(tmp_path / STATE)


# Failed runs.


def fail(out: Path, *names: str) -> None:
    """A run in the new folder `out` that writes files of these names, and then fails."""
    with provisional(out, [out]):
        for name in names:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_text("")
        raise ValueError("no")


def test_finished_translations_of_a_teacher_survive_a_failure(tmp_path):
    with pytest.raises(ValueError, match="no"):
        fail(tmp_path / "m", "corpus/train.arrow", "source.json", "taught/wise.tsv", "taught/wise.json")
    assert set(files_under(tmp_path)) == {"m", "m/taught", "m/taught/wise.tsv", "m/taught/wise.json"}


def test_unfinished_translations_of_a_teacher_do_not(tmp_path):
    with pytest.raises(ValueError, match="no"):
        fail(tmp_path / "m", "source.json", "taught/.wise.tsv.x.part/wise.tsv")
    assert files_under(tmp_path) == {}
