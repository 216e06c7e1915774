"""The site: walked in Chromium below a sub-path, and once more without a network; its lab pages and quiz."""

import os
import re
import shutil
from pathlib import Path
from unittest import mock
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from app.lab.kit.described import page_of
from app.lab.kit.source import listing
from app.lab.quiz.data import decks
from app.lab.score.page import PAGE
from app.lab.window.page import PAGE as WINDOW_PAGE
from app.service import first
from app.shell.pages import labs
from app.shell.qr import svg
from app.site import __main__, page, shell
from attn_core.browser import bundle
from attn_core.data.captions import captions
from attn_core.decoding.translate import text_of, translate
from attn_core.models import folders
from attn_core.models.checkpoint import load
from tests.helpers.serving import Files
from tests.helpers.visits import patience

FIRST = "bahdanau"
LOCAL_P, FIXED = "luong-general-local-p", "fixed-vector"
OTHER = captions()[1].de


@pytest.fixture(scope="module")
def models(site_models):
    """The models of the site as the shipped ones."""
    with mock.patch.dict(os.environ, ATTN_PRETRAINED=str(site_models)):
        yield site_models


@pytest.fixture(scope="module")
def written(models, written_site):
    """The folder of a site."""
    return written_site


@pytest.fixture
def site(written, tmp_path):
    """A copy of the site, its address and its server."""
    folder = tmp_path / "root" / "below" / "here"
    shutil.copytree(written, folder)
    server = Files(tmp_path / "root")
    yield folder, f"{server.address}/below/here/", server
    server.stop()


@pytest.fixture
def unreachable():
    """Parts of addresses that a test cannot reach without a network: a set to fill."""
    return set()


@pytest.fixture
def tab(browser, unreachable):
    """A page of the browser; in the end, no error was logged, nor anything that the site's policy forbids."""
    context, errors = browser.new_context(viewport={"width": 1280, "height": 720}), []
    opened = context.new_page()
    opened.set_default_timeout(patience())
    opened.on("pageerror", lambda error: errors.append(str(error)))

    def hear(message: ConsoleMessage) -> None:
        # Browsers fetch a page's icon past its service worker, also when there is no network.
        if message.type == "error" and not any(part in message.location["url"] for part in ("/icon.svg", *unreachable)):
            errors.append(f"{message.text} ({message.location['url']})")

    opened.on("console", hear)
    yield opened
    context.close()
    assert errors == []


