"""Several claims judged together: the more there are, the likelier is a wrong verdict on one of them by chance."""

from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

LEVEL = 0.05  # how likely a wrong direction among all verdicts of a family may be
Z = 1.96  # of a 95% interval


def holm(values: Sequence[float]) -> list[float]:
    """p-values corrected for their number (Holm 1979), in the order of `values`.

    If each claim whose corrected value is below LEVEL gets a verdict, the probability of one or more wrong verdicts is
    at most LEVEL.
    """
    corrected, highest = [0.0] * len(values), 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=lambda place: values[place])):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = highest
    return corrected


def p_of_interval(difference: Mapping[str, Any]) -> float:
    """The two-sided p-value of a "mean" with the 95% interval "low" to "high", as if it were normally distributed."""
    error = (difference["high"] - difference["low"]) / (2 * Z)
    if not error:
        return 0.0 if difference["mean"] else 1.0
    return 2 * NormalDist().cdf(-abs(difference["mean"]) / error)


def z_of(claims: int) -> float:
    """How many standard errors a difference must be from 0 for a verdict, at most, among so many claims."""
    return NormalDist().inv_cdf(1 - LEVEL / (2 * max(claims, 1)))
