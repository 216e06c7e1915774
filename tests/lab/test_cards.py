"""Every card of every lab page: its link opens it, its layout does not reveal the answer, and it has evidence."""

import re
from collections import Counter

import pytest
from streamlit.testing.v1 import AppTest

from app.lab.kit.cards import LEVELS, Card
from app.lab.kit.charts import themed_chart
from app.lab.kit.described import page_of
from app.lab.kit.evidence import Finding
from app.lab.quiz.data import decks
from app.shell.markdown import escaped
from attn_core.models import folders
from attn_core.registry import load
from tests.lab.apptest import pages_with_cards, run, tables, visit

PAGES = pages_with_cards()
CARDS = [(place, card) for place in PAGES for card in page_of(place).cards]
SLUGS = [card.slug for _, card in CARDS]


def answer(app: AppTest, card: Card, i: int) -> AppTest:
    app.button(key=f"answer_{card.slug}_{i}").click()
    return run(app)


def texts(app: AppTest) -> list[str]:
    return [element.value for element in (*app.main.markdown, *app.caption)]


def test_no_two_cards_share_a_link():
    assert len(set(SLUGS)) == len(SLUGS) > 0


def test_no_place_and_no_length_gives_an_answer_away():
    cards = [card for _, card in CARDS]
    places = Counter(card.right for card in cards)
    assert set(places) == {0, 1, 2}
    assert max(places.values()) <= 0.4 * len(cards)
    longest = sum(len(card.answers[card.right]) == max(map(len, card.answers)) for card in cards)
    assert longest <= 0.4 * len(cards)
    for place in PAGES:
        assert len({card.right for card in page_of(place).cards}) > 1, place


def test_on_every_page_some_claims_are_true_and_some_are_false():
    for place in PAGES:
        assert {card.holds for card in page_of(place).cards} == {True, False}, place
    true = sum(card.holds for _, card in CARDS)
    assert len(CARDS) / 3 <= true <= len(CARDS) * 2 / 3


@pytest.mark.quick(1)
@pytest.mark.parametrize(("place", "card"), CARDS, ids=SLUGS)
def test_a_card_is_asked_and_then_told(place, card):
    assert 0 <= card.right < len(card.answers)
    assert len(set(card.answers)) >= 3
    app = visit(place.module, card=card.slug)
    assert app.radio(key="claims_0").value == card.slug
    assert not any(card.reason in text or card.source in text for text in texts(app))
    wrong, before = next(i for i in range(len(card.answers)) if i != card.right), len(tables(app))
    answer(app, card, wrong)
    (told,) = [text for text in texts(app) if "The claim is" in text and text.startswith("**")]  # once
    assert told == f"**Not quite: the right answer is marked ✓. The claim is {'true' if card.holds else 'false'}.**"
    assert any(card.reason in text for text in texts(app))
    assert any(card.source in text for text in texts(app))
    assert app.get("vega_lite_chart")
    (numbers,) = [one for one in app.expander if one.label == "The numbers"]
    assert not numbers.proto.expanded
    assert len(tables(app)) - len(tables(numbers)) == before  # those of the page itself
    assert not app.warning
    assert all(app.button(key=f"answer_{card.slug}_{i}").disabled for i in range(len(card.answers)))
    app.button(key=f"again_{card.slug}").click()
    run(app)
    answer(app, card, card.right)
    assert told.replace("Not quite: the right answer is marked ✓.", "Right.") in texts(app)
    app.button(key=f"again_{card.slug}").click()
    run(app)
    assert not any(card.reason in text for text in texts(app))


@pytest.mark.quick(8)
@pytest.mark.parametrize("card", [card for _, card in CARDS], ids=SLUGS)
def test_the_evidence_is_a_figure_and_one_sentence_before_the_numbers(card):
    found = load(card.evidence)()
    assert isinstance(found, Finding)
    assert "\n" not in found.sentence
    assert len(found.sentence.split()) <= 40
    assert all(float(number) < 0.001 for number in re.findall(r"\d+\.\d{4,}", found.sentence))
    assert found.numbers
    assert themed_chart(found.figure, dark=False).to_dict()


def test_the_quiz_has_all_cards_counts_first_answers_and_goes_on_to_the_next_card():
    cards = [card for _title, deck in decks() for card in deck]
    assert sorted(card.slug for card in cards) == sorted(SLUGS)
    app = visit("app.lab.quiz.page")
    for n, card in enumerate(cards[:2]):
        assert any(card.claim in text for text in texts(app))
        assert app.radio(key="claims_0").value == card.slug
        right = card.right if n else next(i for i in range(len(card.answers)) if i != card.right)
        answer(app, card, right)
        assert f"**{n} of {n + 1} answered correctly**" in texts(app)
        if not n:
            app.button(key=f"again_{card.slug}").click()
            run(app)
            answer(app, card, card.right)
            assert "**0 of 1 answered correctly**" in texts(app)
        app.button(key="card_next").click()
        run(app)
        assert app.query_params["card"] in (cards[n + 1].slug, [cards[n + 1].slug])
    listed = app.radio(key="claims_0").options[:3]
    assert [one.split("“")[0] for one in listed] == ["✗ ", "✓ ", ""]  # the first answer counts
    last = visit("app.lab.quiz.page", card=cards[-1].slug)
    last.button(key="card_next").click()
    run(last)
    assert any(cards[0].claim in text for text in texts(last))


def test_the_quiz_begins_with_the_easiest_level_and_tells_the_score_of_a_finished_one():
    (title, basics), *others = decks()
    assert [name for name, _some in decks()] == list(LEVELS.values())
    assert {card.level for card in basics} == {"basics"}
    assert all(len(cards) > 1 for _name, cards in others)
    app = visit("app.lab.quiz.page")
    for n, card in enumerate(basics):
        assert LEVELS["basics"] in texts(app)  # above the claim
        assert not any(f"{title}: " in text for text in texts(app))
        answer(app, card, card.right if n else (card.right + 1) % len(card.answers))
        app.button(key="card_next").click()
        run(app)
    right, every = len(basics) - 1, len(basics)
    assert f"**{right} of {every} answered correctly · Basics: {right} of {every}**" in texts(app)


@pytest.mark.quick(1)
@pytest.mark.parametrize("place", PAGES, ids=[place.path for place in PAGES])
def test_a_link_to_no_card_says_so(place):
    app = visit(place.module, card="nowhere*")
    assert "no card “nowhere\\*”" in app.warning[0].value
    assert app.radio(key="claims_0").value is None


@pytest.mark.quick(1)
@pytest.mark.parametrize("place", PAGES, ids=[place.path for place in PAGES])
def test_choosing_a_card_puts_it_into_the_address(place):
    app = visit(place.module)
    card = page_of(place).cards[-1]
    app.radio(key="claims_0").set_value(card.slug)
    run(app)
    assert app.query_params["card"] in (card.slug, [card.slug])


def test_evidence_that_needs_a_model_says_when_it_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "PRETRAINED", None)
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    place, card = next(pair for pair in CARDS if pair[1].slug == "concat")
    app = answer(visit(place.module, card="concat"), card, 0)
    assert escaped("there is no model luong-concat-global in pretrained/") in app.warning[0].value
