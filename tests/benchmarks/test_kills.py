"""A training that is killed goes on to the same end; the long form is `make bench-kills`."""

import pytest

from tests.benchmarks.kills import differences, timeless, trials


@pytest.mark.slow
def test_a_killed_training_goes_on_to_the_same_bits(tmp_path):
    for signals, unlike in trials(tmp_path, number=1, kills=2, examples=150, seed=3):
        assert unlike == [], signals


def test_only_clocks_may_differ():
    one, other = {"loss": 1.0, "seconds": 2}, {"loss": 1.0, "seconds": 3}
    assert timeless({"rows": [one]}) == timeless({"rows": [other]})
    assert differences({"a": b"1", "b": b"2"}, {"a": b"1", "b": b"3", "c": b""}) == ["b", "c"]
