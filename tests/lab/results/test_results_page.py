"""The Results page: the papers' numbers alone without runs, and ours beside them with runs."""

import json
from collections import Counter
from functools import partial

import pytest

from app.lab.kit import charts
from app.lab.kit.evidence import Drawing
from app.lab.results import chart, data
from app.lab.results.page import PAGE
from attn_core.evaluation import paper_tables
from attn_core.evaluation.paper_tables import TABLES
from attn_core.evaluation.paper_tables.table import LENGTHS
from attn_core.evaluation.shipped_alignment import MODELS
from attn_core.models.folders import ROOT
from tests.lab.apptest import tables, visit

opened = partial(visit, "app.lab.results.page")
EACH = pytest.mark.parametrize("name", TABLES)


def number(mean: float) -> dict:
    return {"mean": mean, "low": mean - 1, "high": mean + 1, "each": [mean - 0.5, mean + 0.5]}


def made(table, seeds: int, low: float = 0.5) -> dict:
    """Numbers of every row of a table, and the same difference for every claim."""
    rows = {}
    for place, row in enumerate(table.rows):
        rows[row.name] = {"seeds": seeds, "curve": [[20.0, 5.0], [12.5, 9.0]]}
        rows[row.name] |= {column: number(30.0 + place) for column in table.columns}
        rows[row.name]["groups"] = [number(20.0 - group) for group in range(len(LENGTHS))]
    p = 0.5 if low < 0 < low + 2 else 1e-4
    claim = {"seeds": seeds, "mean": low + 1, "low": low, "high": low + 2, "needed": 12, "p": p}
    claims = [claim] * len(table.claims)
    return {"rows": rows, "claims": claims, "last": "2026-01-02T03:04", "processors": ["a processor"]}


@pytest.fixture
def numbers(tmp_path, monkeypatch):
    """A function that makes the page find these numbers of a table."""
    kept = paper_tables.measured

    def put(table, found):
        (tmp_path / f"{table.name}.json").write_text(json.dumps(found), "utf-8")

    monkeypatch.setattr(paper_tables, "measured", lambda table: kept(table, tmp_path))
    return put


@EACH
def test_without_a_run_a_table_has_the_papers_numbers_and_no_others(name, numbers):
    table = TABLES[name]
    text, rows, folded, method = list(data.blocks(name))
    assert "Not measured here yet" in text.text
    in_paper = [row.in_paper(column) for row in table.rows for column in table.columns if column in row.paper]
    cells = [cell for line in rows.rows for cell in line[1:]]
    assert Counter(cell for cell in cells if cell != "–") == Counter(in_paper)
    assert folded.title == f"{len(table.claims)} claims without a verdict yet"
    (claims,) = folded.blocks
    assert claims.columns == ("Claim", "Source", "Difference in the paper")
    assert [one.text for one in method.blocks] == [table.about]
    assert [line[0].partition(" (They differ in: ")[0] for line in claims.rows] == [
        claim.says for claim in table.claims
    ]
    for line, claim in zip(claims.rows, table.claims, strict=True):
        things = line[0].partition(" (They differ in: ")[2].partition(".")[0]
        assert things.count(" + ") == max(len(claim.differ) - 1, 0)
        assert (claim.differ == ("score", "window")) == ("”, which changes" in line[0]) == (claim.control is not None)


@EACH
def test_with_runs_ours_stand_beside_the_papers_numbers(name, numbers):
    table = TABLES[name]
    numbers(table, made(table, 8))
    found = list(data.blocks(name))
    rows, claims = found[0], found[-2]
    for line, row in zip(rows.rows, table.rows, strict=True):
        assert line[1] == "8"
        assert any(f"{30 + table.rows.index(row)}.0" in cell for cell in line)
        assert all(row.in_paper(column) in line for column in row.paper)
    marks = {line[4].partition(" (")[0].partition(":")[0] for line in claims.rows}
    assert marks == {"✓ reproduced"} | ({"– no verdict"} if name == "aer" else set())
    drawings = [block for block in found if isinstance(block, Drawing)]
    for drawing in drawings:
        assert charts.chart(drawing, dark=True).to_dict()
        assert drawing.text
    legend = charts.chart(found[1], dark=True).to_dict()["layer"][0]["encoding"]["color"]["scale"]["domain"]
    assert legend == ["here, with 95% interval", "single seeds", "paper"]
    assert len(drawings) == 1 + table.groups + (name == "ladder")
    assert "2026-01-02" in found[-1].blocks[-1].text


def test_only_claims_without_a_verdict_are_folded(numbers):
    table = TABLES["aer"]
    found = made(table, 8)
    found["claims"] = [None, *found["claims"][1:-1], found["claims"][-1] | {"seeds": 4}]
    numbers(table, found)
    *_more, known, folded, _method = list(data.blocks("aer"))
    assert [line[0].partition(" (They")[0] for line in known.rows] == [claim.says for claim in table.claims[1:-1]]
    assert folded.title == "2 claims without a verdict yet"
    assert [line[4] for line in folded.blocks[0].rows] == ["○ too few runs: 0 of 5", "◔ too few runs: 4 of 5"]


