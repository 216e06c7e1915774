"""The Explorer with an exported model: the page fetches it and decodes by itself while a slider moves."""

import json
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from app.service import catalogue, files
from app.service.view import View
from attn_core.cli import main
from attn_core.data.captions import captions
from attn_core.decoding.translate import translate
from attn_core.models.checkpoint import load
from tests.helpers.browser import drag
from tests.helpers.engine import unchecked
from tests.helpers.serving import ROOT, serving
from tests.helpers.shipped import ship
from tests.helpers.visits import visits

NAME = "luong-general-local-p"
TEXT = captions()[0].de
NO_FILES = """
const fetched = window.fetch;
window.gone = true;
window.fetch = (address, ...options) =>
  window.gone && String(address).includes("/model/") ? Promise.reject(new Error("gone")) : fetched(address, ...options);
"""


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """The folder of a small model that is exported for the browser, and of one that is not."""
    folder = ship(tmp_path_factory.mktemp("exported"), NAME, "bahdanau")
    with unchecked():
        assert main(["export", str(folder / NAME), "--to", "browser"]) == 0
    return folder


@pytest.fixture(scope="module")
def server(exported):
    with serving(ROOT / "app" / "streamlit_app.py", {"ATTN_PRETRAINED": str(exported)}) as one:
        yield one.address


@pytest.fixture
def explorer(browser, server):
    with visits(browser, server) as open_page:
        yield lambda **given: open_page(query={"text": TEXT, "model": NAME}, **given)


@pytest.fixture
def engine(exported, monkeypatch):
    monkeypatch.setenv("ATTN_PRETRAINED", str(exported))
    models = catalogue.catalogue()[0]
    return lambda name, **view: files.engine(models[name], View(TEXT, name, **view))


def test_a_model_that_is_exported_has_addresses(engine):
    found = engine(NAME, beam=3)
    assert found["request"] == {"text": TEXT, "beam": 3, "replace_unk": False, "type": "soft"}
    assert engine("bahdanau") is None
    assert engine(NAME, attention_type="hard-sample") is None  # the server's samples are those of the links


@pytest.mark.slow
def test_files_are_served_with_cache_headers_and_nothing_else_is(engine, server, exported):
    found = engine(NAME)
    with urllib.request.urlopen(server + found["record"]) as answer:
        assert "immutable" in answer.headers["Cache-Control"]
        assert json.load(answer)["graphs"]["name"] == NAME
    asked = urllib.request.Request(server + found["weights"], headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(asked) as answer:
        assert answer.headers["Content-Encoding"] == "identity"
        assert answer.read() == (exported / NAME / "model.safetensors").read_bytes()
    version = found["record"].split("/")[3]
    for path in (f"{NAME}/{version}/config.json", f"{NAME}/0/record.json", f"other/{version}/record.json"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{server}/model/{path}")


@pytest.mark.slow
@pytest.mark.browser
def test_dragging_decodes_in_the_page_and_downloads_have_its_window(explorer, exported, tmp_path):
    page = explorer()
    expect(page.get_by_label("Keep the states")).to_be_visible()  # the model is in the page
    wanted = [list(translate(load(exported / NAME), TEXT, half_width=d).target) for d in (0, 1)]
    assert wanted[0] != wanted[1]
    for half_width in (0, 1):
        drag(page, half_width)
        expect(page.locator(".ap-word")).to_have_text(wanted[half_width])
        expect(page.locator(".ap-badge")).to_have_text("decoded")
    page.get_by_label("Half-width D").dispatch_event("change")
    page.wait_for_url("**D=1**")  # the server knows the window
    expect(page.locator(".ap-word")).to_have_text(wanted[1])
    with page.expect_download() as waiting:
        page.get_by_role("button", name="JSON").and_(page.locator("button:visible")).first.click()
    waiting.value.save_as(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text("utf-8"))
    assert (trace["settings"]["half_width"], trace["target"]) == (1, wanted[1])
    page.go_back()  # to the trained window, which the server has sent before
    expect(page.locator(".ap-word")).to_have_text(list(translate(load(exported / NAME), TEXT).target))


@pytest.mark.slow
@pytest.mark.browser
def test_where_the_model_cannot_be_used_the_server_decodes_on_release(explorer, exported):
    page = explorer(script=NO_FILES)
    drag(page, 0)
    expect(page.locator(".ap-badge")).to_have_text("preview: states frozen")
    page.get_by_label("Half-width D").dispatch_event("change")
    expect(page.locator(".ap-badge")).to_have_text("decoded")
    wanted = translate(load(exported / NAME), TEXT, half_width=0)
    expect(page.locator(".ap-word")).to_have_text(list(wanted.target))
    page.evaluate("window.gone = false")
    page.get_by_label("German sentence").fill(captions()[1].de)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Keep the states")).to_be_visible()  # the files are asked for again
