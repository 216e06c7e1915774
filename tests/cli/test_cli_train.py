"""`train`: bit-identical resume, and training from files and data sets."""

import gzip
import json
import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.torch import load_file

from attn_core.data.arrow_corpus import Store
from attn_core.data.captions import captions
from attn_core.data.corpus import encode_pairs
from attn_core.data.joined import join_lines
from attn_core.decoding.translate import translate
from attn_core.evaluation.evaluate import evaluate
from attn_core.files import CheckpointError
from attn_core.models.checkpoint import load, read_config
from attn_core.training import corpus_task
from attn_core.training import loop as training
from attn_core.training import run as runs
from attn_core.training.loop import Interrupted
from attn_core.training.run_state import Progress
from tests.helpers.support import tiny
from tests.helpers.terminal import SMALL, files_under, lines, run, set_options
from tests.helpers.trainings import loss_collector

ROOT = Path(__file__).parents[2]
SETTINGS = SMALL | {"min_frequency": 1, "batch": 16, "epochs": 3, "warmup": 2, "average": 0.9, "patience": 0}
SETS = set_options(SETTINGS)


@pytest.fixture(scope="module")
def prefix(tmp_path_factory) -> str:
    """The prefix of files with the example captions, tokenised."""
    here = tmp_path_factory.mktemp("text")
    for name, pairs in (("own", 40), ("own-few", 4)):  # for training and for validation
        for lang in ("de", "en"):
            text = (" ".join(getattr(pair, f"{lang}_tokens")) for pair in captions()[:pairs])
            lines(here / f"{name}.{lang}", *text)
    return str(here / "own")


def losses_of(prefix: str, out: Path, stop_at: int | None = None, **options) -> list[float]:
    """Train with the Python function; with `stop_at`, send Ctrl-C during that update."""
    losses: list[float] = []
    arguments = ("luong-general-local-p", prefix, f"{prefix}-few", "de", "en", out)
    settings = SETTINGS | options.pop("settings", {})
    runs.train(*arguments, tokenized=True, settings=settings, on_event=loss_collector(losses, stop_at), **options)
    return losses


def state(out: Path) -> tuple[dict, dict]:
    """The tensors and the progress of a run, without its clock."""
    with safe_open(out / "state.safetensors", "pt") as file:
        progress = json.loads(file.metadata()["progress"])
    for line in progress["history"]:
        del line["seconds"], line["words_per_second"]
    return {name: tensor.tolist() for name, tensor in load_file(out / "state.safetensors").items()}, progress


PERSIAN = ("می\u200cخواهم به خانه بروم.", "من کتاب\u200cها را می\u200cخوانم و نان می\u200cخرم!")
CAPITALS = ("Zwei Köche schneiden Zwiebeln in der Küche .", "Ein Mädchen fängt einen Fisch mit der Hand .")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "text", "tokenized", "join"),
    [("fa", PERSIAN, False, 1), ("de", CAPITALS, True, 1), ("de", CAPITALS, False, 2)],
)
def test_the_bleu_of_the_validation_is_that_of_evaluate(lang, text, tokenized, join, tmp_path):
    """Of a model that has learned its text by heart."""
    for side in ("xx", lang):
        lines(tmp_path / f"own.{side}", *text * 8)
        lines(tmp_path / f"held.{side}", *text, "", *text)
    settings = SETTINGS | {"epochs": 30, "rate": 0.03, "average": 0, "batch": 4, "join": join, "precision": "fp32"}
    places = str(tmp_path / "own"), str(tmp_path / "held"), "xx", lang
    runs.train("bahdanau", *places, tmp_path / "m", tokenized=tokenized, settings=settings)
    best = max(json.loads(line)["bleu"] for line in (tmp_path / "m" / "metrics.jsonl").read_text().splitlines())
    full = [line for line in (*text, *text) if line]
    found = evaluate(load(tmp_path / "m"), *join_lines(full, full, join), tokenized=tokenized)
    assert best == pytest.approx(found.bleu.score)
    assert best > 80


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("stop_at", "settings"),
    [
        (5, {}),
        (6, {"optimizer": "adadelta", "schedule": "constant"}),
        (1, {"optimizer": "sgd"}),
        (5, {"type": "hard-sample", "gaussian": "on_scores"}),
        (5, {"subword": "bpe", "vocabulary": 120, "subword_dropout": 0.5}),
    ],
)
def test_a_resumed_run_equals_an_uninterrupted_one(prefix, tmp_path, stop_at, settings):
    """40 pairs in batches of 16 are 3 updates per epoch: 5 is within an epoch, 6 ends one, 1 is before any model."""
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    expected = losses_of(prefix, whole, settings=settings)
    before: list[float] = []
    with pytest.raises(Interrupted, match="--resume"):
        before += losses_of(prefix, parts, stop_at, settings=settings)
    assert (parts / "config.json").exists() == (stop_at > 3)
    after = losses_of(prefix, parts, resume=True, settings=settings)
    assert len(expected) == 9
    assert after == expected[stop_at:]
    assert state(parts) == state(whole)
    for name in ("model.safetensors", "source.json", "target.json", "snapshots.json"):
        assert (parts / name).read_bytes() == (whole / name).read_bytes()
    assert [name for name in files_under(parts) if name.startswith(".")] == []


