"""Files that others wrote may be nested so deeply that Python's parsers give up; each reader has an error for it."""

import json

import pytest

from attn_core.cli.plan import PlanError, read_plan
from attn_core.data.vocabulary_files import read_vocabulary
from attn_core.export.model_files import _read
from attn_core.files import CheckpointError, parse_json
from attn_core.models.folders import TRANSLATOR, kind_of, read_record
from attn_core.trace.reading import parse
from attn_core.training.course import METRICS, read
from attn_core.training.snapshots_file import FILE

DEEP = "[" * 100_000


@pytest.mark.parametrize("text", [DEEP, DEEP.encode(), '{"a":' * 100_000, "[" * 5000 + "]" * 5000])
def test_deep_json_is_an_error_in_the_text(text):
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_json(text)


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "[1e400]", '{"a": -1e999}'])
def test_numbers_that_are_not_finite_are_refused_if_all_must_be(text):
    with pytest.raises(ValueError, match="is not a finite number"):
        parse_json(text)
    parse_json(text, finite=False)


def test_json_is_read_as_json_reads_it():
    text = json.dumps({"a": [1, -0.5, 1e-300, None, True, "ä\u2028"]})
    assert parse_json(text) == json.loads(text)


@pytest.mark.parametrize(
    ("name", "reader", "expected"),
    [
        ("config.json", lambda path: read_record(path.parent, TRANSLATOR), CheckpointError),
        ("browser.json", _read, CheckpointError),
        ("source.json", read_vocabulary, ValueError),
        ("plan.toml", read_plan, PlanError),
        (FILE, lambda path: read(path.parent), CheckpointError),
        (METRICS, lambda path: read(path.parent), CheckpointError),
        ("trace.json", lambda path: parse(path.read_text("utf-8")), ValueError),
    ],
)
def test_a_deep_file_is_one_error_of_its_reader(tmp_path, name, reader, expected):
    path = tmp_path / name
    path.write_text(f"a = {DEEP}" if name.endswith("toml") else DEEP, "utf-8")
    with pytest.raises(expected):
        reader(path)
    assert kind_of(tmp_path) == TRANSLATOR
