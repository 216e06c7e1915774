"""The files that the page makes itself, also on the site, and their names."""

import csv
import io
import json

import pytest
from playwright.sync_api import expect

from attn_core import dump, translate
from tests.helpers.explorer import ExplorerPage, Name

TEXT = "Ein Junge hebt einen gelben Ball auf."


def test_the_site_has_the_weights_and_the_trace_as_files(explorer: ExplorerPage, model, tmp_path):
    explorer.open({"text": TEXT, "model": "transformer", "v": 2})
    wanted = json.loads(dump(translate(model("transformer"), TEXT)))
    expect(explorer.page.get_by_role("group", name="Downloads").get_by_role("button")).to_have_text(["CSV", "JSON"])
    trace = json.loads(explorer.download("JSON").path().read_text("utf-8"))
    assert (trace["source"], trace["target"]) == (wanted["source"], wanted["target"])
    rows = list(csv.DictReader(io.StringIO(explorer.download("CSV").path().read_text("utf-8-sig"))))
    heads = range(len(wanted["steps"][0]["looks"]))
    weights = [w for head in heads for step in wanted["steps"] for w in step["looks"][head]["weights"]]
    assert [float(row["weight"]) for row in rows] == pytest.approx(weights, abs=1e-4)
    assert {name: rows[-1][name] for name in ("layer", "head", "target", "source")} == {
        "layer": str(wanted["steps"][0]["looks"][-1]["layer"]),
        "head": str(wanted["steps"][0]["looks"][-1]["head"]),
        "target": wanted["target"][-1],
        "source": wanted["source"][-1],
    }


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Die Straße, ein Café: zwei Männer und ein Hund", "die-strasse-ein-cafe-zwei"),
        ("Donaudampfschifffahrtsgesellschaftskapitän " * 2, "donaudampfschifffahrtsgesellschaftskapitan-donauda"),
        ("Привет ../", "sentence"),
    ],
)
def test_a_file_is_named_after_the_model_and_the_first_words(explorer: ExplorerPage, text, name):
    explorer.open({"text": text, "model": "bahdanau", "v": 2})
    assert explorer.download("JSON").suggested_filename == f"bahdanau-{name}.json"


def test_without_attention_there_is_no_table_of_weights(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": "fixed-vector", "v": 2})
    expect(explorer.button("CSV")).to_be_disabled()
    expect(explorer.button("CSV")).to_have_attribute("title", "This model has no attention to show.")
    expect(explorer.button("JSON")).to_be_enabled()
    explorer.choose(Name.MODEL, "bahdanau")
    expect(explorer.button("CSV")).to_be_enabled()
    expect(explorer.button("CSV")).to_have_attribute(
        "title", "Download all weights of bahdanau, one per line; positions count from 0"
    )
