"""Presets of scores and windows that are registered at run time."""

from attn_core.attention.scores import Dot
from attn_core.attention.settings import SCORES, WINDOWS
from attn_core.attention.windows import Global
from attn_core.models.presets import PRESETS


def test_presets_follow_the_registries():
    """Global has no half-width, which the presets of local windows set."""
    number = len(PRESETS)
    try:
        SCORES.add("my-score")(type("MyScore", (Dot,), {}))
        WINDOWS.add("my-window")(type("MyWindow", (Global,), {}))
        names = set(PRESETS)
        assert PRESETS["luong-my-score-my-window"][0]["window"] == "my-window"
        assert PRESETS["luong-my-score-local-m"][0]["half_width"] == 4
    finally:
        del SCORES["my-score"], WINDOWS["my-window"]
    assert {name.removesuffix("-paper") for name in names - set(PRESETS)} == {
        *(f"luong-my-score-{window}" for window in (*WINDOWS, "my-window")),
        *(f"luong-{score}-my-window" for score in SCORES),
    }
    assert len(PRESETS) == number
