"""Additive scores whose tanh is computed again in the backward pass, against a slow loop and autograd."""

import math

import pytest
import torch

from attn_core.attention import additive
from attn_core.attention.additive import tanh_scores
from tests.helpers.support import close

SENTENCES, QUERIES, WORDS, K = 5, 3, 4, 2


def draw(kind=torch.float64):
    torch.manual_seed(0)
    shapes = (SENTENCES, QUERIES, K), (SENTENCES, WORDS, K), (K,)
    return [torch.randn(shape, dtype=torch.float64).to(kind).requires_grad_() for shape in shapes]


def by_autograd(queries, keys, v):
    return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ v


def fast(scores):
    return type(scores.grad_fn).__name__ == "_TanhScoresBackward"


def test_scores_are_those_of_a_slow_loop():
    queries, keys, v = draw()
    wanted = [
        [[sum(c * math.tanh(a + b) for a, b, c in zip(q, k, v.tolist(), strict=True)) for k in states] for q in asked]
        for asked, states in zip(queries.tolist(), keys.tolist(), strict=True)
    ]
    scores = tanh_scores(queries, keys, v)
    assert fast(scores)
    close(scores.detach(), torch.tensor(wanted, dtype=torch.float64), 1e-12)
    with torch.no_grad():
        close(tanh_scores(queries, keys, v), scores.detach(), 1e-12)


@pytest.mark.parametrize("sentences", [1, 2, SENTENCES])
def test_gradients_are_those_of_autograd(monkeypatch, sentences):
    monkeypatch.setattr(additive, "CHUNK", sentences * QUERIES * WORDS * K)
    found, wanted = draw(), draw()
    weights = torch.randn(SENTENCES, QUERIES, WORDS, dtype=torch.float64)
    (tanh_scores(*found) * weights).sum().backward()
    (by_autograd(*wanted) * weights).sum().backward()
    for one, other in zip(found, wanted, strict=True):
        close(one.grad, other.grad, 1e-12)


def test_only_the_inputs_are_kept_for_the_backward_pass():
    kept = []
    with torch.autograd.graph.saved_tensors_hooks(lambda one: kept.append(one.numel()), lambda one: one):
        inputs = draw()
        tanh_scores(*inputs)
        assert sum(kept) == sum(one.numel() for one in inputs)
        by_autograd(*inputs)
    assert sum(kept) > SENTENCES * QUERIES * WORDS * K


def test_autograd_does_the_rest():
    """A single sentence without a batch, and the mixed types of autocast."""
    queries, keys, v = draw()
    whole = tanh_scores(queries, keys, v).detach()
    one = tanh_scores(queries[2], keys[2], v)
    mixed = tanh_scores(queries.float(), keys, v)
    with torch.autocast("cpu", torch.bfloat16):
        half = tanh_scores(queries.bfloat16(), keys.bfloat16(), v.float())
    assert not any(map(fast, (one, mixed, half)))
    close(one.detach(), whole[2], 1e-12)
    close(mixed.detach(), whole, 1e-6)
    close(half.detach().double(), whole, 0.05)
