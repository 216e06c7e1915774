"""Training on drawn examples: a model of one number, whose every step can be followed by hand."""

import json
from dataclasses import dataclass

import pytest
import torch
from torch import nn

from attn_core.files import CheckpointError
from attn_core.models.config import Config
from attn_core.synthetic.on_the_fly import DrawnConfig, Kind
from attn_core.trace import Record
from attn_core.training.loop import Diverged

# w <- w - rate * 2 (w - 3) = w / 2 + 3 / 2
HALVING = DrawnConfig(
    updates=2, batch=5, epochs=2, optimizer="sgd", rate=0.25, schedule="constant", warmup=0, clip=1e9, seed=7
)


@dataclass(frozen=True)
class NumberConfig(Config):
    start: float = 0.0


@dataclass(frozen=True)
class Goal(Record):
    value: torch.Tensor


class Number(nn.Module):
    def __init__(self, config: NumberConfig, name: str):
        super().__init__()
        self.config, self.name = config, name
        self.w = nn.Parameter(torch.tensor(config.start))

    def loss(self, batch: Goal) -> torch.Tensor:
        return (self.w - batch.value).square().mean()


@pytest.fixture
def drawn():
    """What was asked for."""
    return []


@pytest.fixture
def kind(drawn):
    def draw(config: NumberConfig, size: int, seed: tuple[int, int]) -> Goal:
        drawn.append((size, seed))
        return Goal(torch.full((size,), 3.0))

    recipes = {"number": (NumberConfig(), HALVING)}
    return Kind("number", NumberConfig, Number, recipes, draw, lambda model, seed: {"w": model.w.item(), "seed": seed})


def test_an_epoch_is_its_updates_on_batches_that_are_drawn_by_number(kind, drawn, tmp_path):
    scores = []
    kind.learn("number", tmp_path / "mine", watch=scores.append)
    assert drawn == [(5, (7, number)) for number in range(4)]
    wanted = [(1, (9 + 2.25) / 2, 2.25), (2, (0.5625 + 0.140625) / 2, 2.8125)]
    assert [(one["epoch"], one["loss"], one["w"]) for one in scores] == wanted
    assert {one["seed"] for one in scores} == {7}
    record = json.loads((tmp_path / "mine" / "config.json").read_text())
    assert (record["kind"], record["train"], record["about"]["examples"]) == ("number", HALVING.to_json(), 20)
    model = kind.load(tmp_path / "mine")
    assert (model.w.item(), model.name, model.training, model.w.requires_grad) == (2.8125, "mine", False, False)


def test_a_model_whose_recipe_has_settings_of_text_is_loaded(kind, tmp_path):
    """Recipes were whole TrainConfigs once."""
    kind.learn("number", tmp_path / "old", settings={"start": 1.0})
    path = tmp_path / "old" / "config.json"
    record = json.loads(path.read_text())
    path.write_text(json.dumps(record | {"train": record["train"] | {"patience": 5, "average": 0.0}}))
    assert kind.load(tmp_path / "old").config == NumberConfig(1.0)


def test_a_loss_that_is_no_number_ends_training(kind, tmp_path):
    with pytest.raises(Diverged, match="start anew with a lower rate than 1e"):
        kind.learn("number", tmp_path / "far", settings={"rate": 1e30})
    assert not (tmp_path / "far").exists()


def test_weights_that_are_not_finite_are_told(kind, tmp_path):
    kind.learn("number", tmp_path / "mine", settings={"start": 1e6, "rate": 1e-9})  # float16 ends at 65504
    with pytest.raises(CheckpointError, match="w has entries that are not finite"):
        kind.load(tmp_path / "mine")


def test_a_recipe_has_settings_of_training_and_takes_what_it_takes():
    found = HALVING.as_train_config().to_json()
    assert {name: found[name] for name in HALVING.to_json() if name != "updates"} | {"updates": 2} == HALVING.to_json()
    for wrong, message in (({"clip": 0}, "clip must be above 0"), ({"updates": 0}, "updates must be 1 or more")):
        with pytest.raises(ValueError, match=message):
            DrawnConfig(**wrong)
    with pytest.raises(ValueError, match="unknown setting 'patience'"):
        DrawnConfig().set({"patience": 3})
