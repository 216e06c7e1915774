"""Numbers with intervals from statistics by sentence: a paired bootstrap over sentences and seeds.

For each of RESAMPLES rounds, sentences are drawn with replacement, the same for all models and seeds (paired: Koehn
2004), and seeds are drawn for each model, once for all its numbers. From n seeds, n - 1 are drawn: the mean of so many
varies as much as the mean of n seeds does (with n draws, by a factor of (n - 1) / n too little).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np
from jaxtyping import Float, Int

from attn_core.evaluation.bleu import bleu_of_counts
from attn_core.models.paper_tables.table import LENGTHS, Claim, Table, Term, seeds_needed
from tests.benchmarks.tables.models import ENSEMBLE

RESAMPLES = 1000
ORDERS = np.arange(4)  # of the n-grams, from 1
Sums = Float[np.ndarray, "*b statistic"]
Sentences = Mapping[str, Sequence[int]]  # see text.sentences


def perplexity(sums: Sums) -> Float[np.ndarray, "*b"]:
    """Perplexity of (nats, words)."""
    return np.exp(sums[..., 0] / sums[..., 1])


def aer(sums: Sums) -> Float[np.ndarray, "*b"]:
    """Alignment error rate of (links, sure and possible ones among them, sure links of the gold standard)."""
    return 1 - (sums[..., 1] + sums[..., 2]) / (sums[..., 0] + sums[..., 3])


MEASURES = {"bleu": bleu_of_counts, "bleu_unk": bleu_of_counts, "perplexity": perplexity, "aer": aer, "aer_own": aer}


def statistics(record: Mapping[str, Any], measure: str, about: Sentences) -> Float[np.ndarray, "n statistic"] | None:
    """The statistics of a measure for each sentence; None if the run does not have it."""
    rows = record["sentences"].get("nll" if measure == "perplexity" else measure)
    if rows is None:
        return None
    found = np.array(rows, dtype=np.float64)
    if measure == "perplexity":
        return np.stack([found, np.array(about["reference"]) + 1.0], 1)  # with </s>
    if measure.startswith("aer"):
        return np.column_stack([found, about["sure"]])
    return np.column_stack([found, about["reference"], np.maximum(found[:, :1] - ORDERS, 0)])


@dataclass
class Numbers:
    """The numbers of all finished runs, and their resampled values."""

    records: Mapping[str, Sequence[Mapping[str, Any]]]  # by model, in the order of their seeds
    about: Sentences
    _drawn: dict[int, np.ndarray] = field(default_factory=dict)
    _seeds: dict[str, np.ndarray] = field(default_factory=dict)

    def seeds(self, model: str) -> int:
        """The seeds behind a model's numbers: those of its members, for an ensemble."""
        runs = self.records.get(model, ())
        return runs[0]["members"] if runs and model == ENSEMBLE else len(runs)

    def values(self, model: str, measure: str, group: int | None) -> tuple[np.ndarray, np.ndarray] | None:
        """A number for each seed, and for each seed and round: (seeds), (seeds, rounds). None if there are none."""
        found = [statistics(one, measure, self.about) for one in self.records.get(model, ())]
        rows = [one for one in found if one is not None]
        if not rows or len(rows) < len(found):
            return None
        stats = np.stack(rows)
        if group is not None:
            least, most = LENGTHS[group]
            words = np.array(self.about["source"])
            stats = stats * ((least <= words) & (words <= most))[:, None]
        of = MEASURES[measure]
        return of(stats.sum(1)), of(self._sentences(stats.shape[1]) @ stats)

    def mean(self, model: str, values: np.ndarray) -> Float[np.ndarray, "rounds"]:
        """The mean over drawn seeds in each round of values (seeds, rounds)."""
        drawn = self._seeds_of(model, len(values))
        return values[drawn, np.arange(RESAMPLES)[:, None]].mean(1)

    def _sentences(self, n: int) -> Int[np.ndarray, "rounds n"]:
        """How often each of n sentences is drawn in each round."""
        if n not in self._drawn:
            dice = np.random.default_rng(n)
            self._drawn[n] = np.stack([np.bincount(dice.integers(n, size=n), minlength=n) for _ in range(RESAMPLES)])
        return self._drawn[n]

    def _seeds_of(self, model: str, n: int) -> Int[np.ndarray, "rounds drawn"]:
        if model not in self._seeds:
            dice = np.random.default_rng(crc32(model.encode()))
            self._seeds[model] = dice.integers(n, size=(RESAMPLES, max(n - 1, 1)))
        return self._seeds[model]


def interval(rounds: np.ndarray) -> dict[str, float]:
    return {"low": float(np.quantile(rounds, 0.025)), "high": float(np.quantile(rounds, 0.975))}


def number(numbers: Numbers, model: str, measure: str, group: int | None = None) -> dict[str, Any] | None:
    """Mean, interval and single seeds of a model's number."""
    if (found := numbers.values(model, measure, group)) is None:
        return None
    each, rounds = found
    return {"mean": float(each.mean()), **interval(numbers.mean(model, rounds)), "each": [float(one) for one in each]}


def claimed(numbers: Numbers, table: Table, claim: Claim) -> dict[str, Any] | None:
    """The claim's sum of terms with its interval, and the seeds that would decide it.

    None if a row has no finished run.
    """
    parts: dict[str, list[tuple[Term, np.ndarray, np.ndarray]]] = {}
    for term in claim.terms:
        row = table.row(term.row)
        found = numbers.values(row.model, row.measure(term.column), term.group)
        if found is None:
            return None
        parts.setdefault(row.model, []).append((term, *found))
    mean, rounds, at_seeds, between = 0.0, np.zeros(RESAMPLES), np.zeros(RESAMPLES), 0.0
    for model, terms in parts.items():
        each = np.array(sum(term.weight * one for term, one, _ in terms))
        drawn = np.array(sum(term.weight * one for term, _, one in terms))
        mean += float(each.mean())
        rounds += numbers.mean(model, drawn)
        at_seeds += drawn.mean(0)
        between += float(each.var(ddof=1)) if len(each) > 1 else 0.0
    seeds = min(numbers.seeds(model) for model in parts)
    needed = seeds_needed(mean, between, float(at_seeds.var(ddof=1)))
    return {"seeds": seeds, "mean": mean, **interval(rounds), "needed": needed}


def computed(numbers: Numbers, table: Table) -> dict[str, Any]:
    """The numbers of a table, as in attn_core.models.paper_tables.measured."""
    rows = {}
    for row in table.rows:
        if not (runs := numbers.records.get(row.model)):
            continue
        found: dict[str, Any] = {"seeds": numbers.seeds(row.model), "updates": runs[0].get("updates")}
        found |= {column: number(numbers, row.model, row.measure(column)) for column in table.columns}
        if table.groups:
            found["groups"] = [number(numbers, row.model, "bleu", group) for group in range(len(LENGTHS))]
        if curves := [one["curve"] for one in runs if "curve" in one]:
            found["curve"] = np.mean(curves, 0).round(3).tolist()
        rows[row.name] = found
    return {"rows": rows, "claims": [claimed(numbers, table, claim) for claim in table.claims]}
