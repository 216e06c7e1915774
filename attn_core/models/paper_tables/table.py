"""A table of a paper as data: rows with the paper's numbers, claims about them, and the verdict on a claim.

The numbers measured here are written by `make table-NAME` to NAME.json beside this file; see `measured`.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attn_core.messages import _

LEAST_SEEDS = 5
Z = 1.96  # of a 95% interval
# Source words of the test sentences (2 to 4 captions joined), in five groups of about the same size.
LENGTHS = ((1, 27), (28, 34), (35, 42), (43, 50), (51, 100))
HIGHER = {"bleu": True, "bleu_unk": True, "perplexity": False, "aer": False, "aer_own": False}
DIGITS = {"bleu": 1, "bleu_unk": 1, "perplexity": 2, "aer": 2, "aer_own": 2}


@dataclass(frozen=True)
class Row:
    """A row: a model, the measures that the table shows of it by column, and the paper's numbers for these columns."""

    name: str
    title: str
    model: str  # a key of tests/benchmarks/tables/models.py
    paper: Mapping[str, float | str] = field(default_factory=dict)  # a text for what is not a number, such as "> 7.0"
    takes: Mapping[str, str] = field(default_factory=dict)  # the measure in a column, if it is not that of the column
    decimals: int = 1  # of the paper's numbers, as they are printed there

    def measure(self, column: str) -> str:
        return self.takes.get(column, column)

    def in_paper(self, column: str) -> str:
        """The paper's number as text; a dash if it has none."""
        value = self.paper.get(column, "–")
        return value if isinstance(value, str) else f"{value:.{self.decimals}f}"


@dataclass(frozen=True)
class Term:
    """A row's number in a column, times `weight`; with `group`, on the test sentences of that group of LENGTHS."""

    weight: int
    row: str
    column: str
    group: int | None = None


@dataclass(frozen=True)
class Claim:
    """A claim of a paper, as a sum of terms that is above 0 if the claim holds, or not below 0 with `no_worse`."""

    says: str
    source: str
    terms: tuple[Term, ...]
    unit: str = "BLEU"
    no_worse: bool = False


@dataclass(frozen=True)
class Table:
    """A table or figure of a paper."""

    name: str
    title: str
    source: str
    about: str  # what is compared, and how it differs from the paper's setting
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    claims: tuple[Claim, ...]
    groups: bool = False  # whether BLEU is shown by source length

    def row(self, name: str) -> Row:
        return next(row for row in self.rows if row.name == name)


def above(better: str, worse: str, column: str = "bleu") -> tuple[Term, ...]:
    """The terms of a claim that one row is better than another: higher BLEU, or lower perplexity or AER."""
    sign = 1 if HIGHER[column] else -1
    return Term(sign, better, column), Term(-sign, worse, column)


def seeds_needed(mean: float, seeds: float, sentences: float) -> int | None:
    """The number of seeds n with which the interval would exclude 0, if `mean` and variances stay as they are.

    `seeds` is the variance of the difference between seeds, the sum of the models' sample variances; `sentences` that
    of the mean difference under resampled test sentences, which more seeds do not reduce. The interval is mean ± 1.96
    sqrt(seeds / n + sentences), so n = seeds / ((mean / 1.96)² - sentences), rounded up and at least LEAST_SEEDS. None
    if no number is large enough: then only a larger test set can decide.
    """
    left = (mean / Z) ** 2 - sentences
    return max(LEAST_SEEDS, math.ceil(seeds / left)) if left > 0 else None


def judged(found: Mapping[str, Any] | None) -> str:
    """The verdict on a claim from its numbers in `measured`, as a key: "none" and "few" are for too few seeds.

    The others: "reproduced", "contradicted", and "undecided" (an interval with 0).
    """
    if not found or not found["seeds"]:
        return "none"
    if found["seeds"] < LEAST_SEEDS:
        return "few"
    if found["low"] > 0:
        return "reproduced"
    return "contradicted" if found["high"] < 0 else "undecided"


def verdict(found: Mapping[str, Any] | None, no_worse: bool = False) -> str:
    """The verdict in words; `no_worse`: that of the claim."""
    kind = judged(found)
    if kind in ("none", "few"):
        n = found["seeds"] if found else 0
        return _("too few seeds: {n} of {least}").format(n=n, least=LEAST_SEEDS)
    if kind != "undecided":
        return {"reproduced": _("reproduced"), "contradicted": _("contradicted")}[kind]
    assert found is not None
    if no_worse:
        return _("undecided: the interval includes 0, which is consistent with the claim")
    if (n := found["needed"]) is None:
        return _("undecided: if the difference stays this small, only a larger test set can decide")
    return _("undecided: the interval includes 0; about {n} seeds would decide").format(n=n)


def measured(table: Table, folder: Path = Path(__file__).parent) -> dict[str, Any] | None:
    """What `make table-NAME` measured so far; None before the first finished run.

    "rows" maps the names of rows with finished runs to {"seeds": their number, "members" for an ensemble, column:
    {"mean", "low", "high", "each"}, "groups": the same for each of LENGTHS, "curve": mean validation scores by epoch},
    "claims" has {"seeds", "mean", "low", "high", "needed"} or null for each claim of the table. Intervals are 95%, by
    bootstrap over sentences and seeds (tests/benchmarks/tables/bootstrap.py).
    """
    path = folder / f"{table.name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else None
