"""A page that contains a model: it translates what is typed, and decodes while a slider is dragged."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from attn_core.browser import html
from attn_core.cli import main
from attn_core.data.captions import captions
from attn_core.data.examples import examples
from attn_core.decoding.translate import text_of, translate
from attn_core.export.document import FORMAT
from attn_core.export.model_files import model_files
from attn_core.files import CheckpointError
from attn_core.models.checkpoint import load
from tests.browser.conftest import LOCAL_P as NAME
from tests.helpers.browser import swipe
from tests.helpers.engine import unchecked
from tests.helpers.javascript import call_in_page, settle
from tests.helpers.shipped import ship

FIRST, SECOND = (pair.de for pair in captions()[:2])


@pytest.fixture(scope="module")
def made(exported):
    """A page that translates, and the model in it."""
    model = load(exported / NAME)
    with unchecked():
        text = html(translate(model, FIRST), models=[exported / NAME, exported / "fixed-vector"], text=FIRST)
    return text, model


@pytest.fixture
def page(visit, made) -> Page:
    found = visit(made[0])
    expect(found.locator(".live-output")).not_to_be_empty()  # the engine has started
    return found


def output(page: Page):
    return page.locator(".live-output")


def words(page: Page) -> list[str]:
    return page.locator(".ap-word").all_text_contents()


def test_the_page_asks_what_a_step_attends_to(page):
    question = page.locator(".live-question")
    expect(question).to_contain_text(f"when it writes “{words(page)[0]}”?")
    page.get_by_role("button", name="Step forward").click()
    expect(page.locator(".ap-count")).to_contain_text("step 2")
    expect(question).to_contain_text(f"when it writes “{words(page)[1]}”?")


def test_equations_and_a_task_are_below_the_player(page, exported):
    exercise = page.locator(".live-exercise")
    player = page.locator(".ap").bounding_box()
    assert exercise.bounding_box()["y"] >= player["y"] + player["height"]
    graphs = json.loads((exported / NAME / "browser.json").read_text("utf-8"))
    step, quantities = graphs["steps"][0], graphs["quantities"]
    for role in ("score", "weight", "context"):
        (quantity,) = (name for name in step["quantities"] if role in quantities[name]["roles"])
        for line in step["quantities"][quantity]["forms"][0]["lines"]:
            text = re.sub("<[^>]*>", "", graphs["equations"][line])
            assert text in exercise.locator("math").all_text_contents()
    page.get_by_label("Model", exact=True).select_option("fixed-vector")
    expect(exercise.locator("math")).to_have_count(0)  # it has no attention
    expect(exercise).to_contain_text("Your task")


def across(page: Page, place: float) -> float:
    """The x of a source position in the picture."""
    places = [one["x"] for one in call_in_page(page, "tooltips", ".ap-plot", 5, 1e4, 2)]
    positions = int(page.get_by_label("Centre p_t of this step").get_attribute("max"))
    return places[0] + (place + 0.5) * (places[-1] - places[0]) / positions


def middle(page: Page) -> float:
    """A height of the picture at which p_t can be dragged."""
    box = page.locator(".ap-plot").bounding_box()
    return box["y"] + 0.7 * box["height"]


def test_a_typed_sentence_is_translated_as_in_python(page, made):
    expect(output(page)).to_have_text(text_of(made[1], translate(made[1], FIRST)))
    wanted = translate(made[1], SECOND)
    page.get_by_label("German sentence").fill(SECOND)
    expect(output(page)).to_have_text(text_of(made[1], wanted))
    settle(page)
    assert words(page) == list(wanted.target)
    expect(page.locator(".ap-count")).to_have_text(f"step 1 of {len(wanted.target)}")


def test_dragging_d_decodes_the_sentence_anew(page, made):
    knob = page.get_by_label("Half-width D")
    wanted = translate(made[1], FIRST, half_width=0)
    assert wanted.target != translate(made[1], FIRST).target
    knob.scroll_into_view_if_needed()
    box = knob.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 1, box["y"] + box["height"] / 2, steps=4)
    expect(page.locator(".ap-word")).to_have_text(list(wanted.target), use_inner_text=False)
    assert knob.input_value() == "0"
    expect(page.locator(".ap-badge")).to_have_text("decoded")
    page.mouse.up()
    expect(output(page)).to_have_text(text_of(made[1], wanted))
    page.get_by_label("German sentence").fill(SECOND)  # the window stays
    expect(output(page)).to_have_text(text_of(made[1], translate(made[1], SECOND, half_width=0)))
    page.get_by_role("button", name="Reset").click()
    expect(output(page)).to_have_text(text_of(made[1], translate(made[1], SECOND)))


def test_dragging_the_centre_of_a_step_decodes_the_sentence_anew(page, made):
    own, end = translate(made[1], FIRST), float(page.get_by_label("Centre p_t of this step").get_attribute("max"))
    ways = ((step, place) for step in range(len(own.words)) for place in (0.0, end))
    found = ((step, place, translate(made[1], FIRST, centers={step: place})) for step, place in ways)
    step, place, wanted = next(one for one in found if one[2].target != own.target)
    page.locator(".ap-word").nth(step).click()
    page.get_by_label("Centre p_t of this step").press("End" if place else "Home")
    expect(page.locator(".ap-word")).to_have_text(list(wanted.target), use_inner_text=False)
    expect(page.locator(".ap-window-text")).to_contain_text("of 1 step is set by hand")
    page.get_by_label("German sentence").fill(SECOND)  # the centre belonged to the sentence before
    expect(output(page)).to_have_text(text_of(made[1], translate(made[1], SECOND)))
    expect(page.locator(".live-note")).to_contain_text("Manual changes were removed")
    page.get_by_label("German sentence").fill(FIRST)
    expect(page.locator(".ap-word")).to_have_text(list(own.target), use_inner_text=False)
    page.locator(".ap-word").nth(step).click()
    page.get_by_label("Centre p_t of this step").press("End" if place else "Home")
    expect(page.locator(".ap-word")).to_have_text(list(wanted.target), use_inner_text=False)
    page.get_by_role("button", name="Reset p_t").click()
    expect(page.locator(".ap-word")).to_have_text(list(own.target), use_inner_text=False)
    expect(page.locator(".ap-window-text")).not_to_contain_text("by hand")
    expect(page.get_by_role("button", name="Reset p_t")).to_be_hidden()


def test_the_line_of_p_t_can_be_dragged_in_the_picture(page, made):
    slider, plot = page.get_by_label("Centre p_t of this step"), page.locator(".ap-plot")
    page.locator(".ap").press("Home")
    settle(page)
    own, y = translate(made[1], FIRST), middle(page)
    at = float(slider.input_value())
    start, first, sixth = (across(page, place) for place in (at, 0, 5))
    page.mouse.move(start, y)
    expect(plot).to_have_class("ap-plot ap-plot-grip")
    page.mouse.down()
    page.mouse.move(first, y, steps=5)
    moved = translate(made[1], FIRST, centers={0: 0.0})
    expect(page.locator(".ap-word")).to_have_text(list(moved.target))  # before it is released
    page.mouse.up()
    expect(page.locator(".ap-count")).to_contain_text("step 1 of")
    assert slider.input_value() == "0"
    page.get_by_role("button", name="Reset p_t").click()
    expect(page.locator(".ap-word")).to_have_text(list(own.target))
    page.keyboard.press("ArrowRight")  # the button is gone; a slider that got its focus would set p_t instead
    expect(page.locator(".ap-count")).to_contain_text("step 2 of")
    expect(page.locator(".ap-window-text")).not_to_contain_text("by hand")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("([slider, at]) => Math.abs(slider.value - at) < 0.05", arg=[slider.element_handle(), at])
    page.mouse.click(sixth, y)  # elsewhere, nothing is dragged
    settle(page)
    assert abs(float(slider.input_value()) - at) < 0.05


def test_after_a_finger_has_dragged_p_t_a_tap_still_chooses_a_step(visit, made):
    """A finger's drag ends without a click, so the next click is that of the tap."""
    page = visit(made[0], width=390, height=2400, has_touch=True)
    expect(output(page)).not_to_be_empty()
    slider = page.get_by_label("Centre p_t of this step")
    page.locator(".ap").press("Home")
    settle(page)
    x, y = across(page, float(slider.input_value())), middle(page)
    swipe(page, (x, y), (x + 20, y), (across(page, 11.4), y))
    assert float(slider.input_value()) > 11
    expect(page.locator(".ap-count")).to_contain_text("step 1 of")
    box = page.locator(".ap-map").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.9)
    expect(page.locator(".ap-count")).not_to_contain_text("step 1 of")


