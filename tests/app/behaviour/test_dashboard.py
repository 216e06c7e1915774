"""The Explorer on the dashboard: downloads, and models that the server runs."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Download, expect

from attn_core import dump, load, translate
from tests.helpers.explorer import ExplorerPage, Name, Says, as_shown
from tests.helpers.serving import ROOT, serving
from tests.helpers.shipped import ship
from tests.helpers.visits import patience

TEXT = "Ein Junge hebt einen gelben Ball auf."
LOCAL_P, SERVED = "luong-general-local-p", "luong-dot-global"


@pytest.fixture(scope="module")
def folder(models_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shipped models, and an untrained one that is not exported: the server runs it."""
    found = tmp_path_factory.mktemp("dashboard")
    for name in ("bahdanau", LOCAL_P, "fixed-vector", "transformer", "first.json"):
        (found / name).symlink_to(models_folder / name)
    return ship(found, SERVED)


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with serving(ROOT / "app" / "streamlit_app.py", {"ATTN_PRETRAINED": str(folder)}) as server:
        yield f"{server.address}/"


@pytest.fixture
def explorer(browser: Browser, address: str) -> Iterator[ExplorerPage]:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.set_default_timeout(patience())
    yield ExplorerPage(page, address)
    context.close()


def _saved(download: Download, folder: Path) -> Path:
    path = folder / download.suggested_filename
    download.save_as(path)
    return path


def test_a_link_opens_the_same_view_as_on_the_site(explorer: ExplorerPage, model):
    view = {"text": TEXT, "model": LOCAL_P, "D": 1, "step": 2}
    explorer.open(view)
    trace = translate(model(LOCAL_P), TEXT, half_width=1)
    explorer.expect_translated(model(LOCAL_P), trace)
    explorer.show_tables()
    explorer.expect_matrix(as_shown(trace))
    explorer.expect_step_table(as_shown(trace), 2)
    explorer.expect_link(view)
    explorer.press("ArrowRight")
    explorer.expect_step(3)


def test_the_json_and_csv_files_have_the_numbers_of_what_is_shown(explorer: ExplorerPage, model, tmp_path):
    explorer.open({"text": TEXT, "model": LOCAL_P})
    explorer.slider(Name.D).fill("1")
    explorer.expect_in_link(D=1)
    wanted = json.loads(dump(translate(model(LOCAL_P), TEXT, half_width=1)))
    file = _saved(explorer.download("JSON"), tmp_path)
    assert file.name == f"{LOCAL_P}-ein-junge-hebt-einen-gelben.json"
    trace = json.loads(file.read_text("utf-8"))
    assert (trace["source"], trace["target"]) == (wanted["source"], wanted["target"])
    for step, other in zip(trace["steps"], wanted["steps"], strict=True):
        for name in ("scores", "alignment", "gaussian", "weights"):
            assert step["looks"][0][name] == pytest.approx(other["looks"][0][name], abs=1e-4)
    rows = list(csv.DictReader(io.StringIO(_saved(explorer.download("CSV"), tmp_path).read_text("utf-8"))))
    weights = [float(row["weight"]) for row in rows]
    assert weights == pytest.approx([w for step in wanted["steps"] for w in step["looks"][0]["weights"]], abs=1e-4)


def test_the_pictures_are_of_the_heatmap_on_show(explorer: ExplorerPage, tmp_path):
    explorer.open({"text": TEXT, "model": "bahdanau"})
    assert _saved(explorer.download("PNG"), tmp_path).read_bytes()[:4] == b"\x89PNG"
    assert _saved(explorer.download("PDF"), tmp_path).read_bytes()[:5] == b"%PDF-"
    picture = _saved(explorer.download("SVG"), tmp_path).read_text("utf-8")
    for word in ("junge", "gelben", "yellow"):
        assert word in picture


