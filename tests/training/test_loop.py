"""The arithmetic of training: learning rates, widening of windows, optimisers and recipes of the papers."""

import math

import pytest
import torch

from attn_core.models.presets import PRESETS
from attn_core.models.recipe import TrainConfig
from attn_core.training.corpus_task import widening
from attn_core.training.loop import _blend, decay_at, make_optimizer, rate_at

pytestmark = pytest.mark.checked


def rates(recipe, epochs, per_epoch=10):
    """The learning rate at the first update of each epoch."""
    return [rate_at(recipe, epoch * per_epoch, epoch, per_epoch) for epoch in range(epochs)]


def test_luongs_schedule():
    """Section 4.1: SGD with rate 1; after 8 epochs the rate is halved every epoch; 12 epochs in total."""
    recipe = PRESETS["luong-general-local-p-paper"][1]
    assert rates(recipe, 12) == [1.0] * 8 + [0.5, 0.25, 0.125, 0.0625]
    assert (recipe.epochs, recipe.batch, recipe.clip, recipe.wide) == (12, 128, 5.0, 0)


def test_luongs_model_without_dropout_is_trained_for_less():
    """Section 4.1: 10 epochs; after 5 the rate is halved every epoch."""
    model, recipe = PRESETS["luong-base-paper"]
    assert model.dropout == 0
    assert rates(recipe, recipe.epochs) == [1.0] * 5 + [0.5, 0.25, 0.125, 0.0625, 0.03125]


def test_cosine_falls_from_the_rate_to_nothing():
    recipe = TrainConfig(rate=2.0, epochs=4, warmup=0)
    found = rates(recipe, 5)
    wanted = [1 + math.cos(math.pi * epoch / 4) for epoch in range(5)]
    assert found == pytest.approx(wanted)
    assert found[-1] == pytest.approx(0)


def test_the_rate_warms_up_update_by_update():
    recipe = TrainConfig(rate=1.0, schedule="constant", warmup=4)
    assert [rate_at(recipe, n, 0, 100) for n in range(6)] == [0.25, 0.5, 0.75, 1.0, 1.0, 1.0]


def test_the_mean_of_the_weights_forgets_the_start():
    """A weight that grows by 1 per update: the mean lags a tenth behind, until it lags by decay / (1 - decay)."""
    model = torch.nn.Linear(1, 1, bias=False).double()
    mean = {"weight": torch.tensor([[1e6]], dtype=torch.float64)}
    for update in range(2000):
        model.weight.data.fill_(update)
        _blend(mean, model, decay_at(0.99, update))
        if update in (50, 400):
            assert mean["weight"].item() == pytest.approx(0.9 * update, rel=0.02)
    assert mean["weight"].item() == pytest.approx(1999 - 0.99 / (1 - 0.99), rel=1e-3)
    assert decay_at(0.0, 7) == 0.0


def test_a_learned_window_closes_by_halves():
    recipe = TrainConfig(wide=2)
    assert [widening(recipe, epoch) for epoch in range(6)] == [math.inf, math.inf, 4, 2, 1, 1]
    assert [widening(TrainConfig(wide=0), epoch) for epoch in range(2)] == [1, 1]
    assert [widening(TrainConfig(wide=0.5), done / 4) for done in range(7)] == [math.inf, math.inf, 4, 4, 2, 2, 1]
    widths = [widening(TrainConfig(wide=0.1), update / 100) for update in range(31)]
    assert widths == [math.inf] * 10 + [4] * 10 + [2] * 10 + [1]


@pytest.mark.parametrize(("name", "kind"), [("sgd", "SGD"), ("adadelta", "Adadelta"), ("adam", "Adam")])
def test_the_optimisers_of_the_papers(name, kind):
    """Bahdanau 2015, B.2: rho = 0.95 and epsilon = 1e-6; Vaswani 2017, 5.3: beta 0.9 and 0.98, epsilon 1e-9."""
    optimizer = make_optimizer(torch.nn.Linear(2, 2), TrainConfig(optimizer=name, rate=0.5))
    assert type(optimizer).__name__ == kind
    group = optimizer.param_groups[0]
    assert group["lr"] == 0.5
    if name == "adadelta":
        assert (group["rho"], group["eps"]) == (0.95, 1e-6)
    if name == "adam":
        assert (group["betas"], group["eps"]) == ((0.9, 0.98), 1e-9)


def test_bahdanaus_recipe():
    """B.2: batches of 80, gradient norm 1; A.2.3 and B.1: n = n' = 1000, m = 620, l = 500."""
    model, recipe = PRESETS["bahdanau-paper"]
    assert (recipe.batch, recipe.clip, recipe.optimizer) == (80, 1.0, "adadelta")
    sizes = tuple(model[name] for name in ("decoder.hidden", "attention.score.hidden", "embedding", "attentional"))
    assert sizes == (1000, 1000, 620, 500)


def test_vaswanis_schedule_and_recipe():
    """Eq. 3: d^-0.5 min(step^-0.5, step warmup^-1.5), steps counted from 1; table 3, base; 5.3 and 5.4."""
    model, recipe = PRESETS["transformer-paper"]
    d, warmup = 512, 4000
    for step in (1, 7, 3999, 4000, 4001, 100_000):
        wanted = d**-0.5 * min(step**-0.5, step * warmup**-1.5)
        assert rate_at(recipe, step - 1, 0, 10) == pytest.approx(wanted, rel=1e-12)
    for side in (model.encoder, model.decoder):
        assert (side.layers, side.feedforward) == (6, 2048)
    assert (model.embedding, model["attention.heads"], model.dropout) == (512, 8, 0.1)
    assert (recipe.optimizer, recipe.label_smoothing, recipe.vocabulary, model.shared) == ("adam", 0.1, 37_000, True)
    assert rate_at(TrainConfig(schedule="inverse-sqrt", warmup=0, rate=2.0), 3, 0, 10) == 1.0
