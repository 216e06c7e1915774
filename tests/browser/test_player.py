"""The player in a browser: controls and display."""

import math
from dataclasses import replace

import pytest
import torch
from playwright.sync_api import Page, expect

from attn_core.browser import html
from attn_core.export import facts
from tests.browser import traces
from tests.helpers.javascript import call_in_page, press, settle


def seen(page: Page) -> list[str]:
    """The visible target words."""
    return page.locator(".ap-word:not(.ap-future)").all_inner_texts()


def test_words_appear_as_decoded(handout):
    page = handout(traces.make())
    assert seen(page) == ["a"]
    page.locator(".ap").focus()
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    expect(page.locator(".ap-now")).to_have_text("through")
    expect(page.locator(".ap-count")).to_have_text("step 4 of 7")
    assert seen(page) == ["a", "dog", "runs", "through"]
    page.get_by_role("button", name="dog", exact=True).click()
    expect(page.locator(".ap-count")).to_have_text("step 2 of 7")
    assert seen(page) == ["a", "dog"]


def test_keys(handout):
    page = handout(traces.make())
    page.locator(".ap").focus()
    for key, step in [
        ("End", 7),
        ("ArrowRight", 7),
        ("ArrowLeft", 6),
        ("Home", 1),
        ("ArrowLeft", 1),
        ("ArrowRight", 2),
    ]:
        press(page, key)
        expect(page.locator(".ap-count")).to_have_text(f"step {step} of 7")
    # A button that has just become disabled keeps the focus, so that the keys still work.
    page.get_by_role("button", name="Last step").click()
    press(page, "ArrowLeft")
    expect(page.locator(".ap-count")).to_have_text("step 6 of 7")


@pytest.mark.parametrize(
    ("speed", "motion", "moves"), [("1", "no-preference", True), ("0", "no-preference", False), ("1", "reduce", False)]
)
def test_motion_between_steps_can_be_switched_off(handout, speed, motion, moves):
    """Readers ask for none in their system or in the speed menu; the steps follow each other all the same."""
    page = handout(traces.make(), reduced_motion=motion)
    page.get_by_label("Speed").select_option(speed)
    call_in_page(page, "countPictures")
    page.locator(".ap").focus()
    page.keyboard.press("Space")
    expect(page.locator(".ap-count")).to_have_text("step 2 of 7")
    page.get_by_role("button", name="Pause").click()
    settle(page)
    assert (page.evaluate("window.pictures") > 4) is moves


@pytest.mark.quick
def test_play_runs_to_the_end_and_starts_over(handout):
    page = handout(traces.make())
    page.get_by_label("Speed").select_option("4")
    page.locator(".ap").focus()
    page.clock.install(time=0)
    page.clock.pause_at(3600)  # from here on the test controls the clock
    page.keyboard.press("Space")
    for step in range(1, 8):
        page.clock.run_for(240)  # a step takes a quarter of a second
        expect(page.locator(".ap-count")).to_have_text(f"step {step} of 7")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        page.clock.run_for(10)
    page.clock.run_for(240)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.keyboard.press("Space")
    page.clock.run_for(240)
    expect(page.locator(".ap-count")).to_have_text("step 1 of 7")
    page.keyboard.press("Space")
    page.clock.run_for(1000)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.locator(".ap-count")).to_have_text("step 1 of 7")


def test_next_word_marks_the_chosen_one_even_outside_the_best(handout):
    made = traces.make()
    page = handout(made)
    rows = page.locator(".ap-next-row:visible")
    best = made.words[0].top
    assert rows.count() == len(best) + 1
    for i, (word, log_prob) in enumerate(best):
        assert rows.nth(i).locator(".ap-next-word").inner_text() == word
        shown = rows.nth(i).locator(".ap-next-p").inner_text()
        assert float(shown) == pytest.approx(math.exp(log_prob), abs=5.1e-3)
    expect(page.locator(".ap-chosen .ap-next-word")).to_have_text("a")


