"""The papers' tables: verdicts, the seeds that would decide, the bootstrap, and the order of runs."""

import json
import math
from collections import Counter

import numpy as np
import pytest

from attn_core.evaluation.bleu import bleu as bleu_of
from attn_core.evaluation.bleu import bleu_of_counts
from attn_core.models import paper_tables
from attn_core.models.multiple_tests import holm, z_of
from attn_core.models.paper_tables import TABLES
from attn_core.models.paper_tables.table import (
    STEPS,
    Claim,
    Row,
    Table,
    above,
    judged,
    seeds_needed,
    verdict,
)
from attn_core.models.presets import configure
from tests.benchmarks.records import finished
from tests.benchmarks.tables import bootstrap
from tests.benchmarks.tables.__main__ import RUNS, main
from tests.benchmarks.tables.measure import matches
from tests.benchmarks.tables.models import ALIGNER, ENSEMBLE, MEMBERS, MODELS, SEEDS, fingerprint
from tests.benchmarks.tables.printed import printed
from tests.benchmarks.tables.queue import USUAL, Job, current, left, minutes, missing, queue
from tests.benchmarks.tables.text import gold_pairs

EACH = pytest.mark.parametrize("name", TABLES)
ABOUT = {"source": [20, 30, 60], "reference": [4, 4, 4], "sure": [2, 2]}


def run(model: str, seed: int, matched: int = 3, nats: float = 5.0, **more) -> dict:
    """A run whose translations have 4 words each, `matched` of them in the reference, and no longer n-gram."""
    each = {"bleu": [[4, matched, 0, 0, 0]] * 3, "nll": [nats] * 3}
    record = {"model": model, "seed": seed, "settings": "now", "sentences": each, "cpu_minutes": 6.0, "updates": 9}
    return record | more


def spread(low: float, high: float, p: float = 0.5, seeds: int = 5, needed: int | None = 7, **more) -> dict:
    found = {"seeds": seeds, "mean": (low + high) / 2, "low": low, "high": high, "needed": needed}
    return found | {"p_corrected": p, "claims": 9, "steps": {}} | more


def test_a_verdict_needs_five_runs_and_a_small_corrected_p():
    assert judged(spread(0.1, 2, 0.049)) == "reproduced"
    assert judged(spread(-2, -0.1, 0.049)) == "contradicted"
    assert judged(spread(-0.1, 2)) == judged(spread(0.1, 2, 0.05)) == "undecided"
    assert judged(spread(0.1, 2, 0.01, seeds=4)) == "few"
    assert judged(None) == "none"
    assert verdict(spread(0.1, 2, seeds=4)) == "too few runs: 4 of 5"
    assert verdict(None) == "too few runs: 0 of 5"
    assert verdict(spread(0.1, 2, 0.06)) == (
        "undecided: the interval excludes 0, but among 9 claims that may be chance (corrected p = 0.06)"
    )
    assert verdict(spread(-1, 2, needed=23)) == "undecided: the interval includes 0; about 23 seeds would decide"
    assert verdict(spread(-1, 2, needed=None)) == (
        "undecided: if the difference stays this small, only a larger test set can decide"
    )
    assert verdict(spread(-1, 2, needed=23), no_worse=True).startswith("undecided: the interval includes 0, which")
    assert verdict(spread(-2, -1, 0.01), no_worse=True) == "contradicted"


def test_alignments_read_with_two_rules_get_no_verdict_and_one_rule_is_named():
    """The step is that of the models: location scores by their own step, content-based ones by the next."""
    two = verdict(spread(0.4, 0.5, 0.001, steps={"local": "next", "global": "own"}))
    assert two == (
        "no verdict: the models align words by different steps "
        "(local by the step that reads the word, global by the step that predicts the word)"
    )
    one = verdict(spread(0.4, 0.5, 0.001, steps={"local": "own", "global": "own"}))
    assert one == "reproduced (words aligned by the step that predicts the word)"
    for table in TABLES.values():
        for row in table.rows:
            if "aer" in table.columns and row.model != ALIGNER:
                name = MEMBERS if row.model == ENSEMBLE else row.model
                config, _ = configure(MODELS[name].preset, MODELS[name].settings)
                assert row.step == ("own" if config["score"] == "location" else "next"), row.name
        for claim, own in zip(table.claims, paper_tables.measured(table)["claims"], strict=True):
            rules = {
                "own" if term.column == "aer_own" else table.row(term.row).step
                for term in claim.terms
                if term.column.startswith("aer") and table.row(term.row).model != ALIGNER
            }
            assert (judged(own) == "mixed") <= (len(rules) == 2)
            if len(rules) == 1 and judged(own) not in ("none", "few"):
                assert STEPS[rules.pop()] in verdict(own)


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


