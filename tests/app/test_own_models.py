"""A model outside `pretrained/` with a window of a script: offered on the site as the shipped models are."""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from playwright.sync_api import Browser, expect

from app.explorer.record import record
from app.lab.kit import live
from app.service.catalogue import FIRST, catalogue
from app.site import __main__ as site
from attn_core.decoding.translate import text_of, translate
from attn_core.export import model_files
from attn_core.models import folders
from attn_core.models.checkpoint import load
from attn_core.models.scripts import load_script
from tests.helpers import shipped
from tests.helpers.scripts import forgotten, script
from tests.helpers.serving import Files
from tests.helpers.visits import patience

SHIPPED = (FIRST, "luong-general-local-m")
SETTINGS = shipped.LUONG | {"window": "backwards", "half_width": 2}


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    with forgotten():
        yield


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The script that registers the window `backwards`."""
    return script(tmp_path)


@pytest.fixture
def own(tmp_path: Path, path: Path) -> Path:
    """A small untrained translator with that window, exported for the browser; beside it, two shipped models."""
    with forgotten(), mock.patch.dict(shipped.MODELS, {"mine": SETTINGS}):
        load_script(path)
        shipped.ship(tmp_path / "runs", "mine")
        shipped.export(tmp_path / "runs" / "mine")
    (tmp_path / "pretrained").mkdir()
    for name in (*SHIPPED, "first.json"):
        (tmp_path / "pretrained" / name).symlink_to(folders.find("bahdanau").parent / name)
    with mock.patch.dict(os.environ, ATTN_PRETRAINED=str(tmp_path / "pretrained")):
        yield tmp_path / "runs" / "mine"


def test_the_site_shows_a_model_of_ones_own_with_its_window(own, path, tmp_path, monkeypatch, browser: Browser):
    words = ["site", "--out", str(tmp_path / "site"), "--load", str(path), "--model", str(own)]
    monkeypatch.setattr("sys.argv", words)
    no_cards = mock.patch("app.site.lab.all_cards", return_value=defaultdict(str))
    with no_cards, mock.patch("app.lab.kit.described.pages", return_value=[]):
        assert site.main() == 0
    model = load(own)
    server, context = Files(tmp_path / "site"), browser.new_context()
    try:
        page = context.new_page()
        page.set_default_timeout(patience())
        page.goto(f"{server.address}/?model={SHIPPED[1]}&level=workbench")
        window = page.get_by_label("Window", exact=True)
        expect(window.locator("option:checked")).to_have_text("local-m")
        page.get_by_label("Model").select_option(label="mine")
        expect(window.locator("option:checked")).to_have_text("backwards")
        sentence = page.get_by_label("German sentence").input_value()
        expect(page.locator(".live-output")).to_have_text(text_of(model, translate(model, sentence)))
    finally:
        context.close()
        server.stop()


@pytest.mark.slow
def test_the_site_names_the_mistake_in_a_script_or_a_model(own, path, tmp_path, monkeypatch, capsys):
    bad = script(tmp_path, "x = (", "bad.py")
    for words, message in {
        ("--load", bad): f"{bad} is not a Python script (line 1: '(' was never closed); correct it, or give the script",
        (
            "--model",
            own,
        ): "mine/config.json needs the window 'backwards', which is not registered here: give the",
        ("--load", path, "--model", tmp_path): f"{tmp_path} holds no config.json",
    }.items():
        monkeypatch.setattr("sys.argv", ["site", "--out", str(tmp_path / "site"), *map(str, words)])
        assert site.main() == 2
        printed = capsys.readouterr().err
        assert message in printed
        assert printed.count("\n") == 1
    assert not (tmp_path / "site").exists()


@pytest.mark.slow
def test_a_model_of_a_task_offers_inputs_of_the_task(own, path):
    task = {"source_lang": "zxx", "target_lang": "zxx", "data": {"task": "reverse"}}
    shipped.rewritten(own, lambda written: written["about"].update(task))
    load_script(path)
    model_files.offer(own)
    models, broken = catalogue()
    assert broken == []
    found = record(models, {}, {})
    assert len(found["examples"]["zxx-zxx"]) == 8
    assert all(set(text) <= set("abcdefghijklmnopqrstuvwxyz ") for text in found["examples"]["zxx-zxx"])
    pair, *others = found["axes"]
    assert pair["values"][-1] == ["zxx-zxx", "symbols → symbols"]
    assert ["backwards", "backwards"] in next(axis for axis in others if axis["name"] == "window")["values"]
    assert "Sentence" in found["shared"]["label"]
    assert "mine" not in live.models(("update-then-attend",), every_language=True)
    assert json.dumps(found)