@pytest.mark.parametrize(
    ("seeds", "low", "chip"),
    [
        (5, -3.0, "✗ contradicted"),
        (5, -1.0, "? undecided: the interval includes 0; about 12 seeds would decide"),
    ],
)
def test_each_verdict_has_its_mark(seeds, low, chip, numbers):
    numbers(TABLES["aer"], made(TABLES["aer"], seeds, low))
    claims = list(data.blocks("aer"))[-2]
    shown = zip(claims.rows, TABLES["aer"].claims, strict=True)
    said = {line[4].partition(" (words aligned by")[0] for line, claim in shown if not claim.no_worse}
    assert {one for one in said if not one.startswith("– no verdict: ")} == {chip}


def test_an_ensemble_shows_its_one_run():
    rows = {line[0]: line[1] for line in next(data.blocks("ladder")).rows}
    assert rows["Ensemble of 8 + replacement"] == "1 (of 8 models)"
    assert rows["Base"] == "8"


def test_the_page_states_the_error_rate_and_what_bleu_was_measured_on():
    for name in TABLES:
        caption = list(data.blocks(name))[-1].blocks[-1].text
        assert "corrected for the 30 claims that all tables judge (Holm 1979)" in caption
        assert "test_2016_flickr, tokenised and lower-cased, captions joined, beam 5" in caption


def test_the_papers_own_difference_is_that_of_its_rows():
    """Table 1: 12.6 - 11.3 for the reversed source; AER: .39 - .34 for local attention; none for local-m (dot)."""
    ladder, aer, grid = (TABLES[name] for name in ("ladder", "aer", "grid"))
    assert data.in_paper(ladder, ladder.claims[0]) == pytest.approx(1.3)
    assert data.in_paper(aer, aer.claims[0]) == pytest.approx(0.05)
    (dot,) = [claim for claim in grid.claims if "local-m, dot" in claim.says]
    assert data.in_paper(grid, dot) is None
    for table in TABLES.values():
        for claim in table.claims:
            known = data.in_paper(table, claim)
            assert known is None or known > 0 or (claim.no_worse and known == 0), "every claim is the paper's own"


def test_the_shipped_models_have_the_rates_of_their_cards():
    table, _caption = data.shipped()
    assert table.columns[2:] == MODELS
    assert [line[:2] for line in table.rows] == [
        *(("German to English", "61"), ("English to German", "61")),
        *(("English to French", "37"), ("Chinese to English", "35")),
    ]
    shown = {}
    for line, codes in zip(table.rows, ("", "-en-de", "-en-fr", "-zh-en"), strict=True):
        shown |= dict(zip((f"{model}{codes}" for model in MODELS), line[2:], strict=True))
    for name, cell in shown.items():
        path = ROOT / "pretrained" / name / "config.json"
        assert cell == (
            f"{json.loads(path.read_text('utf-8'))['about']['alignment']['aer']:.2f}" if path.is_file() else "–"
        )
    assert sum(cell != "–" for cell in shown.values()) > len(MODELS)


def test_a_model_that_is_missing_or_was_measured_on_other_pairs_has_a_dash(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    table, _caption = data.shipped()
    assert {cell for line in table.rows for cell in line[2:]} == {"–"}

    def put(pairs: int) -> None:
        (tmp_path / "transformer-en-fr").mkdir(exist_ok=True)
        about = {"source_lang": "en", "target_lang": "fr", "alignment": {"pairs": pairs, "aer": 0.25}}
        record = {"format": 2, "name": "transformer-en-fr", "about": about}
        (tmp_path / "transformer-en-fr/config.json").write_text(json.dumps(record), "utf-8")

    for pairs, rate in ((36, "–"), (37, "0.25")):
        put(pairs)
        table, _caption = data.shipped()
        assert table.rows[2] == ("English to French", "37", "–", "–", "–", rate)


def test_the_page_shows_every_table():
    app = opened()
    assert [one.value for one in app.subheader][: len(TABLES)] == [table.title for table in TABLES.values()]
    assert len(tables(app)) >= 2 * len(TABLES)
    assert not any(section.text for section in PAGE.sections if section.blocks)  # numbers come first


def test_the_height_of_a_chart_is_that_of_its_plot():
    """Streamlit's default takes it for plot and legend together, which leaves no plot beside six names."""
    curves = [{"of": str(n), "epoch": epoch, "perplexity": n + epoch} for n in range(6) for epoch in (1, 2, 3)]
    groups = [{"of": "a", "place": place, "mean": 3, "low": 2, "high": 4} for place in (0, 1)]
    for drawn in (chart.learning(curves, dark=False), chart.by_length(groups, ["short", "long"], dark=False)):
        assert drawn.to_dict()["autosize"] == {"type": "fit-x", "contains": "padding"}


def test_the_perplexity_of_frequencies_by_hand():
    """a: 2 of 4; b and c: 1 each. All: 2^(1.5). One word kept: two tokens of 1/2 each, perplexity 2."""
    counts = Counter("aabc")
    assert data.unigram(counts, 3) == pytest.approx(2**1.5)
    assert data.unigram(counts, 1) == pytest.approx(2)


def test_the_answers_of_the_cards_are_true():
    (apart,) = data.one_seed().figure.series.values()
    assert max(apart) > 1
    (values,) = data.smaller_vocabulary().figure.series.values()
    assert values == sorted(values)
    assert values[0] < values[-1] / 1.5
