"""The diagrams of the Paths page in a browser: boxes, order, keys, and steps chosen for both."""

import re

from playwright.sync_api import expect

from tests.helpers.numbers import written
from tests.lab import stages


def test_boxes_hold_the_shapes_and_the_numbers_of_the_step(lab):
    data = stages.path_data("groundhog", "feeding, local-p")
    page = lab("path", data)
    for diagram, path in zip(page.locator(".pl").all(), data["paths"], strict=True):
        for node in path["nodes"]:
            box = diagram.locator(f'[data-node="{node["id"]}"]')
            expect(box.locator(".pl-shape")).to_have_text(" × ".join(map(str, node["shape"])) or "number")
        found = path["steps"][1]["values"]
        length = sum(value**2 for value in found["context"]) ** 0.5
        expect(diagram.locator('[data-node="context"] .pl-say')).to_have_text(f"|·| {length:.2f}")
        diagram.locator('[data-node="context"]').click()
        expect(diagram.locator(".pl-numbers")).to_contain_text(written(found["context"][0], 4))
    center = data["paths"][1]["steps"][1]["values"]["center"]
    expect(page.locator('[data-node="center"] .pl-say')).to_have_text(f"{center:.2f}")


def test_a_path_is_walked_in_its_order(lab):
    page = lab("path", stages.path_data("groundhog", "global"))
    orders = page.locator(".pl-order")
    assert orders.nth(0).locator("button").all_inner_texts() == ["si−1", "αi", "ci", "ti", "yi", "si"]
    assert orders.nth(1).locator("button").all_inner_texts() == ["ht−1", "ht", "at", "ct", "h̃t", "yt"]
    inputs = orders.nth(0).locator(".pl-inputs").all_inner_texts()
    assert [text.count("ti") for text in inputs] == [0, 0, 0, 1, 0]
    assert inputs[3] == "from ti"
    first = page.locator(".pl").nth(0)
    forward = first.get_by_role("button", name="Next computation")
    for node in ("previous", "weights", "context"):
        forward.click()
        expect(first.locator(".pl-node.pl-now")).to_have_attribute("data-node", node)
    expect(first.locator(".pl-later")).to_have_count(3)
    assert {line.get_attribute("data-edge") for line in first.locator(".pl-into").all()} == {
        "weights>context",
        "memory>context",
    }
    first.get_by_role("button", name="Play").click()
    expect(first.locator(".pl-node.pl-now")).to_have_attribute("data-node", "next")
    play = first.get_by_role("button", name="Play")
    expect(play).to_have_attribute("title", "Play (Space)")
    link = first.locator(".pl-order button").nth(1)
    link.press("Enter")
    expect(link).to_have_class(re.compile("pl-now"))
    expect(link).to_be_focused()  # the line was built again


def test_keys_play_and_step_the_path_that_was_used_last(lab):
    page = lab("path", stages.path_data("groundhog", "global"), 1280, 720)
    bahdanau, luong = page.locator(".pl").all()
    expect(bahdanau.get_by_role("button", name="Play")).to_be_in_viewport(ratio=1)
    page.keyboard.press("ArrowRight")  # nothing has the focus: the first path in sight takes the keys
    expect(bahdanau.locator(".pl-now[data-node]")).to_have_attribute("data-node", "previous")
    page.keyboard.press("Space")
    expect(bahdanau).to_have_class(re.compile("pl-playing"))
    expect(bahdanau.get_by_role("button", name="Pause")).to_have_attribute("title", "Pause (Space)")
    page.keyboard.press("Space")
    expect(bahdanau).not_to_have_class(re.compile("pl-playing"))
    now = bahdanau.locator(".pl-now[data-node]")
    stopped = now.get_attribute("data-node")
    page.keyboard.press("ArrowLeft")
    expect(now).not_to_have_attribute("data-node", stopped)
    page.keyboard.press("ArrowRight")
    expect(now).to_have_attribute("data-node", stopped)
    bahdanau.get_by_role("button", name="Play").click()
    luong.get_by_role("button", name="Play").click()  # one path plays at a time
    expect(luong).to_have_class(re.compile("pl-playing"))
    expect(bahdanau).not_to_have_class(re.compile("pl-playing"), timeout=1500)  # long before its end
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    expect(luong).not_to_have_class(re.compile("pl-playing"))
    expect(bahdanau).not_to_have_class(re.compile("pl-playing"))