def test_the_batches_before_an_interruption_are_not_used_again(prefix, tmp_path, monkeypatch):
    with pytest.raises(Interrupted):
        losses_of(prefix, tmp_path, 5)
    read = []
    batch = Store.batch
    monkeypatch.setattr(Store, "batch", lambda store, chosen: read.append(len(chosen)) or batch(store, chosen))
    losses_of(prefix, tmp_path, resume=True)
    assert len(read) == 1 + 3


@pytest.mark.slow
def test_words_are_split_anew_in_every_epoch(prefix, tmp_path, monkeypatch):
    """With BPE-dropout the same sentences are read in other pieces, and those pieces are counted as words."""
    epochs, words = [], []
    split_again, update = corpus_task.split_again, corpus_task.CorpusTask.update

    def counted(task, chosen, epochs_done):
        found = update(task, chosen, epochs_done)
        words.append(found.words)
        return found

    monkeypatch.setattr(corpus_task, "split_again", lambda *args: epochs.append(split_again(*args)) or epochs[-1])
    monkeypatch.setattr(corpus_task.CorpusTask, "update", counted)
    losses_of(prefix, tmp_path, settings={"subword": "bpe", "vocabulary": 120, "subword_dropout": 0.5})
    assert len(epochs) == 3
    assert epochs[0] != epochs[1] != epochs[2] != epochs[0]
    wanted = [sum(map(len, pairs.target)) + len(pairs) for pairs in epochs]  # </s> is one more word of each
    assert [sum(words[start : start + 3]) for start in (0, 3, 6)] == wanted


@pytest.mark.slow
def test_the_state_is_saved_within_an_epoch(prefix, tmp_path, monkeypatch):
    """After every second update: a run that ends in its fifth update resumes after the fourth, of three an epoch.

    The window narrows within the epochs.
    """
    whole = losses_of(prefix, tmp_path / "whole", settings={"wide": 0.5})
    updates = []

    def dying(*arguments):
        updates.append(update(*arguments))
        if len(updates) == 5:
            raise RuntimeError("power cut")
        return updates[-1]

    update = training.take_update
    monkeypatch.setattr(training, "take_update", dying)
    with pytest.raises(RuntimeError, match="power cut"):
        losses_of(prefix, tmp_path / "cut", settings={"save_every": 2, "wide": 0.5})
    assert state(tmp_path / "cut")[1]["updates"] == 4
    assert losses_of(prefix, tmp_path / "cut", resume=True, settings={"save_every": 0, "wide": 0.5}) == whole[4:]


