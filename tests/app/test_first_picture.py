"""The first picture of the Explorer: a shipped trace, shown before torch is imported."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.service import catalogue, first
from app.service.decode import translate_request
from app.service.request import Request
from attn_core import load, parse
from tests.helpers.shipped import rewritten, ship

ROOT = Path(__file__).parents[2]
EXAMPLE = first.TEXT
FIRST, LOCAL_P = "bahdanau", "luong-general-local-p"
pytestmark = pytest.mark.usefixtures("models")


def test_the_first_picture_is_what_the_model_says(folder, models):
    assert first.write() == folder / "first.json"
    assert first.stored(models[FIRST]) == translate_request(load(models[FIRST].folder), Request(EXAMPLE))["trace"]
    assert first.stored(models[LOCAL_P]) is None
    (folder / "first.json").unlink()


@pytest.fixture
def stored(tmp_path, monkeypatch) -> Callable[[], dict | None]:
    """The first picture that is stored in `tmp_path` with its model, unless it is out of date."""
    ship(tmp_path, FIRST)
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    first.write()
    return lambda: first.stored(catalogue.catalogue()[0][FIRST])


def test_a_first_picture_of_other_weights_is_not_shown(stored, tmp_path):
    weights = tmp_path / FIRST / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\x00")
    assert stored() is None


def test_a_first_picture_of_other_settings_is_not_shown(stored, tmp_path):
    rewritten(tmp_path / FIRST, lambda record: record["about"].update(epoch=3))
    assert stored(), "only the card changed, not the settings"
    rewritten(tmp_path / FIRST, lambda record: record["model"]["decoder"].update(update="printed"))
    assert stored() is None


def test_a_first_picture_of_another_schema_is_not_shown(stored, tmp_path):
    """The player needs the current schema."""
    path = tmp_path / first.NAME
    record = json.loads(path.read_text("utf-8"))
    record["trace"]["schema"] = 1
    path.write_text(json.dumps(record), "utf-8")
    assert stored() is None


def test_the_shipped_first_picture_is_up_to_date(monkeypatch):
    monkeypatch.delenv("ATTN_PRETRAINED")
    models, broken = catalogue.catalogue()
    assert broken == []
    assert models, "the models of pretrained/ ship with the project"
    model = models[catalogue.first(models)]
    found = first.stored(model)
    assert found, "pretrained/first.json is missing or of another model: run `python -m app.service.first`"
    shown, computed = (
        parse(json.dumps(one)) for one in (found, translate_request(load(model.folder), Request(EXAMPLE))["trace"])
    )
    assert (shown.target, shown.settings) == (computed.target, computed.settings)
    for one, other in zip(shown.words, computed.words, strict=True):
        assert one.log_prob == pytest.approx(other.log_prob, abs=1e-3)
        assert one.step.looks[0].weights.tolist() == pytest.approx(other.step.looks[0].weights.tolist(), abs=1e-4)


@pytest.mark.parametrize("mark", ["", "▁"])
def test_it_opens_at_its_word_also_as_a_piece(mark):
    steps = [{"token": f"{mark}{token}"} for token in ("to", first.WORD, "a")]
    assert first.step({"steps": steps}) == 1
    assert first.step({"steps": steps[2:]}) == first.step({}) == 0


def test_the_page_is_ready_before_torch(folder):
    """Importing torch takes a second, and numpy a quarter; the first picture does not wait for them."""
    late = {"torch", "numpy", "altair", "sacremoses"}
    code = f"import sys, app.explorer.page; sys.exit(bool({late} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ATTN_PRETRAINED": str(folder)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
