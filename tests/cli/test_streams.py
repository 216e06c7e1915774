"""Output of names that are not UTF-8, in which Python has surrogates for the bytes, and options that fit no model."""

import io
import json
import sys

import pytest

from attn_core.cli.streams import print_error, print_status, visible
from tests.helpers.terminal import files_under, run, saved

NAME = "new\udcff"  # as Python reads the bytes "new\xff"


@pytest.mark.parametrize(("printed", "stream"), [(print_status, "stdout"), (print_error, "stderr")])
def test_a_name_that_is_not_utf8_is_printed_with_its_bytes_escaped(printed, stream, monkeypatch):
    found = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="strict")
    monkeypatch.setattr(sys, stream, found)
    printed(f"saved in {NAME}")
    found.flush()
    assert found.buffer.getvalue().endswith(b"saved in new\\udcff\n")


def test_control_characters_and_surrogates_are_escaped():
    assert visible(f"ä\x1b\u200b{NAME}") == r"ä\x1b\u200bnew\udcff"


def test_a_model_of_a_synthetic_task_has_no_corpus(tmp_path):
    """Its card would state a command that `train` refuses."""
    folder = saved(tmp_path / "reverse")
    record = json.loads((folder / "config.json").read_text("utf-8"))
    record["about"]["data"] = {"task": "reverse", "examples": 9, "length": [3, 4]}
    (folder / "config.json").write_text(json.dumps(record), "utf-8")
    before = files_under(folder)
    found = run("card", folder, "--data", "multi30k")
    assert (found.status, "reverse was trained on a synthetic task; omit --data" in found.err) == (2, True)
    assert files_under(folder) == before