def said(tab: Page, **wanted: str) -> dict[str, str]:
    """The parameters of the address once they have these values; the policy forbids Playwright's wait_for_function."""
    for _ in range(patience() // 50):
        found = dict(parse_qsl(urlsplit(tab.url).query))
        if wanted.items() <= found.items():
            return found
        tab.wait_for_timeout(50)
    raise AssertionError(f"{tab.url} does not say {wanted}")


def test_the_site_translates_and_opens_again_without_a_network(site, models, tab, unreachable):
    folder, address, server = site
    tab.goto(address)
    output, box = tab.locator(".live-output"), tab.get_by_label("German sentence")
    shown, own = load(models / FIRST), load(models / LOCAL_P)
    expect(output).to_have_text(text_of(shown, translate(shown, first.TEXT)))
    tab.get_by_role("button", name="Workbench").click()
    tab.get_by_label("Model").select_option(LOCAL_P)
    expect(output).to_have_text(text_of(own, translate(own, first.TEXT)))
    assert [worker.url.split(":")[0] for worker in tab.workers] == ["blob"]  # the policy allows the engine's worker
    box.fill(OTHER)
    expect(output).to_have_text(text_of(own, translate(own, OTHER)))
    tab.get_by_label("Half-width D").press("Home")
    narrow = text_of(own, translate(own, OTHER, half_width=0))
    expect(output).to_have_text(narrow)
    said(tab, text=OTHER, D="0")
    other = load(models / FIXED)
    tab.get_by_label("Model").select_option(FIXED)
    expect(output).to_have_text(text_of(other, translate(other, OTHER)))
    said(tab, model=FIXED)
    tab.go_back()
    expect(output).to_have_text(narrow)
    expect(tab.get_by_label("Half-width D")).to_have_value("0")
    tab.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page_file = folder / "index.html"
    page_file.write_text(page_file.read_text("utf-8").replace("<title>", "<title>New: "), "utf-8")
    tab.reload()
    expect(tab).to_have_title(re.compile("^New: "))  # an update is there at the first visit
    expect(output).to_have_text(narrow)
    server.stop()
    tab.context.set_offline(True)
    tab.reload()
    expect(output).to_have_text(narrow)
    expect(box).to_have_value(OTHER)
    unreachable.update(("/models/transformer-", "/models/files.json"))  # never opened, and the list of all files
    tab.get_by_label("Model").select_option("transformer")
    expect(tab.locator(".live-note")).to_contain_text("The translation failed: the server that has this model")
    expect(tab.locator(".live-stale")).to_have_count(1)
    expect(output).to_be_empty()
    tab.get_by_label("Model").select_option(LOCAL_P)
    expect(output).not_to_be_empty()
    expect(tab.locator(".live-stale")).to_have_count(0)


def test_a_link_reopens_the_view(site, models, tab):
    view = {"text": OTHER, "model": LOCAL_P, "beam": "3", "window": "local-m", "D": "3", "p": "1-4.5"}
    view |= {"attention_type": "hard-argmax"}
    tab.goto(f"{site[1]}?{urlencode(view | {'step': '2'})}")
    model = load(models / LOCAL_P).with_attention_type("hard-argmax")
    wanted = translate(model, OTHER, beam=3, window="local-m", half_width=3, centers={1: 4.5})
    expect(tab.locator(".live-output")).to_have_text(text_of(model, wanted))
    expect(tab.locator(".ap-count")).to_have_text(f"step 3 of {len(wanted.target)}")
    tab.get_by_role("button", name="Step forward").click()
    assert said(tab, step="3") == view | {"step": "3"}


def test_lab_pages_translate_and_open_again_without_a_network(site, models, tab):
    _folder, address, server = site
    words = {"window-lab.html": (".wl-words", LOCAL_P), "paths.html": (".pl-words", "bahdanau")}

    def walk(sentence: str | None = None) -> None:
        for file, (place, name) in words.items():
            tab.goto(address + file)
            box = tab.get_by_label("German sentence")
            if sentence:
                box.fill(sentence)
                box.press("Tab")  # passes it on to the next page
            said = list(translate(load(models / name), OTHER).target)
            expect(tab.locator(place).first.locator(".ap-word")).to_have_text(said)
        tab.goto(f"{address}heads.html")
        expect(tab.get_by_label("German sentence")).to_have_value(OTHER)
        tab.locator(".ap-choice").nth(2).click()
        said = list(translate(load(models / "transformer"), OTHER).target)
        expect(tab.locator(".hd-words").first.locator(".ap-word")).to_have_text(said)
        tab.goto(f"{address}pointer.html")
        expect(tab.locator(".pt-verdict")).to_contain_text("Correct")
        expect(tab.locator(".pt-plain")).to_contain_text("end")

    walk(OTHER)
    tab.get_by_role("link", name="Explorer").click()  # going to its bare address would reset the page
    expect(tab.locator(".live-output")).not_to_be_empty()  # nothing is being fetched when the server stops
    tab.evaluate("navigator.serviceWorker.ready.then(() => true)")
    server.stop()
    tab.context.set_offline(True)
    walk()


def test_the_first_picture_is_small_with_all_shipped_models():
    size = 12 * "0"  # as long as the digest in an address
    addresses = {
        name: {"record": f"models/{name}-{size}.json", "weights": f"models/{name}-{size}.safetensors"}
        for name in folders.shipped()
    }
    explorer, _glosses = page._explorer(addresses)
    texts = (
        shell.document(explorer, [(explorer.file, explorer.title)]),
        shell.script(Path(page.__file__).with_name("site.js")),
        page.style(),
    )
    icon = Path(page.__file__).parents[1] / "shell" / "icon.svg"
    sent = [*(text.encode() for text in texts), *(path.read_bytes() for path in (bundle.FONT, icon))]
    assert page.compressed(sent) <= 190_000


@pytest.mark.slow
def test_the_first_view_reaches_no_other_address(site):
    folder, _address, _server = site
    for name in ("index.html", "app.js", "engine.js", "style.css", "sw.js"):
        assert "https://" not in (folder / name).read_text("utf-8").replace("https://www.w3.org", ""), name


def test_the_tour_leads_to_the_first_card_of_the_quiz(site, tab):
    tab.goto(f"{site[1]}pointer.html?tour=10")
    tab.get_by_role("link", name="Take the quiz").press("Enter")
    expect(tab.locator("article:visible .claim")).to_be_focused()
    tab.keyboard.press("Tab")
    expect(tab.locator("article:visible .answers button").first).to_be_focused()
    tab.goto(f"{site[1]}quiz.html")
    expect(tab.locator("body")).to_be_focused()


def test_the_quiz_asks_tells_and_counts(site, tab):
    cards = [card for _title, some in decks() for card in some]
    tab.goto(f"{site[1]}quiz.html?card=root-d")
    shown, score = tab.locator("article:visible"), tab.locator(".score")
    card = next(card for card in cards if card.slug == "root-d")
    expect(shown).to_have_count(1)
    expect(shown.locator(".claim")).to_contain_text(card.claim)
    expect(shown.locator(".told")).to_be_hidden()
    wrong = next(i for i in range(len(card.answers)) if i != card.right)
    shown.get_by_role("button", name=card.answers[wrong]).click()
    verdict = f"The claim is {'true' if card.holds else 'false'}."
    expect(shown.locator(".verdict:visible")).to_have_text(f"Not quite: the right answer is marked ✓. {verdict}")
    expect(shown.locator("picture")).to_be_visible()
    expect(shown.locator(".finding")).to_contain_text("512")
    expect(shown.locator("table")).to_be_hidden()
    assert shown.locator("tbody tr").count() == 5  # the sizes d of its evidence, which needs no trained model
    expect(score).to_have_text("0 of 1 answered correctly")
    shown.get_by_role("button", name="Try again").click()
    shown.locator(".answers button").nth(card.right).click()
    expect(shown.locator(".verdict:visible")).to_have_text(f"Right. {verdict}")
    expect(score).to_have_text("0 of 1 answered correctly")  # the first answer counts
    shown.get_by_role("button", name="Next card").click()
    following = cards[cards.index(card) + 1]
    said(tab, card=following.slug)
    expect(shown.locator(".claim")).to_be_focused()
    shown.locator(".answers button").nth(following.right).click()
    expect(score).to_have_text("1 of 2 answered correctly")
    tab.go_back()
    expect(shown.locator(".claim")).to_contain_text(card.claim)


def test_the_quiz_of_the_site_begins_with_the_basics_and_tells_their_score(site, tab):
    (title, cards), *_others = decks()
    tab.goto(f"{site[1]}quiz.html")
    shown, score = tab.locator("article:visible"), tab.locator(".score")
    expect(shown.locator(".level")).to_have_text("Basics")
    for n, card in enumerate(cards):
        expect(shown.locator(".claim")).to_contain_text(re.sub(r"\$.*?\$", "", card.claim).strip())
        expect(score).not_to_contain_text(f"{title}:")
        shown.locator(".answers button").nth(card.right if n else (card.right + 1) % len(card.answers)).click()
        shown.get_by_role("button", name="Next card").click()
    right, every = len(cards) - 1, len(cards)
    expect(score).to_have_text(f"{right} of {every} answered correctly · Basics: {right} of {every}")


def test_a_lab_page_of_the_site_is_the_dashboards(site, tab):
    tab.goto(f"{site[1]}score-lab.html")
    expect(tab.get_by_role("heading", level=1)).to_have_text(PAGE.question)
    for section in PAGE.sections:
        if section.title:
            expect(tab.get_by_role("heading", name=section.title)).to_be_visible()
    key = tab.get_by_role("button", name="key 0").first
    before = tab.locator(".al-board").inner_text()
    key.focus()
    key.press("ArrowLeft")
    expect(tab.locator(".al-board")).not_to_have_text(before)
    assert tab.locator("article").count() == len(PAGE.cards)
    tab.goto(f"{site[1]}score-lab.html?card={PAGE.cards[1].slug}")
    expect(tab.locator(".claim:visible")).to_be_in_viewport()


def test_the_code_of_a_mechanism_can_be_read_and_copied(site, tab):
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.goto(site[1] + "window-lab.html")
    tab.locator(".listing summary", has_text="local-p").click()
    shown = listing(*next(code for section in WINDOW_PAGE.sections for code in section.code if code.title == "local-p"))
    opened = tab.locator(".listing[open]")
    expect(opened.locator("pre")).to_have_text([shown.program, *(part.code for part in shown.parts)])
    opened.get_by_role("button", name="Copy").first.click()
    expect(opened.get_by_role("button", name="Copied")).to_be_visible()
    assert tab.evaluate("navigator.clipboard.readText()") == shown.program
    tab.set_viewport_size({"width": 390, "height": 844})
    assert tab.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.slow
def test_every_card_and_its_charts_are_in_the_site(written):
    text = (written / "quiz.html").read_text("utf-8")
    for place in labs():
        for card in page_of(place).cards:
            assert f'<article id="{card.slug}"' in text
    for theme in ("light", "dark"):  # a chart that needs no trained model has both
        for name in re.findall(rf'charts/[^"]*-{theme}.svg', text):
            assert (written / name).read_text("utf-8").startswith("<svg")
    assert "there is no model luong-concat-global in pretrained/" in text  # evidence that cannot be computed says why


@pytest.mark.slow
def test_a_site_is_written_anew_and_nothing_else_is_overwritten(models, tmp_path, monkeypatch, capsys):
    out = tmp_path / "site"
    monkeypatch.setattr("sys.argv", ["site", "--out", str(out)])
    assert __main__.main() == 0
    assert not (out / "codes").exists()
    monkeypatch.setattr("sys.argv", ["site", "--out", str(out), "--address", "https://example.org/a/"])
    assert __main__.main() == 0
    codes = {code.stem: code.read_text("utf-8") for code in (out / "codes").iterdir()}
    assert codes["index"] == svg("https://example.org/a/")
    assert codes["heads"] == svg("https://example.org/a/heads.html")
    assert '<html lang="en" data-qr="codes/heads.svg" ' in (out / "heads.html").read_text("utf-8")
    assert "kB with gzip for the first view" in capsys.readouterr().out
    before = sorted(path.name for path in out.rglob("*"))
    with mock.patch.object(page, "_write_model", side_effect=OSError("the disk is full")):
        assert __main__.main() == 2
    assert capsys.readouterr().err == "the disk is full\n"
    assert sorted(path.name for path in out.rglob("*")) == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "notes.txt").write_text("mine")
    for taken in (mine, mine / "notes.txt"):
        monkeypatch.setattr("sys.argv", ["site", "--out", str(taken)])
        assert __main__.main() == 2
        assert "is not a folder that `make site` wrote" in capsys.readouterr().err
    assert (mine / "notes.txt").read_text() == "mine"


