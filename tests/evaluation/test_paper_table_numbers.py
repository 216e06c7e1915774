"""The numbers of the papers' tables: from runs whose answer is known, and from the tracked runs that the pages show."""

import json
import math

import numpy as np
import pytest

from attn_core.data.captions import captions
from attn_core.evaluation import paper_tables
from attn_core.evaluation.bleu import bleu as bleu_of
from attn_core.evaluation.bleu import bleu_of_counts
from attn_core.evaluation.multiple_tests import z_of
from attn_core.evaluation.paper_tables import TABLES
from attn_core.evaluation.paper_tables.table import LENGTHS, Claim, Row, Table, above, judged
from tests.benchmarks.records import finished
from tests.benchmarks.tables import bootstrap
from tests.benchmarks.tables.__main__ import RUNS, main
from tests.benchmarks.tables.bootstrap import Numbers, computed
from tests.benchmarks.tables.measure import matches
from tests.benchmarks.tables.models import MODELS, fingerprint
from tests.benchmarks.tables.text import gold_pairs

ABOUT = {"source": [20, 30, 60], "reference": [4, 4, 4], "sure": [2, 2]}


TOY = Table(
    "toy",
    "Toy",
    "nobody",
    "",
    ("perplexity",),
    (Row("first", "First", "a", {"perplexity": 9.0}), Row("second", "Second", "b")),
    (Claim("Second is better.", "nobody", above("second", "first", "perplexity"), "perplexity"),),
)


def run(model: str, seed: int, matched: int = 3, nats: float = 5.0, **more) -> dict:
    """A run whose translations have 4 words each, `matched` of them in the reference, and no longer n-gram."""
    each = {"bleu": [[4, matched, 0, 0, 0]] * 3, "nll": [nats] * 3}
    record = {"model": model, "seed": seed, "settings": "now", "sentences": each, "cpu_minutes": 6.0, "updates": 9}
    return record | more


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


def test_a_p_value_counts_the_rounds_on_the_other_side_of_0():
    rounds = np.array([1.0] * 996 + [-1.0] * 3)
    assert bootstrap.p_value(rounds) == bootstrap.p_value(-rounds) == pytest.approx(2 * 4 / 1000)
    assert bootstrap.p_value(np.array([1e-16, -1e-16, 0.0])) == 1


def test_bleu_of_the_stored_statistics_is_sacrebleus():
    references = ["ein hund rennt durch den schnee .", "zwei kinder spielen ball .", "ein mann"]
    said = ["ein hund läuft durch den tiefen schnee .", "kinder spielen ball .", "ein hund"]
    about = {"reference": [len(line.split()) for line in references]}
    record = {"sentences": {"bleu": matches(said, references)}}
    sums = bootstrap.statistics(record, "bleu", about).sum(0)
    assert bleu_of_counts(sums) == pytest.approx(bleu_of(said, references).score)
    one = bootstrap.statistics(
        {"sentences": {"bleu": matches(["ein hund"], ["ein mann rennt"])}}, "bleu", {"reference": [3]}
    )
    assert bleu_of_counts(one.sum(0)) == pytest.approx(bleu_of(["ein hund"], ["ein mann rennt"]).score), "smoothed"


def test_perplexity_and_alignment_error_rate_by_hand():
    """12 nats over 4 + 4 words and two ends; 3 + 1 links of which 2 are sure and 3 possible, of 4 sure ones."""
    about = {"reference": [4, 4], "sure": [2, 2]}
    record = {"sentences": {"nll": [4.0, 8.0], "aer": [[3, 2, 2], [1, 0, 1]]}}
    assert bootstrap.perplexity(bootstrap.statistics(record, "perplexity", about).sum(0)) == pytest.approx(
        math.exp(1.2)
    )
    assert bootstrap.aer(bootstrap.statistics(record, "aer", about).sum(0)) == pytest.approx(1 - (2 + 3) / (4 + 4))
    assert bootstrap.statistics(record, "bleu_unk", about) is None


