"""Lecture layout of the site's pages: its link, Page Down, notes and the QR code; and the pages on paper."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from app.lab.kit import described
from app.shell.pages import labs, lecture_pages

STEPS = ".ap-count"


def expect_lecture(page: Page, on: bool = True) -> None:
    """The layout and the link agree."""
    page.wait_for_function("on => document.documentElement.classList.contains('lecture') === on", arg=on)
    page.wait_for_function("on => new URLSearchParams(location.search).has('present') === on", arg=on)


def test_its_pages_are_all_but_those_without_a_figure():
    without = {place.title for place in labs() if not place.lecture}
    assert without == {"Variants", "Results"}
    assert all(place.lecture == (described.page_of(place).notes is not None) for place in labs())
    assert lecture_pages()[0] == "./"
    assert lecture_pages()[-1] == "quiz"


def test_the_link_holds_it_and_page_down_past_the_last_step_leads_to_the_next_page(tab):
    tab.goto("?present&step=0")
    expect_lecture(tab)
    expect(tab.locator("body > header")).to_be_hidden()
    expect(tab.locator(".live-question")).to_be_in_viewport()
    count = tab.locator(STEPS)
    expect(count).to_have_text(re.compile("^step 1 of "))
    steps = int((count.text_content() or "").split()[-1])
    for n in range(2, steps + 1):
        tab.keyboard.press("PageDown")
        expect(count).to_have_text(f"step {n} of {steps}")
    tab.keyboard.press("PageDown")
    tab.wait_for_url("**/score-lab.html?present=1")
    expect_lecture(tab)
    expect(tab.locator(".al-board")).to_be_in_viewport()
    tab.keyboard.press("PageDown")  # the second stage of the page
    tab.wait_for_url("**/score-lab.html?*present=2*")
    expect(tab.locator(".al-sizes")).to_be_in_viewport()
    expect(tab.locator(".al-board")).to_be_hidden()
    tab.keyboard.press("PageUp")
    tab.keyboard.press("PageUp")
    tab.wait_for_url(lambda url: "score-lab" not in url)
    expect_lecture(tab)


def test_escape_and_the_key_end_it_on_the_page_and_in_the_link(tab):
    tab.goto("heads.html")
    tab.get_by_role("button", name="Present").click()
    expect_lecture(tab)
    tab.keyboard.press("f")
    expect_lecture(tab, False)
    expect(tab.locator("body > header")).to_be_visible()
    tab.goto("heads.html?present")
    expect_lecture(tab)
    tab.keyboard.press("Escape")
    expect_lecture(tab, False)


def test_full_screen_ends_when_back_leads_to_a_view_without_the_layout(tab):
    tab.goto("?tour=2")
    tab.get_by_role("link", name="Next", exact=True).click()
    tab.wait_for_url("**/?*tour=3*")
    tab.keyboard.press("f")
    expect_lecture(tab)
    tab.wait_for_function("() => document.fullscreenElement !== null")
    tab.go_back()
    expect_lecture(tab, False)
    tab.wait_for_function("() => document.fullscreenElement === null")


def test_a_link_to_a_part_that_a_page_lacks_opens_the_nearest(tab):
    for asked, part in ((3, 1), (0, 1)):
        tab.goto(f"pointer.html?present={asked}")
        expect(tab.locator(".pt-square")).to_be_in_viewport()
        tab.wait_for_url(f"**/pointer.html?present={part}*")
    tab.goto("score-lab.html?present=9")
    expect(tab.locator(".al-sizes")).to_be_in_viewport()
    expect(tab.locator(".al-board")).to_be_hidden()


def test_a_link_to_another_page_keeps_it(tab):
    tab.goto("heads.html?present")
    expect_lecture(tab)
    tab.locator("header nav a", has_text="Corpus").evaluate("link => link.click()")  # the menu is hidden
    tab.wait_for_url("**/corpus.html?present=1")


def test_page_down_opens_the_next_card_of_the_quiz(tab):
    tab.goto("quiz.html?present")
    first = tab.locator("article:not([hidden])").get_attribute("id")
    expect(tab.locator(".claims")).to_be_hidden()
    tab.keyboard.press("PageDown")
    expect(tab.locator("article:not([hidden])")).not_to_have_id(first or "")
    tab.keyboard.press("PageUp")
    expect(tab.locator("article:not([hidden])")).to_have_id(first or "")
    tab.keyboard.press("PageUp")
    tab.wait_for_url(lambda url: "quiz" not in url)


def test_page_down_shows_the_answer_of_a_stop_before_the_next_stop(tab):
    tab.goto("?tour=2&present")
    expect_lecture(tab)
    count, answer, place = tab.locator(STEPS), tab.locator(".tour-answer"), tab.locator(".tour-where")
    expect(count).to_contain_text("step 6 of ")
    expect(answer).to_be_empty()
    for text in tab.locator(".tour-guesses > *").all():
        assert text.evaluate("text => parseFloat(getComputedStyle(text).fontSize)") >= 20
    tab.keyboard.press("PageDown")
    expect(answer).to_contain_text("Answer: It writes “fish”")
    assert answer.evaluate("text => parseFloat(getComputedStyle(text).fontSize)") >= 20
    expect(count).to_contain_text("step 6 of ")  # the remote leads through the stops
    expect(place).to_contain_text("Stop 2 of ")
    tab.keyboard.press("PageDown")
    expect(place).to_contain_text("Stop 3 of ")
    expect(answer).to_be_empty()
    tab.keyboard.press("PageUp")
    expect(place).to_contain_text("Stop 2 of ")
    tab.goto("heads.html?tour=9&present")  # a lab page, with more parts than the stop
    expect_lecture(tab)
    expect(answer).to_be_empty()
    tab.keyboard.press("PageDown")
    expect(answer).to_contain_text("Answer: In this head")
    tab.keyboard.press("PageDown")
    tab.wait_for_url("**/pointer.html?tour=10&present=1")
    expect_lecture(tab)


def test_the_code_opens_and_closes_on_its_key(tab):
    tab.goto("heads.html?present")
    expect_lecture(tab)
    code = tab.get_by_role("dialog", name="QR code of this view")
    tab.keyboard.press("q")
    expect(code).to_be_visible()
    expect(code).not_to_contain_text("present")  # readers open the page as it is for one
    tab.keyboard.press("q")
    expect(code).to_have_count(0)
    waiting: list[Route] = []

    def wait(route: Route) -> None:
        waiting.append(route)

    tab.route("**/share.json", wait)
    tab.keyboard.press("q")
    tab.keyboard.press("Escape")
    expect(code).to_have_count(0)
    expect_lecture(tab)  # Escape closed the code only, though its address was not known yet
    for request in waiting:
        request.fulfill(status=404)
    expect(code).to_have_count(0)


def test_notes_follow_the_lecture_in_another_window(tab):
    tab.goto("heads.html?notes")
    expect(tab.get_by_role("region", name="Speaker's notes")).to_contain_text("Answer:")
    lecture = tab.context.new_page()
    lecture.goto("paths.html?present")
    expect_lecture(lecture)
    tab.wait_for_url("**/paths.html?notes=1")
    lecture.goto("?tour=2&present")
    tab.wait_for_url("**/?tour=2&notes=1")
    expect(tab.get_by_role("region", name="Speaker's notes")).to_contain_text("Stop 2 of ")


def test_every_page_with_the_layout_has_notes(tab):
    for path in lecture_pages():
        if path == "training":  # only in the dashboard
            continue
        tab.goto(f"{path if path == './' else f'{path}.html'}?notes")
        points = tab.get_by_role("region", name="Speaker's notes").get_by_role("listitem")
        expect(points.first).to_be_visible()


def test_on_paper_the_heatmap_is_whole_and_nothing_can_be_pressed(tab):
    tab.goto("?step=2")
    expect(tab.locator(STEPS)).to_be_visible()
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    canvas, plot = (tab.locator(part).bounding_box() for part in (".ap-map", ".ap-map-plot"))
    assert canvas["width"] <= plot["width"]
    assert canvas["width"] > 400
    pressed = tab.locator("button:visible, select:visible, input:visible, summary:visible")
    assert [one for one in pressed.all() if "ap-word" not in (one.get_attribute("class") or "")] == []
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(tab.get_by_role("button", name="Play")).to_be_visible()
    assert len(re.findall(rb"/Type\s*/Page\b", tab.pdf(prefer_css_page_size=True))) == 1


STOP_5, STOP_10 = "paths.html?tour=5", "pointer.html?tour=10"


@pytest.mark.parametrize("path", ["paths.html?", STOP_5, STOP_10, "series.html?", "score-lab.html?", "heads.html?"])
def test_a_lab_page_ends_with_the_screen(tab, path):
    tab.goto(f"{path}&present")
    expect_lecture(tab)
    expect(tab.locator(".ap").first).to_be_visible()
    if "tour" in path:
        tab.keyboard.press("PageDown")
        expect(tab.locator(".tour-answer")).to_contain_text("Answer:")
    tab.wait_for_function("() => document.documentElement.scrollHeight <= innerHeight")


def test_the_second_diagram_of_paths_follows_the_first_and_can_be_chosen(tab):
    tab.goto("paths.html?present")
    expect_lecture(tab)
    bahdanau, luong = (tab.get_by_role("region", name=re.compile(name)) for name in ("^Bahdanau", "^Luong"))
    for _ in range(7):  # the old state, and five computations from it; then Luong's
        expect(bahdanau).to_be_visible()
        expect(luong).to_be_hidden()
        tab.keyboard.press("PageDown")
    expect(luong).to_be_visible()
    expect(bahdanau).to_be_hidden()
    tab.keyboard.press("PageDown")
    tab.keyboard.press("PageUp")  # within the second
    expect(luong).to_be_visible()
    luong.get_by_role("button", name="Bahdanau: attend, then update").click()
    expect(bahdanau).to_be_visible()


def test_series_has_no_label_without_its_menu(tab):
    tab.goto("series.html?present")
    expect_lecture(tab)
    expect(tab.locator(".sr-plot svg")).to_be_visible()
    expect(tab.locator(".sr-which, .sr details")).to_have_count(2)
    for part in tab.locator(".sr-which, .sr details").all():
        expect(part).to_be_hidden()