@pytest.mark.slow
def test_without_the_first_translation_the_command_says_what_to_run(models, tmp_path):
    stored = models / first.NAME
    text = stored.read_text("utf-8")
    stored.unlink()
    try:
        with pytest.raises(ValueError, match=r"run `python -m app\.service\.first`"):
            page.write(tmp_path / "site")
    finally:
        stored.write_text(text, "utf-8")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("left", ["old", "new"])
def test_an_interruption_while_a_site_takes_the_place_of_another_leaves_one_of_them(tmp_path, monkeypatch, left):
    """Ctrl-C when the old site has been moved away: before the new one is in its place, and after that."""
    out = tmp_path / "site"
    monkeypatch.setattr(page, "_write_files", lambda folder, _address: (folder / "sw.js").write_text("old"))
    page.write(out)
    monkeypatch.setattr(page, "_write_files", lambda folder, _address: (folder / "sw.js").write_text("new"))
    rename = Path.rename

    def interrupted(path: Path, target: Path) -> Path:
        if target == out and (path / "sw.js").read_text() == "new":
            if left == "new":
                rename(path, target)
            raise KeyboardInterrupt
        return rename(path, target)

    with mock.patch.object(Path, "rename", interrupted), pytest.raises(KeyboardInterrupt):
        page.write(out)
    assert (out / "sw.js").read_text() == left
    assert list(tmp_path.iterdir()) == [out]
    page.write(out)
    assert (out / "sw.js").read_text() == "new"
    assert list(tmp_path.iterdir()) == [out]