def test_read_by_one_rule_local_m_aligns_worse_than_location():
    """The numbers of the runs themselves: links, sure and possible ones among them, over 8 runs each."""
    found = {}
    sure = sum(json.loads(RUNS.with_suffix(".sentences.json").read_text("utf-8"))["sure"])
    for name in ("general-local-m", "location-global"):
        rates = []
        for one in finished(RUNS):
            if one["model"] == name:
                links, hit, possible = map(sum, zip(*one["sentences"]["aer_own"], strict=True))
                rates.append(1 - (hit + possible) / (links + sure))
        found[name] = sum(rates) / len(rates)
    table = TABLES["aer"]
    (own,) = [
        one
        for claim, one in zip(table.claims, paper_tables.measured(table)["claims"], strict=True)
        if claim.terms == above("general-local-m", "location-global", "aer_own")
    ]
    assert own["mean"] == pytest.approx(found["location-global"] - found["general-local-m"])
    assert judged(own) == "contradicted"


def rounded(value):
    """A JSON value with its numbers rounded to nine digits: the last digits of exp differ between processors."""
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


@pytest.mark.slow
def test_the_shipped_numbers_are_those_of_the_tracked_runs(tmp_path):
    for table in TABLES.values():
        main([table.name, "--table", "--out", str(tmp_path)])
    for table in TABLES.values():
        found, stored = paper_tables.measured(table, tmp_path), paper_tables.measured(table)
        assert rounded(found) == rounded(stored), f"python -m tests.benchmarks tables {table.name}"


@pytest.mark.slow
def test_the_shipped_numbers_agree_with_a_short_bootstrap_of_the_tracked_runs(tmp_path, monkeypatch):
    """Means and rows are equal; p-values of 1000 rounds are near those of the shipped numbers."""
    monkeypatch.setattr(bootstrap, "CLAIM_RESAMPLES", 1000)
    for table in TABLES.values():
        main([table.name, "--table", "--out", str(tmp_path)])
        found, stored = paper_tables.measured(table, tmp_path), paper_tables.measured(table)
        assert rounded(found["rows"]) == rounded(stored["rows"]), f"python -m tests.benchmarks tables {table.name}"
        for one, other in zip(found["claims"], stored["claims"], strict=True):
            assert (one["seeds"], one["mean"]) == (other["seeds"], pytest.approx(other["mean"]))
            assert one["p"] == pytest.approx(other["p"], abs=5 * math.sqrt(other["p"] / 1000) + 0.002)


def test_the_finished_runs_are_those_of_the_settings_of_today():
    """A change of a preset, or a new setting, must not make hours of training worthless unnoticed."""
    stored = {(one["model"], one["settings"]) for one in finished(RUNS)}
    assert {(model, prints) for model, prints in stored if prints != fingerprint(model)} == set()


def test_all_models_take_as_many_updates_in_fp32():
    updates = {}
    for name, model in MODELS.items():
        settings = model.settings
        assert settings["precision"] == "fp32"
        pairs = {2: 14_500, 4: 9_645}[settings["join"]]  # of Multi30k
        updates[name] = settings["epochs"] * math.ceil(pairs / settings["batch"])
    assert max(updates.values()) - min(updates.values()) <= 0.01 * max(updates.values())
    assert len({model.fingerprint() for model in MODELS.values()}) == len(MODELS)


def test_the_text_on_alignments_says_how_many_there_are():
    assert f"at a time into {len(gold_pairs().links)} texts." in TABLES["aer"].about


def test_gold_links_move_with_the_sentences_that_are_joined():
    """Every link of a joined pair joins the same words as in one of its parts."""
    gold = gold_pairs()
    pairs = linked_words()
    for source, target, links in zip(gold.sources, gold.targets, gold.links, strict=True):
        words, others = source.split(), target.split()
        links.check(len(words), len(others))
        assert {(words[i], others[j]) for i, j in links.sure} <= pairs
    assert sum(len(links.sure) for links in gold.links) > 300


def linked_words() -> set[tuple[str, str]]:
    return {(pair.en_tokens[j], pair.de_tokens[i]) for pair in captions() for i, j in pair.sure}
