"""The tour: its stops, what they claim of the shipped models, and a walk through them with the keyboard alone."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from playwright.sync_api import expect

from app.service import catalogue
from app.shell.pages import EXPLORER, labs
from attn_core import load, translate
from attn_core.data.captions import captions
from attn_core.decoding.translate import text_of
from attn_core.export.diagrams import diagrams
from attn_core.models.translator import Translator
from attn_core.trace import Trace
from tests.helpers.edited import Edit, search_with_edits, unchanged
from tests.helpers.shipped import facts_of_links
from tests.helpers.visits import address_says

ROOT = Path(__file__).parents[2]
APP = ROOT / "app"
ATTENDS = "luong-general-global-long"  # what the first stop leads to


@pytest.fixture(scope="module")
def stops(page_probe):
    return page_probe("stops")


def test_every_stop_has_a_page_a_notebook_section_and_a_shipped_model(stops, page_probe):
    pages = {place.path for place in (EXPLORER, *labs())}
    start = facts_of_links(len(stops))
    axes = {axis.name for axis in catalogue.AXES}
    assert len(stops) == 10
    for stop in stops:
        assert stop["page"] in pages
        assert stop["section"] in headings(stop["notebook"])
        assert set(stop["needs"]) <= axes | {"edit", "head"}
        if not stop["page"]:
            for change in ({}, stop.get("act", {"link": {}})["link"]):
                link = stop["link"] | change
                view = page_probe("viewOf", link, start)
                assert view["notices"] == []
                assert view["view"]["model"] == link["model"]


def headings(notebook: str) -> set[str]:
    """The headings of a notebook, without their numbers."""
    cells = json.loads((ROOT / "notebooks" / f"{notebook}.ipynb").read_text("utf-8"))["cells"]
    lines = [line for cell in cells if cell["cell_type"] == "markdown" for line in "".join(cell["source"]).splitlines()]
    return {re.sub(r"^#+ (\d+\. )?", "", line) for line in lines if line.startswith("#")}


def test_every_stop_has_a_right_guess_an_answer_a_term_and_notes(stops):
    for stop in stops:
        assert stop["question"].endswith("?")
        assert 2 <= len(stop["guesses"]) <= 4
        assert sum(guess.get("isRight", False) for guess in stop["guesses"]) == 1
        assert stop["answer"].endswith(".")
        assert stop["todo"]
        assert 2 <= len(stop["notes"]) <= 4
    terms = [stop["term"]["name"] for stop in stops]
    assert len(set(terms)) == len(stops)
    assert {"Score", "Attention weight", "Alignment weight", "Context vector"} <= set(terms)
    assert {"Query", "Input feeding", "Head", "Pointer"} <= set(terms)


def decoded(name: str, stop: dict, **options: Any) -> tuple[Translator, Trace]:
    """A shipped model and its translation of the sentence of a stop."""
    model = load(name)
    return model, translate(model, stop["link"]["text"], **options)


def favourite(trace: Trace, step: int, look: int = 0) -> str:
    """The source word with the largest weight."""
    return trace.source[int(trace.words[step].step.looks[look].weights.argmax())]


def edited(stop: dict, at: Edit) -> list[str]:
    """The words of a stop's model when `at` sets the weights and the context vector of the step on show."""
    shown = int(stop["link"]["step"])
    model = load(stop["link"]["model"])

    def only_there(step, head, weights, states):
        return (at if step == shown else unchanged)(step, head, weights, states)

    words = [one["token"] for one in search_with_edits(model, stop["link"]["text"], only_there, {}, 14)]
    return words[: words.index("</s>")] if "</s>" in words else words


def test_one_vector_keeps_the_first_of_three_sentences(stops):
    stop = stops[0]
    without, attends = (text_of(*decoded(name, stop)) for name in (stop["link"]["model"], stop["act"]["link"]["model"]))
    assert without.startswith("Two dogs run through the snow. A dog")
    for word in ("girl", "fish", "old", "flowers", "market"):  # it makes up the second and the third sentence
        assert word not in without
    for word in ("two dogs", "snow", "girl", "fish", "hand", "old man", "fresh flowers", "market"):
        assert word in attends.lower()
    words = [token for token in decoded(ATTENDS, stop)[1].source if token.isalpha()]
    assert f"all {len(words)} words" in stop["answer"]


def test_the_score_menu_adds_attention_to_the_first_stop_and_changes_nothing_else(stops, page_probe):
    assert reached_by(page_probe, stops[0]["link"]["model"], "score", "general") == (ATTENDS, [])
    assert stops[0]["act"]["link"] == {"model": ATTENDS}


def reached_by(page_probe, model: str, axis: str, value: str) -> tuple[str, list]:
    """The model that a value of an axis leads to, and the axes that differ besides."""
    models, _ = catalogue.catalogue()
    axes = [{"name": axis.name, "values": [[v, v] for v in catalogue.choices(models, axis)]} for axis in catalogue.AXES]
    placed = [
        {"name": name, "point": {"pair": "-".join(one.languages)} | one.point, "languages": one.languages}
        for name, one in models.items()
    ]
    chosen = next(one for one in axes if one["name"] == axis)
    reached = page_probe("reachable", axes, placed, chosen, list(models).index(model))
    found = next(one for one in reached if one["value"] == value)
    return placed[found["model"]]["name"], found["others"]


