"""REINFORCE for hard attention: its mean over all samples equals the exact gradient, by enumeration."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
import torch

from attn_core.attention.types import HardSample
from attn_core.data.corpus import Pairs, make_batch
from attn_core.models.recipe import CREDITS, TrainConfig
from attn_core.trace import Focus, Look
from attn_core.training.distributed import World
from attn_core.training.loop import make_optimizer, take_update
from attn_core.training.objective import objective, word_losses
from attn_core.training.reinforce import credited, log_chance, reinforce, update_baseline
from attn_core.training.task import Run
from tests.helpers.ready import ReadyTask
from tests.helpers.support import BAHDANAU, LUONG, close, tiny

MODELS = {
    "attend-then-update": BAHDANAU,
    "fed": LUONG | {"feeding": True},
    "heads": BAHDANAU | {"heads": 2, "head_size": 3},
    "local": LUONG | {"feeding": True, "window": "local-p", "gaussian": "on_scores", "half_width": 3},
}
SRC, TGT = 2, 2  # two source words; a target word and </s>
BATCH = make_batch([[4, 5]], [[6]])


def draws(looks):
    """All samples that a model with this number of heads can draw for the batch."""
    return list(itertools.product(range(SRC), repeat=TGT * looks))


def forced(monkeypatch, places):
    """Make attention use these positions in this order."""
    order = iter(places)
    monkeypatch.setattr(HardSample, "choose", lambda self, weights: torch.full(weights.shape[:-1], next(order)))


def losses_of(model, monkeypatch, places):
    forced(monkeypatch, places)
    steps = model.steps(BATCH)
    return steps, word_losses(model, steps, BATCH)


def gradient(loss, model):
    found = torch.autograd.grad(loss, list(model.parameters()), allow_unused=True, materialize_grads=True)
    return torch.cat([part.flatten() for part in found])


def mean_and_exact(model, monkeypatch, credit, baseline):
    """The sum over samples s of p(s) * (gradient of L(s) with REINFORCE), and the gradient of sum_s p(s) L(s)."""
    mean, exact, total = 0.0, 0.0, 0.0
    for places in draws(model.config.attention.heads):
        steps, losses = losses_of(model, monkeypatch, places)
        chance = sum(log_chance(look).sum() for look in steps.looks).exp().item()
        added = reinforce(steps.looks, losses, BATCH.target_mask, baseline, credit)
        mean = mean + chance * gradient(losses.sum() + added, model)
        total += chance
        steps, losses = losses_of(model, monkeypatch, places)  # again, because a graph can be used only once
        exact = exact + gradient(sum(log_chance(look).sum() for look in steps.looks).exp() * losses.sum(), model)
    assert total == pytest.approx(1.0, abs=1e-12), "all samples are counted"
    return mean, exact


@pytest.mark.quick(4)
@pytest.mark.parametrize(("credit", "baseline"), [("sentence", 0.0), ("sentence", 1.7), ("to_go", 1.7)])
@pytest.mark.parametrize("name", MODELS)
def test_its_mean_is_the_gradient_of_the_expected_loss(name, credit, baseline, monkeypatch):
    model = tiny(**MODELS[name], type="hard-sample")
    mean, exact = mean_and_exact(model, monkeypatch, credit, baseline)
    close(mean, exact, 1e-10)
    assert exact.abs().max() > 0.01


def test_without_reinforce_the_gradient_differs(monkeypatch):
    """REINFORCE adds a non-zero term, and the credit "word" has another mean."""
    model = tiny(**MODELS["fed"], type="hard-sample")
    mean, exact = mean_and_exact(model, monkeypatch, "word", 0.0)
    assert (mean - exact).abs().max() > 1e-3
    scores = [p for n, p in model.named_parameters() if ".score." in n]
    _, losses = losses_of(model, monkeypatch, draws(1)[0])
    assert torch.autograd.grad(losses.sum(), scores, allow_unused=True) == (None,), (
        "sampling has no gradient to the scores"
    )
    steps, losses = losses_of(model, monkeypatch, draws(1)[0])
    (added,) = torch.autograd.grad(reinforce(steps.looks, losses, BATCH.target_mask), scores)
    assert added.abs().max() > 1e-6


def test_credits_by_pencil():
    excess = torch.tensor([[1.0, 2.0, 4.0], [8.0, 16.0, 0.0]])
    found = {credit: credited(excess, credit).tolist() for credit in CREDITS}
    assert found["sentence"] == [[7.0] * 3, [24.0] * 3]
    assert found["to_go"] == [[7.0, 6.0, 4.0], [24.0, 16.0, 0.0]]
    assert found["word"] == excess.tolist()


def test_the_term_by_pencil():
    """Loss 3, baseline 1, a sample of probability 1/4: (3 - 1) log 1/4; padding and empty windows add 0."""
    align = torch.tensor([[[0.25, 0.75], [0.5, 0.5], [0.0, 0.0]]])
    weights = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]])
    focus = Focus(align > 0, align, None)
    look = Look(torch.zeros(1, 3, 2), align, focus, align, weights, torch.zeros(1, 3, 2))
    close(log_chance(look), [[math.log(0.25), math.log(0.5), 0.0]])
    mask = torch.tensor([[True, False, False]])
    for credit in CREDITS:
        found = reinforce((look,), torch.tensor([[3.0, 0.0, 0.0]]), mask, 1.0, credit)
        close(found, 2 * math.log(0.25))
    close(reinforce((look, look), torch.tensor([[3.0, 0.0, 0.0]]), mask, 1.0), 4 * math.log(0.25))


def test_the_baseline_follows_the_loss_of_a_word():
    """Words of 1, 2 and 6 nats, mean 3: b = 0.9 x 10 + 0.1 x 3."""
    baseline = torch.tensor(10.0)
    mask = torch.tensor([[True, True], [True, False]])
    update_baseline(baseline, torch.tensor([[1.0, 2.0], [6.0, 0.0]]), mask)
    assert baseline.item() == pytest.approx(9.3)


def test_a_baseline_makes_the_gradient_vary_less(monkeypatch):
    """Exact over all samples: sum p |g|^2 falls, while the mean stays the same."""
    model = tiny(**MODELS["attend-then-update"], type="hard-sample")
    squares = {}
    for baseline in (0.0, 2.2):
        squares[baseline] = 0.0
        for places in draws(1):
            steps, losses = losses_of(model, monkeypatch, places)
            chance = log_chance(steps.looks[0]).sum().exp().item()
            total = losses.sum() + reinforce(steps.looks, losses, BATCH.target_mask, baseline, "sentence")
            squares[baseline] += chance * gradient(total, model).square().sum().item()
    assert squares[2.2] < squares[0.0]


def test_padding_does_not_contribute(monkeypatch):
    """The loss of two sentences is the sum of the losses of each."""
    model = tiny(**MODELS["fed"], type="hard-sample")
    pairs = [([4, 5, 6], [4]), ([7, 8], [5, 6, 4])]
    recipe = TrainConfig(reward=1.0, soft_share=0.0, label_smoothing=0.1, doubly_stochastic=0.3, attention_entropy=-0.1)

    def value(chosen):
        forced(monkeypatch, [1] * 5)
        batch = make_batch([source for source, _ in chosen], [target for _, target in chosen])
        return gradient(objective(model, batch, recipe, torch.tensor(1.3, dtype=torch.float64)), model)

    close(value(pairs), value(pairs[:1]) + value(pairs[1:]), 1e-10)


@pytest.mark.parametrize("size", [1, 2])
def test_the_baseline_learns_only_from_passes_that_count(size):
    """With two pairs left for four parts, two of the parts are empty; replicating the model adds another pass."""
    model = tiny(**BAHDANAU, type="hard-sample", dtype=torch.float32)
    recipe, world = TrainConfig(batch=2, accumulate=4, optimizer="sgd"), World()
    world.size = size
    pairs, passes = Pairs([[4, 5]] * 2, [[6]] * 2), []
    task = ReadyTask(Run(model.config, recipe, Path(), world=world), model, pairs, Pairs([], []), [])
    task.loss.register_forward_hook(lambda *_: passes.append(task.loss.baseline.item()))
    task.loss(*task.example(0))
    assert passes == [0.0]
    update = task.update(np.arange(2), epochs_done=0)
    counted = sum(part.counts for part in update.parts)
    take_update(task.loss, make_optimizer(model, recipe), update, recipe, World() if size == 1 else world)
    assert counted == 2 // size
    assert len(set(passes)) == 1 + counted
    assert len(passes) == 1 + counted + (size > 1)  # the last part, in step with the other processes


def test_the_expectation_is_used_for_a_share_of_the_batches():
    """soft_share 1 is the soft model's loss; 0 samples; in between, one random number decides for the batch."""
    model, soft = (tiny(**BAHDANAU, type=kind) for kind in ("hard-sample", "soft"))
    wanted = soft.loss(BATCH, 0.1)
    baseline = torch.zeros((), dtype=torch.float64)
    close(objective(model, BATCH, TrainConfig(soft_share=1.0), baseline), wanted, 1e-10)
    assert baseline.item() == pytest.approx(0.1 * wanted.item() / TGT)
    assert not objective(model, BATCH, TrainConfig(soft_share=0.0), baseline).allclose(wanted)
    found = [objective(model, BATCH, TrainConfig(soft_share=0.5), baseline).allclose(wanted) for _ in range(40)]
    assert 8 <= sum(found) <= 32