def test_a_source_word_in_place_of_an_unknown_word_has_its_probability_once(handout):
    made = traces.make()
    first = made.words[0]
    top = (("<unk>", first.log_prob), *first.top[:2])
    word = replace(first, token="quokka", top=top)
    page = handout(replace(made, words=(word, *made.words[1:])))
    rows = page.locator(".ap-next-row:visible")
    assert [row.locator(".ap-next-word").inner_text() for row in rows.all()] == [
        *("quokka", top[1][0], top[2][0], "all other words")
    ]
    expect(page.locator(".ap-chosen .ap-next-word")).to_have_text("quokka")
    shown = [float(row.locator(".ap-next-p").inner_text()) for row in rows.all()]
    assert sum(shown) == pytest.approx(1, abs=0.02)


def test_long_words_of_a_model_without_attention_are_cut_inside_the_figure(visit):
    """Nothing is drawn beyond the canvas: the last column stays empty beside the words."""
    long = "w" * 60
    words = ([long], ["a", "</s>"])
    page = visit(html(traces.make(None, words=words)), 340)
    assert call_in_page(page, "countColors", 2) == 1


def test_a_model_without_attention(handout):
    page = handout(traces.make(None))
    expect(page.locator(".ap-vector-note")).to_have_text(
        "This model has no attention: one fixed-length vector represents the sentence."
    )
    page.locator(".ap").focus()
    press(page, "ArrowRight")
    assert seen(page) == ["a", "dog"]
    expect(page.locator(".ap-chosen .ap-next-word")).to_have_text("dog")
    expect(page.locator(".ap-section-window")).to_be_hidden()
    assert painted(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("window", [None, "global", "local-p"])
def test_the_picture_is_painted_in_both_themes(handout, window, theme):
    page = handout(traces.make(window), color_scheme=theme)
    assert page.locator(".ap-root").get_attribute("data-theme") == theme
    assert painted(page)


def painted(page: Page) -> bool:
    """Whether the canvas has more than 20 colours."""
    return call_in_page(page, "countColors") > 20


def test_another_sentence_starts_at_its_first_step(hosted):
    from attn_core.trace import dump

    page = hosted(traces.make())
    page.locator(".ap").focus()
    press(page, "End")
    page.evaluate("(text) => window.player.update(JSON.parse(text))", dump(traces.make(words=traces.LONG)))
    settle(page)
    expect(page.locator(".ap-count")).to_have_text("step 1 of 29")


def test_the_end_of_sentence_can_be_left_out(handout):
    page = handout(traces.make())
    page.locator(".ap").focus()
    press(page, "End")
    expect(page.locator(".ap-now")).to_have_text("</s>")
    page.get_by_text("</s> row").click()
    settle(page)
    expect(page.locator(".ap-count")).to_have_text("step 6 of 6")
    expect(page.locator(".ap-now")).to_have_text("snow")


def test_several_looks_can_be_chosen(handout):
    made = traces.make("global", looks=3)
    page = handout(made)
    assert page.get_by_label("Layer and head").evaluate("box => box.selectedOptions[0].text").startswith("layer 0")
    page.get_by_role("tab", name="Tables").click()
    expect(page.locator(".ap-table caption").first).to_have_text(f"Step 1: {made.target[0]}")
    weight = page.locator(".ap-table tbody").first.locator("tr").first.locator("td").last
    for look in (0, 2):
        page.get_by_label("Layer and head").select_option(f"layer 0, head {look}")
        expect(weight).to_have_text(f"{made.words[0].step.looks[look].weights[0].item():.4f}")
    head = page.locator(".ap-table thead").first.locator("th")
    assert head.all_inner_texts()[2:] == ["score", "attention weight"]
    page.get_by_label("Layer and head").select_option("mean of 3 heads")
    expect(weight).to_have_text(f"{made.weights()[0, 0].item():.4f}")
    assert head.all_inner_texts()[2:] == ["attention weight"]  # a softmax of averaged scores is not this


def test_the_first_look_is_chosen_by_layer_and_head(hosted):
    made = traces.make("global", looks=3)
    heads = torch.stack([torch.stack([look.weights for look in word.step.looks]) for word in made.words], 1)
    spread = torch.distributions.Categorical
    clearest = (spread(heads.mean(1)).entropy() - spread(heads).entropy().mean(1)).argmax().item()
    first = f"layer 0, head {clearest}"
    choices = {(0, 1): "layer 0, head 1", (None, "mean"): "mean of 3 heads", (7, 1): first, (None, None): first}
    for (layer, head), chosen in choices.items():
        page = hosted(made, {"layer": layer, "head": head})
        assert page.get_by_label("Layer and head").evaluate("box => box.selectedOptions[0].text") == chosen
        expect(page.get_by_text("3 heads attend at every step.")).to_be_visible()
    page = hosted(traces.make("global"))
    expect(page.get_by_text("Layer and head")).to_be_hidden()


def test_a_step_to_come_has_the_colour_of_its_weight_on_a_smaller_cell(handout):
    """A pale cell always means a small weight, not a future step."""
    made = traces.make("global")
    page = handout(made)
    place = [3, int(made.weights()[3].argmax()), len(made.source)]
    middle, edge = call_in_page(page, "cellColors", *place)
    assert edge == "0,0,0,0"
    expect(page.get_by_text("small squares: later steps")).to_be_visible()
    page.locator(".ap").focus()
    press(page, "End")
    place[0] = 3 - (len(made.words) - 1)
    assert call_in_page(page, "cellColors", *place) == [middle, middle]
    expect(page.get_by_text("small squares: later steps")).to_be_hidden()


def test_pieces_of_words_are_shown_without_their_marks(handout):
    made = traces.make(words=(["▁ein", "▁schnee", "mann"], ["▁a", "▁snow", "man", "</s>"]))
    page = handout(made)
    expect(page.locator(".ap-word")).to_have_text(["a", "snow", "·man", "</s>"])
    page.get_by_role("tab", name="Tables").click()
    expect(page.locator(".ap-table")).to_contain_text("schnee")
    expect(page.locator(".ap-table")).not_to_contain_text("▁")


def test_only_a_model_that_can_be_run_in_a_window_is_offered_one(hosted, handout):
    recording = handout(traces.make("global", looks=2))
    expect(recording.get_by_role("button", name="Add a window")).to_be_hidden()
    for windows, offered in ((facts.windows(), True), (facts.windows(["global"]), False), ({}, False)):
        page = hosted(traces.make("global", looks=2), {"windows": windows})
        button = page.get_by_role("button", name="Add a window")
        expect(button).to_be_visible() if offered else expect(button).to_be_hidden()


def test_the_picture_has_an_equivalent_in_words_and_tables(handout):
    made = traces.make()
    page = handout(made)
    page.locator(".ap").focus()
    press(page, "ArrowRight")
    label = page.get_by_role("img").get_attribute("aria-label")
    assert label.startswith("Step 2 of 7: dog, probability 0.")
    best = made.words[1].step.looks[0].weights.argmax().item()
    assert f" on {made.source[best]}" in label
    expect(page.locator("[aria-live=polite]")).to_have_text(label)
    page.get_by_role("tab", name="Tables").click()
    table = page.get_by_role("table", name="All steps: attention weights")
    cells = table.locator("tbody tr").nth(1).locator("td").all_inner_texts()
    assert [float(cell) for cell in cells] == pytest.approx(made.weights()[1].tolist(), abs=5.1e-4)


@pytest.mark.parametrize("width", [320, 380])
@pytest.mark.parametrize("words", [traces.SHORT, traces.LONG])
def test_a_phone_shows_no_sideways_scroll(handout, words, width):
    page = handout(traces.make(words=words), width=width, height=800)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Scrolling the picture alone reaches the last source word.
    page.evaluate("document.querySelector('.ap-scroll').scrollLeft = 1e6")
    box = page.locator(".ap-bars").bounding_box()
    assert box["x"] + box["width"] <= width
    for button in page.locator(".ap-icon, .ap-button:visible, .ap-knob:visible").all():
        assert button.bounding_box()["height"] >= 40


def test_words_are_text_whatever_they_look_like(handout):
    nasty = ["<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "{{x}}", "&lt;", "w" * 90]
    page = handout(traces.make(words=(nasty, [*nasty, "</s>"]), unknown=(0,)))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.locator(".ap").focus()
    press(page, "End")
    assert seen(page) == [word.replace("&lt;", "<") for word in [*nasty, "</s>"]]  # Moses escapes "<"
    assert page.locator(".ap img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_handout_makes_no_request(browser, tmp_path):
    from attn_core.browser import html

    path = tmp_path / "handout.html"
    path.write_text(html(traces.make()), encoding="utf-8")
    page = browser.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    page.locator(".ap-count").wait_for()
    page.close()
    assert [url for url in asked if not url.startswith("data:")] == [path.as_uri()]


def test_no_window_in_view_is_a_picture_too(handout):
    """local-m with the rule "text": for t > S + D - 1 no word is in view."""
    page = handout(traces.make("local-m", (["ein", "hund"], traces.SHORT[1]), half_width=1, local_m="text"))
    page.locator(".ap").focus()
    press(page, "End")
    expect(page.locator(".ap-count")).to_have_text("step 7 of 7")
    assert painted(page)
    assert page.locator(".ap-plot").get_attribute("aria-label").endswith("; no word has any weight")
    press(page, "Home")
    assert "; largest weight " in page.locator(".ap-plot").get_attribute("aria-label")


def test_a_trace_without_words_shows_a_message(hosted):
    page = hosted(traces.make(words=(["hund"], [])))
    expect(page.locator(".ap-vector-note")).to_have_text("Nothing was decoded: there is no word to show.")


def test_a_player_that_was_removed_leaves_nothing(hosted):
    page = hosted(traces.make())
    page.evaluate("window.player.destroy()")
    assert page.locator(".ap-root").count() == 0
    page.set_viewport_size({"width": 700, "height": 500})
    settle(page)


@pytest.mark.parametrize("window", ["global", "local-p"])
def test_hard_attention_shows_the_softmax_and_the_choice(hosted, window):
    """Hard attention: one-hot weights beside their softmax, which the heatmap can show."""
    soft = traces.make(window)
    page = hosted(traces.hard(soft))
    expect(page.locator(".ap-note")).to_contain_text("hard (argmax) attention, trained with soft attention")
    expect(page.get_by_text("mass removed by the Gaussian:")).to_be_hidden()
    page.get_by_role("tab", name="Tables").click()
    matrix = page.locator(".ap-table table").nth(1)
    expect(matrix.locator("caption")).to_have_text("All steps: attention weights")
    assert set(matrix.locator("tbody td").all_inner_texts()) == {"0.000", "1.000"}
    page.get_by_role("tab", name="Heatmap").click()
    page.get_by_role("radio", name="alignment").check(force=True)
    page.get_by_role("tab", name="Tables").click()
    settle(page)
    expect(matrix.locator("caption")).to_have_text("All steps: alignment weights")
    cells = [float(text) for text in matrix.locator("tbody tr").first.locator("td").all_inner_texts()]
    assert cells == pytest.approx(soft.words[0].step.looks[0].alignment.tolist(), abs=6e-4)


def test_other_views_are_panels_of_tabs_that_arrow_keys_move_between(hosted):
    page = hosted(traces.make("global"))
    heatmap, tables = (page.get_by_role("tab", name=name) for name in ("Heatmap", "Tables"))
    panel = page.get_by_role("tabpanel")
    heatmap.click()
    page.keyboard.press("ArrowRight")
    expect(tables).to_be_focused()
    expect(page.locator(".ap-count")).to_contain_text("step 1 of")  # the keys are those of the tabs
    page.keyboard.press("Enter")
    expect(tables).to_be_focused()
    for tab, other, content in ((tables, heatmap, ".ap-table"), (heatmap, tables, ".ap-map")):
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        expect(other).to_have_attribute("aria-selected", "false")
        expect(tab).to_have_attribute("aria-controls", panel.get_attribute("id"))
        expect(panel).to_have_attribute("aria-labelledby", tab.get_attribute("id"))
        expect(panel.locator(content)).to_be_visible()
