"""Training on a data set of the hub, here from a local folder."""

import json
from pathlib import Path

import datasets
import pytest

from attn_core.data.captions import captions
from attn_core.data.corpus import CorpusError, read_text
from attn_core.data.hub import open_hub
from attn_core.models.checkpoint import read_config
from tests.cli.test_cli_train import SETS
from tests.helpers.terminal import lines, run


@pytest.fixture
def data_set(tmp_path, monkeypatch):
    """Write a folder that `datasets` loads without a network, with its cache in the test's folder."""
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))

    def write(name: str, **splits: list[dict]) -> str:
        folder = tmp_path / name
        folder.mkdir()
        for split, rows in splits.items():
            lines(folder / f"{split}.jsonl", *(json.dumps(row) for row in rows))
        return str(folder)

    return write


def test_data_sets_are_read_in_both_shapes(data_set):
    pairs = [{"de": "ein Hund", "en": "a dog"}, {"de": "zwei\nHunde", "en": "two dogs"}]
    expected = (["ein Hund", "zwei Hunde"], ["a dog", "two dogs"])
    columns = open_hub(data_set("columns", train=pairs), "train", "de", "en")
    assert read_text(columns) == expected
    assert columns.names()[0] == f"de of split 'train' of data set {columns.name!r}"
    rows = [{"translation": pair} for pair in pairs]
    nested = data_set("nested", train=rows[:1], validation=rows)
    assert read_text(open_hub(nested, "validation[1:]", "en", "de")) == (expected[1][1:], expected[0][1:])


@pytest.mark.parametrize(
    ("rows", "split", "message"),
    [
        ([{"de": "a", "en": "b"}], "test", "split 'test': cannot be loaded"),
        ([{"de": "a", "fr": "b"}], "train", "has no language 'en'.*found de, fr"),
        ([{"translation": {"de": "a", "fr": "b"}}], "train", "has no language 'en'.*found de, fr"),
        ([{"de": "a", "en": "b"}, {"de": "a", "en": None}], "train", "row 1: expected text"),
        ([{"translation": "Hallo"}], "train", "row 0: expected text in each language, not 'Hallo'"),
        ([{"translation": None}, {"translation": {"de": "a", "en": "b"}}], "train", "row 0: expected .*, not None"),
        ([{"translation": {"de": "a", "en": "b"}}, {"translation": None}], "train", "row 1: expected .*, not None"),
    ],
)
def test_data_sets_that_do_not_fit_are_errors(data_set, rows, split, message):
    with pytest.raises(CorpusError, match=message):
        read_text(open_hub(data_set("bad", train=rows), split, "de", "en"))


def test_a_damaged_data_set_is_an_error_with_the_reason(data_set):
    folder = data_set("bad", train=[{"de": "a", "en": "b"}])
    (Path(folder) / "train.jsonl").write_text('{"de": "a", "en": \n')
    with pytest.raises(CorpusError, match=r"cannot be loaded \((?!An error occurred).+\)$"):
        open_hub(folder, "train", "de", "en")


def test_training_on_a_data_set(data_set, tmp_path):
    rows = [{"translation": {"de": pair.de, "en": pair.en}} for pair in captions()[:12]]
    folder = data_set("own", train=rows, validation=rows[:3])
    words = ("train", "luong-dot-global", "--hub", folder, "--out", tmp_path / "m")
    found = run(*words, *SETS, "--set", "epochs=1", "--set", "warmup=1")
    assert (found.status, found.err) == (0, "12 training pairs, 3 validation pairs; vocabularies: 73 and 67 words\n")
    assert read_config(tmp_path / "m")["about"]["data"] == {"hub": "own", "pairs": 12, "tokenized": False}
