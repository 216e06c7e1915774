"""Settings that do not go together are refused; those of one mechanism are asked for in the tests of that mechanism."""

import pytest

from attn_core.config import ModelConfig

FIXED = {"score": None, "window": None, "order": "look-then-step", "bidirectional": False}


@pytest.mark.parametrize(
    "setting",
    [
        {"values": 5},
        {"heads": 4},
        {"head_size": 3},
        {"read": "hard-argmax"},
        {"gaussian": "renorm"},
        {"align": "sparsemax"},
        {"rank": 3},
        {"identity_source": True},
        {"unmasked_fixed": True},
        {"normed": True},
    ],
)
def test_a_model_without_attention_has_no_settings_of_it(setting):
    ModelConfig(**FIXED)
    with pytest.raises(ValueError, match=f"{next(iter(setting))} belongs to attention"):
        ModelConfig(**(FIXED | setting))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"score": None}, "score and window go together"),
        (FIXED | {"bidirectional": True}, "bidirectional=false"),
        ({"order": "sideways"}, "order must be one of step-then-look, look-then-step, gnmt, transformer"),
        ({"order": "look-then-step", "biases": False}, "biases belongs to order step-then-look"),
        ({"order": "look-then-step", "layers": 2}, "more than one layer"),
        ({"heads": 3}, "hidden must be a multiple of heads"),
        ({"attentional": 100}, r"reads 144 numbers \(embedding\), and this one reads 100 \(attentional\)"),
        ({"order": "gnmt", "layers": 2}, r"and this one reads 256 \(hidden\)"),
        ({"read": "hard-sample", "window": "local-m", "sigma": 2.0}, "draws from the softmax"),
    ],
)
def test_what_does_not_go_together_says_why(settings, message):
    with pytest.raises(ValueError, match=message):
        ModelConfig(**settings)


def test_a_local_window_without_a_gaussian_can_be_drawn_from():
    ModelConfig(read="hard-sample", window="local-m")
