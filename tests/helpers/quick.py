"""`@pytest.mark.quick(n)`: `make test` runs n cases of a parametrised test; the others are marked slow.

The n cases are chosen so that every value of every parameter occurs, and about equally often, as far as n allows. The
choice is deterministic.
"""

from collections import Counter

import pytest


def spread(items: list[pytest.Item]) -> None:
    """Mark all cases `slow` that are not among the n chosen ones of their test."""
    tests: dict[str, list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("quick"):
            tests.setdefault(f"{item.path}::{item.originalname}", []).append(item)
    for cases in tests.values():
        mark = cases[0].get_closest_marker("quick")
        assert mark is not None
        for case in left_out(cases, *mark.args):
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
