"""`build` after a change of the plan: which trainings in its folder go on, give way, or are an error."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from attn_core.cli.plan import Planned, read_plan
from attn_core.models.presets import configure
from attn_core.synthetic import forecasting
from attn_core.training import run as runs
from attn_core.training.run_state import STATE
from tests.cli.conftest import build
from tests.helpers.terminal import Run, files_under, lines


def begin(model: Planned, folder: Path, losses: str = "", finished: bool = True, **changed: object) -> None:
    """What `build` reads of a training of `model` with `changed` settings in `folder`; `losses` are its metrics."""
    folder.mkdir(parents=True)
    config, recipe = configure(model.preset, model.settings | changed)
    shared = config.flat() | recipe.to_json()
    save_file({"a": torch.zeros(1)}, folder / STATE, {"run": json.dumps(shared), "progress": "{}"})
    if finished:
        about = {"data": {"teacher": model.teacher}} if model.teacher else {}
        record = {"format": 2, "name": model.name, "model": config.to_json(), "train": recipe.to_json()}
        (folder / "config.json").write_text(json.dumps(record | {"about": about}), "utf-8")
        lines(folder / "metrics.jsonl", losses)


def trainings(plan, monkeypatch) -> tuple[Run, list[list[str]]]:
    """The result of `build` without its trainings, and the arguments of those that it would have started."""
    called: list[list[str]] = []
    monkeypatch.setattr("attn_core.cli.build._status", lambda words, *_: called.append(words[3:]) or 2)
    return build(plan), called


@pytest.mark.parametrize(
    "changed", [{"epochs": 3}, {"epochs": 1}, {"rate": 0.5}, {"decoder.hidden": 6, "encoder.hidden": 3}]
)
def test_a_finished_training_with_other_settings_gives_way(plan, monkeypatch, changed):
    """Resuming it would raise the rate again, or end at once. Its model is stored, so it is trained from the start."""
    (model,) = read_plan(plan).values()
    for part in ("runs/without", "without"):
        begin(model, plan.parent / part, losses="9.5", **changed)
    (plan.parent / "runs/without/corpus").mkdir()
    lines(plan.parent / "runs/without/corpus/train.json", "of the old training")
    _, ((words),) = trainings(plan, monkeypatch)
    assert words[:2] == ["train", "luong-base"]
    assert "--resume" not in words
    assert set(files_under(plan.parent / "runs")) == {"without", "without/build.log"}
    assert (plan.parent / "without/config.json").exists(), "the stored model stays until there is another one"


@pytest.mark.parametrize("stored", [None, "9.4"])
@pytest.mark.parametrize(
    ("changed", "finished"), [({"epochs": 3}, True), ({"epochs": 3}, False), ({"rate": 0.5}, False)]
)
def test_a_run_with_other_settings_and_no_stored_model_is_an_error(plan, monkeypatch, stored, changed, finished):
    (model,) = read_plan(plan).values()
    begin(model, plan.parent / "runs/without", losses="9.5", finished=finished, **changed)
    if stored:
        begin(model, plan.parent / "without", losses=stored, **changed)
    before = files_under(plan.parent / "runs")
    found, called = trainings(plan, monkeypatch)
    assert (found.status, called, found.err.count("\n")) == (1, [], 1)
    folder = plan.parent / "runs/without"
    assert found.err.startswith(f"error: {folder} contains a run of without whose settings differ from the plan")
    assert "delete that folder to start over, or restore the settings" in found.err
    assert files_under(plan.parent / "runs") == before


@pytest.mark.parametrize(("changed", "finished"), [({}, True), ({}, False), ({"precision": "fp32"}, True)])
def test_a_training_with_the_settings_of_the_plan_goes_on(plan, monkeypatch, changed, finished):
    """Precision "auto" is recorded as what it stood for."""
    (model,) = read_plan(plan).values()
    begin(model, plan.parent / "runs/without", finished=finished, **changed)
    _, ((words),) = trainings(plan, monkeypatch)
    assert "--resume" in words


def test_the_translations_of_a_teacher_stay_when_a_training_gives_way(plan, monkeypatch):
    (model,) = read_plan(plan).values()
    for part in ("runs/without", "without"):
        begin(model, plan.parent / part, losses="9.5", epochs=3)
    (plan.parent / "runs/without/taught").mkdir()
    for name in ("wise.tsv", "wise.json"):
        lines(plan.parent / "runs/without/taught" / name)
    trainings(plan, monkeypatch)
    there = {name for name in files_under(plan.parent / "runs/without") if not name.startswith("build.log")}
    assert there == {"taught", "taught/wise.json", "taught/wise.tsv"}


def test_files_of_the_reader_stay_when_a_training_gives_way(plan, monkeypatch):
    (model,) = read_plan(plan).values()
    for part in ("runs/without", "without"):
        begin(model, plan.parent / part, losses="9.5", epochs=3)
    for name in ("notes.txt", "corpus/mine.txt", "figures/one.svg"):
        (plan.parent / "runs/without" / name).parent.mkdir(exist_ok=True)
        lines(plan.parent / "runs/without" / name, "mine")
    _, ((words),) = trainings(plan, monkeypatch)
    assert "--resume" not in words
    there = {name for name, content in files_under(plan.parent / "runs/without").items() if content == b"mine\n"}
    assert there == {"notes.txt", "corpus/mine.txt", "figures/one.svg"}
    assert not (plan.parent / "runs/without" / STATE).exists()


SIZES = {"embedding": 4, "epochs": 1, "batch": 2}


@pytest.mark.parametrize("preset", ["luong-base", "series"])
def test_a_training_records_what_it_began_with(preset, tmp_path, monkeypatch):
    """In its config.json and, before the end of an epoch, in its state alone."""
    monkeypatch.setattr(forecasting.training, "EXAMPLES", 2)
    if preset == "series":
        settings = SIZES | {"hidden": 6, "updates": 2}
        forecasting.learn(preset, tmp_path / "m", settings=settings)
    else:
        settings = SIZES | {"decoder.hidden": 6, "encoder.hidden": 3, "attentional": 4, "min_frequency": 1}
        for language, text in (("de", "a b"), ("en", "n o")):
            lines(tmp_path / f"own.{language}", text)
        own = str(tmp_path / "own")
        runs.train(preset, own, own, "de", "en", tmp_path / "m", settings=settings, tokenized=True)
    same = Planned("m", preset, settings=settings)
    other = {"dropout": 0.1} if preset == "luong-base" else {"embedding": 8}
    changes = (other, {"rate": 0.5}, {"seed": 7}, {"epochs": 2})
    others = [replace(same, settings=settings | changed) for changed in changes]
    for record in ("config.json", STATE):
        assert same.resumes(tmp_path / "m"), record
        assert not any(one.resumes(tmp_path / "m") for one in others), record
        (tmp_path / "m" / "config.json").unlink(missing_ok=True)
