"""Local attention at cost O(D): equal to attention over the whole sentence, gradients included."""

import pytest
import torch

from attn_core.attention.attention import Attention
from attn_core.attention.mode import AS_BUILT, Mode
from attn_core.attention.scores import SCORES
from attn_core.attention.settings import GAUSSIANS
from attn_core.attention.windows import WINDOWS
from tests.helpers.support import LUONG, close, tiny

LENGTHS, TGT, SIZE = (31, 1, 17), 4, 6
LOCAL = [name for name in WINDOWS if name != "global"]


def made(score="general", window="local-p", gaussian="after_softmax", half_width=2, **variant):
    torch.manual_seed(1)
    focus = WINDOWS.build(window, SIZE, half_width=half_width, gaussian=gaussian, **variant)
    if window == "local-p":
        torch.nn.init.normal_(focus.v_p.weight, std=5.0)  # p_t all over the sentence, and at its ends
    sizes = {"hidden": 5} if score in ("additive", "concat") else {}
    attention = Attention(SCORES.build(score, SIZE, SIZE, **sizes), focus).double()
    if hasattr(attention.score, "v_a"):
        torch.nn.init.normal_(attention.score.v_a)
    return attention


def drawn():
    torch.manual_seed(2)
    mask = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)
    queries = torch.randn(len(LENGTHS), TGT, SIZE, dtype=torch.float64, requires_grad=True)
    states = torch.randn(len(LENGTHS), max(LENGTHS), SIZE, dtype=torch.float64, requires_grad=True)
    return queries, states, mask


def both_sides(attention, t=0, mode=AS_BUILT):
    """Context, p_t and all gradients, computed by `near` and by the whole sentence."""
    for look in (attention.near, attention.eval()):
        queries, states, mask = drawn()
        found = look(queries, attention.memory(states, mask), t, mode)
        parameters = list(attention.parameters())
        learned = torch.autograd.grad(found.context.sin().sum(), [queries, states, *parameters], allow_unused=True)
        yield [found.context, found.focus.center, *(g for g in learned if g is not None)]


@pytest.mark.parametrize("rule", ["floor", "real"])
@pytest.mark.parametrize("half_width", [0, 1, 4, 40])
@pytest.mark.parametrize("window", LOCAL)
def test_near_equals_attention_over_the_whole_sentence(window, half_width, rule):
    near, whole = both_sides(made(window=window, half_width=half_width, center_rule=rule))
    for one, other in zip(near, whole, strict=True):
        close(one, other, 1e-10)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("gaussian", GAUSSIANS)
def test_with_every_score_and_gaussian(score, gaussian):
    near, whole = both_sides(made(score, gaussian=gaussian))
    for one, other in zip(near, whole, strict=True):
        close(one, other, 1e-10)


@pytest.mark.parametrize("variant", [{"window": "local-m", "rule": "text"}, {"one_based": True}])
def test_with_the_variants_of_the_centre(variant):
    """Past the end of the sentence local-m has nothing in view; a one-based p_t may lie before the first word."""
    for one, other in zip(*both_sides(made(**variant), t=30), strict=True):
        close(one, other, 1e-10)


@pytest.mark.parametrize("rule", ["floor", "real"])
@pytest.mark.parametrize(("half_width", "widening"), [(1, 4.0), (2, 1.2)])
def test_a_widened_window_is_near_too(half_width, widening, rule):
    attention = made(half_width=half_width, center_rule=rule)
    torch.nn.init.normal_(attention.window.v_p.weight, std=0.5)  # p_t inside the sentence
    for one, other in zip(*both_sides(attention, mode=Mode(widening=widening)), strict=True):
        close(one, other, 1e-10)


@pytest.mark.parametrize(("source", "slots"), [(20, 20), (21, 5)])
def test_training_uses_near_in_long_sentences_only(source, slots):
    """From more than four times the window's five positions on."""
    attention = made().train()
    states = torch.randn(1, source, SIZE, dtype=torch.float64)
    memory = attention.memory(states, torch.ones(1, source, dtype=torch.bool))
    query = torch.randn(1, 1, SIZE, dtype=torch.float64)
    assert attention(query, memory, 0).weights.size(-1) == slots
    assert attention.eval()(query, memory, 0).weights.size(-1) == source, "a record shows all positions"


def test_a_model_learns_the_same_from_long_sentences(monkeypatch):
    from attn_core.attention import attention
    from attn_core.data import corpus as corpora

    model = tiny(**LUONG, feeding=True, window="local-p", half_width=1).train()
    batch = corpora.make_batch([[4, 5, 6] * 9, [5] * 14], [[4, 5, 6, 5], [5, 6]])
    found = torch.autograd.grad(model.loss(batch), list(model.parameters()))
    monkeypatch.setattr(attention, "_FEW", float("inf"))
    wanted = torch.autograd.grad(model.loss(batch), list(model.parameters()))
    for one, other in zip(found, wanted, strict=True):
        close(one, other, 1e-10)
