"""Every card of every lab page: its link opens it, and each answer is told from the others with live evidence."""

from importlib import import_module

import pytest
from streamlit.testing.v1 import AppTest

from app.lab.cards import Card
from app.pages import LAB
from attn_core import files
from tests.lab.apptest import run, visit

CARDS = [(place, card) for place in LAB for card in import_module(place.module).CARDS]
SLUGS = [card.slug for _, card in CARDS]


def answer(app: AppTest, card: Card, i: int) -> AppTest:
    app.button(key=f"answer_{card.slug}_{i}").click()
    return run(app)


def texts(app: AppTest) -> list[str]:
    return [element.value for element in (*app.markdown, *app.caption)]


def test_no_two_cards_share_a_link():
    assert len(set(SLUGS)) == len(SLUGS) > 0


@pytest.mark.parametrize(("place", "card"), CARDS, ids=SLUGS)
def test_a_card_is_asked_and_then_told(place, card):
    assert 0 <= card.right < len(card.answers)
    assert len(set(card.answers)) >= 3
    app = visit(place.module, card=card.slug)
    assert app.radio(key="card").value == card.slug
    assert not any(card.truth in text or card.source in text for text in texts(app))
    wrong = next(i for i in range(len(card.answers)) if i != card.right)
    answer(app, card, wrong)
    assert any(text.startswith("**No.**") and card.truth in text for text in texts(app))
    assert any(card.source in text for text in texts(app))
    assert app.table or app.get("vega_lite_chart")
    assert not app.warning
    answer(app, card, card.right)
    assert any(text.startswith("**Yes.**") for text in texts(app))
    app.button(key=f"again_{card.slug}").click()
    run(app)
    assert not any(card.truth in text for text in texts(app))


@pytest.mark.parametrize("place", LAB, ids=[place.path for place in LAB])
def test_a_link_to_no_card_says_so(place):
    app = visit(place.module, card="nowhere*")
    assert "no card “nowhere\\*”" in app.warning[0].value
    assert app.radio(key="card").value is None


@pytest.mark.parametrize("place", LAB, ids=[place.path for place in LAB])
def test_choosing_a_card_puts_it_into_the_address(place):
    app = visit(place.module)
    card = import_module(place.module).CARDS[-1]
    app.radio(key="card").set_value(card.slug)
    run(app)
    assert app.query_params["card"] in (card.slug, [card.slug])


def test_evidence_that_needs_a_model_says_when_it_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "PRETRAINED", None)
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    place, card = next(pair for pair in CARDS if pair[1].slug == "concat")
    app = answer(visit(place.module, card="concat"), card, 0)
    assert "luong-concat-global is not in pretrained/" in app.warning[0].value
