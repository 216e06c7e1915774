"""The papers' claims on the Variants page: each verdict follows from the measured difference and its direction."""

import json
from functools import partial

import pytest

from attn_core.evaluation.variants import claims
from attn_core.evaluation.variants.claims import CLAIMS, UNMEASURED
from tests.lab.apptest import tables, visit

opened = partial(visit, "app.lab.variants.page")


def spread(low: float, high: float) -> dict:
    mean = (low + high) / 2
    return {"mean": mean, "low": low, "high": high, "each": {"1": [mean, low, high], "2": [mean, low, high]}}


@pytest.fixture
def measured(tmp_path, monkeypatch):
    """Measured differences: alternately +2 and -2 BLEU to the model compared with; the last one undecided."""
    rows = {}
    for place, claim in enumerate(CLAIMS):
        low, high = (-1, 1) if claim is CLAIMS[-1] else (1.5, 2.5) if place % 2 else (-2.5, -1.5)
        lengths = [{"from": 1, "to": 8, "sentences": 3, "bleu": 20.0, "difference": spread(low, high)}]
        row = {"bleu": {"1": 20.0, "2": 21.0}, "against": "its base", "difference": spread(low, high)}
        rows[claim.model] = row | {"by_length": lengths}
    found = {"rows": rows, "data": "made up", "sentences": 7, "settings": {"vocabulary": 99, "epochs": 2}}
    path = tmp_path / "claims.json"
    path.write_text(json.dumps(found | {"circumstances": {"date": "2026-01-02T00:00"}}), "utf-8")
    monkeypatch.setattr(claims, "TESTED", path)


def test_each_claim_has_its_verdict(measured):
    (table,) = tables(opened())
    told = dict(zip(table["Claim"], table["Here"], strict=True))
    above = [claim.says for claim in CLAIMS[1:-1:2]]  # in these rows the model is the better one
    for claim in CLAIMS[:-1]:
        assert told[claim.says] == ("supported" if claim.better == (claim.says in above) else "contradicted")
    assert told[CLAIMS[-1].says] == "undecided"
    assert set(told.values()) == {"supported", "contradicted", "undecided"}


def test_an_interval_that_barely_excludes_0_is_undecided_among_several_claims(measured):
    """p = 0.04 alone; among eight claims of which the others are decided or undecided, it is not below 0.05."""
    edge = spread(0.02, 2.0)
    rows = {claim.model: {"difference": edge} for claim in CLAIMS}
    assert claims.verdicts(CLAIMS[:1], rows) == ["supported" if CLAIMS[0].better else "contradicted"]
    assert claims.verdicts(CLAIMS, rows) == ["undecided"] * len(CLAIMS)


def test_a_claim_without_numbers_is_withdrawn_with_the_reason(measured):
    (claim, reason), *_ = UNMEASURED.items()
    app = opened()
    (told,) = [text.value for text in app.markdown if claim.says in text.value]
    assert "This is not measured here." in told
    assert reason in told
    assert claim.says not in tables(app)[0]["Claim"]


def test_the_next_measurement_puts_the_claim_among_the_others(measured):
    record = json.loads(claims.TESTED.read_text("utf-8"))
    (claim, _), *_ = UNMEASURED.items()
    record["rows"][claim.model] = record["rows"][CLAIMS[1].model]
    claims.TESTED.write_text(json.dumps(record), "utf-8")
    app = opened()
    assert claim.says in tables(app)[0]["Claim"]
    assert not any("This is not measured here." in text.value for text in app.markdown)


def test_without_a_measurement_the_page_says_how_to_make_one(tmp_path, monkeypatch):
    monkeypatch.setattr(claims, "TESTED", tmp_path / "none.json")
    app = opened()
    assert any("python -m tests.benchmarks claims" in text.value for text in app.caption)
    assert not tables(app)
