"""The Explorer's models: their files on the server, and the server's translations where a page cannot run one."""

import json
import urllib.error
import urllib.request
from shutil import copytree

import pytest
from playwright.sync_api import expect

from app.lab.training.runs import EXAMPLES
from app.service import files
from attn_core.data.captions import captions
from attn_core.decoding.translate import text_of, translate
from attn_core.models.checkpoint import load
from tests.helpers.serving import ROOT, serving
from tests.helpers.shipped import export, ship
from tests.helpers.visits import address_says, unfold, visits

NAME, OTHER = "luong-general-local-p", "bahdanau"
TEXT = captions()[0].de
NO_FILES = """
const fetched = window.fetch;
window.gone = true;
window.fetch = (address, ...options) =>
  window.gone && String(address).includes("/model/") ? Promise.reject(new Error("gone")) : fetched(address, ...options);
"""
# The server hears of no request while window.silent.
SILENCE = """
const fetched = window.fetch;
window.fetch = (address, ...options) =>
  window.silent && address === "/translate" ? new Promise(() => {}) : fetched(address, ...options);
"""


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """The folder of a small model that is exported for the browser and has a recorded training, and of one without."""
    folder = ship(tmp_path_factory.mktemp("exported"), NAME, OTHER)
    copytree(EXAMPLES / "reverse", folder / NAME, dirs_exist_ok=True)
    export(folder / NAME, as_built=False)
    return folder


@pytest.fixture(scope="module")
def server(exported):
    with serving(ROOT / "app" / "streamlit_app.py", {"ATTN_PRETRAINED": str(exported)}) as one:
        yield one.address


@pytest.fixture
def explorer(browser, server):
    with visits(browser, server) as open_page:
        yield lambda model=NAME, **given: open_page(query={"text": TEXT, "model": model}, **given)


@pytest.fixture
def addresses(exported, monkeypatch):
    monkeypatch.setenv("ATTN_PRETRAINED", str(exported))
    return files.addresses()


@pytest.mark.slow
def test_a_model_that_is_exported_has_addresses(addresses):
    assert list(addresses) == [NAME]


@pytest.mark.slow
def test_files_are_served_with_cache_headers_and_nothing_else_is(addresses, server, exported):
    found = addresses[NAME]
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


def test_a_window_can_be_added_and_taken_away_and_an_attention_type_chosen(explorer, exported):
    page, own = explorer(), load(exported / NAME)
    unfold(page)
    page.get_by_label("Attention type", exact=True).select_option("hard (argmax)")
    address_says(page, attention_type="hard-argmax")
    hard = own.with_attention_type("hard-argmax")
    expect(page.locator(".live-output")).to_have_text(text_of(hard, translate(hard, TEXT)))
    page.goto(f"{page.url}&window=global")
    expect(page.get_by_label("Window", exact=True).locator("option:checked")).to_contain_text("global (intervention)")
    wide = translate(hard, TEXT, window="global")
    expect(page.locator(".live-output")).to_have_text(text_of(hard, wide))
    page.get_by_label("Attention type", exact=True).select_option("hard (sampled)")
    page.get_by_role("button", name="Sample again").click()
    address_says(page, attention_type="hard-sample", draw="1", window="global")
    page.get_by_role("button", name="Add a window").click()  # the trained one, with which it cannot sample
    expect(page.get_by_role("button", name="Sample again")).to_be_hidden()
    expect(page.locator(".live-output")).to_have_text(text_of(own, translate(own, TEXT)))


def test_where_the_model_cannot_be_fetched_the_server_translates(explorer, exported):
    page, own = explorer(script=NO_FILES), load(exported / NAME)
    output = page.locator(".live-output")
    expect(output).to_have_text(text_of(own, translate(own, TEXT)))
    page.get_by_label("Half-width D").press("Home")
    expect(output).to_have_text(text_of(own, translate(own, TEXT, half_width=0)))
    expect(page.locator(".ap-badge")).to_have_text("decoded")
    page.get_by_label("German sentence").fill(captions()[1].de)
    expect(output).to_have_text(text_of(own, translate(own, captions()[1].de, half_width=0)))
    page.evaluate("window.gone = false")
    page.get_by_label("Model").select_option(OTHER)
    page.get_by_label("Model").select_option(NAME)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_label("German sentence").fill(TEXT)
    expect(output).to_have_text(text_of(own, translate(own, TEXT)))
    assert not [address for address in asked if address.endswith("/translate")]


