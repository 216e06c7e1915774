"""What is read of the weights: all, the heaviest, or one that is drawn as often as its weight says."""

from contextlib import suppress

import pytest
import torch

from attn_core.attention.types import ATTENTION_TYPES, HardSample, expecting
from attn_core.decoding.translate import translate
from attn_core.trace import summary
from tests.helpers.recomputed import check
from tests.helpers.support import BAHDANAU, LUONG, VARIANTS, close, tiny

WEIGHTS = torch.tensor([[0.2, 0.5, 0.3, 0.0], [0.0, 0.0, 0.0, 0.0], [0.1, 0.1, 0.0, 0.4]])
HARD = [name for name in ATTENTION_TYPES if name != "soft"]


def test_a_soft_read_changes_nothing():
    assert ATTENTION_TYPES["soft"]()(WEIGHTS) is WEIGHTS


def test_the_heaviest_is_read_and_of_nothing_nothing():
    wanted = [[0.0, 1.0, 0.0, 0.0], [0.0] * 4, [0.0, 0.0, 0.0, 1.0]]
    assert ATTENTION_TYPES["hard-argmax"]()(WEIGHTS).tolist() == wanted


def test_draws_are_as_frequent_as_their_weights_say():
    """20,000 draws; a share of them has a standard deviation of at most 0.0036. The third row's weights sum to 0.6."""
    many = HardSample()(WEIGHTS.expand(20_000, 3, 4))
    assert many.sum(-1).unique(dim=0).tolist() == [[1.0, 0.0, 1.0]], "one place each, and none of an empty row"
    share = many.mean(0)
    close(share[0], WEIGHTS[0], 0.015)
    close(share[2], WEIGHTS[2] / 0.6, 0.015)
    assert (share[WEIGHTS == 0] == 0).all()


def test_draws_are_the_same_from_the_same_seed():
    drawn = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        drawn.append(HardSample()(WEIGHTS[:1].expand(50, 4)))
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])


def test_within_a_block_the_expectation_is_read():
    model = tiny(**BAHDANAU, attention_type="hard-sample", heads=2, head_size=3)
    reads = [module for module in model.modules() if isinstance(module, HardSample)]
    assert len(reads) == 2
    with suppress(KeyError), expecting(model):
        assert all(read(WEIGHTS) is WEIGHTS for read in reads)
        raise KeyError
    assert all(read(WEIGHTS) is not WEIGHTS for read in reads), "also where the block was left by an error"


@pytest.mark.parametrize("name", ATTENTION_TYPES)
def test_every_read_says_its_name_and_formula(name):
    assert ATTENTION_TYPES[name].name == name
    assert ATTENTION_TYPES[name].formula


@pytest.mark.parametrize("settings", [BAHDANAU, LUONG | {"feeding": True}, VARIANTS["luong-heads"]], ids=str)
@pytest.mark.parametrize("read", ["hard-argmax", "hard-sample"])
@torch.no_grad()
def test_a_view_reads_as_it_is_told_and_leaves_the_model_alone(settings, read):
    model = tiny(**settings | ({"gaussian": "on_scores"} if settings.get("window") else {}))
    before = translate(model, "a b c d", tokenized=True, max_length=4)
    view = model.with_attention_type(read)
    trace = translate(view, "a b c d", tokenized=True, max_length=4)
    check(view, trace)
    assert (trace.settings["attention_type"], trace.settings["trained_attention_type"]) == (read, "soft")
    assert f"read {read}, trained with soft" in summary("m", trace.settings)
    again = translate(view.with_attention_type("soft"), "a b c d", tokenized=True, max_length=4)
    for found in (again, translate(model, "a b c d", tokenized=True, max_length=4)):
        close(found.weights(), before.weights(), 1e-6)


def test_a_view_of_a_view_keeps_both():
    view = tiny(**LUONG, window="local-p").with_attention_type("hard-argmax").with_window("local-m", 2)
    trace = translate(view, "a b c d", tokenized=True, max_length=3)
    assert (trace.settings["attention_type"], trace.settings["window"]) == ("hard-argmax", "local-m")
    assert set(trace.weights().flatten().tolist()) == {0.0, 1.0}
    assert view.with_attention_type("hard-argmax") is view


def test_reads_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="tiny has no attention, so no read can be set"):
        tiny(**VARIANTS["fixed-vector"]).with_attention_type("hard-argmax")
    with pytest.raises(ValueError, match="unknown read 'harder'; choose one of: soft, hard-argmax, hard-sample"):
        tiny(**LUONG).with_attention_type("harder")
    with pytest.raises(ValueError, match=r"read=hard-sample draws from the softmax.* set gaussian=on_scores"):
        tiny(**LUONG, window="local-p").with_attention_type("hard-sample")
