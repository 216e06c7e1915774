"""Attention types: soft, hard by the largest weight, and hard by sampling from the weights."""

import pytest
import torch

from attn_core.attention.mode import Mode
from attn_core.attention.types import ATTENTION_TYPES, HardSample
from attn_core.data.corpus import make_batch
from attn_core.decoding.translate import translate
from attn_core.models.config import ModelConfig
from attn_core.trace import summary
from tests.helpers.recomputed import check
from tests.helpers.support import BAHDANAU, LUONG, VARIANTS, close, sentences, tiny

WEIGHTS = torch.tensor([[0.2, 0.5, 0.3, 0.0], [0.0, 0.0, 0.0, 0.0], [0.1, 0.1, 0.0, 0.4]])
HARD = [name for name in ATTENTION_TYPES if name != "soft"]


def test_soft_changes_nothing():
    assert ATTENTION_TYPES["soft"]()(WEIGHTS) is WEIGHTS


def test_argmax_takes_the_largest_weight_and_nothing_from_an_empty_row():
    wanted = [[0.0, 1.0, 0.0, 0.0], [0.0] * 4, [0.0, 0.0, 0.0, 1.0]]
    assert ATTENTION_TYPES["hard-argmax"]()(WEIGHTS).tolist() == wanted


def test_samples_are_as_frequent_as_their_weights():
    """20,000 samples; the deviation of a share is at most 0.0036. The weights of the third row sum to 0.6."""
    many = HardSample()(WEIGHTS.expand(20_000, 3, 4))
    assert many.sum(-1).unique(dim=0).tolist() == [[1.0, 0.0, 1.0]], "one position per row, and none for an empty row"
    share = many.mean(0)
    close(share[0], WEIGHTS[0], 0.015)
    close(share[2], WEIGHTS[2] / 0.6, 0.015)
    assert (share[WEIGHTS == 0] == 0).all()


def test_samples_are_the_same_for_the_same_seed():
    drawn = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        drawn.append(HardSample()(WEIGHTS[:1].expand(50, 4)))
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])


def test_a_call_can_use_the_expectation():
    """In that call both heads use the softmax's weights; in the next call they sample."""
    assert HardSample()(WEIGHTS, expected=True) is WEIGHTS
    model = tiny(**BAHDANAU, type="hard-sample", heads=2, head_size=3)
    batch = make_batch(sentences(5, 3), sentences(4, 2, low=4, high=11))
    for look in model.steps(batch, Mode(expected=True)).looks:
        assert torch.equal(look.weights, look.alignment)
    drawn = model.steps(batch).looks
    assert len(drawn) == 2
    for look in drawn:
        assert set(look.weights.flatten().tolist()) == {0.0, 1.0}


@pytest.mark.parametrize("name", ATTENTION_TYPES)
def test_every_type_has_its_name_and_equations(name):
    assert ATTENTION_TYPES[name].name == name
    assert ATTENTION_TYPES[name].equations(ModelConfig(), r"\bar h_{}", "c_t")


@pytest.mark.parametrize("settings", [BAHDANAU, LUONG | {"feeding": True}, VARIANTS["luong-heads"]], ids=str)
@pytest.mark.parametrize("kind", ["hard-argmax", "hard-sample"])
@torch.no_grad()
def test_a_view_has_its_own_attention_type_and_does_not_change_the_model(settings, kind):
    model = tiny(**settings | ({"gaussian": "on_scores"} if settings.get("window") else {}))
    before = translate(model, "a b c d", tokenized=True, max_length=4)
    view = model.with_attention_type(kind)
    trace = translate(view, "a b c d", tokenized=True, max_length=4)
    check(view, trace)
    assert (trace.settings["attention_type"], trace.settings["trained_attention_type"]) == (kind, "soft")
    assert f"{kind} attention, trained with soft" in summary("m", trace.settings)
    again = translate(view.with_attention_type("soft"), "a b c d", tokenized=True, max_length=4)
    for found in (again, translate(model, "a b c d", tokenized=True, max_length=4)):
        close(found.weights(), before.weights(), 1e-6)


def test_a_view_of_a_view_keeps_both():
    view = tiny(**LUONG, window="local-p").with_attention_type("hard-argmax").with_window("local-m", 2)
    trace = translate(view, "a b c d", tokenized=True, max_length=3)
    assert (trace.settings["attention_type"], trace.settings["window"]) == ("hard-argmax", "local-m")
    assert set(trace.weights().flatten().tolist()) == {0.0, 1.0}
    assert view.with_attention_type("hard-argmax") is view


def test_a_type_may_fit_only_the_new_window():
    """hard-sample cannot be combined with a Gaussian after the softmax, so window and type must change together."""
    hard, local = tiny(**LUONG, type="hard-sample"), tiny(**LUONG, window="local-p")
    wanted = ("local-m", 4, 2.0, "soft")
    for view in (hard.with_attention_type("soft").with_window(*wanted[:3]), hard.with_window(*wanted)):
        assert tuple(view.settings[name] for name in ("window", "half_width", "sigma", "attention_type")) == wanted
        assert 0 < translate(view, "a b c d", tokenized=True, max_length=3).weights()[0, 1] < 1
    sampled = local.with_window("global", attention_type="hard-sample")
    assert set(translate(sampled, "a b c d", tokenized=True, max_length=3).weights().flatten().tolist()) == {0.0, 1.0}
    assert local.with_window(attention_type="hard-argmax").settings["attention_type"] == "hard-argmax"
    assert local.with_window(half_width=2, attention_type="soft").mode.type is None
    for refused in (lambda: hard.with_window(*wanted[:3]), lambda: local.with_window("local-m", 2, 1.0, "hard-sample")):
        with pytest.raises(ValueError, match="hard-sample samples from the softmax"):
            refused()


def test_attention_types_that_do_not_fit_raise_value_errors():
    with pytest.raises(ValueError, match="tiny has no attention, so no attention type can be set"):
        tiny(**VARIANTS["fixed-vector"]).with_attention_type("hard-argmax")
    with pytest.raises(ValueError, match="attention type must be one of soft, hard-argmax, hard-sample, not 'harder'"):
        tiny(**LUONG).with_attention_type("harder")
    with pytest.raises(ValueError, match=r"hard-sample samples from the softmax.* set gaussian=on_scores"):
        tiny(**LUONG, window="local-p").with_attention_type("hard-sample")