def test_the_page_says_within_a_second_that_the_server_is_busy(explorer):
    """The server does not hear of the request, as if it were still starting."""
    page = explorer(OTHER, script=SILENCE)
    expect(page.locator(".live-output")).not_to_have_text("")
    page.evaluate("window.silent = true")
    page.get_by_label("German sentence").fill(captions()[1].de)
    expect(page.locator(".live-note")).to_contain_text("The server is loading the model", timeout=1500)  # with typing


def test_a_refusal_of_the_server_is_one_line_and_the_next_sentence_is_translated(explorer, exported):
    page, own = explorer(OTHER, provokes="503"), load(exported / OTHER)
    output, note = page.locator(".live-output"), page.locator(".live-note")
    expect(output).not_to_have_text("")
    page.route("**/translate", lambda route: route.fulfill(status=503, content_type="text/plain", body="Try again.\n"))
    page.get_by_label("German sentence").fill(captions()[1].de)
    expect(note).to_have_text("The translation failed: Try again.")
    page.unroute("**/translate")
    page.route("**/translate", lambda route: route.fulfill(status=503, content_type="text/html", body="<h1>No"))
    page.get_by_label("German sentence").fill("Ein Mann")
    expect(note).to_have_text("The translation failed: the server answered with status 503")
    page.unroute("**/translate")
    page.get_by_label("German sentence").fill("Ein Hund")
    expect(output).to_have_text(text_of(own, translate(own, "Ein Hund")))


def test_without_a_connection_the_page_says_that_the_server_does_not_answer(explorer):
    page = explorer(OTHER, provokes="ERR_FAILED")
    expect(page.locator(".live-output")).not_to_have_text("")
    page.route("**/translate", lambda route: route.abort())
    page.get_by_label("German sentence").fill(captions()[1].de)
    expect(page.locator(".live-note")).to_have_text("The translation failed: the server does not answer")


def test_damaged_weights_are_said_plainly_and_another_model_can_be_chosen(explorer, exported):
    weights = exported / OTHER / "model.safetensors"
    whole = weights.read_bytes()
    try:
        weights.write_bytes(b"not weights")
        page, own = explorer(provokes="409 (Conflict)"), load(exported / NAME)
        page.get_by_label("Model").select_option(OTHER)
        expect(page.locator(".live-note")).to_contain_text("The translation failed:")
        expect(page.locator(".live-note")).to_contain_text("is damaged")
        unfold(page)
        for of_another in ("See how it was trained", "The equations of this model", "Edit attention"):
            expect(page.get_by_text(of_another)).to_be_hidden()
        expect(page.locator(".live-stale")).to_have_count(1)
        address_says(page, model=OTHER)
        page.get_by_label("Model").select_option(NAME)
        expect(page.locator(".live-note")).not_to_contain_text("failed")
        expect(page.locator(".live-output")).to_have_text(text_of(own, translate(own, TEXT)))
    finally:
        weights.write_bytes(whole)


def test_a_model_that_could_not_be_opened_is_tried_again(explorer, exported):
    weights = exported / OTHER / "model.safetensors"
    whole = weights.read_bytes()
    page, own = explorer(provokes="409 (Conflict)"), load(exported / OTHER)
    try:
        weights.write_bytes(b"not weights")
        page.get_by_label("Model").select_option(OTHER)
        expect(page.locator(".live-note")).to_contain_text("The translation failed:")
    finally:
        weights.write_bytes(whole)
    page.get_by_label("German sentence").fill("Ein Hund")
    expect(page.locator(".live-output")).to_have_text(text_of(own, translate(own, "Ein Hund")))
    expect(page.locator(".live-stale")).to_have_count(0)


def test_a_recorded_training_is_one_click_away(explorer):
    page = explorer()
    link = page.get_by_text("See how it was trained")
    expect(link).to_be_hidden()
    unfold(page)
    link.click()
    expect(page.get_by_role("combobox").first).to_have_value(f"shipped/{NAME}")
    expect(page.locator(".tr-map canvas")).to_have_count(4)
