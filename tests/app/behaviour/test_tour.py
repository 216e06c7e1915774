"""The tour: each stop asks a question, takes a guess, answers, and offers one thing to try."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

from tests.helpers.explorer import ExplorerPage, Name, Says

STOPS = 10
HERE = (1, 2, 3, 4, 6, 7, 8)  # the others are on other pages


def test_the_tour_goes_through_its_stops_and_back(explorer: ExplorerPage):
    explorer.open()
    explorer.page.get_by_role("link", name=Name.TAKE_TOUR).click()
    questions, models = [], []
    following = explorer.tour.get_by_role("link", name=Name.NEXT, exact=True)
    for stop in HERE:
        if stop == 6:
            explorer.open({"tour": stop})
        expect(explorer.tour).to_contain_text(Says.STOP.format(n=stop, all=STOPS))
        explorer.settle()
        explorer.expect_in_link(tour=stop)
        expect(explorer.translation).not_to_be_empty()
        explorer.expect_nothing_in(explorer.notices)
        questions.append(explorer.heading.inner_text())
        models.append(explorer.link["model"])
        target = following.get_attribute("href")
        if stop + 1 in HERE:
            wanted = dict(parse_qsl(urlsplit(target).query))
            following.click()
            explorer.expect_in_link(**{name: wanted[name] for name in ("model", "step") if name in wanted})
        else:
            assert target.startswith("paths.html?" if stop == 4 else "heads.html?")
    assert len(set(questions)) == len(HERE)
    assert len(set(models)) == len(HERE) - 2  # three stops are about one model
    explorer.tour.get_by_role("link", name=Name.PREVIOUS, exact=True).click()
    expect(explorer.heading).to_have_text(questions[-2])
    explorer.expect_in_link(tour=HERE[-2])
    explorer.page.go_back()
    expect(explorer.heading).to_have_text(questions[-1])


def test_a_link_with_a_model_and_a_stop_of_another_page_shows_the_model(explorer: ExplorerPage):
    explorer.open({"tour": 5, "model": "luong-base-long"})
    expect(explorer.translation).not_to_be_empty()
    expect(explorer.tour).to_be_hidden()
    expect(explorer.notices).to_contain_text("Stop 5 of the tour is on another page and was ignored")
    explorer.expect_in_link(tour=None, model="luong-base-long")


def test_the_tour_begins_by_its_button_and_ends_where_it_is(explorer: ExplorerPage):
    explorer.open()
    title = explorer.heading.inner_text()
    explorer.page.get_by_role("link", name=Name.TAKE_TOUR).click()
    expect(explorer.tour).to_contain_text(Says.STOP.format(n=1, all=STOPS))
    expect(explorer.guesses.get_by_role("button").first).to_be_focused()
    expect(explorer.tour.get_by_role("link", name=Name.PREVIOUS, exact=True)).to_have_count(0)
    expect(explorer.player.get_by_text(Says.FIXED_VECTOR)).to_be_visible()
    explorer.expect_in_link(tour=1, model="luong-base-long")
    explorer.tour.get_by_role("link", name=Name.END_TOUR).click()
    expect(explorer.tour).to_be_hidden()
    expect(explorer.heading).to_have_text(title)
    explorer.expect_in_link(tour=None, model="luong-base-long")


def test_a_guess_is_answered_and_a_button_does_what_to_try(explorer: ExplorerPage):
    explorer.open({"tour": 2})
    explorer.expect_step(5)
    expect(explorer.tour.get_by_role("button", name="Glossary")).to_have_count(0)  # before the first term
    explorer.guesses.get_by_role("button", name="It still writes").click()
    expect(explorer.stop).to_contain_text("Not quite. You chose: It still writes “catch”. Answer: It writes “fish”")
    expect(explorer.guesses).to_have_count(0)
    expect(explorer.tour.get_by_role("button", name="Glossary (1)")).to_be_visible()
    expect(explorer.stop.get_by_role("button", name="Attend to “fisch”")).to_be_focused()
    explorer.page.keyboard.press("Enter")
    expect(explorer.translation).to_have_text("A girl is trying to fish a fish with her hand.")
    expect(explorer.editor).to_have_count(0)  # the stop takes its place
    explorer.stop.get_by_role("button", name="Reset").click()
    expect(explorer.translation).to_have_text("A girl is trying to catch a fish with her hand.")


def test_the_glosses_that_a_reader_chose_stay_at_the_next_stops(explorer: ExplorerPage):
    explorer.open({"tour": 4, "gloss": "zh"})
    explorer.tour.get_by_role("link", name=Name.PREVIOUS, exact=True).click()
    explorer.expect_in_link(tour=3, gloss="zh")
    explorer.open({"tour": 8})  # from a stop on another page
    explorer.expect_in_link(tour=8, gloss="zh")


@pytest.mark.parametrize(("stop", "step"), [(2, 5), (7, 4)])
def test_a_link_names_a_stop_and_opens_its_view(explorer: ExplorerPage, stop, step):
    explorer.open({"tour": stop})
    expect(explorer.tour).to_contain_text(Says.STOP.format(n=stop, all=STOPS))
    explorer.expect_step(step)
    expect(explorer.heading).to_have_text(re.compile(r"\?$"))
    explorer.page.keyboard.press("ArrowLeft")
    explorer.expect_in_link(tour=stop, step=step - 1)  # the reader may look around at a stop
