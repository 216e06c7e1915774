"""Scores compared with the papers' formulas written out for one query and one state at a time."""

import math
import re

import pytest
import torch

from attn_core.attention.scores import SCORES, Dot, Score
from attn_core.models.config import ModelConfig
from tests.helpers.support import LUONG, close, tiny

Q, MEM, HIDDEN = 5, 7, 11
B, TGT, SRC = 2, 3, 13

each_score = pytest.mark.parametrize("name", SCORES)


def make(name, query=Q, memory=MEM, hidden=HIDDEN, **variant):
    """A score in float64 with random parameters; the products need h_t and a state of one size."""
    if issubclass(SCORES[name], Dot):
        query = memory
    sizes = {"hidden": hidden} if name in ("additive", "concat") else {}
    score = SCORES.build(name, query, memory, **sizes | variant).double()
    with torch.no_grad():
        for parameter in score.parameters():
            parameter.normal_()
    return score, query


def by_hand(score, name, h, s):
    """e(h, s) as printed, in plain Python where that is short."""
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
    score = SCORES.build("general", 2, 3)
    score.W_a.weight.data = torch.tensor([[1.0, 0, 0], [0, 1, 1]])
    found = score(torch.tensor([[1.0, 2]]), score.keys(torch.tensor([[3.0, 4, 5]])))
    assert found.tolist() == [[21.0]]


def test_concat_is_additive_in_another_notation():
    """W_a [h; s] = W_1 h + W_2 s."""
    concat, _ = make("concat")
    additive = SCORES.build("additive", Q, MEM, hidden=HIDDEN).double()
    additive.W_a.weight.data = concat.W_a.weight[:, :Q].detach()
    additive.U_a.weight.data = concat.W_a.weight[:, Q:].detach()
    additive.v_a.data = concat.v_a.detach()
    queries, states = torch.randn(B, TGT, Q).double(), torch.randn(B, SRC, MEM).double()
    close(concat(queries, concat.keys(states)), additive(queries, additive.keys(states)), 1e-12)


def test_concat_and_additive_learn_the_same():
    """Copied weights, and the gradients of every weight, query and state are equal."""
    concat, _ = make("concat")
    additive = SCORES.build("additive", Q, MEM, hidden=HIDDEN).double()
    additive.W_a.weight.data, additive.U_a.weight.data = (
        part.clone() for part in concat.W_a.weight.detach().split([Q, MEM], 1)
    )
    additive.v_a.data = concat.v_a.detach().clone()
    queries, states, found = torch.randn(B, TGT, Q).double(), torch.randn(B, SRC, MEM).double(), {}
    for score in (concat, additive):
        h, s = queries.clone().requires_grad_(), states.clone().requires_grad_()
        loss = score(h, score.keys(s)).sin().sum()
        found[score.name] = torch.autograd.grad(loss, [h, s, score.v_a, *(layer.weight for layer in score.children())])
    *shared, W_a, U_a = found["additive"]
    for one, other in zip(found["concat"], [*shared, torch.cat([W_a, U_a], 1)], strict=True):
        close(one, other, 1e-12)
        assert other.abs().min() > 0, "an untouched gradient would be equal to any"


def test_general_of_low_rank_is_general_with_the_product():
    thin = SCORES.build("general", Q, MEM, rank=2).double()
    full = SCORES.build("general", Q, MEM).double()
    full.W_a.weight.data = thin.U_a.weight.detach().T @ thin.V_a.weight.detach()
    queries, states = torch.randn(B, TGT, Q).double(), torch.randn(B, SRC, MEM).double()
    assert thin.keys(states).shape == (B, SRC, 2), "what is compared has `rank` entries"
    close(thin(queries, thin.keys(states)), full(queries, full.keys(states)), 1e-12)


def test_location_by_pencil():
    """h = (1, 2): W_a h has one number per slot, and a sentence of two words uses the first two."""
    score = SCORES.build("location", 2, MEM, width=3)
    score.W_a.weight.data = torch.tensor([[1.0, 0], [0, 1], [1, 1]])
    for length, wanted in ((2, [1.0, 2.0]), (3, [1.0, 2.0, 3.0])):
        keys = score.keys(torch.randn(length, MEM))
        assert score(torch.tensor([[1.0, 2]]), keys).tolist() == [wanted]


def test_location_beyond_the_sentence():
    """Scores (1, 2, 3) for two words: with the variant the third slot adds e^3 to the sum, otherwise nothing."""
    inside = torch.tensor([[True, True]])
    query = torch.tensor([[1.0, 2]])
    for fixed, wanted in ((False, None), (True, [3.0])):
        score = SCORES.build("location", 2, MEM, width=3, unmasked_fixed=fixed)
        score.W_a.weight.data = torch.tensor([[1.0, 0], [0, 1], [1, 1]])
        found = score.beyond(query, inside)
        assert found == wanted if found is None else found.tolist() == wanted