def test_the_picture_joins_states_query_and_context_of_a_model(page):
    """Their names are those that the model's quantities have."""
    call_in_page(page, "recordTexts")
    page.locator(".ap").press("End")
    settle(page)
    drawn = {one["text"] for one in page.evaluate("window.drawn")}
    assert {"encoder states", "new state", "weight × state", "context vector", "output", "layer"} <= drawn
    page.get_by_label("Model").select_option("fixed-vector")
    expect(page.locator(".ap-vector-note")).to_be_visible()
    page.evaluate("window.drawn = []")
    page.locator(".ap").press("Home")
    settle(page)
    drawn = {one["text"] for one in page.evaluate("window.drawn")}
    assert drawn
    assert "weight × state" not in drawn


def test_the_beam_the_attention_type_and_the_model_can_be_chosen(page, made, exported):
    page.get_by_label("Beam").select_option("3")
    expect(output(page)).to_have_text(text_of(made[1], translate(made[1], FIRST, beam=3)))
    page.get_by_label("Attention type", exact=True).select_option("hard (argmax)")
    hard = made[1].with_attention_type("hard-argmax")
    expect(output(page)).to_have_text(text_of(hard, translate(hard, FIRST, beam=3)))
    page.get_by_label("Model").select_option("fixed-vector")
    other = load(exported / "fixed-vector")
    expect(output(page)).to_have_text(text_of(other, translate(other, FIRST, beam=3)))
    expect(page.locator(".ap-vector-note")).to_be_visible()
    expect(page.get_by_label("Attention type", exact=True)).to_be_hidden()


