"""Numbers with intervals from statistics by sentence: a paired bootstrap over sentences and seeds.

For each of RESAMPLES rounds, sentences are drawn with replacement, the same for all models and seeds (paired: Koehn
2004), and seeds are drawn for each model, once for all its numbers. From n seeds, n - 1 are drawn: the mean of so many
varies as much as the mean of n seeds does (with n draws, by a factor of (n - 1) / n too little).

Claims take CLAIM_RESAMPLES rounds: their p-values are corrected for the number of claims, so that small ones count.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from zlib import crc32

import numpy as np
from jaxtyping import Float, Int

from attn_core.evaluation.bleu import bleu_of_counts
from attn_core.evaluation.multiple_tests import z_of
from attn_core.evaluation.paper_tables import TABLES
from attn_core.evaluation.paper_tables.table import LENGTHS, Claim, Table, Term, seeds_needed
from tests.benchmarks.tables.models import ENSEMBLE

RESAMPLES = 1000
CLAIM_RESAMPLES = 100_000
CHUNK = 5000  # rounds that are computed at once
CLAIMS = sum(len(table.claims) for table in TABLES.values())
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
    rounds: int = RESAMPLES
    _values: dict[tuple[str, str, int | None], tuple[np.ndarray, np.ndarray] | None] = field(default_factory=dict)
    _drawn: dict[int, np.ndarray] = field(default_factory=dict)
    _seeds: dict[str, np.ndarray] = field(default_factory=dict)

    def seeds(self, model: str) -> int:
        """The runs behind a model's numbers; an ensemble is one run, however many members it has."""
        return len(self.records.get(model, ()))

    def values(self, model: str, measure: str, group: int | None) -> tuple[np.ndarray, np.ndarray] | None:
        """A number for each seed, and for each seed and round: (seeds), (seeds, rounds). None if there are none."""
        key = model, measure, group
        if key not in self._values:
            self._values[key] = self._computed(*key)
        return self._values[key]

    def _computed(self, model: str, measure: str, group: int | None) -> tuple[np.ndarray, np.ndarray] | None:
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
        drawn = self._sentences(stats.shape[1])
        chunks = (drawn[start : start + CHUNK].astype(np.float64) for start in range(0, self.rounds, CHUNK))
        return of(stats.sum(1)), np.concatenate([of(chunk @ stats) for chunk in chunks], 1)

    def mean(self, model: str, values: np.ndarray) -> Float[np.ndarray, "rounds"]:
        """The mean over drawn seeds in each round of values (seeds, rounds)."""
        drawn = self._seeds_of(model, len(values))
        return values[drawn, np.arange(self.rounds)[:, None]].mean(1)

    def _sentences(self, n: int) -> Int[np.ndarray, "rounds n"]:
        """How often each of n sentences is drawn in each round."""
        if n not in self._drawn:
            dice = np.random.default_rng(n)
            draws = (np.bincount(dice.integers(n, size=n), minlength=n) for _ in range(self.rounds))
            self._drawn[n] = np.fromiter(draws, np.dtype((np.int16, n)), self.rounds)
        return self._drawn[n]

    def _seeds_of(self, model: str, n: int) -> Int[np.ndarray, "rounds drawn"]:
        if model not in self._seeds:
            dice = np.random.default_rng(crc32(model.encode()))
            self._seeds[model] = dice.integers(n, size=(self.rounds, max(n - 1, 1)))
        return self._seeds[model]


def interval(rounds: np.ndarray) -> dict[str, float]:
    return {"low": float(np.quantile(rounds, 0.025)), "high": float(np.quantile(rounds, 0.975))}


def p_value(rounds: np.ndarray) -> float:
    """Two-sided: twice the share of rounds on the other side of 0, counted as (c + 1) / (rounds + 1); at most 1."""
    clean = rounds.round(12)  # a difference of 0 may be a last digit away from it
    fewer = min((clean <= 0).sum(), (clean >= 0).sum())
    return min(1.0, 2 * (int(fewer) + 1) / (len(rounds) + 1))


def number(numbers: Numbers, model: str, measure: str, group: int | None = None) -> dict[str, Any] | None:
    """Mean, interval and single seeds of a model's number."""
    if (found := numbers.values(model, measure, group)) is None:
        return None
    each, rounds = found
    return {"mean": float(each.mean()), **interval(numbers.mean(model, rounds)), "each": [float(one) for one in each]}


def claimed(numbers: Numbers, table: Table, claim: Claim) -> dict[str, Any] | None:
    """The claim's sum of terms with its interval and p-value, and the seeds that would decide it among all CLAIMS.

    None if a row has no finished run.
    """
    parts: dict[str, list[tuple[Term, np.ndarray, np.ndarray]]] = {}
    for term in claim.terms:
        row = table.row(term.row)
        found = numbers.values(row.model, row.measure(term.column), term.group)
        if found is None:
            return None
        parts.setdefault(row.model, []).append((term, *found))
    mean, rounds, at_seeds, between = 0.0, np.zeros(numbers.rounds), np.zeros(numbers.rounds), 0.0
    for model, terms in parts.items():
        each = np.array(sum(term.weight * one for term, one, _ in terms))
        drawn = np.array(sum(term.weight * one for term, _, one in terms))
        mean += float(each.mean())
        rounds += numbers.mean(model, drawn)
        at_seeds += drawn.mean(0)
        between += float(each.var(ddof=1)) if len(each) > 1 else 0.0
    seeds = min(numbers.seeds(model) for model in parts)
    needed = seeds_needed(mean, between, float(at_seeds.var(ddof=1)), z_of(CLAIMS))
    return {"seeds": seeds, "mean": mean, **interval(rounds), "needed": needed, "p": p_value(rounds)}


def computed(numbers: Numbers, table: Table) -> dict[str, Any]:
    """The numbers of a table, as in attn_core.evaluation.paper_tables.measured."""
    rows = {}
    for row in table.rows:
        if not (runs := numbers.records.get(row.model)):
            continue
        found: dict[str, Any] = {"seeds": numbers.seeds(row.model), "updates": runs[0].get("updates")}
        if row.model == ENSEMBLE:
            found["members"] = runs[0]["members"]
        found |= {column: number(numbers, row.model, row.measure(column)) for column in table.columns}
        if table.groups:
            found["groups"] = [number(numbers, row.model, "bleu", group) for group in range(len(LENGTHS))]
        if curves := [one["curve"] for one in runs if "curve" in one]:
            found["curve"] = np.mean(curves, 0).round(3).tolist()
        rows[row.name] = found
    of_claims = replace(numbers, rounds=CLAIM_RESAMPLES, _values={}, _drawn={}, _seeds={})
    return {"rows": rows, "claims": [claimed(of_claims, table, claim) for claim in table.claims]}
