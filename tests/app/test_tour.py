"""The tour: its stops, and a walk through them with the keyboard alone."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from app.service import catalogue
from app.shell.pages import EXPLORER, LAB
from attn_core import load, translate
from attn_core.data.captions import captions
from attn_core.decoding.translate import text_of
from attn_core.models import folders
from attn_core.web import facts
from tests.helpers.javascript import evaluator
from tests.helpers.visits import address_says, query, unfold

ROOT = Path(__file__).parents[2]
APP = ROOT / "app"
ATTENDS = "luong-general-global-long"  # what the first stop leads to


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    view = ROOT / "attn_core" / "web" / "state" / "view.js"
    modules = (APP / "shell" / "stops.js", APP / "shell" / "tour.js", APP / "explorer" / "settings" / "axes.js", view)
    return evaluator(node, tmp_path_factory.mktemp("tour"), modules)


@pytest.fixture(scope="module")
def stops(run_js):
    return run_js("js.STOPS", None)


def test_every_stop_has_a_page_a_notebook_and_a_shipped_model(stops, run_js):
    pages = {place.path for place in (EXPLORER, *LAB)}
    shipped = folders.shipped("translator")
    start = {
        "models": shipped,
        "texts": dict.fromkeys(shipped, "Ein Hund."),
        "model": shipped[0],
        "axes": [],
        "windows": facts.windows(),
        "types": list(facts.types()),
        "glosses": ["en"],
        "stops": 7,
    }
    assert len(stops) == 7
    for stop in stops:
        assert stop["page"] in pages
        assert (ROOT / "notebooks" / f"{stop['notebook']}.ipynb").is_file()
        view = run_js("js.readView(new URLSearchParams(input[0]), input[1])", [stop["link"], start])
        assert view["notices"] == []
        assert stop["page"] or view["view"]["model"] == stop["link"]["model"]


def test_an_address_names_a_stop_or_none(run_js, stops):
    named = "input.map((text) => js.stopIn(new URLSearchParams(text), ''))"
    assert run_js(named, ["tour=1", "tour=0", "tour=8", "tour=1.5", "tour=", "step=1", "tour=x"]) == [
        1, None, None, None, None, None, None,
    ]  # fmt: skip
    on_its_page = "input.map((page, i) => js.stopIn(new URLSearchParams({ tour: String(i + 1) }), page))"
    assert run_js(on_its_page, [stop["page"] for stop in stops]) == [*range(1, len(stops) + 1)]
    of_another = "input.map((page, i) => js.stopIn(new URLSearchParams({ tour: String(i + 1) }), `not ${page}`))"
    assert run_js(of_another, [stop["page"] for stop in stops]) == [None] * len(stops)
    for number, stop in enumerate(stops, 1):
        address = urlsplit(run_js("js.addressOf(input, '.html')", number))
        assert address.path == (f"{stop['page']}.html" if stop["page"] else "./")
        assert {name: values[0] for name, values in parse_qs(address.query).items()} == stop["link"] | {
            "tour": str(number)
        }


def test_what_two_stops_say_is_true_of_the_shipped_models(stops):
    own = load("bahdanau")
    trace = translate(own, captions()[0].de)
    step = int(stops[1]["link"]["step"])
    assert trace.target[step] == "catch"
    assert trace.source[int(trace.weights()[step].argmax())] == "fangen"
    without, attends = (
        text_of(model, translate(model, stops[0]["link"]["text"]))
        for model in map(load, (stops[0]["link"]["model"], ATTENDS))
    )
    assert without.startswith("Two dogs run through the snow. A dog")
    assert "girl" not in without  # it makes up the second and the third sentence
    assert "flowers" not in without
    for word in ("two dogs", "snow", "girl", "fish", "hand", "old man", "fresh flowers", "market"):
        assert word in attends.lower()


def test_general_in_the_score_menu_adds_attention_to_the_first_stop_and_changes_nothing_else(stops, run_js):
    models, _ = catalogue.catalogue()
    axes = [{"name": axis.name, "values": [[v, v] for v in catalogue.choices(models, axis)]} for axis in catalogue.AXES]
    placed = [
        {"name": name, "point": {"pair": "-".join(one.languages)} | one.point, "languages": one.languages}
        for name, one in models.items()
    ]
    score = next(axis for axis in axes if axis["name"] == "score")
    current = list(models).index(stops[0]["link"]["model"])
    reached = run_js("js.reachable(...input)", [axes, placed, score, current])
    general = next(one for one in reached if one["value"] == "general")
    assert placed[general["model"]]["name"] == ATTENDS
    assert general["others"] == []


def test_stops_on_the_first_sentence_stay_with_one_word(stops):
    """From stop to stop the same sentence is at the word "catch", whatever step a model decodes it at."""
    same = [stop["link"] for stop in stops if not stop["page"] and "text" not in stop["link"]]
    assert len(same) == 5
    for link in same:
        model = load(link["model"])
        word = translate(model, captions()[0].de).words[int(link["step"])]
        assert model.target.text([word.token]) == "catch"


def test_two_stops_compare_what_they_ask_about(stops):
    """Another score with nothing else changed; and another order, with the same score and window."""
    shown, dot, concat, other = (
        load(name).config
        for name in ("luong-general-global", "luong-dot-global", "luong-concat-global", "bahdanau-general")
    )
    assert stops[2]["link"]["model"] == stops[3]["link"]["model"] == "luong-general-global"
    assert (stops[2]["link"]["with"], stops[3]["link"]["with"]) == ("luong-dot-global", "bahdanau-general")
    assert "choose “concat”" in stops[2]["todo"]
    for scored in (dot, concat):
        score = replace(scored.attention, score=shown.attention.score)
        assert replace(scored, attention=score) == shown
    assert (shown.decoder.name, other.decoder.name) == ("update-then-attend", "attend-then-update")
    assert shown.attention == other.attention


def test_the_window_of_a_stop_moves_to_the_word_that_it_shows(stops):
    model, step = stops[4]["link"]["model"], int(stops[4]["link"]["step"])
    trace = translate(load(model), captions()[0].de)
    assert trace.target[step] == "catch"
    before, there = (trace.words[t].step.looks[0].focus for t in (step - 1, step))
    assert there.center > before.center + 3
    assert there.inside[trace.source.index("fangen")]
    assert not before.inside[trace.source.index("fangen")]


@pytest.mark.slow
@pytest.mark.browser
def test_the_tour_can_be_taken_with_the_keyboard_alone(visit_live, live_models, stops):
    page = visit_live()
    heading, status = page.get_by_role("heading", level=1), page.get_by_role("navigation", name="Tour")
    page.get_by_role("link", name="Take the tour").focus()
    page.keyboard.press("Enter")
    for number, stop in enumerate(stops[:-1], 1):
        expect(heading).to_have_text(stop["question"])
        expect(status).to_contain_text(f"Stop {number} of 7")
        expect(status.get_by_role("link", name="Next")).to_be_focused()
        address_says(page, tour=str(number))
        name = stop["link"]["model"]
        if (live_models / name).exists():
            own = load(live_models / name)
            expect(page.locator(".live-output")).to_have_text(
                text_of(own, translate(own, stop["link"].get("text", captions()[0].de)))
            )
            address_says(page, model=name)
        page.keyboard.press("Enter")
    box = page.locator(".tour-box")
    expect(box.get_by_role("heading")).to_have_text(stops[-1]["question"])
    expect(box.get_by_role("link", name="Next")).to_be_hidden()
    assert query(page)["tour"] == "7"
    box.get_by_role("link", name="Back").focus()
    page.keyboard.press("Enter")
    expect(heading).to_have_text(stops[-2]["question"])
    status.get_by_role("link", name="End the tour").focus()
    page.keyboard.press("Enter")
    expect(heading).to_have_text("What does the model attend to at each step?")
    page.wait_for_function("!location.search.includes('tour')")
    expect(page.get_by_role("link", name="Take the tour")).to_be_visible()


@pytest.mark.slow
@pytest.mark.browser
def test_the_last_stop_shows_its_question_and_its_picture_on_a_projector(visit_live, stops):
    page = visit_live("pointer", ready=".pt-square", query={"tour": "7"}, width=1280, height=720)
    own = page.get_by_role("heading", name="How can a network point")
    expect(page.get_by_role("heading", name=stops[-1]["question"])).to_be_in_viewport(ratio=1)
    expect(page.locator(".pt-square")).to_be_in_viewport(ratio=1)
    expect(own).to_be_hidden()  # the question of the stop takes its place
    page.get_by_role("link", name="End the tour").click()
    expect(page.locator(".tour-box")).to_have_count(0)
    expect(own).to_be_visible()


@pytest.mark.slow
@pytest.mark.browser
def test_a_stop_can_be_linked_and_back_leads_to_the_one_before(visit_live, stops):
    page = visit_live(query={"tour": "2"})
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(stops[1]["question"])
    expect(page.locator(".ap-count")).to_contain_text("step 6 of")
    address_says(page, tour="2", model="bahdanau")
    page.get_by_role("link", name="Next").click()
    address_says(page, tour="3")
    page.go_back()
    expect(heading).to_have_text(stops[1]["question"])
    unfold(page)
    page.get_by_label("Beam", exact=True).select_option("3")
    address_says(page, tour="2", beam="3")


@pytest.mark.slow
@pytest.mark.browser
def test_a_link_can_change_the_view_of_a_stop(visit_live):
    page = visit_live(query={"tour": "2", "step": "3"})
    expect(page.locator(".ap-count")).to_contain_text("step 4 of")
    address_says(page, tour="2", model="bahdanau", step="3")
