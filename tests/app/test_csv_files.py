"""A CSV file opens as a table: a spreadsheet runs none of its cells, and every word and number comes back as it was."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from attn_core import translate
from attn_core.figures.cells import cells, steps
from attn_core.trace import Focus, Trace, dump
from tests.browser import traces
from tests.helpers.serving import ROOT
from tests.helpers.support import TRANSFORMER, tiny

RUN = ('=HYPERLINK("http://evil.example")', "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-", "＝1")
KEPT = ('a "b"', "a,b", "a\nb", "a\rb", "ä 中文", "", "'", " =1", "1-2", "a=b")
ROWS = [list(RUN), list(KEPT), [-0.5, 0, 1e-9, -3, 12]]
NUMBERS = ("score", "alignment", "gaussian", "weight")
COLUMNS = ["target_position", "target", "source_position", "source", *NUMBERS, "in_window", "center"]
CSV = ROOT / "app" / "shell" / "csv.js"


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_texts_that_a_spreadsheet_would_run_get_an_apostrophe_and_numbers_stay(page_probe):
    runs, kept, numbers = read(page_probe("csvText", ROWS))
    assert runs == [f"'{text}" for text in RUN]
    assert kept == list(KEPT)
    assert [float(number) for number in numbers] == ROWS[2]


def ensemble() -> Trace:
    """A trace whose second head has another window than the first, with a position left out, at each step."""
    trace = traces.make(looks=2)
    inside = torch.tensor([True, False, True, True, False, False])
    words = []
    for word in trace.words:
        first, second = word.step.looks
        other = replace(second, focus=Focus(inside, second.focus.gaussian, None))
        words.append(replace(word, step=replace(word.step, looks=(first, other))))
    return replace(trace, words=tuple(words))


TRACES = {
    "a window with a centre": traces.make,
    "a centre at the step": lambda: traces.make("local-m", sigma=1.0),
    "global": lambda: traces.make("global"),
    "several heads": lambda: traces.make("global", looks=3),
    "layers of heads": lambda: translate(tiny(**TRANSFORMER).float(), "a b c"),
    "heads with windows of their own": ensemble,
    "words with quotation marks": lambda: traces.make(words=(['ein "zitat"', ","], ["a", "</s>"])),
}


@pytest.mark.parametrize("make", TRACES.values(), ids=TRACES)
def test_the_table_has_the_numbers_of_every_head_to_the_last_bit(make, page_probe):
    trace = make()
    header, *rows = read(page_probe("csvText", page_probe("weightRows", json.loads(dump(trace)))))
    looks = trace.words[0].step.looks
    several = len(looks) > 1
    assert header == [*(["layer", "head"] if several else []), *COLUMNS]
    wanted = []
    for place, look in enumerate(looks):
        centers = {step["target_position"]: step["center"] for step in steps(trace, place)}
        for cell in cells(trace, place):
            own = {"layer": look.layer, "head": look.head} if several else {}
            wanted.append(own | cell | {"center": centers[cell["target_position"]]})
    assert len(rows) == len(wanted)
    for row, cell in zip(rows, wanted, strict=True):
        shown = dict(zip(header, row, strict=True))
        assert (shown.pop("target"), shown.pop("source")) == (cell.pop("target"), cell.pop("source"))
        assert {name: float32(value) for name, value in shown.items()} == {
            name: float32(value) for name, value in cell.items()
        }


def float32(value: Any) -> float | None:
    return None if value in (None, "") else torch.tensor(float(value)).item()


def test_the_table_of_a_model_without_attention_is_a_header(page_probe):
    assert page_probe("weightRows", json.loads(dump(traces.make(window=None)))) == [COLUMNS]


@pytest.mark.parametrize("path", sorted((ROOT / "app").rglob("*.js")), ids=lambda path: str(path.relative_to(ROOT)))
def test_one_module_writes_all_csv_files_of_pages(path: Path):
    if path != CSV:
        assert "text/csv" not in path.read_text("utf-8")
