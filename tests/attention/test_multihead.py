"""Several heads at once, compared with each head alone and with torch's multi-head attention."""

import pytest
import torch
from torch import nn

from attn_core.attention.attention import Attention
from attn_core.attention.multihead import MultiHead
from attn_core.attention.scores import SCORES
from attn_core.attention.types import ATTENTION_TYPES
from attn_core.attention.windows import WINDOWS
from attn_core.trace import Memory
from tests.helpers.support import close

HEADS, SIZE, Q, MEM = 3, 5, 7, 11
B, TGT, SRC, LENGTHS = 2, 4, 13, (13, 6)


def make(score="scaled_dot", window="global", kind="soft", query=Q, memory=MEM, heads=HEADS, size=SIZE):
    """Heads in float64 with random parameters."""
    sizes = {"hidden": 17} if score in ("additive", "concat") else {}
    attentions = (
        Attention(SCORES.build(score, size, size, **sizes), None, ATTENTION_TYPES[kind]()) for _ in range(heads)
    )
    own = {} if window == "global" else {"half_width": 2}
    found = MultiHead(attentions, WINDOWS.build(window, query, **own), query, memory, size).double()
    for parameter in found.parameters():
        nn.init.normal_(parameter)
    return found


def draw(query=Q, memory=MEM):
    mask = torch.arange(SRC) < torch.tensor(LENGTHS).unsqueeze(1)
    return torch.randn(B, TGT, query).double(), torch.randn(B, SRC, memory).double(), mask


def test_equal_to_torchs_multi_head_attention():
    """Scaled dot products with copied weights: contexts and every head's attention weights are equal."""
    theirs = nn.MultiheadAttention(15, HEADS, bias=False, batch_first=True, kdim=MEM, vdim=MEM).double()
    ours = make(query=15, memory=15)
    ours.W_o.weight.data = theirs.out_proj.weight.detach()
    rows = [W.detach().split(SIZE) for W in (theirs.q_proj_weight, theirs.k_proj_weight, theirs.v_proj_weight)]
    for head, *weights in zip(ours.heads, *rows, strict=True):
        head.W_q.weight.data, head.W_k.weight.data, head.W_v.weight.data = weights
    queries, states, mask = draw(query=15)
    wanted, weights = theirs(queries, states, states, ~mask, average_attn_weights=False)
    looks, context = ours.looks(queries, ours.memory(states, mask), 0)
    close(context, wanted, 1e-12)
    assert [look.head for look in looks] == [0, 1, 2]
    for m, look in enumerate(looks):
        close(look.weights, weights[:, m], 1e-12)


@pytest.mark.quick(24)
@pytest.mark.parametrize("kind", ATTENTION_TYPES)
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("score", SCORES)
def test_a_head_is_an_attention_over_projections(score, window, kind):
    """Each head equals an Attention over projected states with the same window."""
    ours = make(score, window, kind)
    queries, states, mask = draw()
    torch.manual_seed(5)
    looks, context = ours.looks(queries, ours.memory(states, mask), 3)
    focus = ours.window(queries, mask, 3)
    torch.manual_seed(5)
    for head, look in zip(ours.heads, looks, strict=True):
        memory = Memory(states @ head.W_v.weight.T, head.attention.score.keys(states @ head.W_k.weight.T), mask)
        alone = head.attention.look(queries @ head.W_q.weight.T, memory, focus)
        for part in ("query", "scores", "alignment", "weights", "context"):
            close(getattr(look, part), getattr(alone, part), 1e-12)
        assert look.context.shape == (B, TGT, SIZE)
        assert torch.equal(look.focus.inside, focus.inside)
    close(context, torch.cat([look.context for look in looks], -1) @ ours.W_o.weight.T, 1e-12)


def test_the_content_of_the_padding_does_not_matter():
    ours = make("general", "local-p")
    queries, states, mask = draw()
    garbage = torch.where(mask.unsqueeze(-1), states, 1e3 * torch.randn_like(states))
    one, other = (ours.looks(queries, ours.memory(part, mask), 0)[1] for part in (states, garbage))
    close(one, other, 1e-12)
