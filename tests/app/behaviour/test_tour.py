"""The tour: each stop asks a question and shows the view that answers it."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

from tests.helpers.explorer import ExplorerPage, Name, Says

pytestmark = pytest.mark.browser

STOPS = 7  # the last one is on another page


@pytest.mark.slow
def test_the_tour_goes_through_its_stops_and_back(explorer: ExplorerPage):
    explorer.open()
    explorer.page.get_by_role("link", name=Name.TAKE_TOUR).click()
    questions, models = [], []
    following = explorer.tour.get_by_role("link", name=Name.NEXT, exact=True)
    for stop in range(1, STOPS):
        expect(explorer.tour).to_contain_text(Says.STOP.format(n=stop, all=STOPS))
        explorer.settle()
        explorer.expect_in_link(tour=stop)
        expect(explorer.translation).not_to_be_empty()
        explorer.expect_nothing_in(explorer.notices)
        questions.append(explorer.heading.inner_text())
        models.append(explorer.chosen(Name.MODEL).inner_text())
        target = following.get_attribute("href")
        if stop < STOPS - 1:
            wanted = dict(parse_qsl(urlsplit(target).query))
            following.click()
            explorer.expect_in_link(**{name: wanted[name] for name in ("model", "step", "with") if name in wanted})
    assert len(set(questions)) == STOPS - 1
    assert all(question.endswith("?") for question in questions)
    assert len(set(models)) >= STOPS - 2
    assert target.startswith("pointer.html?")
    explorer.tour.get_by_role("link", name=Name.PREVIOUS, exact=True).click()
    expect(explorer.heading).to_have_text(questions[-2])
    explorer.expect_in_link(tour=STOPS - 2)
    explorer.page.go_back()
    expect(explorer.heading).to_have_text(questions[-1])


def test_the_tour_begins_by_its_button_and_ends_where_it_is(explorer: ExplorerPage):
    explorer.open()
    explorer.page.get_by_role("link", name=Name.TAKE_TOUR).click()
    expect(explorer.tour).to_contain_text(Says.STOP.format(n=1, all=STOPS))
    expect(explorer.tour.get_by_role("link", name=Name.NEXT, exact=True)).to_be_focused()
    expect(explorer.tour.get_by_role("link", name=Name.PREVIOUS, exact=True)).to_be_hidden()
    expect(explorer.player.get_by_text(Says.FIXED_VECTOR)).to_be_visible()
    explorer.expect_in_link(tour=1, model="luong-base-long")
    explorer.tour.get_by_role("link", name=Name.END_TOUR).click()
    expect(explorer.tour).to_be_hidden()
    expect(explorer.heading).to_have_text(Name.HEADING)
    explorer.expect_in_link(tour=None, model="luong-base-long")


@pytest.mark.slow
@pytest.mark.parametrize("stop", [2, 5])
def test_a_link_names_a_stop_and_opens_its_view(explorer: ExplorerPage, stop):
    explorer.open({"tour": stop})
    expect(explorer.tour).to_contain_text(Says.STOP.format(n=stop, all=STOPS))
    explorer.expect_step(5)
    expect(explorer.heading).to_have_text(re.compile(r"\?$"))
    explorer.choose(Name.MODEL, "luong-general-global")
    explorer.expect_in_link(tour=stop, model="luong-general-global")  # the reader may look around at a stop