def test_the_word_that_gets_the_weight_is_translated(stops):
    stop = stops[1]
    _, trace = decoded(stop["link"]["model"], stop)
    step = int(stop["link"]["step"])
    assert (trace.target[step], favourite(trace, step)) == ("catch", "fangen")

    def all_on(word: str) -> Edit:
        def at(_step, _head, weights, states):
            weights = torch.zeros_like(weights).index_fill(0, torch.tensor(trace.source.index(word)), 1.0)
            return weights, weights @ states

        return at

    assert edited(stop, all_on("fisch"))[step] == "fish"
    assert edited(stop, all_on("ein"))[step] == "a"
    assert edited(stop, all_on("hand"))[step : step + 4] == ["hand", "up", "a", "fish"]
    place = stop["act"]["link"]["edit"].removeprefix(f"w{step}-").split("_").index("1")
    assert trace.source[place] == "fisch"

    def uniform(_step, _head, weights, states):
        weights = torch.full_like(weights, 1 / len(weights))
        return weights, weights @ states

    assert edited(stop, uniform)[step] == "catch"  # a note


def test_three_scores_agree_on_the_word(stops, page_probe):
    stop = stops[2]
    for score in ("additive", "dot", "general"):
        name, others = reached_by(page_probe, stop["link"]["model"], "score", score)
        assert others == []
        _, trace = decoded(name, stop)
        step = int(stop["link"]["step"])
        assert (trace.target[step], favourite(trace, step)) == ("catch", "fangen")
    assert reached_by(page_probe, stop["link"]["model"], "score", "dot") == (stop["act"]["link"]["model"], [])


def test_another_context_vector_gives_another_word_with_the_same_weights(stops):
    stop = stops[3]
    _, trace = decoded(stop["link"]["model"], stop)
    step, other = int(stop["link"]["step"]), int(stop["act"]["link"]["edit"].removeprefix("c5-"))
    assert (step, trace.target[other]) == (5, "fish")
    assert float(trace.weights()[step].max()) == pytest.approx(0.85, abs=0.005)  # a note
    context = trace.words[other].step.looks[0].context.reshape(-1)
    assert edited(stop, lambda _step, _head, weights, _states: (weights, context))[step] == "fish"


def test_the_new_state_as_the_query_makes_a_cycle_in_one_of_the_orders(open_script):
    """Bahdanau's new state is computed from the context vector; Luong's old state would do."""
    paths = open_script(ROOT / "app" / "lab" / "paths" / "graph.js")
    cycles = []
    for name in ("bahdanau", "luong-general-local-p"):
        diagram = diagrams(load(name).config)[0]
        turned = paths("queriedInstead", diagram)
        cycles.append(paths("cycleThrough", turned, "weights"))
        assert paths("cycleThrough", diagram, "weights") == []
    assert "next" in cycles[0]
    assert cycles[1] == []


def test_input_feeding_mends_the_sentence_of_its_stop(stops, page_probe):
    stop = stops[5]
    act = stop["act"]["link"]
    assert reached_by(page_probe, stop["link"]["model"], "feeding", "yes") == (act["model"], [])
    (without, trace), (feeds, fed) = (decoded(name, stop) for name in (stop["link"]["model"], act["model"]))
    assert text_of(without, trace) == "An old man playing the bridge on the bridge at night."
    assert text_of(feeds, fed) == "An old man is playing the violin on the bridge at night."
    assert (trace.target[int(stop["link"]["step"])], fed.target[int(act["step"])]) == ("bridge", "violin")
    assert favourite(fed, int(act["step"])) == "geige"
    assert without.config.attention == feeds.config.attention


def test_three_words_in_view_are_almost_enough(stops):
    stop = stops[6]
    window = load(stop["link"]["model"]).config.attention.window
    assert (2 * window.half_width + 1, window.sigma) == (9, None)  # nine words; sigma is D / 2
    model, trace = decoded(stop["link"]["model"], stop)
    narrow = decoded(stop["link"]["model"], stop, half_width=int(stop["act"]["link"]["D"]))[1]
    assert text_of(model, trace) == "A girl tries to catch a fish with her hand."
    assert text_of(model, narrow) == "A girl tries to catch a fish with her hand hand."
    step = int(stop["link"]["step"])
    assert (trace.target[step], narrow.target[step]) == ("catch", "catch")
    look = narrow.words[step].step.looks[0]
    assert look.focus.inside.nonzero().flatten().tolist() == [8, 9, 10]
    assert trace.source[10] == "fangen"
    assert float(trace.words[step].step.looks[0].focus.center) == pytest.approx(9.01, abs=0.005)
    before = trace.words[step - 1].step.looks[0]
    assert trace.target[step - 1] == "to"
    assert float(before.weights.sum()) == pytest.approx(0.52, abs=0.005)
    for word in (*trace.words, *narrow.words):
        (look,) = word.step.looks
        assert float(look.alignment.sum()) == pytest.approx(1, abs=1e-5)
        assert float(look.weights.sum()) < 1


