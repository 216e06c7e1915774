"""Settings that do not go together are refused; those of one mechanism are asked for in the tests of that mechanism."""

import pytest

from attn_core.attention.windows import WINDOWS
from attn_core.models.config import ModelConfig
from attn_core.models.presets import configure
from tests.helpers.support import tiny

FIXED = {"score": None, "window": None, "order": "attend-then-update", "bidirectional": False}


@pytest.mark.parametrize(
    "setting",
    [
        {"values": 5},
        {"heads": 4},
        {"head_size": 3},
        {"attention_type": "hard-argmax"},
        {"gaussian": "renorm"},
        {"normalizer": "sparsemax"},
        {"rank": 3},
        {"identity_source": True},
        {"unmasked_fixed": True},
        {"normed": True},
    ],
)
def test_a_model_without_attention_has_no_settings_of_it(setting):
    ModelConfig.of(**FIXED)
    with pytest.raises(ValueError, match=f"{next(iter(setting))} belongs to attention"):
        ModelConfig.of(**(FIXED | setting))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"score": None}, "score and window go together"),
        (FIXED | {"bidirectional": True}, "bidirectional=false"),
        ({"order": "sideways"}, "order must be one of update-then-attend, attend-then-update, gnmt, transformer"),
        ({"order": "attend-then-update", "biases": False}, "biases belongs to order update-then-attend"),
        ({"order": "attend-then-update", "layers": 2}, "more than one layer"),
        ({"heads": 3}, "hidden must be a multiple of heads"),
        ({"attentional": 100}, r"reads 144 numbers \(embedding\), and this one reads 100 \(attentional\)"),
        ({"order": "gnmt", "layers": 2}, r"and this one reads 256 \(hidden\)"),
        ({"attention_type": "hard-sample", "window": "local-m", "sigma": 2.0}, "draws from the softmax"),
    ],
)
def test_what_does_not_go_together_says_why(settings, message):
    with pytest.raises(ValueError, match=message):
        ModelConfig.of(**settings)


OF_WINDOWS = {
    "half_width": 3,
    "sigma": 2.0,
    "center_rule": "real",
    "local_m_rule": "text",
    "one_based": True,
    "gaussian": "renorm",
}


def test_the_settings_of_windows_are_those_that_windows_name():
    assert set(OF_WINDOWS) - {"gaussian"} == {name for window in WINDOWS.values() for name in window.options}


# Of a model without a window, ModelConfig refuses `gaussian` already, above.
CASES = [(window, name) for window in (None, *WINDOWS) for name in OF_WINDOWS if window or name != "gaussian"]


@pytest.mark.parametrize(("window", "name"), CASES)
def test_a_setting_that_changes_nothing_in_a_window_is_not_trained_with(window, name):
    plain = {"window": window} | (FIXED if window is None else {})
    preset = "fixed-vector" if window is None else f"luong-general-{window}"
    configure(preset, plain)
    if window and (name in WINDOWS[window].options or (name == "gaussian" and window == "local-p")):
        configure(preset, plain | {name: OF_WINDOWS[name]})
    else:
        with pytest.raises(ValueError, match=f"{name} (belongs to window|says what the Gaussian does)"):
            configure(preset, plain | {name: OF_WINDOWS[name]})


def test_the_gaussian_counts_where_there_is_one():
    configure("luong-general-local-m", {"gaussian": "renorm", "sigma": 2.0})
    with pytest.raises(ValueError, match="this window has none"):
        configure("luong-general-local-p", {"gaussian": "renorm", "half_width": 0})


def test_a_view_through_another_window_keeps_the_settings_of_its_own():
    view = tiny(window="local-p", half_width=3, gaussian="renorm", one_based=True).with_window("global")
    assert view.config.half_width == 3
    assert view.with_window("local-p").config.one_based


def test_a_local_window_without_a_gaussian_can_be_drawn_from():
    ModelConfig.of(attention_type="hard-sample", window="local-m")