def test_location_reports_how_to_handle_a_longer_sentence():
    score = SCORES.build("location", 2, MEM, width=3)
    with pytest.raises(ValueError, match=r"for 3 positions, but this source has 4: .* attention.score.width=4 or more"):
        score.keys(torch.randn(B, 4, MEM))


def test_location_positions_are_integers_in_any_precision():
    """bf16 cannot represent 257."""
    score = SCORES.build("location", 2, MEM, width=300).bfloat16()
    score.W_a.weight.data = torch.arange(300.0).unsqueeze(1).expand(300, 2).bfloat16()
    keys = score.keys(torch.zeros(300, MEM, dtype=torch.bfloat16))
    found = score(torch.ones(1, 2, dtype=torch.bfloat16), keys)
    assert torch.equal(found, score.W_a(torch.ones(1, 2, dtype=torch.bfloat16)))


def test_concat_of_the_authors_code_learns_nothing_on_the_source_side():
    score, _ = make("concat", identity_source=True)
    assert score.W_a.weight.shape == (MEM, Q)
    assert score.v_a.shape == (MEM,)
    queries, states = torch.randn(B, TGT, Q).double(), torch.randn(B, SRC, MEM).double()
    wanted = torch.tanh((queries @ score.W_a.weight.T).unsqueeze(2) + states.unsqueeze(1)) @ score.v_a
    close(score(queries, score.keys(states)), wanted, 1e-12)


@each_score
def test_keys_hold_everything_that_does_not_depend_on_the_query(name):
    """A score is the same for one query at a time and with more leading axes."""
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


def test_additive_starts_with_uniform_weights():
    """v_a = 0 (Bahdanau 2015, B.1)."""
    score = SCORES.build("additive", Q, MEM, hidden=HIDDEN)
    assert (score(torch.randn(TGT, Q), score.keys(torch.randn(SRC, MEM))) == 0).all()
    assert SCORES.build("concat", Q, MEM, hidden=HIDDEN).v_a.abs().min() > 0


@pytest.mark.parametrize("name", ["dot", "scaled_dot"])
def test_products_need_vectors_of_one_size(name):
    with pytest.raises(ValueError, match=f"the {name} score needs .* not 5 and 7"):
        SCORES.build(name, 5, 7)


def test_an_unknown_score_is_an_error_that_lists_the_known_ones():
    assert SCORES.check("dot") == "dot"
    with pytest.raises(ValueError, match="unknown score 'nonsense'; choose one of: dot, scaled_dot, general, additive"):
        SCORES.check("nonsense")


@each_score
def test_every_score_has_its_name_and_its_equation(name):
    assert SCORES[name].name == name
    assert SCORES[name].latex(ModelConfig.of(score=name)) != Score.latex(ModelConfig.of(score=name))


@pytest.fixture
def registered():
    """A function that registers a class as the score `mine` until the test ends."""
    yield SCORES.add("mine")
    del SCORES["mine"]


class Mine(Score):
    """A score of one's own, outside the package."""

    def keys(self, states):
        return states

    def forward(self, queries, keys):
        return queries @ keys.mT


@pytest.mark.parametrize(
    ("forward", "message"),
    [
        (
            lambda self, q, k: q @ k,
            "the score 'mine' fails for queries of shape (2, 3, 7) and states of shape (2, 5, 7)",
        ),
        (lambda self, q, k: (q @ k.mT).mT, "the score 'mine' returns shape (2, 5, 3) for queries of shape (2, 3, 7)"),
        (lambda self, q, k: (q @ k.mT).sum(-1), "the score 'mine' returns shape (2, 3) for"),
        (lambda self, q: q, "TypeError: "),
        (lambda self, q, k: q @ k.mT / 0.0, "the score 'mine' returns numbers that are not finite"),
        (lambda self, q, k: None, "the score 'mine' returns NoneType for"),
        (None, "the score 'mine' cannot be built by Mine(query, memory, settings): "),
    ],
    ids=["product", "order", "sum", "arguments", "infinite", "nothing", "constructor"],
)
def test_a_wrong_score_of_ones_own_is_named(registered, forward, message):
    registered(type("Mine", (Mine,), {"forward": forward} if forward else {"__init__": lambda self: None}))
    with pytest.raises(ValueError, match=re.escape(message)):
        tiny(**LUONG, score="mine")


def test_a_class_of_the_package_is_not_replaced():
    with pytest.raises(ValueError, match="there is a score 'dot' in attn_core; choose another name"):
        SCORES.add("dot")(Mine)
    with pytest.raises(TypeError, match=r'in parentheses, such as add\("mine"\)'):
        SCORES.add(Mine)
    assert SCORES["dot"] is Dot


def test_a_right_score_of_ones_own_is_built(registered):
    registered(type("Right", (Mine,), {}))
    assert type(tiny(**LUONG, score="mine").decoder.attention.score).__name__ == "Right"