GROUPS = {  # the settings of what two models can differ in, by the start of their names; of these, the first match
    "reverse": ("encoder.reverse",),
    "encoder": ("encoder",),
    "score": ("attention.score",),
    "window": ("attention.window", "train.wide"),
    "feeding": ("decoder.feeding",),
    "text": ("train.join", "train.epochs"),
    "dropout": ("dropout",),
}


def different(one: str, other: str) -> set[str]:
    """What two models differ in, from all their settings."""
    settings = []
    for name in (one, other):
        model, recipe = configure(MODELS[name].preset, MODELS[name].settings)
        settings.append(model.flat() | {f"train.{key}": value for key, value in recipe.to_json().items()})
    names = {
        key for key in settings[0].keys() | settings[1].keys() if settings[0].get(key, "") != settings[1].get(key, "")
    }
    if len({of["attention.score"] is None for of in settings}) == 2:  # one has no attention
        names = {key for key in names if not key.startswith("attention")} | {"attention"}
    found = set()
    for key in names - {"attention", "train.wide"}:
        (group, *_more) = [group for group, starts in GROUPS.items() if key.startswith(starts)]
        found.add(group)
    return found | (names & {"attention"})


@EACH
def test_a_claim_names_what_its_models_differ_in_if_more_than_one_thing(name):
    table = TABLES[name]
    for claim in table.claims:
        models = {MEMBERS if (model := table.row(term.row).model) == ENSEMBLE else model for term in claim.terms}
        if len(models) == 2 and ALIGNER not in models:
            things = different(*models)
            assert set(claim.differ) == (things if len(things) > 1 else set()), claim.says


@EACH
def test_the_control_of_a_claim_changes_one_thing(name):
    table = TABLES[name]
    for claim in table.claims:
        if claim.control is not None:
            first, *_others = (table.row(term.row).model for term in claim.terms)
            assert len(different(first, table.row(claim.control).model)) == 1, claim.says


def test_local_p_is_compared_with_a_model_that_differs_in_the_window_only():
    table, rows = TABLES["ladder"], paper_tables.measured(TABLES["ladder"])["rows"]
    assert different(table.row("general").model, table.row("local").model) == {"window"}
    bleu = {name: rows[name]["bleu"]["mean"] for name in ("feed", "general", "local")}
    assert (bleu["general"] - bleu["feed"]) / (bleu["local"] - bleu["feed"]) > 0.9, "nearly all of it is the score's"
    names = [row.name for row in table.rows]
    assert names.index("general") + 1 == names.index("local"), "beside it"
    (own,) = [
        one
        for claim, one in zip(table.claims, paper_tables.measured(table)["claims"], strict=True)
        if claim.terms == above("local", "general")
    ]
    assert judged(own) == "undecided"


def test_the_correction_for_many_claims_by_hand():
    """Holm: 4 x 0.01, 3 x 0.02, 2 x 0.04 and 1 x 0.05, never smaller than the one before, in the order given."""
    assert holm([0.04, 0.01, 0.05, 0.02]) == pytest.approx([0.08, 0.04, 0.08, 0.06])
    assert holm([0.5, 0.9]) == [1, 1]
    assert holm([]) == []
    assert z_of(1) == pytest.approx(1.96, abs=1e-3)
    assert z_of(5) == pytest.approx(2.576, abs=1e-3)


def test_a_p_value_counts_the_rounds_on_the_other_side_of_0():
    rounds = np.array([1.0] * 996 + [-1.0] * 3)
    assert bootstrap.p_value(rounds) == bootstrap.p_value(-rounds) == pytest.approx(2 * 4 / 1000)
    assert bootstrap.p_value(np.array([1e-16, -1e-16, 0.0])) == 1


