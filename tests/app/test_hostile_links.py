"""Text from outside is never markup: a link's parameters, and what a model's files say of it."""

import json
import re
from itertools import cycle
from shutil import copytree

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from app.shell.markdown import escaped
from app.shell.pages import EXPLORER
from tests.helpers.serving import ROOT, serving
from tests.helpers.visits import visits
from tests.lab.apptest import pages_with_cards, tables

HOSTILE = (
    "![x](http://evil.example/a.png)",
    "<base href=http://evil.example>",
    "[a](http://evil.example) www.evil.example",
    "me@evil.example :smile: **b** $x^2$",
    ":material/home: :red[r] <http://evil.example>",
    "<img src=http://evil.example> `c` https://evil.example",
)
LONG, CONTROLS = "ab " * 1000, "a\x00\x07\x1b[31mred\x7f\u202eright\u2028b\x85"
# What each page and its widgets read from the address, besides `card`, which all but the first do.
EXPLORERS = (
    *(
        "text",
        "model",
        "beam",
        "unk",
        "window",
        "D",
        "sigma",
        "p",
        "step",
        "attention_type",
        "draw",
        "edit",
        "layer",
        "head",
    ),
)
PARAMETERS = {
    "": EXPLORERS,
    "score-lab": (
        *("score", "type", "key", "apart", "query", "keys", "values", "general", "additive", "location", "card"),
    ),
    "window-lab": ("window_text", "window_model", "window_step", "p", "D", "sigma", "rule", "text", "card"),
    "heads": (
        "heads_text",
        "heads_model",
        "heads_attention",
        "heads_layer",
        "heads_head",
        "heads_query",
        "text",
        "card",
    ),
    "corpus": (
        *(
            "corpus_model",
            "corpus_text",
            "corpus_window",
            "corpus_D",
            "corpus_attention",
            "corpus_layer",
            "corpus_head",
        ),
        *("corpus_measure", "corpus_bar", "card"),
    ),
    "paths": ("paths_text", "paths_bahdanau", "paths_luong", "paths_step", "paths_update", "text", "card"),
    "pointer": ("points", "pointer_task", "pointer_rule", "card"),
    "series": ("series", "series_step", "series_set", "card"),
    "variants": ("variant", "card"),
    "results": ("card",),
}
# Elements that only Markdown makes, within what a page says of a link; and anything that leads to the other site.
MADE = ", ".join(
    f'[data-testid="{where}"] [data-testid="stMarkdownContainer"] :is({what})'
    for where in ("stAlert", "stCaptionContainer")
    for what in ("a, img, strong, em, h1, h2, ul, ol, blockquote, .katex, [class*=Colored]",)
)
ELSEWHERE = '[href*="evil"], [src*="evil"], base[href]'  # notices cut long values


def parameters(path: str) -> tuple[str, ...]:
    """What a page reads from the address."""
    return PARAMETERS.get(path, ("card",))


def test_only_pages_have_parameters_here():
    assert set(PARAMETERS) <= {place.path for place in (EXPLORER, *pages_with_cards())}


@pytest.mark.parametrize("texts", [HOSTILE[:3], HOSTILE[3:], [LONG, CONTROLS]], ids=["links", "images", "long"])
@pytest.mark.parametrize("place", [EXPLORER, *pages_with_cards()], ids=lambda place: place.title)
def test_no_page_makes_anything_of_a_hostile_link(visit_live, place, texts):
    """Every parameter that the page reads is one of the hostile texts, in turn, and so is one that it does not."""
    query = dict(zip((*parameters(place.path), "none"), cycle(texts), strict=False))
    page: Page = visit_live(place.path, ".st-key-cards_list" if place.path else ".ex-note", query=query)
    expect(page.locator('[data-testid="stAlert"], .live-note:not(:empty), .ex-note:not(:empty)').first).to_be_visible()
    assert page.locator(ELSEWHERE).count() == 0
    assert page.locator(MADE).count() == 0
    assert page.get_by_test_id("stException").count() == 0
    said = "\n".join([*page.get_by_test_id("stAlert").all_inner_texts(), *page.locator(".ex-note").all_inner_texts()])
    assert "Something went wrong" not in said
    if LONG not in texts:
        assert any(text[:20] in said.replace("\u2060", "") for text in texts)


@pytest.mark.parametrize("text", [*HOSTILE, "Ein Hund: 10:30 Uhr, 3 × 4 & mehr", "a\\b", "# kein Titel", "1. nein"])
def test_escaped_text_is_the_same_text_to_a_reader(text):
    shown = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", escaped(text)).replace("\u2060", "")
    assert shown == text


@pytest.mark.parametrize("text", ["a\n\n# b", "a\r\n- b", "a\u2028    b"])
def test_escaped_text_is_one_line(text):
    assert len(escaped(text).splitlines()) == 1


def test_nothing_is_left_that_streamlit_looks_for_in_plain_text():
    """After Markdown has been read, remark finds addresses and emoji, and Streamlit its icons, in what is left."""
    later = r"https?://|www\.\w|\w@\w|:[\w+-]+:|:material/|:streamlit:"
    for text in HOSTILE:
        assert re.search(later, text.replace("\\", ""), re.IGNORECASE) or "**" in text
        assert not re.search(later, re.sub(r"\\(.)", r"\1", escaped(text)), re.IGNORECASE)


def test_a_models_note_and_test_set_are_no_markup(browser, live_models, tmp_path):
    shipped = copytree(live_models, tmp_path / "pretrained")
    for path in shipped.glob("*/config.json"):
        record = json.loads(path.read_text("utf-8"))
        if record.get("kind", "translator") == "translator":
            record["about"] |= {"note": HOSTILE[0], "test": {"bleu": 1.0, "perplexity": 2.0, "set": HOSTILE[5]}}
            path.write_text(json.dumps(record))
    environment = {"ATTN_PRETRAINED": str(shipped)}
    with (
        serving(ROOT / "app" / "streamlit_app.py", environment) as server,
        visits(browser, server.address) as open_page,
    ):
        page = open_page()
        about = page.locator(".live-card")
        expect(about).to_contain_text(HOSTILE[0])
        assert HOSTILE[5] in about.text_content()
        assert page.locator(ELSEWHERE).count() == 0


def _table() -> None:
    """A script that shows a table of hostile texts."""
    from app.lab.kit import evidence, show
    from tests.app.test_hostile_links import HOSTILE

    show.draw(evidence.table({"word": text, HOSTILE[0]: 0.5} for text in HOSTILE), "table")


def test_a_table_shows_words_as_they_are():
    app = AppTest.from_function(_table, default_timeout=60).run()
    assert tables(app) == [{"word": list(HOSTILE), HOSTILE[0]: ["0.5000"] * len(HOSTILE)}]


@pytest.mark.parametrize("blank", ["", " \t\n\xa0\u200b"])
@pytest.mark.parametrize("page", ["heads", "window", "paths"])
def test_a_blank_sentence_in_a_link_leaves_the_page_as_it_is(visit_live, page, blank):
    path = {"window": "window-lab"}.get(page, page)
    found = visit_live(path, ".live input", query={f"{page}_text": blank})
    first = found.locator(".live datalist option").first.get_attribute("value")
    expect(found.get_by_label("German sentence")).to_have_value(first)
    expect(found.locator(".live-note").first).not_to_contain_text("Type a sentence")
