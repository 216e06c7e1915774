"""The Variants page: a table with all differences, rows that open, and the measured numbers."""

import json
import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from app.lab.variants.data import groups, row
from attn_core.evaluation.variants import claims, results
from attn_core.models.variants import VARIANTS
from tests.lab.apptest import visit as visit_page

EACH = pytest.mark.parametrize("name", VARIANTS)


opened = partial(visit_page, "app.lab.variants.page")


def texts(app: AppTest) -> list[str]:
    return [element.value for element in (*app.subheader, *app.main.markdown, *app.caption)]


# The column that shows a setting.
TOLD = {
    "Score": ("score", "bias", "scale", "normed", "identity_source", "unmasked_fixed", "normalizer"),
    "Window": ("window", "center_rule"),
    "Order": ("order", "update", "query", "recurrent"),
    "Cell": ("cell", "reset", "input_layer", "biases"),
    "Encoder": ("bidirectional", "directions"),
    "Initial state": ("start", "first_word"),
    "Output layer": ("combine", "combine_bias", "readout"),
    "Decoder input": ("feeding", "dropout_once"),
    "Padding": ("padding",),
    "Training": ("teacher_forcing",),
}
# From the sources: the columns in which each variant differs from its paper.
OTHERWISE = {
    "bahdanau2015": "",
    "groundhog": "Order",
    "annotated-encoder-decoder": "Cell, Initial state, Output layer",
    "bentrevett": "Score, Cell, Initial state, Output layer, Padding, Training",
    "pytorch-tutorial": "Score, Order, Cell, Encoder, Initial state, Output layer, Training",
    "tf-tutorial": "Score, Order, Cell, Encoder, Initial state, Output layer, Padding",
    "tf-nmt-normed-bahdanau": "Score, Order, Cell, Initial state, Output layer, Decoder input",
    "gnmt": "Score, Order, Cell, Initial state, Output layer, Decoder input",
    "gnmt-v2": "Score, Order, Cell, Initial state, Output layer, Decoder input",
    "joeynmt-bahdanau": "Order, Initial state, Output layer, Decoder input",
    "luong2015": "",
    "nmt-matlab": "Window, Cell",
    "nmt-matlab-concat": "Score, Cell",
    "nmt-matlab-location": "Score, Cell",
    "tf-nmt-scaled-luong": "Score, Output layer",
    "opennmt-general": "Decoder input",
    "opennmt-dot": "Decoder input",
    "opennmt-mlp": "Score, Output layer, Decoder input",
    "opennmt-sparsemax": "Score, Decoder input",
    "joeynmt-luong": "Cell, Encoder, Initial state, Output layer",
    "kevinlu1211": "Score, Cell, Encoder, Output layer, Decoder input, Padding",
}


@EACH
def test_the_table_marks_what_the_sources_do_otherwise(name):
    cells = row(VARIANTS[name])["cells"]
    assert [cell["column"] for cell in cells] == list(TOLD)
    assert ", ".join(cell["column"] for cell in cells if cell["other"]) == OTHERWISE[name]
    assert all(cell["text"] for cell in cells)


@EACH
def test_no_difference_goes_without_a_mark(name):
    """Every setting that differs is marked; a column whose text omits it would hide the difference."""
    marked = {cell["column"] for cell in row(VARIANTS[name])["cells"] if cell["other"]}
    for setting in VARIANTS[name].differences():
        (column,) = [column for column, settings in TOLD.items() if setting in settings]
        assert column in marked, setting


def test_every_variant_stands_under_its_paper():
    found = groups()
    assert [group["rows"][0]["name"] for group in found] == ["bahdanau2015", "luong2015"]
    assert sorted(one["name"] for group in found for one in group["rows"]) == sorted(VARIANTS)
    assert found[0]["title"] == "Bahdanau 2015 and variants under that name"


