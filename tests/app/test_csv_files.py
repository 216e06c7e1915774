"""A CSV file opens as a table: a spreadsheet runs none of its cells, and every word comes back as it was."""

import csv
import io
from pathlib import Path

import pytest

from app.explorer import exports
from attn_core import translate
from attn_core.figures.spreadsheet import MARK, csv_text
from attn_core.trace import dump
from tests.helpers.javascript import evaluator
from tests.helpers.serving import ROOT
from tests.helpers.support import tiny

RUN = ('=HYPERLINK("http://evil.example")', "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-", "＝1")
KEPT = ('a "b"', "a,b", "a\nb", "a\rb", "ä 中文", "", "'", " =1", "1-2", "a=b")
ROWS = [list(RUN), list(KEPT), [-0.5, 0, 1e-9, -3, 12]]


@pytest.fixture(scope="module")
def in_page(node, tmp_path_factory):
    run = evaluator(node, tmp_path_factory.mktemp("csv"), (ROOT / "app" / "shell" / "csv.js",))
    return lambda rows: run("js.csvText(input)", rows)


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("place", ["server", "page"])
def test_texts_that_a_spreadsheet_would_run_get_an_apostrophe_and_numbers_stay(place, in_page):
    runs, kept, numbers = read(csv_text(ROWS) if place == "server" else in_page(ROWS))
    assert runs == [f"'{text}" for text in RUN]
    assert kept == list(KEPT)
    assert [float(number) for number in numbers] == ROWS[2]


def test_page_and_server_write_the_same_table(in_page):
    words = [*ROWS[:2], [-0.5, 0, 12]]
    assert in_page(words) == csv_text(words)


def test_the_explorers_file_has_the_mark_and_no_formula():
    trace = dump(translate(tiny(), "a = @ -"))
    text = exports.csv(trace.replace('"a"', '"=1+1"', 1))
    assert text.startswith(MARK)
    cells = [cell for row in read(text.removeprefix(MARK)) for cell in row]
    assert "'=1+1" in cells
    assert "=1+1" not in cells


@pytest.mark.parametrize("path", sorted((ROOT / "app").rglob("*.js")), ids=lambda path: str(path.relative_to(ROOT)))
def test_one_module_writes_all_csv_files_of_pages(path: Path):
    if path != ROOT / "app" / "shell" / "csv.js":
        assert "text/csv" not in path.read_text("utf-8")
