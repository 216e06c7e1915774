"""Training that is killed and resumed gives the same result; the long form is `make bench-kills`."""

import pytest

from tests.benchmarks.kills import differences, timeless, trials


@pytest.mark.slow
def test_killed_training_resumes_to_bit_identical_results(tmp_path):
    for signals, unlike in trials(tmp_path, number=1, kills=2, examples=150, seed=3):
        assert unlike == [], signals


def test_only_times_may_differ():
    one, other = {"loss": 1.0, "seconds": 2}, {"loss": 1.0, "seconds": 3}
    assert timeless({"rows": [one]}) == timeless({"rows": [other]})
    assert differences({"a": b"1", "b": b"2"}, {"a": b"1", "b": b"3", "c": b""}) == ["b", "c"]