def test_odd_sentences_get_a_remark(page):
    box, note = page.get_by_label("German sentence"), page.locator(".live-note")
    box.fill(FIRST.replace(".", " <b>Xylophon</b>."))
    expect(note).to_contain_text("“b”, “xylophon”")
    box.fill("  ")
    expect(note).not_to_contain_text("xylophon")
    expect(note).not_to_be_empty()
    box.fill("ein " * 61)
    expect(note).to_contain_text(re.compile("61.*60"))
    box.fill(FIRST)
    expect(note).not_to_contain_text("60")


NO_WORKER = "delete window.Worker;"
NO_WASM = "delete window.WebAssembly;"


@pytest.mark.parametrize("script", [NO_WORKER, NO_WASM, NO_WORKER + NO_WASM], ids=["no worker", "no wasm", "neither"])
def test_browsers_without_workers_or_webassembly_translate_too(browser, made, tmp_path, script):
    """In a worker, WebAssembly is missing because its kernel is: the engine then computes in JavaScript."""
    path = tmp_path / "page.html"
    path.write_text(made[0], "utf-8")
    page = browser.new_page()
    page.add_init_script(script)
    page.goto(path.as_uri())
    expect(output(page)).to_have_text(text_of(made[1], translate(made[1], FIRST)))
    page.close()


@pytest.mark.parametrize("damage", ["weights", "graphs", "vocabulary"])
def test_a_damaged_model_is_named_and_the_recorded_translation_still_plays(visit, made, damage):
    text = made[0]
    if damage == "weights":
        text = re.sub(r'(id="weights-0">)[^<]*', r"\1AAAA", text)
    elif damage == "graphs":
        text = text.replace(f'"format":{FORMAT},"name":"luong', '"format":7,"name":"luong')
    else:
        text = text.replace(r'"vocab":{"\u003cpad>":0', r'"vocab":{"\u003cpad>":9', 1)
    assert text != made[0]
    page = visit(text)
    said = {"weights": "its header cannot be read", "graphs": "format 7", "vocabulary": "not a tokenizer file"}
    expect(page.locator(".live-note")).to_contain_text("The translation failed")
    expect(page.locator(".live-note")).to_contain_text(said[damage])
    page.locator(".ap").press("ArrowRight")
    expect(page.locator(".ap-count")).to_contain_text("step 2 of")
    expect(page.get_by_label("Half-width D")).to_be_hidden()


