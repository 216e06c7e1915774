"""The intervals of the tables, from runs whose answer is known."""

import math

import numpy as np
import pytest

from attn_core.models.multiple_tests import z_of
from attn_core.models.paper_tables.table import (
    LENGTHS,
    Claim,
    Row,
    Table,
    above,
)
from tests.benchmarks.tables import bootstrap
from tests.benchmarks.tables.bootstrap import Numbers, computed
from tests.benchmarks.test_tables import ABOUT, TOY, run


def toy(first: list[float], second: list[float]) -> dict:
    """The numbers of TOY when the seeds have these nats per sentence of 5 words, `</s>` included."""
    nats = {"a": first, "b": second}
    records = {name: [run(name, seed, nats=5 * one) for seed, one in enumerate(of, 1)] for name, of in nats.items()}
    return computed(Numbers({name: of for name, of in records.items() if of}, ABOUT), TOY)


def test_a_table_from_runs_whose_sentences_are_all_alike():
    """Resampled sentences change nothing then, so the interval comes from the seeds; with equal seeds it is a point."""
    found = toy([2.0] * 5, [1.0] * 5)
    difference = math.exp(2) - math.exp(1)
    assert found["rows"]["first"]["perplexity"]["mean"] == pytest.approx(math.exp(2))
    (claim,) = found["claims"]
    assert (claim["mean"], claim["low"], claim["high"]) == pytest.approx((difference,) * 3)
    least = pytest.approx(2 / (bootstrap.CLAIM_RESAMPLES + 1))
    assert (claim["seeds"], claim["needed"], claim["p"]) == (5, 5, least)
    assert toy([1.0] * 5, [2.0] * 5)["claims"][0]["p"] == least
    assert toy([2.0] * 5, [1.0] * 4)["claims"][0]["seeds"] == 4, "the row with the fewest seeds decides"
    assert toy([2.0], [])["claims"] == [None]


def test_seeds_that_differ_widen_the_interval_as_far_as_their_variance_says():
    nats = [math.log(value) for value in (6.0, 8.0, 10.0, 12.0, 14.0)]
    found = toy(nats, [math.log(9.5)] * 5)
    (claim,) = found["claims"]
    assert claim["mean"] == pytest.approx(0.5)
    error = math.sqrt(10 / 5)  # the variance of 6, 8, ..., 14 is 10
    assert (claim["high"] - claim["low"]) / (2 * 1.96) == pytest.approx(error, rel=0.15)
    assert claim["needed"] == math.ceil(10 * (z_of(bootstrap.CLAIMS) / 0.5) ** 2)
    assert claim["p"] == pytest.approx(1 - 85 / 625, abs=0.01), "4 of 5 seeds are drawn; 85 of 625 draws sum to 40"
    assert found["rows"]["first"]["perplexity"]["each"] == pytest.approx([6, 8, 10, 12, 14])


def test_a_claim_about_one_model_draws_its_seeds_together():
    """Replacement changes nothing here, and seeds differ: drawn apart, their difference would not always be 0."""
    counts = [[[4, right, 0, 0, 0]] * 3 for right in (1, 2, 1, 3, 1)]
    runs = [run("m", seed, sentences={"bleu": one, "bleu_unk": one}) for seed, one in enumerate(counts, 1)]
    rows = (Row("before", "", "m"), Row("after", "", "m", {}, {"bleu": "bleu_unk"}))
    table = Table("t", "", "", "", ("bleu",), rows, (Claim("", "", above("after", "before")),))
    (claim,) = computed(Numbers({"m": runs}, ABOUT), table)["claims"]
    assert claim["low"] == claim["high"] == 0
    assert claim["p"] == 1


def test_the_same_sentences_are_drawn_for_all():
    numbers = Numbers({}, ABOUT)
    drawn = numbers._sentences(3)
    assert drawn is numbers._sentences(3)
    assert (drawn.sum(1) == 3).all()
    assert np.array_equal(drawn, Numbers({}, ABOUT)._sentences(3)), "and in every table"


def test_a_group_has_the_sentences_of_its_lengths():
    """Only the sentence of 60 words is in the last group; it has all words right."""
    counts = [[4, 1, 0, 0, 0], [4, 1, 0, 0, 0], [4, 4, 3, 2, 1]]
    numbers = Numbers({"m": [run("m", 1, sentences={"bleu": counts})]}, ABOUT)
    each, _ = numbers.values("m", "bleu", len(LENGTHS) - 1)
    assert each.tolist() == pytest.approx([100])
    assert [sum(low <= words <= high for low, high in LENGTHS) for words in range(1, 101)] == [1] * 100