def test_head_1_finds_the_words_and_head_3_the_full_stop(stops):
    stop = stops[7]
    _, trace = decoded(stop["link"]["model"], stop)
    pairs = {"girl": "mädchen", "trying": "versucht", "catch": "fangen", "fish": "fisch", "hand": "hand"}
    steps = {word: trace.target.index(word) for word in pairs}
    assert len(trace.words[0].step.looks) == len(stop["guesses"]) == 4
    right = [sum(favourite(trace, step, head) == pairs[word] for word, step in steps.items()) for head in range(4)]
    assert right[1] == 5
    assert max(right[0], *right[2:]) < 5
    assert [guess.get("isRight", False) for guess in stop["guesses"]] == [False, True, False, False]
    ends = [favourite(trace, step, 3) == "." for step in range(len(trace.target))]
    assert sum(ends) > len(ends) / 2


def test_a_head_of_the_encoder_joins_articles_and_nouns(stops):
    link = stops[8]["link"]
    model = load("transformer")
    trace = translate(model, link["heads_text"])
    source = [token.removeprefix("▁") for token in trace.source]
    looks = {(look.layer, look.head): look.weights for look in trace.memory.looks}
    shown = looks[int(link["heads_layer"]), int(link["heads_head"])]
    for article, noun in (("einen", "fisch"), ("der", "hand")):
        assert source[int(shown[source.index(article)].argmax())] == noun
    previous = [int(row.argmax()) == place - 1 for place, row in enumerate(looks[1, 3])]
    assert sum(previous) > len(previous) / 2


def test_a_stop_on_the_first_sentence_is_at_the_word_catch(stops):
    """Whatever step a model decodes it at."""
    same = [stop["link"] for stop in stops if stop["link"].get("text") == captions()[0].de]
    assert len(same) == 5
    for link in same:
        model = load(link["model"])
        word = translate(model, link["text"]).words[int(link["step"])]
        assert model.target.text([word.token]) == "catch"


def test_the_tour_can_be_taken_with_the_keyboard_alone(visit_live, stops):
    page = visit_live()
    heading, way = page.locator(".tour-stop h1"), page.get_by_role("navigation", name="Tour")
    page.get_by_role("link", name="Take the tour").focus()
    page.keyboard.press("Enter")
    for number, stop in enumerate(stops, 1):
        expect(heading).to_have_text(plain(stop["question"]))
        expect(way).to_contain_text(f"Stop {number} of 10")
        expect(page.get_by_role("group", name="Your guess").get_by_role("button").first).to_be_focused()
        address_says(page, tour=str(number))
        page.keyboard.press("Enter")
        right = stop["guesses"][0].get("isRight", False)
        expect(page.locator(".tour-answer")).to_contain_text("Right." if right else "Not quite.")
        expect(page.locator(".tour-answer")).to_contain_text(plain(stop["answer"]))
        if "act" in stop:
            expect(page.get_by_role("button", name=stop["act"]["label"])).to_be_focused()
            way.get_by_role("link", name="Next").focus()
        if number < len(stops):
            page.keyboard.press("Enter")
    expect(way.get_by_role("link", name="Take the quiz")).to_be_focused()
    page.get_by_role("button", name="Glossary (10)").press("Enter")
    expect(page.locator(".tour-glossary dt")).to_have_text([stop["term"]["name"] for stop in stops])
    page.keyboard.press("Escape")
    way.get_by_role("link", name="Back").press("Enter")
    expect(heading).to_have_text(plain(stops[-2]["question"]))
    expect(page.get_by_role("group", name="Your guess").get_by_role("button").first).to_be_focused()
    expect(page.get_by_role("button", name="Glossary (10)")).to_be_visible()


def plain(text: str) -> str:
    """A text of a stop as it is shown: with subscripts."""
    return re.sub(r"_\{([^}]*)\}", r"\1", text)


def test_the_last_stop_shows_its_question_and_its_picture_on_a_projector(visit_live, stops):
    page = visit_live("pointer", ready=".pt-square", query={"tour": "10"}, width=1280, height=720)
    own = page.get_by_role("heading", name="How can a network point")
    expect(page.get_by_role("heading", name=stops[-1]["question"])).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="The weights are the output").click()
    expect(page.get_by_role("link", name="Take the quiz")).to_be_in_viewport(ratio=1)
    expect(page.locator(".pt-square")).to_be_in_viewport(ratio=1)
    expect(own).to_be_hidden()  # the question of the stop takes its place
    page.get_by_role("link", name="End the tour").click()
    expect(page.locator(".tour-box")).to_have_count(0)
    expect(own).to_be_visible()


def test_an_old_link_of_the_tour_opens_a_stop(visit_live, stops):
    page = visit_live(query={"tour": "5"}, ready=".tour-stop h1")
    expect(page.locator(".tour-stop h1")).to_have_text(plain(stops[4]["question"]))
    assert "/paths?" in page.url