def test_a_model_without_attention_has_only_its_trace_to_download(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": "fixed-vector"})
    explorer.page.get_by_role("button", name="JSON").hover()
    for name in ("PNG", "PDF", "CSV"):
        expect(explorer.page.get_by_role("button", name=name)).to_be_disabled()
    expect(explorer.button("SVG")).to_have_count(0)
    expect(explorer.page.get_by_role("button", name="JSON")).to_be_enabled()


def test_a_download_that_fails_is_one_line_of_the_notices_while_its_view_stays(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": "bahdanau"})
    explorer.page.route(
        "**/download/**", lambda route: route.fulfill(status=503, content_type="text/plain", body="Full.\n")
    )

    def fail() -> None:
        explorer.button("PNG").click()
        expect(explorer.notices).to_have_text("The download failed: Full.")

    fail()
    explorer.button(Name.WORKBENCH).click()  # ends it
    expect(explorer.notices).to_be_empty()
    explorer.button(Name.WORKBENCH).click()
    expect(explorer.button("PNG")).to_be_visible()
    expect(explorer.notices).to_be_empty()
    fail()
    explorer.choose(Name.MODEL, LOCAL_P)
    expect(explorer.notices).not_to_contain_text("failed")
    explorer.settle()
    explorer.button("PNG").click()
    expect(explorer.notices).to_contain_text("The download failed: Full.")
    explorer.page.unroute("**/download/**")
    explorer.download("PNG")
    expect(explorer.notices).not_to_contain_text("failed")


def test_a_handout_opens_at_the_step_and_translates_without_a_network(explorer: ExplorerPage, model, tmp_path):
    explorer.open({"text": TEXT, "model": LOCAL_P, "step": 3})
    file = _saved(explorer.download(Name.HANDOUT), tmp_path)
    assert file.suffix == ".html"
    explorer.page.context.set_offline(True)
    explorer.page.goto(file.as_uri())
    explorer.settle()
    explorer.expect_step(3)
    explorer.expect_translated(model(LOCAL_P), translate(model(LOCAL_P), TEXT))
    explorer.sentence.or_(explorer.page.get_by_label(Name.SENTENCE)).first.fill("Alle Kinder lachen.")
    other = translate(model(LOCAL_P), "Alle Kinder lachen.")
    explorer.expect_translated(model(LOCAL_P), other)
    explorer.slider(Name.D).fill("0")
    explorer.expect_translated(model(LOCAL_P), translate(model(LOCAL_P), "Alle Kinder lachen.", half_width=0))
    explorer.show_tables()
    explorer.expect_matrix(as_shown(translate(model(LOCAL_P), "Alle Kinder lachen.", half_width=0)))


def test_the_server_translates_for_a_model_that_cannot_run_in_the_page(explorer: ExplorerPage, folder):
    own = load(folder / SERVED)
    explorer.open({"text": TEXT, "model": SERVED})
    explorer.expect_translated(own, translate(own, TEXT))
    explorer.sentence.fill("Alle Kinder lachen.")
    explorer.expect_translated(own, translate(own, "Alle Kinder lachen."))
    expect(explorer.translation).to_have_attribute("lang", "en")
    expect(explorer.sentence).to_have_attribute("lang", "de")
    explorer.button(Name.ADD_WINDOW).click()
    explorer.expect_translated(own, translate(own, "Alle Kinder lachen.", window="local-m", half_width=2))
    explorer.unfold_settings()
    explorer.choose(Name.BEAM, "3")
    trace = translate(own, "Alle Kinder lachen.", window="local-m", half_width=2, beam=3)
    explorer.expect_translated(own, trace)
    explorer.show_tables()
    explorer.expect_matrix(as_shown(trace))
    explorer.expect_in_link(model=SERVED, window="local-m", D=2, beam=3)
    expect(explorer.button(Name.EDIT)).to_be_hidden()  # only the engine in the page makes edits
    expect(explorer.page.get_by_text(Name.EQUATIONS)).to_be_hidden()
    explorer.sentence.fill("?!")
    expect(explorer.remarks).to_have_text(Says.NO_WORDS)


def test_a_model_that_the_page_runs_comes_after_one_of_the_server(explorer: ExplorerPage, model):
    explorer.open({"text": TEXT, "model": SERVED})
    expect(explorer.translation).not_to_be_empty()
    explorer.choose(Name.MODEL, "bahdanau")
    explorer.expect_translated(model("bahdanau"), translate(model("bahdanau"), TEXT))
    expect(explorer.button(Name.EDIT)).to_be_visible()
    explorer.expect_in_link(model="bahdanau")
    explorer.page.go_back()
    explorer.expect_in_link(model=SERVED)
