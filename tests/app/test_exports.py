"""The files of a translation for download."""

import pytest

from app.explorer import exports
from attn_core import figures, translate
from attn_core.trace import dump
from attn_core.trace.reading import parse
from tests.helpers.support import TRANSFORMER, tiny


@pytest.fixture(scope="module")
def trace() -> str:
    return dump(translate(tiny(**TRANSFORMER), "a b c"))


def test_heads_have_their_layer_and_number_from_0(trace):
    assert exports.heads(trace) == [(layer, head) for layer in (0, 1) for head in (0, 1, 2)]


@pytest.mark.parametrize(("head", "place"), [((1, 0), 3), (None, None), ((9, 9), None)])
def test_the_chart_is_that_of_the_chosen_head_or_the_mean(trace, head, place):
    expected = figures.heatmap(parse(trace), place)
    assert exports.chart(trace, head, dark=False).to_dict() == expected.to_dict()
