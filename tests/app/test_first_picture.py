"""The first picture of the Explorer: a shipped trace, shown before torch is imported."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.service import catalogue, first
from app.service.decode import _odd, made
from app.service.view import View
from attn_core import load, parse
from attn_core.data.captions import captions
from attn_core.explain.step_graph import formulas
from tests.helpers.shipped import rewritten, ship

ROOT = Path(__file__).parents[2]
EXAMPLE = first.example()
LOCAL_P = "luong-general-local-p"
pytestmark = pytest.mark.usefixtures("models")


def test_the_first_picture_is_what_the_model_says(folder, models, monkeypatch, tmp_path):
    assert first.write() == folder / "first.json"
    view = first.first_view(models)
    assert view == View(EXAMPLE, LOCAL_P)
    found = first.shipped_answer(models[LOCAL_P], view)
    wanted = made(load(models[LOCAL_P].folder), View(EXAMPLE, LOCAL_P))
    assert replace(found, trace="") == replace(wanted, trace="")
    assert parse(found.trace).target == parse(wanted.trace).target
    assert json.loads(found.trace) == json.loads(wanted.trace)
    assert first.shipped_answer(models[LOCAL_P], replace(view, beam=5)) is None
    assert first.shipped_answer(models["bahdanau"], replace(view, model="bahdanau")) is None
    (folder / "first.json").unlink()


def test_a_first_picture_of_other_weights_is_not_shown(tmp_path, monkeypatch):
    ship(tmp_path, LOCAL_P)
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    first.write()
    weights = tmp_path / LOCAL_P / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\x00")
    model = catalogue.catalogue()[0][LOCAL_P]
    assert first.shipped_answer(model, View(EXAMPLE, LOCAL_P)) is None


def test_a_first_picture_of_other_settings_is_not_shown(tmp_path, monkeypatch):
    ship(tmp_path, LOCAL_P)
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    first.write()

    def answer():
        return first.shipped_answer(catalogue.catalogue()[0][LOCAL_P], View(EXAMPLE, LOCAL_P))

    rewritten(tmp_path / LOCAL_P, lambda record: record["about"].update(epoch=3))
    assert answer(), "only the card changed, not the settings"
    rewritten(tmp_path / LOCAL_P, lambda record: record["model"]["attention"]["window"].update(half_width=0))
    assert answer() is None


def test_a_first_picture_of_an_older_schema_is_not_shown(tmp_path, monkeypatch):
    """The player needs the current schema."""
    ship(tmp_path, LOCAL_P)
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    path = first.write()
    record = json.loads(path.read_text("utf-8"))
    record["trace"]["schema"] = 1
    path.write_text(json.dumps(record), "utf-8")
    assert first.shipped_answer(catalogue.catalogue()[0][LOCAL_P], View(EXAMPLE, LOCAL_P)) is None


def test_the_shipped_first_picture_is_up_to_date(monkeypatch):
    monkeypatch.delenv("ATTN_PRETRAINED")
    models, broken = catalogue.catalogue()
    assert broken == []
    assert models, "the models of pretrained/ ship with the project"
    view = first.first_view(models)
    found = first.shipped_answer(models[view.model], view)
    assert found, "pretrained/first.json is missing or of another model: run `python -m app.service.first`"
    wanted = made(load(models[view.model].folder), view)
    assert replace(found, trace="") == replace(wanted, trace="")
    assert first.shipped_formulas(models[view.model]) == formulas(models[view.model].config)
    shown, computed = parse(found.trace), parse(wanted.trace)
    assert (shown.target, shown.settings) == (computed.target, computed.settings)
    for one, other in zip(shown.words, computed.words, strict=True):
        assert one.log_prob == pytest.approx(other.log_prob, abs=1e-3)
        assert one.step.looks[0].weights.tolist() == pytest.approx(other.step.looks[0].weights.tolist(), abs=1e-4)


def test_the_page_is_ready_before_torch(folder):
    """Importing torch takes a second, and numpy a quarter; the first picture does not wait for them."""
    late = {"torch", "numpy", "altair", "sacremoses"}
    code = f"import sys, app.explorer.page; sys.exit(bool({late} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ATTN_PRETRAINED": str(folder)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_what_is_odd_is_said(models):
    """A translation cut at the limit (an untrained model does not end it), and a text of several sentences."""
    assert "cut off after" in made(load(models["bahdanau"].folder), View(captions()[0].de, LOCAL_P)).note
    assert _odd("Ein Hund läuft. Eine Katze schläft.", ("</s>",)).startswith("This looks like several sentences")
    for one in ("Ein Hund läuft.", "Ein Hund, z. B. dieser, läuft.", "Um 3. Platz kämpfen sie !"):
        assert _odd(one, ("a", "</s>")) == ""
