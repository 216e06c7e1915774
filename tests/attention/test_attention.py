"""Attention = score x window x attention type: invariants of every combination, and arithmetic by hand."""

import math

import pytest
import torch
from torch import nn

from attn_core.attention.attention import Attention
from attn_core.attention.normalizers import masked_softmax
from attn_core.attention.scores import SCORES, Score
from attn_core.attention.settings import GAUSSIANS, LocalMSettings, ScoreSettings
from attn_core.attention.windows import WINDOWS, LocalM
from attn_core.trace import Memory
from tests.helpers.support import close

Q, HIDDEN = 7, 11  # h_t and the states share a size, because the products need it
LENGTHS, SRC, TGT = (13, 1, 5), 13, 17

everywhere = [
    pytest.mark.parametrize("gaussian", GAUSSIANS),
    pytest.mark.parametrize("window", WINDOWS),
    pytest.mark.parametrize("score", SCORES),
]


def everything(test):
    for mark in everywhere:
        test = mark(test)
    return test


def make(score, window, gaussian="after_softmax", half_width=2, **variant):
    sizes = {"hidden": HIDDEN} if score in ("additive", "concat") else {}
    own = {} if window == "global" else {"half_width": half_width, "gaussian": gaussian} | variant
    attention = Attention(SCORES.build(score, Q, Q, **sizes), WINDOWS.build(window, Q, **own)).double()
    with torch.no_grad():
        for parameter in attention.parameters():
            parameter.normal_()
    return attention


def draw():
    """Queries, states and the mask of three sentences."""
    mask = torch.arange(SRC) < torch.tensor(LENGTHS).unsqueeze(1)
    return torch.randn(3, TGT, Q).double(), torch.randn(3, SRC, Q).double(), mask


class Given(Score):
    """A score module that returns given scores."""

    def __init__(self, scores):
        super().__init__(Q, Q, ScoreSettings("given"))
        self.scores = torch.tensor(scores)

    def forward(self, queries, keys):
        return self.scores.expand(*queries.shape[:-1], -1)


def monotonic(half_width, sigma=None, gaussian="after_softmax"):
    return LocalM(Q, LocalMSettings(half_width=half_width, sigma=sigma, gaussian=gaussian))


def look_at(scores, window, t=0):
    """The attention of one query at step `t` over len(scores) words whose states are unit vectors."""
    n = len(scores)
    memory = Memory(torch.eye(n).unsqueeze(0), torch.eye(n).unsqueeze(0), torch.ones(1, n, dtype=torch.bool))
    return Attention(Given(scores), window)(torch.zeros(1, 1, Q), memory, t)


def test_weights_by_hand():
    """The weights are as exp(1) : exp(0), and the context of unit vectors equals the weights."""
    look = look_at([1.0, 0.0], WINDOWS.build("global", Q))
    wanted = [[[math.e / (math.e + 1), 1 / (math.e + 1)]]]
    for part in (look.alignment, look.weights, look.context):
        close(part, wanted)


def test_three_gaussians_by_hand():
    """Step 1 of three words, D = 1, sigma = 1: Gaussian (g, 1, g), scores (0, 1, 2)."""
    g = math.exp(-0.5)
    total = 1 + math.e + math.e**2
    align = [1 / total, math.e / total, math.e**2 / total]
    weights = [align[0] * g, align[1], align[2] * g]
    scores = [0.0, 1.0, 2.0]

    after = look_at(scores, monotonic(1, 1.0), t=1)
    close(after.alignment[0, 0], align)
    close(after.weights[0, 0], weights)
    close(after.context[0, 0], weights)

    renorm = look_at(scores, monotonic(1, 1.0, "renorm"), t=1)
    close(renorm.alignment[0, 0], align)
    close(renorm.weights[0, 0], [w / sum(weights) for w in weights])

    raw = [1.0, math.e, math.exp(2 * g)]
    on_scores = look_at(scores, monotonic(1, 1.0, "on_scores"), t=1)
    close(on_scores.alignment[0, 0], [x / sum(raw) for x in raw])
    assert torch.equal(on_scores.weights, on_scores.alignment)


def test_the_softmax_runs_inside_the_window_only():
    """Step 0, D = 1: the third word's huge score does not reduce the weights of the two in view, but is recorded."""
    look = look_at([0.0, 0.0, 50.0], monotonic(1))
    assert look.weights.tolist() == [[[0.5, 0.5, 0.0]]]
    assert look.scores.tolist() == [[[0.0, 0.0, 50.0]]]


def test_a_softmax_over_all_slots_leaves_words_less_than_all():
    """Scores (0, 1) for two words and 2 for an empty slot: the share e^2 / (1 + e + e^2) is lost."""
    scores, inside = torch.tensor([[0.0, 1.0, 9.0]]), torch.tensor([[True, True, False]])
    total = 1 + math.e + math.e**2
    close(masked_softmax(scores, inside, torch.tensor([2.0])), [[1 / total, math.e / total, 0.0]])
    close(masked_softmax(scores, inside, torch.tensor([-math.inf])), masked_softmax(scores, inside))


