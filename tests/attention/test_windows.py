"""Windows compared with tables made by hand and a loop over positions."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_core.attention.windows import WINDOWS
from tests.helpers.support import LUONG, close, tiny
from tests.helpers.windows import registered

Q = 5


def mask(*lengths):
    return torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)


def view(focus):
    """The positions inside, [[...], ...] for each sentence."""
    return [[row.nonzero().flatten().tolist() for row in rows] for rows in focus.inside]


def made(name, half_width=2, **variant):
    """A window; the global one has no settings."""
    return WINDOWS.build(name, Q, **({} if name == "global" else {"half_width": half_width} | variant))


def predicting(share, half_width=2, sigma=None, **variant):
    """A local-p window with p_t = `share` * S for any query whose first element is 1.

    One unit is used: v tanh(1) = logit(share).
    """
    window = made("local-p", half_width, sigma=sigma, **variant).double()
    window.W_p.weight.data.zero_()
    window.W_p.weight.data[0, 0] = 1.0
    window.v_p.weight.data.zero_()
    window.v_p.weight.data[0, 0] = torch.logit(torch.tensor(share, dtype=torch.float64)) / math.tanh(1)
    return window


def ones(b=1, tgt=1):
    return torch.ones(b, tgt, Q, dtype=torch.float64)


def test_global_sees_every_real_word_and_favours_none():
    focus = made("global")(torch.randn(2, 3, Q), mask(7, 2), 0)
    assert view(focus) == [[list(range(7))] * 3, [[0, 1]] * 3]
    assert torch.equal(focus.gaussian, focus.inside.float())
    assert focus.center is None


def test_monotonic_window_by_hand():
    """D = 1, sentences of 5 and 2 words, p_t = min(t, S - 1)."""
    focus = made("local-m", 1)(torch.randn(2, 7, Q), mask(5, 2), 0)
    assert view(focus) == [
        [[0, 1], [0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4], [3, 4], [3, 4]],
        [[0, 1]] * 7,
    ]
    assert focus.center.tolist() == [[0, 1, 2, 3, 4, 4, 4], [0, 1, 1, 1, 1, 1, 1]]
    assert torch.equal(focus.gaussian, focus.inside.float())


def test_monotonic_window_with_the_text_rule_leaves_the_sentence():
    """p_t = t for every S: from t = S + D on no word is in view."""
    focus = made("local-m", 1, rule="text")(torch.randn(2, 5, Q), mask(3, 1), 0)
    assert view(focus) == [[[0, 1], [0, 1, 2], [1, 2], [2], []], [[0], [0], [], [], []]]
    assert focus.center.tolist() == [[0, 1, 2, 3, 4]] * 2
    alone = made("local-m", 0, rule="text")(torch.randn(1, 3, Q), mask(2), 0)
    assert view(alone) == [[[0], [1], []]]


def test_monotonic_window_has_a_gaussian_only_with_sigma():
    focus = made("local-m", 2, sigma=1.5)(torch.randn(1, 2, Q), mask(4), 0)
    bell = [math.exp(-(d**2) / (2 * 1.5**2)) for d in range(3)]
    close(focus.gaussian[0], [[bell[0], bell[1], bell[2], 0], [bell[1], bell[0], bell[1], bell[2]]])


@pytest.mark.parametrize(
    ("share", "length", "half_width", "inside"),
    [
        (0.5, 7, 2, [1, 2, 3, 4, 5]),  # p_t = 3.5: floor 3
        (0.5, 8, 2, [2, 3, 4, 5, 6]),  # p_t = 4
        (0.99, 7, 2, [4, 5, 6]),  # p_t = 6.93, clipped to the sentence
        (0.01, 7, 2, [0, 1, 2]),
        (0.5, 1, 2, [0]),
        (0.5, 7, 10, [0, 1, 2, 3, 4, 5, 6]),
        (0.5, 7, 0, [3]),
    ],
)
def test_predictive_window_by_hand(share, length, half_width, inside):
    focus = predicting(share, half_width)(ones(), mask(length), 0)
    close(focus.center, [[share * length]], 1e-12)
    assert view(focus) == [[inside]]


def test_predictive_window_against_a_loop():
    """Eq. 9 and 10 for random W_p and v_p, written out."""
    window = made("local-p").double()
    for parameter in window.parameters():
        torch.nn.init.normal_(parameter, std=1.5)
    queries, lengths = torch.randn(3, 11, Q).double(), (13, 2, 7)
    focus = window(queries, mask(*lengths), 0)
    W, v = window.W_p.weight.detach(), window.v_p.weight.detach()[0]
    for b, length in enumerate(lengths):
        for t in range(11):
            p = length / (1 + math.exp(-(v @ torch.tanh(W @ queries[b, t]))))
            assert focus.center[b, t].item() == pytest.approx(p, abs=1e-12)
            for s in range(13):
                seen = s < length and math.floor(p) - 2 <= s <= math.floor(p) + 2
                assert focus.inside[b, t, s] == seen
                bell = math.exp(-((s - p) ** 2) / (2 * (2 / 2) ** 2)) if seen else 0.0
                assert focus.gaussian[b, t, s].item() == pytest.approx(bell, abs=1e-12)


def test_the_gaussian_is_centred_on_the_real_p_t():
    """p_t = 3.5, D = 2, sigma = D / 2 = 1: positions 3 and 4 have equal factors, though the window is centred on 3."""
    focus = predicting(0.5)(ones(), mask(7), 0)
    bell = [math.exp(-((s - 3.5) ** 2) / 2) for s in range(1, 6)]
    close(focus.gaussian[0, 0], [0, *bell, 0], 1e-12)
    wider = predicting(0.5, sigma=3.0)(ones(), mask(7), 0)
    assert wider.gaussian[0, 0, 1].item() == pytest.approx(math.exp(-(2.5**2) / 18), abs=1e-12)


def test_the_real_rule_keeps_positions_within_D_of_p_t():
    """p_t = 3.5, D = 2: 2 .. 5 lie within 2; the floor rule also keeps 1, which is 2.5 away."""
    assert view(predicting(0.5, center_rule="real")(ones(), mask(7), 0)) == [[[2, 3, 4, 5]]]
    assert view(predicting(0.5, center_rule="real")(ones(), mask(8), 0)) == [[[2, 3, 4, 5, 6]]], "p_t = 4 is an integer"
    assert view(predicting(0.5, half_width=0, center_rule="real")(ones(), mask(7), 0)) == [[[]]]


def test_one_based_moves_p_t_one_word_to_the_left():
    assert predicting(0.5, one_based=True)(ones(), mask(7), 0).center.item() == pytest.approx(2.5)
    first = predicting(0.1, half_width=0, one_based=True)(ones(), mask(7), 0)
    assert first.center.item() == pytest.approx(-0.3)
    assert view(first) == [[[0]]]


@pytest.mark.parametrize(("half_width", "inside"), [(2, [5, 6]), (1, [6]), (0, [6])])
def test_a_saturated_sigmoid_points_past_the_last_word(half_width, inside):
    """p_t = S exactly: the window is [S - D, S - 1]; with D = 0 it is the last word rather than empty."""
    window = predicting(0.5, half_width)
    window.v_p.weight.data[0, 0] = 1e4
    focus = window(ones(), mask(7), 0)
    assert focus.center.item() == 7.0
    assert view(focus) == [[inside]]


def test_one_word_in_view_has_no_gaussian_unless_sigma_is_set():
    """With D = 0, sigma = D / 2 would be 0."""
    assert predicting(0.5, half_width=0)(ones(), mask(7), 0).gaussian.tolist() == [[[0, 0, 0, 1, 0, 0, 0]]]
    told = predicting(0.5, half_width=0, sigma=0.5)(ones(), mask(7), 0)
    assert told.gaussian[0, 0, 3].item() == pytest.approx(math.exp(-0.5))


def test_the_smallest_sigma_leaves_the_word_at_the_centre():
    """p_t = 3: exp(0) = 1 there, and exp(-5000) = 0 at its neighbours. The square of 1e-23 is 0 in float32."""
    focus = made("local-m", 1, sigma=0.01)(torch.randn(1, 1, Q), mask(7), 3)
    assert focus.gaussian.tolist() == [[[0, 0, 0, 1, 0, 0, 0]]]
    for name in ("local-m", "local-p"):
        with pytest.raises(ValueError, match=r"sigma must be at least 0\.01 words, not 1e-23"):
            made(name, 1, sigma=1e-23)


def test_only_the_gaussian_gives_p_t_a_gradient():
    window = made("local-p")
    focus = window(torch.randn(2, 3, Q), mask(7, 5), 0)
    gradients = torch.autograd.grad(focus.gaussian.sum(), list(window.parameters()))
    assert all(g.isfinite().all() and g.abs().sum() > 0 for g in gradients)
    assert not focus.inside.requires_grad


@pytest.mark.parametrize("center_rule", ["floor", "real"])
def test_a_window_opens_wide_while_training_begins(center_rule):
    """Widening by 2 doubles D and sigma; infinite widening is the whole sentence, with p_t still predicted."""
    queries, words = torch.randn(2, 3, Q).double(), mask(13, 5)
    window, wider, alone = (made("local-p", D, center_rule=center_rule).double() for D in (2, 4, 0))
    for other in (wider, alone):
        other.load_state_dict(window.state_dict())
    narrow, doubled, wanted = window(queries, words, 0), window(queries, words, 0, 2.0), wider(queries, words, 0)
    assert torch.equal(doubled.inside, wanted.inside)
    close(doubled.gaussian, wanted.gaussian, 1e-12)
    everywhere = window(queries, words, 0, math.inf)
    assert torch.equal(everywhere.inside, words.unsqueeze(1).expand(2, 3, 13))
    assert torch.equal(everywhere.gaussian, everywhere.inside.double())
    assert torch.equal(alone(queries, words, 0, math.inf).inside, everywhere.inside)
    for focus in (doubled, wanted, everywhere):
        assert torch.equal(focus.center, narrow.center)


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("center_rule", ["floor", "real"])
def test_steps_one_by_one_have_the_windows_of_all_steps_at_once(name, center_rule):
    window = made(name, 1, center_rule=center_rule)
    queries = torch.randn(2, 5, Q)
    together = window(queries, mask(3, 7), 2)
    for i in range(5):
        alone = window(queries[:, i : i + 1], mask(3, 7), 2 + i)
        assert torch.equal(alone.inside, together.inside[:, i : i + 1])
        close(alone.gaussian, together.gaussian[:, i : i + 1])


@pytest.mark.parametrize("name", WINDOWS)
def test_float64_stays_float64_and_bfloat16_becomes_float32(name):
    window = made(name, 1)
    for kind, wanted in ((torch.float64, torch.float64), (torch.bfloat16, torch.float32)):
        focus = window.to(kind)(torch.randn(2, 3, Q, dtype=kind), mask(3, 5), 0)
        assert focus.gaussian.dtype == wanted
        assert focus.center is None or focus.center.dtype == wanted


@given(
    name=st.sampled_from(list(WINDOWS)),
    half_width=st.integers(0, 4),
    rule=st.sampled_from(["floor", "real"]),
    length=st.integers(1, 9),
    padding=st.integers(0, 3),
    t=st.integers(0, 12),
    scale=st.floats(-1e4, 1e4),
)
def test_windows_are_contiguous(name, half_width, rule, length, padding, t, scale):
    window = made(name, half_width, center_rule=rule)
    focus = window(torch.full((1, 1, Q), scale), mask(length, length + padding)[:1], t)
    inside = view(focus)[0][0]
    assert inside == list(range(inside[0], inside[-1] + 1)) if inside else rule == "real"
    assert all(s < length for s in inside)
    assert name == "global" or len(inside) <= 2 * half_width + 1
    assert (focus.gaussian[~focus.inside] == 0).all()
    assert (focus.gaussian >= 0).all()
    assert (focus.gaussian <= 1).all()


def test_a_window_of_ones_own_has_its_own_live_settings():
    """By hand: at t = 2, one word before and two after are words 1 to 4; with D's place taken, they are inputs."""
    with registered():
        settings = WINDOWS.settings("lopsided")
        window = WINDOWS["lopsided"](3, settings)
        mask = torch.ones(1, 6, dtype=torch.bool)
        focus = window(torch.zeros(1, 1, 3), mask, 2)
        assert focus.inside[0, 0].tolist() == [False, True, True, True, True, False]
        assert settings.in_force == {"left": 1, "right": 2}
        model = tiny(**LUONG, window="lopsided").with_window(live={"right": 0})
        assert model.config.attention.window.in_force == {"left": 1, "right": 0}
        with pytest.raises(ValueError, match=r"has no live setting 'sigma'.*it has left, right"):
            model.with_window(sigma=1.0)
        with pytest.raises(ValueError, match="left must be at least 0"):
            model.with_window(live={"left": -1})