@pytest.mark.quick(1)
@EACH
def test_a_row_opens_with_its_words_and_its_equations(name):
    variant = VARIANTS[name]
    said = texts(opened(variant=name))
    assert variant.title in said
    for change in variant.changes:
        assert any(change.words in text for text in said)
    marked = [text for text in said if r"\color" in text]
    formula_changes = {
        "score",
        "combine",
        "order",
        "start",
        "padding",
        "directions",
        "bias",
        "recurrent",
        "feeding",
    }
    assert bool(marked) == bool(formula_changes & set(variant.differences()) or variant.name in _WRITTEN)


# Variants whose formulas differ in other settings.
_WRITTEN = (
    *(
        "groundhog",
        "nmt-matlab",
        "nmt-matlab-concat",
        "nmt-matlab-location",
        "tf-nmt-scaled-luong",
        "opennmt-sparsemax",
    ),
    "annotated-encoder-decoder",
)


def test_an_unknown_row_is_the_first_choice():
    app = opened(variant="nobody*")
    assert VARIANTS["bentrevett"].title in texts(app)
    assert "no variant “nobody\\*”" in app.warning[0].value


def measured_as(tmp_path, monkeypatch, low: float, high: float) -> None:
    difference = {"mean": 0.5, "low": low, "high": high, "each": {"1": [0.4, 0.1, 0.8], "2": [0.6, 0.2, 0.9]}}
    rows = {
        "bahdanau2015": {"bleu": {"1": 20.0, "2": 21.0}, "mean": 20.5},
        "groundhog": {
            "bleu": {"1": 20.4, "2": 21.6},
            "mean": 21.0,
            "against": "bahdanau2015",
            "difference": difference,
        },
    }
    found = {"rows": rows, "data": "made up", "sentences": 7, "settings": {"vocabulary": 99, "epochs": 2}}
    path = tmp_path / "measured.json"
    path.write_text(json.dumps(found | {"circumstances": {"date": "2026-01-02T00:00"}}), "utf-8")
    monkeypatch.setattr(results, "MEASURED", path)


@pytest.mark.slow
@pytest.mark.parametrize(("low", "high", "says"), [(0.2, 0.9, "excludes 0"), (-0.2, 0.9, "no evidence")])
def test_what_was_measured_is_told(tmp_path, monkeypatch, low, high, says):
    measured_as(tmp_path, monkeypatch, low, high)
    app = opened(variant="groundhog")
    (text,) = [text for text in texts(app) if text.startswith("BLEU 21.00 on average over 2 seeds (20.4, 21.6). ")]
    assert "model has 20.50. The difference is +0.50, 95% interval " in text
    assert f"interval {'−' if low < 0 else '+'}0.20 to +0.90, " in text
    assert says in text
    assert app.get("vega_lite_chart")
    assert any("20.0, 21.0" in text for text in texts(opened(variant="bahdanau2015")))
    assert any("not trained for the comparison" in text for text in texts(opened(variant="gnmt")))


def test_without_a_measurement_the_page_says_how_to_make_one(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "MEASURED", tmp_path / "none.json")
    monkeypatch.setattr(claims, "TESTED", tmp_path / "none.json")  # its own test is in test_claims_page.py
    app = opened(variant="groundhog")
    assert any("python -m tests.benchmarks variants" in text for text in texts(app))
    assert not app.get("vega_lite_chart")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_click_opens_a_row(visit: Callable[..., Page], width: int):
    page = visit("variants", ".vt tr[data-name=gnmt] button", width=width, height=900)
    page.locator(".vt tr[data-name=gnmt] button").click()
    one = page.locator(".st-key-variant_open")
    expect(one.get_by_role("heading")).to_have_text(VARIANTS["gnmt"].title)
    expect(page).to_have_url(re.compile("variant=gnmt"))
    expect(page.locator(".vt tr.vt-on")).to_have_attribute("data-name", "gnmt")
    expect(one).to_be_in_viewport()
    seen = page.locator(".vt tr[data-name=gnmt] td.vt-same").first
    expect(seen).to_be_visible(visible=width > 700)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
