"""Additive scores whose tanh is computed again in the backward pass, against a slow loop and autograd."""

import math

import pytest
import torch

from attn_core.attention import tanh_scores
from attn_core.attention.scores import _collapse
from tests.helpers.support import close

SENTENCES, QUERIES, WORDS, K = 5, 3, 4, 2
SENTENCE = QUERIES * WORDS * K  # numbers in its tanh


def draw(kind=torch.float64):
    torch.manual_seed(0)
    shapes = (SENTENCES, QUERIES, K), (SENTENCES, WORDS, K), (K,)
    return [torch.randn(shape, dtype=torch.float64).to(kind).requires_grad_() for shape in shapes]


def by_autograd(queries, keys, v):
    return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ v


def recomputes(scores):
    return type(scores.grad_fn).__name__ == "TanhScoresBackward"


def test_scores_are_those_of_a_slow_loop():
    queries, keys, v = draw()
    wanted = [
        [[sum(c * math.tanh(a + b) for a, b, c in zip(q, k, v.tolist(), strict=True)) for k in states] for q in asked]
        for asked, states in zip(queries.tolist(), keys.tolist(), strict=True)
    ]
    scores = _collapse(queries, keys, v)
    assert recomputes(scores)
    close(scores.detach(), torch.tensor(wanted, dtype=torch.float64), 1e-12)


@pytest.mark.parametrize(("kind", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 1e-5)])
@pytest.mark.parametrize("sentences", [0.5, 2, SENTENCES])
def test_gradients_are_those_of_autograd(monkeypatch, sentences, kind, tolerance):
    monkeypatch.setattr(tanh_scores, "CHUNK", int(sentences * SENTENCE))
    found, wanted = draw(kind), draw(kind)
    weights = torch.randn(SENTENCES, QUERIES, WORDS, dtype=kind)
    scores = _collapse(*found)
    assert recomputes(scores)
    (scores * weights).sum().backward()
    (by_autograd(*wanted) * weights).sum().backward()
    for one, other in zip(found, wanted, strict=True):
        close(one.grad, other.grad, tolerance)


@pytest.mark.parametrize(("sentences", "sizes"), [(0.5, [1] * 5), (2.9, [2, 2, 1]), (99, [5])])
def test_a_chunk_has_as_many_whole_sentences_as_fit(monkeypatch, sentences, sizes):
    monkeypatch.setattr(tanh_scores, "CHUNK", int(sentences * SENTENCE))
    queries, keys, _ = draw()
    assert [len(one) for one, _ in tanh_scores._chunks(queries, keys)] == sizes


def test_only_the_inputs_are_kept_for_the_backward_pass():
    kept = []
    with torch.autograd.graph.saved_tensors_hooks(lambda one: kept.append(one.numel()), lambda one: one):
        inputs = draw()
        _collapse(*inputs)
        assert sum(kept) == sum(one.numel() for one in inputs)
        by_autograd(*inputs)
    assert sum(kept) > SENTENCES * SENTENCE


def test_a_second_derivative_is_refused():
    queries, keys, v = draw()
    (first,) = torch.autograd.grad(_collapse(queries, keys, v).square().sum(), queries, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        first.sum().backward()


def test_autograd_does_the_rest(monkeypatch):
    """Without gradients, on another device, in a compiler, a sentence without a batch, other types and autocast."""
    queries, keys, v = draw()
    whole = _collapse(queries, keys, v).detach()
    with torch.no_grad():
        close(_collapse(queries, keys, v), whole, 1e-12)
        assert not tanh_scores.saves_memory(queries, keys, v)
    one, mixed = _collapse(queries[2], keys[2], v), _collapse(queries.float(), keys, v)
    assert not recomputes(one)
    assert not recomputes(mixed)
    close(one.detach(), whole[2], 1e-12)
    close(mixed.detach(), whole, 1e-6)
    assert not tanh_scores.saves_memory(*(tensor.to("meta") for tensor in (queries, keys, v)))
    monkeypatch.setattr(torch.compiler, "is_compiling", lambda: True)
    assert not tanh_scores.saves_memory(queries, keys, v)


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float32])
def test_autocast_computes_gradients_in_bf16(kind):
    """fp32 queries under autocast are those of `identity_source` with a bias."""
    queries, keys, v = draw(torch.float32)
    with torch.autocast("cpu", torch.bfloat16):
        scores = _collapse(queries.to(kind), keys.to(kind), v)
    assert not recomputes(scores)
    scores.sum().backward()
    exact = draw()
    by_autograd(*exact).sum().backward()
    for one, other in zip((queries, keys, v), exact, strict=True):
        close(one.grad.double(), other.grad, 0.1)
