"""The papers' tables: verdicts, the seeds that would decide, and what the models of a claim differ in."""

import json
from collections import Counter

import pytest

from attn_core.evaluation import paper_tables
from attn_core.evaluation.multiple_tests import holm, z_of
from attn_core.evaluation.paper_tables import TABLES
from attn_core.evaluation.paper_tables.table import (
    STEPS,
    above,
    judged,
    seeds_needed,
    verdict,
)
from attn_core.models.presets import configure
from tests.benchmarks.records import finished
from tests.benchmarks.tables.__main__ import RUNS
from tests.benchmarks.tables.models import ALIGNER, ENSEMBLE, MEMBERS, MODELS, SEEDS

EACH = pytest.mark.parametrize("name", TABLES)


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