def test_the_claims_of_all_tables_are_corrected_together():
    names = [claim for table in TABLES.values() for claim in paper_tables.measured(table)["claims"]]
    judged_ones = [claim for claim in names if judged(claim) not in ("none", "few", "mixed")]
    assert [claim["p_corrected"] for claim in judged_ones] == holm([claim["p"] for claim in judged_ones])
    assert {claim["claims"] for claim in judged_ones} == {len(judged_ones)}
    edge = [claim for claim in judged_ones if claim["low"] > 0 and claim["p"] > 0.01]
    assert [judged(claim) for claim in edge] == ["undecided"] * len(edge)
    assert edge, "concat and general with local-m"


def test_an_ensemble_is_one_run_and_gets_no_verdict():
    runs = Counter(one["model"] for one in finished(RUNS))
    for table in TABLES.values():
        found = paper_tables.measured(table)
        for row in table.rows:
            assert found["rows"][row.name]["seeds"] == runs[row.model], row.name
            assert found["rows"][row.name].get("members") == (len(SEEDS) if row.model == ENSEMBLE else None)
        for claim, own in zip(table.claims, found["claims"], strict=True):
            of_ensemble = any(table.row(term.row).model == ENSEMBLE for term in claim.terms)
            assert (judged(own) == "few") == of_ensemble, claim.says


def test_numbers_of_other_claims_than_todays_are_left_out(tmp_path):
    (tmp_path / "aer.json").write_text(json.dumps({"rows": {}, "claims": [{"seeds": 8, "mean": 1.0}]}), "utf-8")
    assert paper_tables.measured(TABLES["aer"], tmp_path)["claims"] == [None] * len(TABLES["aer"].claims)


def test_the_seeds_that_would_decide():
    """A difference of 1.96 has an interval of half that width if seeds / n + sentences is 1: n = 12 / (1 - 0.25)."""
    assert seeds_needed(1.96, 12, 0.25) == 16
    assert seeds_needed(-1.96, 12, 0.25) == 16, "whichever side of 0"
    assert seeds_needed(1.96, 12.01, 0.25) == 17, "rounded up"
    assert seeds_needed(1.96, 1, 0.25) == 5, "never fewer than a verdict needs"
    assert seeds_needed(1.96, 12, 1) is None, "more seeds do not help against too few sentences"


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


TOY = Table(
    "toy",
    "Toy",
    "nobody",
    "",
    ("perplexity",),
    (Row("first", "First", "a", {"perplexity": 9.0}), Row("second", "Second", "b")),
    (Claim("Second is better.", "nobody", above("second", "first", "perplexity"), "perplexity"),),
)


@EACH
def test_after_k_passes_each_row_has_k_seeds(name):
    table = TABLES[name]
    models = {row.model for row in table.rows} - {ENSEMBLE}
    jobs = queue(table)
    assert len(set(jobs)) == len(jobs)
    single = [job for job in jobs if job.model != ENSEMBLE]
    for k in SEEDS:
        assert {(job.model, job.seed) for job in single[: k * len(models)]} == {
            (model, seed) for model in models for seed in range(1, k + 1)
        }
    assert len(single) == len(models) * len(SEEDS)


@EACH
def test_rows_and_claims_name_what_exists(name):
    table = TABLES[name]
    assert {row.model for row in table.rows} <= {*MODELS, ENSEMBLE, ALIGNER}
    assert len({row.name for row in table.rows}) == len(table.rows)
    for claim in table.claims:
        for term in claim.terms:
            assert table.row(term.row)
            assert term.column in table.columns
            assert term.group is None or table.groups
        assert sum(term.weight for term in claim.terms) == 0
    for row in table.rows:
        assert row.paper.keys() <= set(table.columns)


def test_all_models_take_as_many_updates_in_fp32():
    updates = {}
    for name, model in MODELS.items():
        settings = model.settings
        assert settings["precision"] == "fp32"
        pairs = {2: 14_500, 4: 9_645}[settings["join"]]  # of Multi30k
        updates[name] = settings["epochs"] * math.ceil(pairs / settings["batch"])
    assert max(updates.values()) - min(updates.values()) <= 0.01 * max(updates.values())
    assert len({model.fingerprint() for model in MODELS.values()}) == len(MODELS)


