"""Every page in the pseudo-locale, where all letters have accents: a text without accents is not marked."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, TimeoutError

from app.lab.kit.sentences import REORDERED
from attn_core.attention.settings import ATTENTION_TYPES, SCORES, WINDOWS
from attn_core.browser import html
from attn_core.data.captions import captions
from attn_core.data.examples import examples
from attn_core.data.glosses import glossed
from attn_core.evaluation import paper_tables
from attn_core.evaluation.paper_tables import TABLES
from attn_core.evaluation.tracking import half_widths
from attn_core.evaluation.variants import claims
from attn_core.evaluation.variants.results import measured
from attn_core.models import folders
from attn_core.trace import Trace
from tests.browser import traces
from tests.helpers.javascript import pages, settle
from tests.helpers.messages import PSEUDO, extracted, write_pseudo
from tests.helpers.serving import ROOT, serving
from tests.helpers.shipped import LIVE, MODELS, ship
from tests.helpers.unmarked import RECORD_DRAWN, unmarked
from tests.helpers.visits import patience, visits
from tests.lab.apptest import pages_with_cards


@pytest.fixture(scope="session")
def locale(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment for messages in the pseudo-locale."""
    folder = tmp_path_factory.mktemp("locale")
    write_pseudo(folder, extracted())
    return {"ATTN_LOCALE": str(folder), "ATTN_LANGUAGE": PSEUDO}


@pytest.fixture(scope="module")
def server(live_models: Path, tmp_path_factory: pytest.TempPathFactory, locale: dict[str, str]) -> Iterator[str]:
    folder = ship(tmp_path_factory.mktemp("pretrained"), *(name for name in MODELS if name not in LIVE))
    for one in live_models.iterdir():
        (folder / one.name).symlink_to(one)
    with serving(ROOT / "app" / "streamlit_app.py", locale | {"ATTN_PRETRAINED": str(folder)}) as running:
        yield running.address


@pytest.fixture
def visit(browser: Browser, server: str) -> Iterator[Callable[..., Page]]:
    with visits(browser, server) as open_page:
        yield partial(open_page, script=RECORD_DRAWN)


@pytest.fixture
def handout(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: dict[str, str]):
    """Open the page that a teacher hands out."""
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    with pages(browser, tmp_path) as open_page:
        recorded = f"<head><script>{RECORD_DRAWN}</script>"
        yield lambda trace, **context: open_page(html(trace).replace("<head>", recorded), ".ap-count", **context)


STRANGE = "Ein Blimblam tanzt im Schnee."


def data() -> list[str]:
    """The sentences and words that may be on show, and the names of models and of their parts."""
    sentences = [text for pair in captions() for text in (pair.de, pair.en)]
    sentences += [one.text for one in glossed()]
    sentences += [text for one in REORDERED for text in (one.de, one.en, one.needed)]
    tokens = [token for pair in captions() for token in (*pair.de_tokens, *pair.en_tokens)]
    tokens += [gloss for pair in examples("de", "en") for gloss in pair.glosses["en"]]
    tokens += [token for one in glossed() for token in (*one.tokens, *one.glosses["en"])]
    names = [*MODELS, *folders.shipped("pointer"), *folders.shipped("series"), *SCORES, *WINDOWS, *ATTENTION_TYPES]
    return [*sentences, *tokens, *names, "<unk>", "</s>", "synthetic", STRANGE, *STRANGE.lower().split()]


def benchmarks() -> list[str]:
    """The data set and the models of the benchmarks that the Variants page shows."""
    runs = (measured(), claims.tested())
    rows = runs[1]["rows"]
    pairs = [" − ".join(claim.pair(rows[claim.model]["against"])) for claim in claims.measured_claims(rows)]
    return [*pairs, *(text for found in runs for text in (found["data"], *found["rows"]))]


def results() -> list[str]:
    """The names of models and processors on the Results page."""
    runs = [found for table in TABLES.values() if (found := paper_tables.measured(table))]
    processors = (name for found in runs for name in found["processors"])
    return [*claims.tested()["rows"], *(row.title for row in TABLES["grid"].rows), *processors]


def studied() -> list[str]:
    """The names of the models whose p_t the Window lab compares."""
    return list(half_widths()["models"])


def show_tip(page: Page, icon: Locator) -> None:
    """Show an icon's tip; the mouse comes again if the page was drawn anew under it, which closes the tip."""
    for _ in range(5):
        page.mouse.move(0, 0)
        icon.hover()
        with suppress(TimeoutError):
            return page.get_by_test_id("stTooltipContent").first.wait_for(timeout=patience() / 5)
    raise AssertionError("no tip appears")


