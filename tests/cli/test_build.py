"""`build`: the models of a plan."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from unittest import mock

import pytest
import torch
from safetensors.torch import load_file

from attn_core.cli.build import _build, _commands, _store
from attn_core.cli.plan import PlanError, read_plan
from attn_core.cli.streams import LOSSY
from attn_core.models.checkpoint import load
from attn_core.models.folders import ROOT
from attn_core.training.run_state import STATE
from tests.cli.conftest import PLAN, SMALL, build
from tests.helpers.terminal import files_under, lines, run

SYNTHETIC = '[models.synthetic]\npreset = "pointer-hull"\n'


def test_the_shipped_models_are_those_of_the_plan():
    planned = read_plan(ROOT / "pretrained/models.toml")
    shipped = {path.parent.name for path in (ROOT / "pretrained").glob("*/config.json")}
    assert shipped <= set(planned)  # the others are in training
    for name in shipped:
        model = planned[name]
        assert model.made(ROOT / "pretrained" / name), f"`make models` would train {name} again"
        about = json.loads((ROOT / "pretrained" / name / "config.json").read_text("utf-8"))["about"]
        assert about["preset"] == model.preset
        assert about.get("data", {}).get("corpus") == model.data
        assert about.get("note") == model.note


@pytest.mark.slow
def test_a_model_is_built_once_and_after_a_failure_the_same_command_goes_on(plan, monkeypatch):
    folder = plan.parent
    reference = folder / "data/few.en"
    away = reference.rename(folder / "away")
    first = build(plan)
    assert first.status == 1, "the validation text is missing"
    assert "not built: without; the reasons are in build.log" in first.err
    assert "few.en" in (folder / "runs/without/build.log").read_text("utf-8")
    assert not (folder / "without").exists()
    away.rename(reference)

    assert build(plan).status == 0
    model = folder / "without"
    assert load(model).name == "without"
    about = json.loads((model / "config.json").read_text("utf-8"))["about"]
    assert about["test"]["set"] == "a few captions"
    assert ". It is small. It is one of the models" in (model / "README.md").read_text("utf-8")
    assert "state.safetensors" not in files_under(model)

    before = files_under(model)
    again = build(plan)
    assert (again.status, again.out) == (0, "1 of 1 models are already built\n")
    assert files_under(model) == before
    plan.write_text(PLAN.replace("epochs = 2", "epochs = 3"), "utf-8")
    assert run("build", plan, "--dry-run").out == "0 of 1 models are already built\nwithout\n"


@pytest.mark.slow
def test_a_stored_model_is_measured_on_further_test_sets_without_training(plan):
    folder = plan.parent
    for name in ("fixed-vector", "vocabularies"):
        shutil.copytree(ROOT / "pretrained" / name, folder / name)
    start = PLAN[: PLAN.index("[models")]
    plan.write_text(f'{start}more_tests = {{other = "few"}}\n[models.fixed-vector]\ncorpus = "own"\n', "utf-8")
    before = files_under(folder / "fixed-vector")
    assert build(plan, "--dry-run").out.endswith("\nfixed-vector: other\n")
    assert files_under(folder / "fixed-vector") == before

    assert build(plan).status == 0, (folder / "runs/fixed-vector/build.log").read_text("utf-8")
    after = files_under(folder / "fixed-vector")
    assert {name for name in after if after[name] != before[name]} == {"config.json", "README.md"}
    old, new = (json.loads(files["config.json"])["about"] for files in (before, after))
    [added] = [test for test in new["more_tests"] if test not in old.get("more_tests", [])]
    assert (added["set"], added["sentences"], added["beam"], added["tokenized"]) == ("other", 4, 5, True)
    assert new["test"] == old["test"]
    assert build(plan).out == "1 of 1 models are already built\n"
    assert files_under(folder / "fixed-vector") == after


def test_a_new_model_is_measured_on_all_test_sets_and_unseen_ones_are_left_out(plan, tmp_path):
    marks = 'more_tests = {other = "few"}\nunseen = true'
    plan.write_text(PLAN.replace("tokenized = true", marks), "utf-8")
    folder = tmp_path / "data"
    train, *cards = _commands(read_plan(plan)["without"], folder, tmp_path / "run", tmp_path)
    assert [_value(words, "test-set") for words in cards] == ["a few captions", "other"]
    assert ["--also" in words for words in cards] == [False, True]
    assert _value(train, "exclude").split("+") == [str(folder / "few")] * 3


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_build_that_is_stopped_stops_its_trainings_and_starts_no_others(plan, number):
    """The signal is sent to the build only, as a service manager does."""
    folder = plan.parent
    other = PLAN[PLAN.index("[models") :].replace("without", "other")
    plan.write_text((PLAN + other).replace("epochs = 2", "epochs = 100000, patience = 0"), "utf-8")
    command = [sys.executable, "-m", "attn_core", "build", plan, "--data", folder / "data", "--work", folder / "runs"]

    def heed() -> None:
        """A shell starts what runs in its background with SIGINT ignored."""
        signal.signal(signal.SIGINT, signal.default_int_handler)

    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, preexec_fn=heed)  # noqa: PLW1509
    log = folder / "runs/without/metrics.jsonl"
    try:
        while not log.exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(number)
        said, _ = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 128 + number
    assert said.endswith("stopped; run the same command again to continue\n")
    assert (folder / "runs/without" / STATE).exists()
    assert "and saved; to continue" in (folder / "runs/without/build.log").read_text("utf-8")
    assert not (folder / "runs/other").exists()


def test_a_test_set_that_is_part_of_a_text_is_written_beside_the_training(plan, tmp_path):
    plan.write_text(plan.read_text("utf-8").replace('test = "few"', 'test = "own[1::10]"'), "utf-8")
    folder, run = tmp_path / "data", tmp_path / "run"
    commands = list(_commands(read_plan(plan)["without"], folder, run, tmp_path))
    given = {name: Path(_value(commands[-1], name)) for name in ("source", "reference")}
    assert given == {"source": run / "text/test.de", "reference": run / "text/test.en"}
    wanted = (folder / "own.en").read_text("utf-8").splitlines()[1::10]
    assert given["reference"].read_text("utf-8").splitlines() == wanted


def _value(command, option):
    return command[command.index(f"--{option}") + 1]


def test_a_model_learns_from_its_teachers(plan, tmp_path):
    first = PLAN[PLAN.index("[models") :]
    taught = first.replace("without", "taught") + 'teacher = "without+other"\n'
    plan.write_text(PLAN + first.replace("without", "other") + taught, "utf-8")
    planned = read_plan(plan)
    train, _card = _commands(planned["taught"], tmp_path / "data", tmp_path / "run", tmp_path)
    assert _value(train, "teacher") == f"{tmp_path / 'without'}+{tmp_path / 'other'}"
    assert "--teacher" not in next(_commands(planned["other"], tmp_path / "data", tmp_path / "run", tmp_path))


@pytest.mark.parametrize(
    ("teacher", "message"),
    [
        ("taught", "teacher 'taught' must be a model above it"),
        ("without+nothing", "teacher 'nothing' must be a model above it"),
        ("back", "its teacher 'back' must translate between the same languages"),
        ("synthetic", "its teacher 'synthetic' must translate between the same languages"),
    ],
)
def test_teachers_stand_above_and_have_the_same_languages(plan, teacher, message):
    back = PLAN[: PLAN.index("[models")].replace("own]", "back]").replace('["de", "en"]', '["en", "de"]')
    first = PLAN[PLAN.index("[models") :]
    others = back + first.replace("without", "back").replace('"own"', '"back"') + SYNTHETIC
    plan.write_text(PLAN + others + first.replace("without", "taught") + f'teacher = "{teacher}"\n', "utf-8")
    with pytest.raises(PlanError, match=f"models.taught: .*{message}"):
        read_plan(plan)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_model_whose_teacher_is_not_built_is_not_trained(plan, monkeypatch, jobs):
    taught = PLAN[PLAN.index("[models") :].replace("without", "taught") + 'teacher = "without"\n'
    plan.write_text(PLAN + taught, "utf-8")
    called = []
    monkeypatch.setattr("attn_core.cli.build._status", lambda words, *_: called.append(words) or 2)
    done = build(plan, "--jobs", jobs)
    assert done.status == 1
    assert "taught: not trained, since without is not built" in done.out
    assert len(called) == 1


def test_a_test_set_that_cannot_be_read_is_named_and_the_others_are_built(plan, tmp_path, capsys):
    named = plan.read_text("utf-8").replace('test = "few"', 'test = "nothing[1::10]"')
    plan.write_text(named, "utf-8")
    data = tmp_path / "data"
    with mock.patch("attn_core.cli.build._status", return_value=0):
        assert not _build(read_plan(plan)["without"], data, tmp_path / "run", tmp_path / "without", threading.Event())
    assert "without: " in (said := capsys.readouterr().out)
    assert "nothing.de: no such file" in said


def test_a_training_that_has_begun_is_resumed(plan, tmp_path):
    (model,) = read_plan(plan).values()
    train, card = _commands(model, tmp_path, tmp_path / "run", tmp_path)
    assert "--resume" not in train
    assert card[0] == "card"
    lines(tmp_path / STATE)
    assert "--resume" in next(_commands(model, tmp_path, tmp_path, tmp_path))


def test_the_reason_of_a_failure_is_printed_and_not_that_of_an_earlier_one(plan, monkeypatch, capsys):
    (model,) = read_plan(plan).values()
    folder, place = plan.parent / "run", plan.parent / "without"
    outputs = ["line 1\nerror: too long\nerror: the sides differ\n", "no reason\n"]

    def called(_words, log, _stop):
        log.write(outputs.pop(0))
        log.flush()
        return 2

    monkeypatch.setattr("attn_core.cli.build._status", called)
    for reason in (": the sides differ", ""):
        assert not _build(model, plan.parent / "data", folder, place, threading.Event())
        assert capsys.readouterr().out.endswith(f"without: `train` ended with status 2{reason}\n")


@pytest.mark.slow
def test_bad_input_of_a_plan_is_named(plan):
    """A text whose sides differ in length: the message of `train` itself."""
    with (plan.parent / "data/own.de").open("a", encoding="utf-8") as file:
        file.write("ein satz mehr .\n")
    failed = build(plan)
    assert failed.status == 1
    (line,) = [line for line in failed.out.splitlines() if "ended with status" in line]
    assert re.fullmatch(
        r"without: `train` ended with status 1: .*/own\.de has 41 lines and .*/own\.en has 40; .*", line
    )


@pytest.mark.slow
def test_a_model_in_8_bits_is_measured_and_stored_as_such(plan):
    folder = plan.parent
    plan.write_text(PLAN.replace("tokenized = true", "tokenized = true\neight_bits = true"), "utf-8")
    (folder / "runs/without/8-bits").mkdir(parents=True)
    lines(folder / "runs/without/8-bits/config.json", json.dumps(dict.fromkeys(("format", "name", "model", "train"))))
    assert build(plan).status == 0, (folder / "runs/without/build.log").read_text("utf-8")
    model = folder / "without"
    about = json.loads((model / "config.json").read_text("utf-8"))["about"]
    assert about["weights"].startswith("8 bits")
    assert about["test"]["set"] == "a few captions"
    assert {"metrics.jsonl", "snapshots.json", "README.md"} <= set(files_under(model))
    assert "the weights in 8 bits" in (model / "README.md").read_text("utf-8")
    assert torch.int8 in {tensor.dtype for tensor in load_file(model / "model.safetensors").values()}


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
def test_a_folder_8_bits_of_the_reader_is_refused_before_anything_is_trained(plan, dry):
    folder = plan.parent
    (folder / "runs/without/8-bits").mkdir(parents=True)
    lines(folder / "runs/without/8-bits/README.md", "mine")
    before = files_under(folder)
    found = build(plan, *dry)
    assert (found.status, "contains README.md, which this command did not write" in found.err) == (1, True)
    assert files_under(folder) == before


def test_a_model_that_would_lose_too_much_in_8_bits_is_stored_as_it_was_trained(plan, monkeypatch):
    folder = plan.parent
    plan.write_text(PLAN.replace("tokenized = true", "tokenized = true\neight_bits = true"), "utf-8")

    def called(words, *_):
        if words[3] == "train":
            lines(folder / "runs/without/config.json", "trained")
        return LOSSY if words[3] == "quantize" else 0

    monkeypatch.setattr("attn_core.cli.build._status", called)
    assert build(plan).status == 0
    assert "trained" in (folder / "without/config.json").read_text("utf-8")


@pytest.mark.parametrize("status", [1, -9, 130])
def test_another_failure_in_8_bits_stores_nothing(plan, monkeypatch, status):
    folder = plan.parent
    plan.write_text(PLAN.replace("tokenized = true", "tokenized = true\neight_bits = true"), "utf-8")

    def called(words, *_):
        (folder / "runs/without/8-bits").mkdir(parents=True, exist_ok=True)  # of a quantization that died
        return status if words[3] == "quantize" else 0

    monkeypatch.setattr("attn_core.cli.build._status", called)
    assert build(plan).status != 0
    assert not (folder / "without").exists()


def test_a_stored_model_takes_the_place_of_an_earlier_one_as_a_whole(tmp_path):
    for name, files in {
        "run": ("config.json", "state.safetensors", "build.log"),
        "model": ("config.json", "old"),
    }.items():
        (tmp_path / name).mkdir()
        for file in files:
            (tmp_path / name / file).write_text(name, "utf-8")
    (tmp_path / "run/corpus").mkdir()
    _store(tmp_path / "run", tmp_path / "model")
    assert files_under(tmp_path / "model") == {"config.json": b"run"}
    assert {path.name for path in tmp_path.iterdir()} == {"run", "model"}


def test_the_earlier_model_stays_if_the_new_one_cannot_take_its_place(tmp_path, monkeypatch):
    for name in ("run", "model"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(name, "utf-8")

    def failing(_folder):
        raise OSError("no space left")

    monkeypatch.setattr("attn_core.cli.build.share", failing)
    with pytest.raises(OSError, match="no space left"):
        _store(tmp_path / "run", tmp_path / "model")
    assert files_under(tmp_path / "model") == {"config.json": b"model"}
    assert {path.name for path in tmp_path.iterdir()} == {"run", "model"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('corpus = "own"', 'corpus = "oven"', "models.without: unknown corpus 'oven'"),
        ('corpus = "own"', "", "models.without: luong-base needs a corpus"),
        ("luong-base", "luong-bass", "models.without: unknown preset 'luong-bass'"),
        ('"decoder.hidden" = 8', "hiden = 8", "models.without: unknown setting 'hiden'"),
        ("tokenized", "tokenised", "corpora.own: unknown key 'tokenised' (did you mean 'tokenized'?)"),
        ('valid = "few"', "", "corpora.own lacks valid"),
        ('["de", "en"]', '["de"]', 'corpora.own: languages must be two language codes, such as ["de", "en"]'),
        ("tokenized = true", 'tokenized = "yes"', "corpora.own: tokenized must be true or false, not 'yes'"),
        ("tokenized = true", 'more_tests = ["few"]', "corpora.own: more_tests must be a table, not ['few']"),
        ("tokenized = true", "more_tests = {few = 3}", "corpora.own: more_tests.few must be a string, not 3"),
        (
            "tokenized = true",
            'more_tests = {"../evil" = "few"}',
            "corpora.own: the test set '../evil' cannot be the name",
        ),
        (
            "tokenized = true",
            'more_tests = {"/evil" = "few"}',
            "corpora.own: the test set '/evil' cannot be the",
        ),
        (
            '["de", "en"]',
            '["../de", "en"]',
            "corpora.own: the language '../de' cannot be the name",
        ),
        ("[models.without]", "[models.vocabularies]", "the model 'vocabularies' cannot be the name of a folder"),
        ('corpus = "own"', 'corpus = ["own"]', "models.without: corpus must be a string, not ['own']"),
        (SMALL, "3", "models.without: settings must be a table, not 3"),
        ("[corpora.own]", "corpora = 3\n[models.other]", "corpora must be a table"),
        ("[models.without]", "[model.without]", "unknown key 'model'"),
        ("[models.without]", "[models.without", "cannot be read"),
    ],
)
def test_mistakes_in_a_plan_are_named(plan, old, new, said):
    assert old in PLAN
    plan.write_text(PLAN.replace(old, new), "utf-8")
    with pytest.raises(PlanError, match=r"models\.toml") as error:
        read_plan(plan)
    assert said in str(error.value)


def test_unknown_names_and_missing_data_are_refused(plan):
    assert "has no model 'with'" in run("build", plan, "with").err
    missing = run("build", plan)
    assert missing.status == 2
    assert "--data is missing" in missing.err
