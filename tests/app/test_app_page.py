"""The Explorer's page on the server, run by AppTest: its data, and what it says without models."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from app.service.decode import translate_request
from app.service.request import Request
from attn_core import load
from attn_core.models import folders
from tests.app.test_explorer import EXAMPLE, LOCAL_P, ROOT
from tests.helpers.shipped import rewritten, ship

FIRST = "bahdanau"


@pytest.fixture
def page(models):
    """Open the page; it must not show an exception."""

    def visit() -> AppTest:
        return run(AppTest.from_file(str(ROOT / "app" / "dashboard.py"), default_timeout=60))

    return visit


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception
    return app


def data(app: AppTest) -> dict | None:
    """The data of the stage."""
    found = [c.proto for c in app.get("bidi_component") if c.proto.component_name.endswith("explorer")]
    assert len(found) <= 1
    return json.loads(found[0].bytes) if found else None


def test_the_first_visit_shows_the_first_example(page, models):
    app = page()
    found = data(app)
    assert found["trace"] == translate_request(load(models[FIRST].folder), Request(EXAMPLE))["trace"]
    assert found["text"] == EXAMPLE
    assert not app.warning
    assert not app.info


def test_settings_that_no_model_can_have_are_said_plainly(page, tmp_path, monkeypatch):
    ship(tmp_path, FIRST, LOCAL_P)
    rewritten(tmp_path / FIRST, lambda record: record["model"]["attention"]["window"].update(name="round"))
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    app = page()
    said = app.warning[0].value.replace("\\", "")
    assert f"The model in {FIRST} cannot be read ({tmp_path / FIRST / 'config.json'} needs the window 'round'" in said
    assert "give the script that registers it with --load" in said
    assert data(app)["trace"]["model"] == LOCAL_P
    assert not app.error


def test_without_models_the_page_says_how_to_make_one(page, tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    app = page()
    assert "no trained translation model" in app.info[0].value
    assert "make train NAME=luong-general-local-p TRAIN=PREFIX VALID=PREFIX OUT=pretrained/mine" in app.info[0].value
    assert data(app) is None


def test_damaged_weights_of_the_first_model_are_said_plainly(page, tmp_path, monkeypatch):
    ship(tmp_path, FIRST, LOCAL_P)
    (tmp_path / FIRST / "model.safetensors").write_bytes(b"not weights")
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    app = page()
    assert FIRST in app.warning[0].value.replace("\\", "")
    assert data(app)["trace"]["model"] == LOCAL_P


def test_a_failure_is_said_plainly(page, monkeypatch, caplog):
    monkeypatch.setattr(folders, "PRETRAINED", None)
    monkeypatch.delenv("ATTN_PRETRAINED")
    app = page()
    assert "Something went wrong" in app.error[0].value
    assert "the Explorer failed" in caplog.text
