"""The loss compared with torch's and with a slow loop over words; padding has no effect."""

import math
from dataclasses import replace

import pytest
import torch
from torch.nn import functional

from attn_core.data.corpus import make_batch
from attn_core.models import cross_entropy as loss
from attn_core.models.cross_entropy import cross_entropy
from tests.helpers.support import SPREAD, close, sentences, tiny

WORDS, VOCAB = 17, 13
each_variant = pytest.mark.parametrize("settings", SPREAD.values(), ids=SPREAD)
smoothed = pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.7])


def draw(kind=torch.float64):
    return torch.randn(WORDS, VOCAB, dtype=torch.float64).mul(3).to(kind), torch.randint(VOCAB, (WORDS,))


def ours(logits, targets, smoothing):
    """Value and gradient; the logits are the output of an operation, as in a model."""
    leaf = logits.clone().requires_grad_()
    value = cross_entropy(leaf * 1, targets, smoothing)
    (3 * value).backward()
    return value.detach(), leaf.grad / 3


def by_loop(logits, targets, smoothing):
    """-sum_i q_i log p_i with q = (1 - e) on the target plus e / V on every word, one number at a time."""
    total = 0.0
    for scores, target in zip(logits.tolist(), targets.tolist(), strict=True):
        highest = max(scores)
        log_sum = highest + math.log(sum(math.exp(x - highest) for x in scores))
        for word, score in enumerate(scores):
            share = smoothing / len(scores) + (1 - smoothing if word == target else 0.0)
            total -= share * (score - log_sum)
    return total


@smoothed
@pytest.mark.parametrize("chunk", [1, 2 * VOCAB, 2**18], ids=["row-by-row", "two-rows", "whole"])
def test_value_and_gradient_are_torchs(monkeypatch, smoothing, chunk):
    monkeypatch.setattr(loss, "CHUNK", chunk)
    logits, targets = draw()
    value, gradient = ours(logits, targets, smoothing)
    leaf = logits.clone().requires_grad_()
    wanted = functional.cross_entropy(leaf, targets, reduction="sum", label_smoothing=smoothing)
    wanted.backward()
    close(value, wanted.detach(), 1e-10)
    close(gradient, leaf.grad, 1e-12)
    assert value.item() == pytest.approx(by_loop(logits, targets, smoothing), abs=1e-10)


@smoothed
def test_float32_and_bfloat16_come_close(smoothing):
    logits, targets = draw()
    exact, gradient = ours(logits, targets, smoothing)
    value, found = ours(logits.float(), targets, smoothing)
    assert value.dtype == torch.float32
    close(value, exact, 0, rtol=1e-6)
    close(found, gradient, 1e-6)
    rounded = logits.bfloat16()
    value, found = ours(rounded, targets, smoothing)
    assert value.dtype == torch.float32, "summed in float32 whatever the logits' type"
    assert found.dtype == torch.bfloat16
    close(value, ours(rounded.double(), targets, smoothing)[0], 0, rtol=1e-6)
    close(found, gradient, 0.02)


def test_certainty_by_hand():
    """Two words with equal logits cost log 2; a wrong word with a logit 1000 higher costs 1000."""
    assert cross_entropy(torch.zeros(1, 2), torch.tensor([1])).item() == pytest.approx(math.log(2))
    value, gradient = ours(torch.tensor([[1000.0, 0.0], [0.0, 1000.0]]), torch.tensor([1, 1]), 0.0)
    assert value.item() == 1000.0
    assert gradient.tolist() == [[1.0, -1.0], [0.0, 0.0]]


def pairs():
    return sentences(3, 7, 1, 5), sentences(4, 1, 6, 2, seed=1)


@pytest.mark.quick(4)
@each_variant
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_a_models_loss_equals_a_slow_loop_over_real_words(settings, smoothing):
    model = tiny(**settings)
    source, target = pairs()
    total, words = 0.0, 0
    for x, y in zip(source, target, strict=True):
        batch = make_batch([x], [y])
        logits = model.decoder.logits(model.steps(batch).attentional[0])
        assert batch.outputs[0].tolist() == [*y, 3]
        total += by_loop(logits, batch.outputs[0], smoothing)
        words += len(y) + 1
    batch = make_batch(source, target)
    assert batch.target_mask.sum() == words
    assert model.loss(batch, smoothing).item() == pytest.approx(total, abs=1e-9)


@pytest.mark.quick(4)
@each_variant
def test_padding_does_not_contribute_to_loss_or_gradient(settings):
    """The gradient of a batch is the sum over its sentences; more padding adds nothing."""
    model = tiny(**settings)
    source, target = pairs()
    batch = make_batch(source, target)
    wider = batch.map(lambda x: functional.pad(x, (0, 3)))
    wider = replace(wider, real=wider.target_mask.flatten().nonzero().squeeze(1))

    def gradients(*batches):
        model.zero_grad()
        for one in batches:
            model.loss(one).backward()
        return [torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in model.parameters()]

    wanted = gradients(*(make_batch([x], [y]) for x, y in zip(source, target, strict=True)))
    for one in (batch, wider):
        for found, gradient in zip(gradients(one), wanted, strict=True):
            close(found, gradient, 1e-9)
