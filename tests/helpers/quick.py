"""Mark as slow the tests of a browser, unless they are marked `quick`, and the cases that `quick(n)` leaves out.

The n cases of a test are chosen so that every value of every parameter occurs, and about equally often, as far as n
allows. The choice is deterministic.
"""

from collections import Counter

import pytest


def mark_browser_tests(items: list[pytest.Item]) -> None:
    """Mark the tests that open Chromium, with fixtures of conftest.py, `browser` and, unless they are `quick`, slow."""
    for item in items:
        if isinstance(item, pytest.Function) and "chromium" in item.fixturenames:
            item.add_marker(pytest.mark.browser)
            if not item.get_closest_marker("quick"):
                item.add_marker(pytest.mark.slow)


def mark_other_cases(items: list[pytest.Item]) -> None:
    """Mark all cases slow that are not among the n chosen ones of their test."""
    tests: dict[tuple[str, int], list[pytest.Function]] = {}
    for item in items:
        mark = item.get_closest_marker("quick")
        if isinstance(item, pytest.Function) and mark and mark.args:
            tests.setdefault((f"{item.path}::{item.originalname}", *mark.args), []).append(item)
    for (_, n), cases in tests.items():
        for case in left_out(cases, n):
            case.add_marker(pytest.mark.slow)


def left_out(cases: list[pytest.Function], n: int) -> list[pytest.Function]:
    """All cases except the n chosen ones."""
    left = sorted(cases, key=lambda case: case.name)
    left = [left[i] for i in sorted(range(len(left)), key=lambda i: i * GOLDEN % 1)]
    seen: Counter[tuple[str, int]] = Counter()
    for _ in range(min(n, len(left))):
        best = min(left, key=lambda case: sorted((seen[value] for value in values(case)), reverse=True))
        left.remove(best)
        seen.update(values(best))
    return left


GOLDEN = (5**0.5 - 1) / 2  # its multiples spread evenly, whatever their number


def values(case: pytest.Function) -> list[tuple[str, int]]:
    """The parameters of a case, each with the index of its value."""
    return list(case.callspec.indices.items())
