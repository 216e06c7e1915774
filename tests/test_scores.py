"""Scores against the papers' formulas written out, one pair of query and state at a time."""

import math

import pytest
import torch

from attn_core.scores import SCORES, Additive, Concat, Dot, General
from tests.support import close

Q, MEM, HIDDEN = 5, 7, 11
B, TGT, SRC = 2, 3, 13

each_score = pytest.mark.parametrize("name", SCORES)


def make(name, query=Q, memory=MEM, hidden=HIDDEN, **variant):
    """A score in float64 with random parameters; the products need h_t and a state of one size."""
    if issubclass(SCORES[name], Dot):
        query = memory
    score = SCORES[name](query, memory, hidden, **variant).double()
    with torch.no_grad():
        for parameter in score.parameters():
            parameter.normal_()
    return score, query


def by_hand(score, name, h, s):
    """e(h, s) as printed, in Python's own arithmetic where that is short."""
    if name == "dot":
        return sum(x * y for x, y in zip(h.tolist(), s.tolist(), strict=True))
    if name == "scaled_dot":
        return sum(x * y for x, y in zip(h.tolist(), s.tolist(), strict=True)) / math.sqrt(len(h))
    if name == "general":
        W = score.W_a.weight.tolist()
        return sum(h[i].item() * W[i][j] * s[j].item() for i in range(len(h)) for j in range(len(s)))
    if name == "additive":
        inner = [
            math.tanh(w @ h + u @ s) for w, u in zip(score.W_a.weight.detach(), score.U_a.weight.detach(), strict=True)
        ]
        return sum(v * x for v, x in zip(score.v_a.tolist(), inner, strict=True))
    if name == "concat":
        both = torch.cat([h, s])  # the query first, as in [h_t; h_s]
        inner = [math.tanh(w @ both) for w in score.W_a.weight.detach()]
        return sum(v * x for v, x in zip(score.v_a.tolist(), inner, strict=True))
    raise KeyError(name)


@pytest.mark.parametrize("name", ["dot", "scaled_dot", "general", "additive", "concat"])
def test_scores_equal_the_printed_formula(name):
    score, q = make(name)
    queries, states = torch.randn(B, TGT, q).double(), torch.randn(B, SRC, MEM).double()
    wanted = [[[by_hand(score, name, h, s) for s in states[b]] for h in queries[b]] for b in range(B)]
    close(score(queries, score.keys(states)), wanted, 1e-12)


def test_general_by_pencil():
    """h = (1, 2), s = (3, 4, 5): h^T W s with W = [[1, 0, 0], [0, 1, 1]] is 3 + 2 * 9."""
    score = General(2, 3, 0)
    score.W_a.weight.data = torch.tensor([[1.0, 0, 0], [0, 1, 1]])
    found = score(torch.tensor([[1.0, 2]]), score.keys(torch.tensor([[3.0, 4, 5]])))
    assert found.tolist() == [[21.0]]


def test_concat_is_additive_in_another_spelling():
    """W_a [h; s] = W_1 h + W_2 s."""
    concat, _ = make("concat")
    additive = Additive(Q, MEM, HIDDEN).double()
    additive.W_a.weight.data = concat.W_a.weight[:, :Q].detach()
    additive.U_a.weight.data = concat.W_a.weight[:, Q:].detach()
    additive.v_a.data = concat.v_a.detach()
    queries, states = torch.randn(B, TGT, Q).double(), torch.randn(B, SRC, MEM).double()
    close(concat(queries, concat.keys(states)), additive(queries, additive.keys(states)), 1e-12)


def test_concat_of_the_authors_code_learns_nothing_on_the_source_side():
    score, _ = make("concat", identity_source=True)
    assert score.W_a.weight.shape == (MEM, Q)
    assert score.v_a.shape == (MEM,)
    queries, states = torch.randn(B, TGT, Q).double(), torch.randn(B, SRC, MEM).double()
    wanted = torch.tanh((queries @ score.W_a.weight.T).unsqueeze(2) + states.unsqueeze(1)) @ score.v_a
    close(score(queries, score.keys(states)), wanted, 1e-12)


@each_score
def test_keys_hold_all_that_does_not_depend_on_the_query(name):
    """One query at a time, and with more leading axes, a score is the same."""
    score, q = make(name)
    queries, states = torch.randn(B, TGT, q).double(), torch.randn(B, SRC, MEM).double()
    keys = score.keys(states)
    together = score(queries, keys)
    assert together.shape == (B, TGT, SRC)
    for t in range(TGT):
        close(score(queries[:, t : t + 1], keys), together[:, t : t + 1], 1e-12)
    close(score(queries.unsqueeze(0), keys.unsqueeze(0)), together.unsqueeze(0), 1e-12)
    close(score(queries[0], keys[0]), together[0], 1e-12)


@each_score
def test_gradients_are_those_of_the_formula(name):
    score, q = make(name)
    queries = torch.randn(1, 2, q, dtype=torch.float64, requires_grad=True)
    states = torch.randn(1, 3, MEM, dtype=torch.float64, requires_grad=True)
    parameters = tuple(score.parameters())
    assert torch.autograd.gradcheck(lambda h, s, *_: score(h, score.keys(s)), (queries, states, *parameters))


def test_additive_starts_out_looking_everywhere_alike():
    """v_a = 0 (Bahdanau 2015, B.1)."""
    score = Additive(Q, MEM, HIDDEN)
    assert (score(torch.randn(TGT, Q), score.keys(torch.randn(SRC, MEM))) == 0).all()
    assert Concat(Q, MEM, HIDDEN).v_a.abs().min() > 0


@pytest.mark.parametrize("name", ["dot", "scaled_dot"])
def test_products_need_vectors_of_one_size(name):
    with pytest.raises(ValueError, match=f"the {name} score needs .* not 5 and 7"):
        SCORES[name](5, 7, 11)


def test_an_unknown_score_is_answered_with_the_known_ones():
    assert SCORES.check("dot") == "dot"
    with pytest.raises(ValueError, match="unknown score 'nonsense'; choose one of: dot, scaled_dot, general, additive"):
        SCORES.check("nonsense")


@each_score
def test_every_score_says_its_name_and_formula(name):
    assert SCORES[name].name == name
    assert SCORES[name].formula