@pytest.mark.slow
@pytest.mark.parametrize("loss_per", ["word", "sentence"])
def test_accumulated_batches_make_the_update_of_a_large_one(prefix, tmp_path, loss_per):
    """40 pairs in updates of 12, the last of 4: six batches of 2 pairs or two of 6 equal one of 12."""
    plain = {"dropout": 0, "output_dropout": 0, "precision": "fp32", "loss_per": loss_per, "epochs": 1}
    runs = [
        losses_of(prefix, tmp_path / str(batch), settings=plain | {"batch": batch, "accumulate": 12 // batch})
        for batch in (12, 6, 2)
    ]
    assert len(runs[0]) == 4
    assert runs[1] == pytest.approx(runs[0], rel=1e-5)
    assert runs[2] == pytest.approx(runs[0], rel=1e-5)


def test_a_resumed_run_makes_the_same_updates_from_other_batches(prefix, tmp_path):
    losses_of(prefix, tmp_path / "m", settings={"epochs": 1, "batch": 6, "accumulate": 2})
    assert len(losses_of(prefix, tmp_path / "m", resume=True, settings={"epochs": 2, "batch": 4, "accumulate": 3})) == 4
    with pytest.raises(CheckpointError, match="pairs per update was 12, not 16"):
        losses_of(prefix, tmp_path / "m", resume=True, settings={"batch": 4, "accumulate": 4})


@pytest.mark.slow
def test_ctrl_c_saves_and_prints_the_command_that_continues(prefix, tmp_path):
    """A signal to a separate process in a separate folder."""
    words = ["train", "luong-dot-global", "--train", prefix, "--valid", prefix, "--tokenized", "--threads", "1"]
    words += ["--out", "out here", *SETS, "--set", "epochs=100000"]
    process = subprocess.Popen(
        [sys.executable, "-m", "attn_core", *words],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline().startswith("epoch   1  loss ")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in err
    last = err.splitlines()[-1]
    assert f" and saved; to continue: {sys.executable} -m attn_core train luong-dot-global " in last
    assert last.endswith("--resume")
    assert "--out 'out here'" in last
    progress = state(tmp_path / "out here")[1]
    assert progress["updates"] == progress["epoch"] * 3 + progress["update"] > 0
    assert [name for name in files_under(tmp_path) if "/." in name] == []


def test_another_validation_text_does_not_resume(prefix, tmp_path):
    """Its scores could not be compared with the best one so far."""
    losses_of(prefix, tmp_path / "m", settings={"epochs": 1})
    with pytest.raises(CheckpointError, match="the validation text has changed"):
        runs.train(
            *("luong-general-local-p", prefix, prefix, "de", "en", tmp_path / "m"),
            tokenized=True,
            settings=SETTINGS,
            resume=True,
        )


def test_the_perplexity_of_the_validation_is_per_word_also_with_pieces(prefix, tmp_path):
    """So that it can be compared between models: it equals that of `evaluate`."""
    whole = {"precision": "fp32", "average": 0}  # as `evaluate` computes it, on every processor
    losses_of(prefix, tmp_path, settings=whole | {"subword": "bpe", "vocabulary": 120, "epochs": 1})
    (line,) = (tmp_path / "metrics.jsonl").read_text("utf-8").splitlines()
    texts = [Path(f"{prefix}-few.{lang}").read_text("utf-8").splitlines() for lang in ("de", "en")]
    found = evaluate(load(tmp_path), *texts, tokenized=True)
    assert json.loads(line)["perplexity"] == pytest.approx(found.perplexity, rel=1e-4)
    assert found.reference_words > sum(len(text.split()) for text in texts[1])


@pytest.mark.quick(1)
@pytest.mark.parametrize("changed", ["decoder.hidden=6", "dropout=0.1", "seed=2"])
def test_another_model_or_recipe_does_not_resume(prefix, tmp_path, changed):
    losses_of(prefix, tmp_path / "m", settings={"epochs": 1})
    before = files_under(tmp_path)
    words = ["train", "luong-general-local-p", "--train", prefix, "--valid", f"{prefix}-few", "--tokenized", "--resume"]
    also = ["--set", "encoder.hidden=3"] if changed == "decoder.hidden=6" else []
    found = run(*words, "--out", tmp_path / "m", *SETS, "--set", changed, *also)
    assert (found.status, found.err.splitlines()[-1].startswith("error: ")) == (1, True)
    assert changed.split("=")[0] in found.err
    assert files_under(tmp_path) == before
    found = run(*words, "--out", tmp_path / "m", *SETS, "--set", "epochs=2")
    assert (found.status, found.out.count("epoch   2 ")) == (0, 1)


def test_a_diverging_run_is_an_error(prefix, tmp_path, monkeypatch):
    """No model is kept or reported when training diverges. No setting may be a rate as high."""
    monkeypatch.setattr(training, "rate_at", lambda *_: 1e30)
    words = ["train", "luong-dot-global", "--train", prefix, "--valid", prefix, "--out", tmp_path / "o", "--tokenized"]
    found = run(*words, *SETS, "--set", "rate=7", "--set", "precision=fp32", "--set", "average=0")
    assert found.status != 0
    assert "error: training diverged in epoch 1: " in found.err
    assert "start again with a rate below 7" in found.err
    assert "best epoch" not in found.out
    assert not (tmp_path / "o/config.json").exists()
    monkeypatch.setattr(training, "rate_at", lambda *_: 1e39)
    found = run(*words, *SETS, "--set", "precision=fp32", "--set", "save_every=2")
    assert "error: training diverged in epoch 1; " in found.err
    assert not (tmp_path / "o/state.safetensors").exists()


@pytest.mark.parametrize(("window", "ends"), [("global", 2), ("local-p", 4)])
def test_patience_begins_when_the_window_has_its_width(prefix, tmp_path, monkeypatch, window, ends):
    """With patience 1 training stops after the second epoch; with a widened window in two epochs, after the fourth."""
    monkeypatch.setattr(corpus_task, "validate", lambda *_: {"bleu": 1.0, "perplexity": 9.0})
    settings = SETTINGS | {"epochs": 9, "patience": 1, "wide": 0 if window == "global" else 1}
    progress = runs.train(
        f"luong-general-{window}", prefix, prefix, "de", "en", tmp_path / "o", tokenized=True, settings=settings
    )
    assert progress.epoch == ends


def test_a_window_narrows_within_an_epoch(prefix, tmp_path, monkeypatch):
    """Three updates an epoch, and half an epoch for each width."""
    widths, mode = [], corpus_task.Mode
    monkeypatch.setattr(corpus_task, "Mode", lambda widening: widths.append(widening) or mode(widening=widening))
    losses_of(prefix, tmp_path, settings={"wide": 0.5})
    assert widths == [math.inf, math.inf, 4, 2, 2, 1, 1, 1, 1]


def test_each_epoch_prints_a_line_and_the_model_records_its_training(tmp_path):
    """With raw gzip text."""
    for lang in ("de", "en"):
        text = "".join(getattr(pair, lang) + "\n" for pair in captions()[:20])
        (tmp_path / f"raw.{lang}.gz").write_bytes(gzip.compress(text.encode()))
    prefix, out = tmp_path / "raw", tmp_path / "m"
    words = ("train", "bahdanau", "--train", prefix, "--valid", prefix, "--out", out, "--data", "multi30k", *SETS)
    found = run(*words, "--set", "epochs=2", "--set", "decoder.hidden=5")
    assert found.status == 0
    metrics = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    printed = [line for line in found.out.splitlines() if line.startswith("epoch")]
    assert len(printed) == len(metrics) == 2
    for line, scores in zip(printed, metrics, strict=True):
        assert f"perplexity {scores['perplexity']:.3f}  BLEU {scores['bleu']:.2f}" in line
    assert found.err == "20 training pairs, 20 validation pairs; vocabularies: 113 and 109 words\n"
    config = read_config(out)
    assert config["name"] == "m"
    assert config["model"].hidden == 5
    about = config["about"]
    assert about["data"] == {"corpus": "multi30k", "train": "raw", "valid": "raw", "pairs": 20, "tokenized": False}
    assert about["settings"] == SETTINGS | {"epochs": 2, "decoder.hidden": 5}
    assert str(tmp_path) not in (out / "config.json").read_text()
    assert translate(load(out), captions()[0].de).source == captions()[0].de_tokens
    assert run("card", out).status == 0
    assert "20 training pairs" in (out / "README.md").read_text()


@pytest.mark.parametrize("source_eos", [True, False])
def test_both_texts_of_a_training_run_end_as_the_model_reads_them(prefix, tmp_path, monkeypatch, source_eos):
    tasks = []
    monkeypatch.setattr(runs, "fit", lambda task: tasks.append(task) or Progress())
    settings = {"min_frequency": 1, "decoder.hidden": 6, "encoder.hidden": 3, "source_eos": source_eos}
    runs.train("bahdanau", prefix, prefix, "de", "en", tmp_path / "m", tokenized=True, settings=settings)
    given = tasks[0].material.train, tasks[0].material.valid
    batches = [pairs.batch(np.array([i])) for pairs in given for i in range(len(pairs))]
    assert len(batches) == 80
    assert {batch.source[0, -1].item() == 3 for batch in batches} == {source_eos}


def test_a_model_that_reads_the_end_of_a_sentence_is_trained_as_it_is_used():
    model = tiny(
        order="attend-then-update",
        **{"encoder.cell": "gru"},
        score="additive",
        **{"encoder.hidden": 3, "decoder.hidden": 7},
        source_eos=True,
    ).float()
    pairs = encode_pairs(model.source, model.target, ["a b"], ["n o"], source_eos=True)
    assert pairs.source == [model.source_ids(["a", "b"])] == [[*model.source.ids(["a", "b"]), 3]]
    assert pairs.target == [model.target.ids(["n", "o"])]