def test_querying_with_the_new_state_is_a_cycle_in_bahdanau_only(lab):
    page = lab("path", stages.path_data("groundhog", "global"))
    bahdanau, luong = page.locator(".pl").all()
    bahdanau.get_by_role("button", name="Try").click()
    expect(bahdanau.locator(".pl-verdict")).to_contain_text("A cycle")
    assert bahdanau.locator(".pl-need").all_inner_texts() == ["αi needs si", "ci needs αi", "si needs ci"]
    expect(bahdanau.locator(".pl-node.pl-ring")).to_have_count(3)
    expect(bahdanau.locator(".pl-arrow.pl-ring")).to_have_count(3)
    expect(bahdanau.locator('[data-node="context"]')).to_contain_text("cannot be computed")
    luong.get_by_role("button", name="Try").click()
    expect(luong.locator(".pl-verdict")).to_have_text("This order is possible:")
    expect(luong.locator(".pl-node.pl-ring")).to_have_count(0)
    expect(luong.locator('[data-node="context"] .pl-say')).to_be_empty()  # not computed by a model
    assert luong.locator(".pl-order button").all_inner_texts() == ["ht−1", "at", "ct", "ht", "h̃t", "yt"]
    bahdanau.get_by_role("button", name="Back to").click()
    expect(bahdanau.locator(".pl-ring")).to_have_count(0)
    expect(bahdanau.locator('[data-node="context"]')).to_contain_text("|·|")


def test_nothing_is_known_of_what_another_query_would_make(lab):
    page = lab("path", stages.path_data("groundhog", "feeding, local-p"))
    luong = page.locator(".pl").nth(1)
    shades = "(box) => [...box.querySelectorAll('.pl-word')].map((word) => word.style.background)"
    assert len(set(luong.locator('[data-node="memory"]').evaluate(shades))) > 1
    luong.get_by_role("button", name="Try").click()
    for node in ("center", "weights", "context", "readout", "output"):
        expect(luong.locator(f'[data-node="{node}"] .pl-say')).to_be_empty()
    expect(luong.locator('[data-node="state"]')).to_contain_text("|·|")  # it does not wait for the look
    assert len(set(luong.locator('[data-node="memory"]').evaluate(shades))) == 1
    luong.locator('[data-node="center"]').click()
    expect(luong.locator(".pl-equation")).to_contain_text("ht−1")


def test_without_numbers_the_boxes_promise_none(lab):
    data = stages.path_data("groundhog", "global")
    bare = data["paths"][0] | {"bare": True, "steps": [step | {"values": {}} for step in data["paths"][0]["steps"]]}
    page = lab("path", data | {"paths": [bare, data["paths"][1]]})
    expect(page.locator(".pl-panel").nth(0)).to_contain_text("shapes only")
    expect(page.locator(".pl-panel").nth(1)).to_contain_text("one thin bar for each number")


def test_input_feeding_is_an_arrow_where_the_model_has_it(lab):
    page = lab("path", stages.path_data("feeding", "global"))
    on, off = page.locator(".pl").all()
    expect(on.locator('[data-edge="fed>state"]')).to_have_count(1)
    expect(on.locator('[data-node="fed"] .pl-say')).to_contain_text("|·|")
    expect(off.locator('[data-edge="fed>state"]')).to_have_count(0)
    expect(off.locator('[data-node="fed"]')).to_contain_text("off in this model")


def test_a_step_is_chosen_for_both(lab):
    data = stages.path_data("groundhog", "global")
    page = lab("path", data)
    words = [page.locator(".pl").nth(i).locator(".ap-word") for i in (0, 1)]
    words[0].nth(2).click()
    for one in words:
        expect(one.nth(2)).to_have_attribute("aria-current", "step")
    expect(page.locator(".pl").nth(1).locator('[data-node="word"] .pl-say')).to_have_text(
        data["paths"][1]["steps"][1]["token"]
    )
    words[0].nth(0).click()
    expect(page.locator(".pl").nth(1).locator('[data-node="previous"]')).to_contain_text("from the encoder")


def test_the_other_path_goes_to_its_step_for_the_same_word(lab):
    data = stages.path_data("groundhog", "global", step=0)
    pairs = [[{"word": "ein", "step": step} for step in steps] for steps in ([2] * 6, [0, 3, 0, None, 0, 0])]
    pairs[0][4] = None  # empty window
    page = lab("path", data | {"pairs": pairs})
    words = [page.locator(".pl").nth(i).locator(".ap-word") for i in (0, 1)]
    said = [[step["token"] for step in path["steps"]] for path in data["paths"]]
    expect(words[1].nth(2)).to_have_attribute("aria-current", "step")
    expect(page.locator(".pl-note")).to_contain_text(
        f"When {data['paths'][0]['model']} produces “{said[0][0]}”, its largest weight is on “ein”"
    )
    expect(page.locator(".pl-note")).to_contain_text(f"the one that writes “{said[1][2]}” gives “ein” the most weight.")
    words[1].nth(1).click()
    expect(words[0].nth(3)).to_have_attribute("aria-current", "step")
    words[1].nth(3).click()
    expect(words[0].nth(3)).to_have_attribute("aria-current", "step")
    expect(page.locator(".pl-note")).to_contain_text("has no “ein”; its step with the same number is shown")
    words[0].nth(4).click()
    expect(words[1].nth(4)).to_have_attribute("aria-current", "step")
    expect(page.locator(".pl-note")).to_be_hidden()
