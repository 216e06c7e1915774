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


def test_heads_are_named_as_in_links(trace):
    assert exports.looks(trace) == {f"{layer}.{head}": (layer, head) for layer in (1, 2) for head in (1, 2, 3)}


@pytest.mark.parametrize(("name", "place"), [("2.1", 3), ("mean", None), (None, None), ("9.9", None)])
def test_the_chart_is_that_of_the_named_head_or_the_mean(trace, name, place):
    expected = figures.heatmap(parse(trace), place)
    assert exports.chart(trace, name, dark=False).to_dict() == expected.to_dict()
