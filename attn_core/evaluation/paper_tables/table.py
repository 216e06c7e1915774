"""A table of a paper as data: rows with the paper's numbers, claims about them, and the verdict on a claim."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from attn_core.evaluation.multiple_tests import LEVEL, Z
from attn_core.messages import N_, _

LEAST_SEEDS = 5
# Source words of the test sentences (2 to 4 captions joined), in five groups of about the same size.
LENGTHS = ((1, 27), (28, 34), (35, 42), (43, 50), (51, 100))
HIGHER = {"bleu": True, "bleu_unk": True, "perplexity": False, "aer": False, "aer_own": False}
DIGITS = {"bleu": 1, "bleu_unk": 1, "perplexity": 2, "aer": 2, "aer_own": 2}
# The step whose weights align a word in the column "aer" (Luong 2015, footnote 14); in "aer_own" it is "own" for all.
STEPS = {"own": N_("the step that predicts the word"), "next": N_("the step that reads the word")}
DIFFERENCES = {  # what two models of a claim can differ in
    "score": N_("score"),
    "window": N_("window"),
    "attention": N_("attention"),
    "feeding": N_("input feeding"),
    "encoder": N_("encoder"),
    "text": N_("length of the training sentences"),
}


@dataclass(frozen=True)
class Row:
    """A row: a model, the measures that the table shows of it by column, and the paper's numbers for these columns."""

    name: str
    title: str
    model: str  # a key of tests/benchmarks/tables/models.py
    paper: Mapping[str, float | str] = field(default_factory=dict)  # a text for what is not a number, such as "> 7.0"
    takes: Mapping[str, str] = field(default_factory=dict)  # the measure in a column, if it is not that of the column
    decimals: int = 1  # of the paper's numbers, as they are printed there
    step: str | None = None  # of STEPS; None: it has no weights, or the table has no AER

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
    differ: tuple[str, ...] = ()  # of DIFFERENCES: what its models differ in, if it is more than one thing
    control: str | None = None  # a row that has one of these differences only


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

    def steps(self, claim: Claim) -> dict[str, str]:
        """By row of a claim about alignments: the step (see STEPS) whose weights align a word there."""
        found = {}
        for term in claim.terms:
            step = self.row(term.row).step
            if step and term.column in ("aer", "aer_own"):
                found[term.row] = step if term.column == "aer" else "own"
        return found


def above(better: str, worse: str, column: str = "bleu") -> tuple[Term, ...]:
    """The terms of a claim that one row is better than another: higher BLEU, or lower perplexity or AER."""
    sign = 1 if HIGHER[column] else -1
    return Term(sign, better, column), Term(-sign, worse, column)


def seeds_needed(mean: float, seeds: float, sentences: float, z: float = Z) -> int | None:
    """The number of seeds n with which the interval would exclude 0, if `mean` and variances stay as they are.

    `seeds` is the variance of the difference between seeds, the sum of the models' sample variances; `sentences` that
    of the mean difference under resampled test sentences, which more seeds do not reduce. The interval is mean ± z
    sqrt(seeds / n + sentences), so n = seeds / ((mean / z)² - sentences), rounded up and at least LEAST_SEEDS; z is
    1.96 for a 95% interval. None if no number is large enough: then only a larger test set can decide.
    """
    left = (mean / z) ** 2 - sentences
    return max(LEAST_SEEDS, math.ceil(seeds / left)) if left > 0 else None


def judged(found: Mapping[str, Any] | None) -> str:
    """The verdict on a claim from its numbers in `measured`, as a key: "none" and "few" are for too few runs.

    The others: "mixed" (its models are aligned by different steps, so no verdict), "reproduced", "contradicted", and
    "undecided" (the corrected p-value is not below LEVEL).
    """
    if not found or not found["seeds"]:
        return "none"
    if found["seeds"] < LEAST_SEEDS:
        return "few"
    if len(set(found["steps"].values())) > 1:
        return "mixed"
    if found["p_corrected"] >= LEVEL:
        return "undecided"
    return "reproduced" if found["mean"] > 0 else "contradicted"


def verdict(found: Mapping[str, Any] | None, no_worse: bool = False) -> str:
    """The verdict in words, with the rule by which alignments were read; `no_worse`: that of the claim."""
    kind = judged(found)
    if found is None or kind in ("none", "few"):
        n = found["seeds"] if found else 0
        return _("too few runs: {n} of {least}").format(n=n, least=LEAST_SEEDS)
    if kind == "mixed":
        steps = (_("{row} by {step}").format(row=row, step=_(STEPS[step])) for row, step in found["steps"].items())
        return _("no verdict: the models align words by different steps ({steps})").format(steps=", ".join(steps))
    if kind == "undecided":
        words = _undecided(found, no_worse)
    else:
        words = {"reproduced": _("reproduced"), "contradicted": _("contradicted")}[kind]
    for step in set(found["steps"].values()):
        words = _("{verdict} (words aligned by {step})").format(verdict=words, step=_(STEPS[step]))
    return words


def _undecided(found: Mapping[str, Any], no_worse: bool) -> str:
    if not found["low"] <= 0 <= found["high"]:
        return _(
            "undecided: the interval excludes 0, but among {claims} claims that may be chance (corrected p = {p:.2f})"
        ).format(claims=found["claims"], p=found["p_corrected"])
    if no_worse:
        return _("undecided: the interval includes 0, which is consistent with the claim")
    if (n := found["needed"]) is None:
        return _("undecided: if the difference stays this small, only a larger test set can decide")
    return _("undecided: the interval includes 0; about {n} seeds would decide").format(n=n)