def test_the_query_is_scored_against_the_states_and_the_context_averages_the_values():
    """With unit vectors as states: the scores are those without W_v, the context is W_v times the other one."""
    W_v = nn.Linear(Q, 3, bias=False).double()
    plain = make("general", "global")
    apart = Attention(plain.score, plain.window, values=W_v)
    queries, states, mask = draw()
    one, other = (attention(queries, attention.memory(states, mask), 0) for attention in (plain, apart))
    assert torch.equal(one.weights, other.weights)
    close(other.context, W_v(one.context), 1e-12)


@everything
def test_padding_gets_exactly_zero(score, window, gaussian):
    attention = make(score, window, gaussian)
    queries, states, mask = draw()
    look = attention(queries, attention.memory(states, mask), 0)
    real = mask.unsqueeze(1).expand(-1, TGT, -1)
    for part in (look.weights, look.alignment, look.focus.gaussian):
        assert part.shape == (3, TGT, SRC)
        assert (part[~real] == 0).all()
        assert (part[~look.focus.inside] == 0).all()
    assert not look.focus.inside[~real].any()
    assert look.focus.inside.any(-1).all()
    close(look.alignment.sum(-1), torch.ones(3, TGT), 1e-12)
    if gaussian == "after_softmax":
        assert (look.weights <= look.alignment).all()
        assert torch.equal(look.weights, look.alignment * look.focus.gaussian)
    else:
        close(look.weights.sum(-1), torch.ones(3, TGT), 1e-12)


@everything
def test_the_content_of_the_padding_does_not_matter(score, window, gaussian):
    attention = make(score, window, gaussian)
    queries, states, mask = draw()
    look = attention(queries, attention.memory(states, mask), 0)
    garbage = torch.where(mask.unsqueeze(-1), states, 1e3 * torch.randn_like(states))
    again = attention(queries, attention.memory(garbage, mask), 0)
    assert torch.equal(again.weights, look.weights)
    close(again.context, look.context, 1e-12)


@everything
def test_a_padded_sentence_gets_the_same_attention_as_alone(score, window, gaussian):
    attention = make(score, window, gaussian)
    queries, states, mask = draw()
    look = attention(queries, attention.memory(states, mask), 0)
    for b, n in enumerate(LENGTHS):
        one = slice(b, b + 1)
        alone = attention(queries[one], attention.memory(states[one, :n], mask[one, :n]), 0)
        close(alone.weights, look.weights[one, :, :n], 1e-12)
        close(alone.context, look.context[one], 1e-12)


@everything
def test_the_context_is_the_weighted_sum_of_the_states(score, window, gaussian):
    attention = make(score, window, gaussian)
    queries, states, mask = draw()
    look = attention(queries, attention.memory(states, mask), 0)
    for b, t in ((0, 0), (1, 3), (2, TGT - 1)):
        wanted = sum(look.weights[b, t, s] * states[b, s] for s in range(LENGTHS[b]))
        close(look.context[b, t], wanted, 1e-12)


@everything
def test_gradients_are_finite_with_padding_and_with_nothing_in_view(score, window, gaussian):
    variant = {"local-m": {"rule": "text"}, "local-p": {"center_rule": "real", "half_width": 0}}.get(window, {})
    attention = make(score, window, gaussian, **variant)
    queries, states, mask = draw()
    states.requires_grad_()
    look = attention(queries, attention.memory(states, mask), 0)
    empty = ~look.focus.inside.any(-1)
    assert empty.any() == (window != "global")
    for part in (look.weights, look.alignment, look.context):
        assert (part[empty] == 0).all()
    gradients = torch.autograd.grad(
        look.context.square().sum(), [states, *attention.parameters()], allow_unused=True, materialize_grads=True
    )
    assert all(gradient.isfinite().all() for gradient in gradients)
    assert (gradients[0][~mask] == 0).all()


@pytest.mark.parametrize("window", WINDOWS)
def test_steps_one_by_one_equal_all_steps_at_once(window):
    attention = make("general", window)
    queries, states, mask = draw()
    memory = attention.memory(states, mask)
    together = attention(queries, memory, 0)
    for t in range(TGT):
        alone = attention(queries[:, t : t + 1], memory, t)
        close(alone.weights, together.weights[:, t : t + 1], 1e-12)


def test_masked_softmax_of_extreme_scores():
    inside = torch.tensor([[True, True, False], [True, True, False], [False, False, False]])
    scores = torch.tensor([[-2e4, -2e4 - 1, 0.0], [3e38, -3e38, 0.0], [1.0, 2.0, 3.0]], requires_grad=True)
    found = masked_softmax(scores, inside)
    first = 1 / (1 + math.exp(-1))
    close(found, [[first, 1 - first, 0], [1, 0, 0], [0, 0, 0]])
    (gradient,) = torch.autograd.grad(found[:, 0].sum(), scores)
    assert gradient.isfinite().all()
    assert (gradient[~inside] == 0).all()


@pytest.mark.parametrize("gaussian", GAUSSIANS)
@pytest.mark.parametrize("window", WINDOWS)
def test_autocast_leaves_the_weights_in_float32(window, gaussian):
    attention = make("general", window, gaussian).float()
    queries, states, mask = draw()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        look = attention(queries.float(), attention.memory(states.float(), mask), 0)
    for part in (look.scores, look.alignment, look.weights, look.focus.gaussian):
        assert part.dtype == torch.float32
    close(look.alignment.sum(-1), torch.ones(3, TGT))
