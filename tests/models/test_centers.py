"""p_t of single steps, set by hand."""

import math

import pytest
import torch

from attn_core import translate
from attn_core.data.corpus import make_batch
from attn_core.trace import summary
from tests.helpers.support import LUONG, VARIANTS, tiny


def weights_of(model, **window):
    return translate(model, "a b c d e f g", tokenized=True, max_length=5, **window)


@pytest.mark.parametrize("window", ["local-m", "local-p"])
def test_centers_by_hand_replace_those_of_their_steps_only(window):
    """A step with p_t = 1.5 attends as its scores and the window's equations say; before it, nothing changes."""
    model = tiny(**LUONG, window=window, half_width=1, sigma=0.8).eval()
    own, moved = weights_of(model), weights_of(model, centers={1: 1.5})
    first, second = moved.words[0].step.looks[0], moved.words[1].step.looks[0]
    assert torch.equal(first.weights, own.words[0].step.looks[0].weights)
    assert second.focus.center.item() == 1.5
    inside = torch.tensor([0 <= s <= 2 for s in range(len(moved.source))])  # floor(1.5) - 1 to floor(1.5) + 1
    bell = torch.exp(-((torch.arange(len(inside)) - 1.5) ** 2) / (2 * 0.8**2))
    align = second.scores.masked_fill(~inside, -torch.inf).softmax(-1)
    torch.testing.assert_close(second.weights, (align * bell).to(second.weights))
    assert moved.settings["centers"] == {"1": 1.5}
    assert moved.settings["intervention"]
    assert "centers" not in own.settings
    assert model.with_centers(None) is model.with_centers({}) is model
    together = model.with_centers({1: 1.5, 2: 0.0}).steps(make_batch([[4, 5, 6, 7]], [[5, 6, 7]])).looks[0]
    assert together.focus.center[0, 1:3].tolist() == [1.5, 0.0]
    assert (
        together.focus.center[0, 0] == model.steps(make_batch([[4, 5, 6, 7]], [[5, 6, 7]])).looks[0].focus.center[0, 0]
    )


@pytest.mark.parametrize("window", ["local-m", "local-p"])
def test_centers_by_hand_stay_in_another_local_window(window):
    """A global window has no centre to keep."""
    moved = tiny(**LUONG, window="local-p", half_width=1).with_centers({1: 1.5})
    view = moved.with_window(window, 2)
    assert view.settings["centers"] == {"1": 1.5}
    focus = weights_of(view).words[1].step.looks[0].focus
    assert focus.center.item() == 1.5
    assert focus.inside.nonzero().flatten().tolist() == [0, 1, 2, 3]  # floor(1.5) - 2 to floor(1.5) + 2
    assert "centers" not in moved.with_window("global").settings
    assert not moved.decoder.attention.window.centers


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, []),
        ({"centers": {0: 1.0, 3: 2.0}}, ["p_t set by hand at 2 steps"]),
        ({"sigma": 0.5}, ["intervention: trained with window local-p, D = 2, σ = 1"]),
        ({"half_width": 1}, ["intervention: trained with window local-p, D = 2, σ = 1"]),
        ({"window": "global"}, ["intervention: trained with window local-p, D = 2, σ = 1"]),
        ({"half_width": 1, "sigma": 1.0}, ["intervention: trained with window local-p, D = 2, σ = 1"]),
    ],
)
def test_one_line_names_only_what_differs_from_the_trained_model(options, said):
    trace = weights_of(tiny(**LUONG, window="local-p", half_width=2), **options)
    line = summary(trace.model, trace.settings).split(" · ")
    assert line[line.index("greedy") + 1 :] == said


def test_centers_that_cannot_be_set_raise_value_errors():
    for name in ("luong-dot-global", "fixed-vector"):
        with pytest.raises(ValueError, match="tiny has no window with a centre that could be set by hand"):
            tiny(**VARIANTS[name]).with_centers({0: 1.0})
    local = tiny(**VARIANTS["luong-dot-local-p"])
    for centers in ({-1: 1.0}, {0: -0.5}, {0: math.inf}, {0: math.nan}):
        with pytest.raises(ValueError, match="step and position must be at least 0"):
            local.with_centers(centers)
    assert tiny(**VARIANTS["luong-dot-global"]).with_window("local-m", 2).with_centers({0: 1.0}).settings["centers"]
