"""The course of a training, read from its files."""

import json
import math
from pathlib import Path

import pytest

from attn_core.files import CheckpointError
from attn_core.training.course import METRICS, Course, read
from attn_core.training.snapshots_file import FILE
from tests.helpers.trainings import LINES, SNAPSHOTS, training


def test_curves_are_over_updates(tmp_path):
    found = read(training(tmp_path))
    assert found.training() == [(1, 3), (7, None), (14, 0.5)]
    assert found.validation() == [(7, 2.0), (14, None)]
    assert found.scores() == {"bleu": [(7, 10.5), (14, 40)], "exact": [(14, 25)]}


def test_the_largest_weight_is_averaged_over_the_words_of_all_sentences(tmp_path):
    """At update 1 the largest weights of the three words are 0.5, 0.75 and 1; at update 7 one is not a number."""
    assert read(training(tmp_path)).largest_weights() == [(1, 75), (7, None)]


def test_without_snapshots_curves_are_over_epochs(tmp_path):
    found = read(training(tmp_path, snapshots=None))
    assert found.training() == [(1, 1.5), (2, 0.25)]
    assert found.validation() == [(1, 2.0), (2, None)]
    assert found.largest_weights() == []


def test_the_loss_of_reinforce_may_be_below_0(tmp_path):
    lines = [line | {"train_loss": -1.5} for line in LINES]
    found = read(training(tmp_path, SNAPSHOTS | {"losses": [[1, 3], [7, -3.5]]}, lines))
    assert found.training() == [(1, 3), (7, -3.5)]
    assert found.by_epoch("train_loss") == [(7, -1.5), (14, -1.5)]


def test_a_model_without_attention_has_no_largest_weights():
    plain = SNAPSHOTS | {"sentences": [], "snapshots": [{"update": 1, "sentences": []}]}
    assert Course(plain, []).largest_weights() == []


def test_a_folder_without_metrics_is_named(tmp_path):
    with pytest.raises(CheckpointError, match=f"{tmp_path} has no metrics.jsonl with the scores of an epoch"):
        read(tmp_path)
    assert read(tmp_path, started=True) == Course(None, [])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (METRICS, json.dumps(LINES[0]) + "\n7\n", "line 2 is not a JSON object with an epoch"),
        (METRICS, '{"epoch": 1', "line 1 is not a JSON object with an epoch"),
        (METRICS, '{"epoch": 1, "perplexity": 0}', "line 1 has perplexity 0"),
        (METRICS, '{"epoch": 1, "perplexity": -2}', "line 1 has perplexity -2"),
        (METRICS, '{"epoch": 1, "perplexity": "x"}', "line 1 has perplexity 'x'"),
        (METRICS, '{"epoch": 1}\n{"epoch": 2, "exact": NaN}', "line 2 has exact nan"),
        (METRICS, '{"epoch": 1, "bleu": [3]}', r"line 1 has bleu \[3\]"),
        (METRICS, b'{"epoch": 1, "\xff": 1}', "line 1 is not a JSON object with an epoch"),
        (FILE, b'{"format": "\xff"}', "'utf-8' codec"),
        (FILE, json.dumps(SNAPSHOTS | {"losses": [[1, 3], [2]]}), r"losses must hold pairs .*, not \[2\]"),
        (FILE, json.dumps(SNAPSHOTS | {"losses": [[1, "x"]]}), r"losses must hold pairs .*, not \[1, 'x'\]"),
        (FILE, json.dumps(SNAPSHOTS | {"losses": [[-1, 3]]}), r"losses must hold pairs .*, not \[-1, 3\]"),
        (FILE, json.dumps(SNAPSHOTS | {"losses": ["ab"]}), "losses must hold pairs .*, not 'ab'"),
        (FILE, '{"format": 7}', "expected format 1"),
        (FILE, '{"format', "Unterminated string"),
    ],
)
def test_a_damaged_file_is_named(tmp_path, name, text, message):
    folder = training(tmp_path)
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(CheckpointError, match=f"{folder / name} is damaged: {message}"):
        read(folder)


def test_a_shipped_training_ends_at_its_last_update():
    found = read(Path(__file__).parents[2] / "app/lab/training/examples/reverse")
    last = found.epochs[-1]
    assert (
        found.validation()[-1]
        == (last["epoch"] * 125, math.log(last["perplexity"]))
        == (1000, math.log(last["perplexity"]))
    )
    assert found.training()[-1][0] == found.largest_weights()[-1][0] == 1000