@pytest.mark.slow
def test_the_page_reaches_no_address(made):
    assert "src=" not in made[0]
    assert re.findall(r'href="([^"]*)"', made[0]) == ["data:,"]
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', made[0]).group(1)
    assert "connect-src" not in policy
    assert "default-src &#x27;none&#x27;" in policy


@pytest.mark.slow
def test_the_command_writes_the_page(exported, tmp_path, capsys):
    out = tmp_path / "page.html"
    with unchecked():
        assert main(["handout", str(exported / NAME), "--out", str(out), "--text", FIRST]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"wrote {out} (")
    assert float(re.search(r"\((.*) MB\)", said).group(1)) == pytest.approx(out.stat().st_size / 1e6, abs=0.06)
    found = json.loads(re.search(r'id="models">(.*?)</script>', out.read_text("utf-8")).group(1))
    assert [one["graphs"]["name"] for one in found] == [NAME]


@pytest.mark.slow
def test_a_text_in_another_language_is_doubted(exported, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("attn_core.browser.html", lambda *_, **__: "")
    for text, doubted in ((FIRST, False), ("the dog runs over the street .", True)):
        assert main(["handout", str(exported / NAME), "--out", str(tmp_path / "page.html"), "--text", text]) == 0
        assert ("warning: This looks like English." in capsys.readouterr().err) == doubted


@pytest.mark.slow
def test_without_a_text_the_command_takes_an_example(exported, tmp_path, monkeypatch):
    given = []
    monkeypatch.setattr("attn_core.browser.html", lambda *_, text, **__: given.append(text) or "")
    assert main(["handout", str(exported / NAME), "--out", str(tmp_path / "page.html")]) == 0
    assert given == [examples("de", "en")[0].source]


def test_the_command_names_a_file_that_cannot_be_written(tmp_path, capsys):
    for out in ("", str(tmp_path)):
        assert main(["handout", NAME, "--out", out]) == 2
        assert "is not the name of a file" in capsys.readouterr().err


@pytest.mark.slow
def test_missing_and_damaged_files_are_named(exported, tmp_path):
    def damaged(name: str, text: str | None) -> Path:
        """The folder of a model one of whose files is missing or has another text."""
        place = ship(tmp_path / name / str(text is None), NAME) / NAME
        (place / "browser.json").write_bytes((exported / NAME / "browser.json").read_bytes())
        (place / name).unlink() if text is None else (place / name).write_text(text)
        return place

    for name in ("model.safetensors", "source.json"):
        with pytest.raises(CheckpointError, match=rf"{re.escape(name)} cannot be read"):
            model_files(damaged(name, None))
    with pytest.raises(CheckpointError, match="holds no JSON object"):
        model_files(damaged("source.json", "[]"))
    with pytest.raises(CheckpointError, match=f"write it again with `export {NAME} --to browser`"):
        model_files(damaged("browser.json", "{}"))


def test_a_beam_goes_on_with_the_exponent_of_its_trace(visit, exported):
    """The untrained model never ends a sentence, so the exponent changes no word: the requests tell."""
    trace = translate(load(exported / NAME), FIRST, beam=3, alpha=0.5)
    with unchecked():
        text = html(trace, models=[exported / NAME], text=FIRST)
    page = visit(text)
    expect(output(page)).not_to_be_empty()
    call_in_page(page, "recordRequests")
    page.get_by_label("German sentence").fill(SECOND)
    page.wait_for_function("text => asked.some((one) => one.text === text)", arg=SECOND)
    assert page.evaluate("[...new Set(asked.map(({ beam, alpha }) => `${beam} ${alpha}`))]") == ["3 0.5"]