def all_of(page: Page, *more: str) -> list[str]:
    """The unmarked texts of a page with everything on it opened, and its tips; `more` is data too."""
    known = [*data(), *more]
    closed = page.locator("details:not([open], [inert] *) > summary:visible")
    while closed.count():
        closed.first.click()
    found = unmarked(page, known)
    tabs, opened = page.locator("[role=tab]:visible:not([inert] *)"), 0
    while opened < tabs.count():  # a tab may bring others, or take them away
        tabs.nth(opened).click()
        found += unmarked(page, known)
        opened += 1
    icons, shown = page.get_by_test_id("stTooltipIcon"), 0
    while shown < icons.count():  # Streamlit may still take one away
        show_tip(page, icons.nth(shown))
        found += unmarked(page, known)
        shown += 1
    return sorted(set(found))


def test_the_explorer_is_in_the_language_as_a_whole(visit):
    page = visit(query={"text": STRANGE, "model": "luong-general-global"})
    assert all_of(page) == []


@pytest.mark.parametrize("model", ["luong-general-local-p", "transformer", "fixed-vector", "bahdanau"])
def test_every_kind_of_model_is_in_the_language_as_a_whole(visit, model):
    assert all_of(visit(query={"model": model, "attention_type": "hard-argmax", "beam": "3"})) == []


def test_a_comparison_is_in_the_language_as_a_whole(visit):
    page = visit(query={"model": "luong-general-local-p", "with": "bahdanau"})
    page.locator(".cp-said:not(:empty)").wait_for()
    assert all_of(page) == []


@pytest.mark.parametrize("text", ["", "?!", "Quxquax Blimblam", "hund " * 61, "a man walks with a dog", "hund, " * 200])
def test_every_notice_is_in_the_language_as_a_whole(visit, text):
    links = {
        "beam": "77",
        "D": "x",
        "unk": "keep",
        "window": "round",
        "layer": "9",
        "head": "9",
        "attention_type": "half",
        "step": "-3",
    }
    page = visit(query={"text": text, "model": "luong-general-global", **links}, ready=".ex-note:not(:empty)")
    assert all_of(page, *links, *links.values(), "replace", *text.lower().split()) == []


@pytest.mark.parametrize("place", pages_with_cards(), ids=lambda place: place.path)
def test_a_lab_page_is_in_the_language_as_a_whole(visit, place):
    page = visit(place.path, ready=".st-key-cards_list")
    page.locator('.st-key-cards_list [data-testid="stRadioOption"]').first.click()
    page.locator(".st-key-card_answers button").first.click()
    page.locator(".st-key-card_open").get_by_test_id("stCaptionContainer").first.wait_for(state="attached")
    more = {"variants": benchmarks, "results": results, "window-lab": studied}.get(place.path, list)
    assert all_of(page, *more()) == []


@pytest.mark.parametrize("model", ["luong-general-local-p", "transformer"])
def test_measures_of_a_text_are_in_the_language_as_a_whole(visit, model):
    page = visit("corpus", ready=".co-examples", query={"corpus_model": model, "corpus_bar": "kinds.1"})
    assert all_of(page) == []


def hard(kind: str, trained: str) -> Trace:
    trace = traces.make("global")
    return replace(trace, settings=trace.settings | {"attention_type": kind, "trained_attention_type": trained})


HANDOUTS = {
    "local-p": lambda: traces.make(
        "local-p", half_width=3, trained={"window": "local-p", "half_width": 2, "sigma": None}
    ),
    "local-m": lambda: traces.make(
        "local-m", sigma=2.0, trained={"window": "global", "half_width": None, "sigma": None}
    ),
    "renormalised": lambda: traces.make(gaussian="renorm"),
    "on the scores": lambda: traces.make(gaussian="on_scores"),
    "several heads": lambda: traces.make("global", looks=3, unknown=(1,)),
    "hard": lambda: hard("hard-argmax", "soft"),
    "sampled": lambda: hard("soft", "hard-sample"),
    "no attention": lambda: traces.make(None),
}


@pytest.mark.parametrize("kind", HANDOUTS)
@pytest.mark.parametrize("width", [1280, 390])
def test_the_player_is_in_the_language_as_a_whole(handout, kind, width):
    page = handout(HANDOUTS[kind](), width=width)
    page.get_by_role("tab").last.click()  # the tables
    page.locator(".ap-bars").hover(position={"x": 60, "y": 30})
    page.locator(".ap").focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    page.wait_for_timeout(400)  # until the tables and the description for screen readers are up to date
    if page.locator("[type=range].ap-knob:visible").count():
        page.locator("[type=range].ap-knob").first.press("ArrowRight")
        settle(page)
    assert unmarked(page, [*data(), *traces.SHORT[0], *traces.SHORT[1], *traces.OTHER_WORDS]) == []
