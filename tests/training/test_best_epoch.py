"""Which epoch is kept, and when a training ends."""

import os
import signal

import pytest

from attn_core.models.checkpoint import read_config
from attn_core.training import corpus_task, practice
from attn_core.training.loop import Interrupted
from attn_core.training.practice import practise
from attn_core.training.run_state import check

SMALL = {
    "embedding": 4,
    "attentional": 4,
    "decoder.hidden": 6,
    "encoder.hidden": 3,
    "batch": 16,
    "warmup": 2,
    "snapshots": 0,
}


@pytest.fixture(autouse=True)
def fast(monkeypatch):
    """Do not measure the alignment of the held-out examples."""
    monkeypatch.setattr(practice, "score", lambda *_: {})


def train(out, **settings):
    practise("copy", "luong-dot-global", out, examples=16, settings=SMALL | settings)


@pytest.mark.parametrize(
    ("scores", "patience", "kept", "epochs"),
    [
        ([(0.0, 9.0), (0.0, 7.0), (0.0, 8.0), (0.0, 6.0)], 1, 2, 3),  # the third epoch is the first without improvement
        ([(0.0, 9.0), (0.0, 9.0), (0.0, 8.0), (0.0, 7.0)], 1, 1, 2),
        ([(1.0, 9.0), (0.5, 3.0), (1.0, 8.0), (1.0, 8.5)], 0, 3, 4),
        ([(1.0, 9.0), (2.0, 9.5), (1.5, 1.0), (1.0, 1.0)], 0, 2, 4),
    ],
)
def test_of_epochs_with_the_same_bleu_the_one_of_lower_perplexity_is_best(
    tmp_path, monkeypatch, scores, patience, kept, epochs
):
    left = [{"bleu": bleu, "perplexity": perplexity} for bleu, perplexity in scores]
    monkeypatch.setattr(corpus_task, "validate", lambda *_: left.pop(0))
    train(tmp_path / "m", criterion="bleu", epochs=4, patience=patience)
    progress = check(tmp_path / "m", {})
    assert (progress.kept, progress.epoch) == (kept, epochs)
    assert read_config(tmp_path / "m")["about"]["epoch"] == kept


def stopped_in(epoch: int, monkeypatch) -> None:
    """Send Ctrl-C during the validation after this epoch."""
    done = []

    def validate(*_):
        done.append(1)
        if len(done) == epoch:
            os.kill(os.getpid(), signal.SIGINT)
        return {"bleu": 1.0, "perplexity": 9.0}

    monkeypatch.setattr(corpus_task, "validate", validate)


def test_ctrl_c_in_the_last_validation_does_not_stop_a_training_that_has_ended(tmp_path, monkeypatch):
    stopped_in(2, monkeypatch)
    train(tmp_path / "m", epochs=2)
    assert check(tmp_path / "m", {}).epoch == 2


def test_ctrl_c_in_an_earlier_validation_stops_it(tmp_path, monkeypatch):
    stopped_in(2, monkeypatch)
    with pytest.raises(Interrupted, match="after epoch 2; continue with --resume"):
        train(tmp_path / "m", epochs=3)


def test_ctrl_c_in_the_validation_that_ends_the_patience_does_not_stop_it(tmp_path, monkeypatch):
    stopped_in(2, monkeypatch)
    train(tmp_path / "m", epochs=9, patience=1, criterion="bleu")
    assert check(tmp_path / "m", {}).epoch == 2