def test_runs_with_other_settings_do_not_count():
    table = TABLES["length"]
    prints = dict.fromkeys(MODELS, "now")
    old = run("search-long", 1, settings="before")
    done = current([old, run("search-long", 1, cpu_minutes=3.0), run("search-long", 1)], prints)
    assert done == {Job("search-long", 1): run("search-long", 1, cpu_minutes=3.0)}, "the first with these settings"
    assert Job("search-long", 1) not in missing(queue(table), done, [])
    assert len(missing(queue(table), done, [])) == len(queue(table)) - 1


def test_an_ensemble_waits_for_its_members_and_has_missing_weights_trained_again():
    jobs = queue(TABLES["ladder"])
    done = [job for job in jobs if job.model != ENSEMBLE]
    lost = Job(MEMBERS, 3)
    here = [job for job in done if job != lost]
    assert missing(jobs, done, here) == [lost, Job(ENSEMBLE, 1)]
    assert missing(jobs, jobs, []) == [], "weights are of no use once the ensemble is measured"
    assert Job(ENSEMBLE, 1).members == tuple(Job(MEMBERS, seed) for seed in SEEDS)


def test_the_hours_that_remain():
    """Two runs of 6 minutes are expected where one of 6 was measured; without a measurement a usual time counts."""
    done = {Job("base", 1): run("base", 1)}
    jobs = [Job("base", 2), Job("reverse", 1)]
    assert left(jobs, done) == "2 runs are left, about 0.2 core hours."
    assert left(jobs[:1], done) == "1 run is left, about 0.1 core hours."
    assert minutes(jobs[0], {}) == USUAL
    assert minutes(Job("base", 2), done | {Job("reverse", 1): run("reverse", 1, cpu_minutes=60.0)}) == 6


def test_eight_seeds_of_all_tables_take_at_most_60_core_hours():
    jobs = {job for table in TABLES.values() for job in queue(table)}
    assert sum(minutes(job, {}) for job in jobs) / 60 <= 60


@EACH
def test_without_runs_a_table_has_the_papers_numbers_only(name, tmp_path):
    table = TABLES[name]
    assert paper_tables.measured(table, tmp_path) is None
    text = printed(table, None)
    for row in table.rows:
        for column in row.paper:
            assert row.in_paper(column) in text
    assert text.count("too few runs: 0 of 5") == len(table.claims)


def test_the_finished_runs_are_those_of_the_settings_of_today():
    """A change of a preset, or a new setting, must not make hours of training worthless unnoticed."""
    stored = {(one["model"], one["settings"]) for one in finished(RUNS)}
    assert {(model, prints) for model, prints in stored if prints != fingerprint(model)} == set()


def test_the_fingerprint_changes_with_the_settings_alone(monkeypatch):
    before = fingerprint("base")
    assert before == fingerprint("base")
    monkeypatch.setitem(
        MODELS, "base", type(MODELS["base"])(MODELS["base"].preset, MODELS["base"].own | {"epochs": 10})
    )
    assert fingerprint("base") != before


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
        assert rounded(found) == rounded(stored), f"make table-{table.name}"


def test_the_shipped_numbers_agree_with_a_short_bootstrap_of_the_tracked_runs(tmp_path, monkeypatch):
    """Means and rows are equal; p-values of 1000 rounds are near those of the shipped numbers."""
    monkeypatch.setattr(bootstrap, "CLAIM_RESAMPLES", 1000)
    for table in TABLES.values():
        main([table.name, "--table", "--out", str(tmp_path)])
        found, stored = paper_tables.measured(table, tmp_path), paper_tables.measured(table)
        assert rounded(found["rows"]) == rounded(stored["rows"]), f"make table-{table.name}"
        for one, other in zip(found["claims"], stored["claims"], strict=True):
            assert (one["seeds"], one["mean"]) == (other["seeds"], pytest.approx(other["mean"]))
            assert one["p"] == pytest.approx(other["p"], abs=5 * math.sqrt(other["p"] / 1000) + 0.002)


def test_the_text_on_alignments_says_how_many_there_are():
    assert f"at a time into {len(gold_pairs().links)} texts." in TABLES["aer"].about
