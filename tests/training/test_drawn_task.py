"""Training on randomly drawn examples: a model of one number, whose steps can be computed by hand."""

import json
from dataclasses import dataclass

import pytest
import torch
from torch import nn

from attn_core.files import CheckpointError
from attn_core.models import checkpoint
from attn_core.models.checkpoint import Kind, read
from attn_core.models.recipe import DrawnConfig, Recipe, TrainConfig
from attn_core.settings import Settings, setting
from attn_core.synthetic.models import maker
from attn_core.trace import Record
from attn_core.training import loop
from attn_core.training.drawn_task import Drawn
from attn_core.training.loop import Diverged
from attn_core.training.practice import practise

# w <- w - rate * 2 (w - 3) = w / 2 + 3 / 2
HALVING = DrawnConfig(
    updates=2, batch=5, epochs=2, optimizer="sgd", rate=0.25, schedule="constant", warmup=0, clip=1e9, seed=7
)


@dataclass(frozen=True)
class NumberConfig(Settings):
    start: float = setting(0.0, "the number before training")


@dataclass(frozen=True)
class Goal(Record):
    value: torch.Tensor


class Number(nn.Module):
    kind = "number"

    def __init__(self, config: NumberConfig, name: str):
        super().__init__()
        self.config, self.name = config, name
        self.w = nn.Parameter(torch.tensor(config.start))

    def loss(self, batch: Goal) -> torch.Tensor:
        return (self.w - batch.value).square().mean()


KIND = Kind("number", NumberConfig.from_json, DrawnConfig.from_json, lambda config, name, folder: Number(config, name))


@pytest.fixture
def batches():
    """The size and seed of each drawn batch."""
    return []


@pytest.fixture
def numbers(batches, monkeypatch):
    monkeypatch.setitem(checkpoint.KINDS, "number", f"{__name__}:KIND")

    def draw(config: NumberConfig, size: int, seed: tuple[int, int]) -> Goal:
        batches.append((size, seed))
        return Goal(torch.full((size,), 3.0))

    recipes = {"number": (NumberConfig(), HALVING)}
    return Drawn(recipes, Number, draw, lambda model, seed: {"w": model.w.item(), "seed": seed})


def test_an_epoch_is_its_updates_on_batches_that_are_drawn_by_number(numbers, batches, tmp_path):
    events = []
    numbers.learn("number", tmp_path / "mine", on_event=events.append)
    scores = [event.scores for event in events if event.scores]
    assert [event.scores is None for event in events] == [True, True, False] * 2
    assert batches == [(5, (7, number)) for number in range(4)]
    wanted = [(1, (9 + 2.25) / 2, 2.25), (2, (0.5625 + 0.140625) / 2, 2.8125)]
    assert [(one["epoch"], one["loss"], one["w"]) for one in scores] == wanted
    assert {one["seed"] for one in scores} == {7}
    record = json.loads((tmp_path / "mine" / "config.json").read_text())
    assert (record["kind"], record["train"], record["about"]["examples"]) == ("number", HALVING.to_json(), 20)
    model = read(tmp_path / "mine", "number")
    assert (model.w.item(), model.name, model.training, model.w.requires_grad) == (2.8125, "mine", False, False)


def test_a_loss_of_nan_ends_training(numbers, tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "rate_at", lambda *_: 1e30)
    with pytest.raises(Diverged, match="start again with a rate below 7"):
        numbers.learn("number", tmp_path / "far", settings={"rate": 7})
    assert not (tmp_path / "far").exists()


def test_weights_that_are_not_finite_are_an_error(numbers, tmp_path):
    numbers.learn("number", tmp_path / "mine", settings={"start": 1e6, "rate": 1e-9})  # the largest float16 is 65504
    with pytest.raises(CheckpointError, match="w has entries that are not finite"):
        read(tmp_path / "mine", "number")


def test_a_recipe_has_settings_of_training_and_takes_what_it_takes():
    assert {*HALVING.to_json()} == {*Recipe().to_json(), "updates"}
    assert {*Recipe().to_json()} < {*TrainConfig().to_json()}
    for wrong, message in (({"clip": 0}, "clip must be above 0"), ({"updates": 0}, "updates must be at least 1")):
        with pytest.raises(ValueError, match=message):
            DrawnConfig(**wrong)
    with pytest.raises(ValueError, match="unknown setting 'patience'"):
        DrawnConfig().set({"patience": 3})


@pytest.mark.parametrize("preset", ["pointer-sort", "series"])
def test_a_model_of_synthetic_data_refuses_to_be_trained_by_several_processes(preset, tmp_path, monkeypatch):
    """Each would train alone, and all would write the same folder."""
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(ValueError, match="trained by one process: start it without torchrun"):
        maker(preset).learn(preset, tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_a_synthetic_task_refuses_to_be_trained_by_several_processes(tmp_path, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(ValueError, match="start it without torchrun"):
        practise("copy", "luong-general-global", tmp_path / "m", examples=8)
    assert not (tmp_path / "m").exists()
