"""The Score lab in a browser: dragging and keys compared with torch, without messages to the server."""

import re
from collections.abc import Callable
from functools import partial

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from app.lab.score.data import PARAMETERS, START, config_of
from app.lab.score.sizes.saturation import saturation, sizes
from attn_core.attention.build import build_attention
from attn_core.attention.settings import SCORES
from tests.helpers.browser import pull, swipe
from tests.helpers.javascript import settle
from tests.helpers.numbers import number


@pytest.fixture
def lab(visit: Callable[..., Page]) -> Callable[..., Page]:
    """Open the Score lab."""
    return partial(visit, "score-lab", ".al-sizes canvas")


def grip(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"^{name}: "))


def where(page: Page, name: str) -> list[float]:
    """The displayed position of a handle."""
    label = grip(page, name).get_attribute("aria-label")
    return [number(one) for one in label.split(": ")[1].split(", ")]


def board(page: Page, name: str) -> list[tuple[float, float]]:
    """The displayed score and weight of each key, with four decimals."""
    titles = [cell.get_attribute("title") for cell in page.locator(f"tr[data-score={name}] [data-key]").all()]
    return [tuple(map(number, re.search(r"score (\S+), weight (\S+)$", title).groups())) for title in titles]


def wanted(page: Page, name: str) -> list[tuple[float, float]]:
    """The same numbers by torch, for the displayed points."""
    net = PARAMETERS["additive"]
    joined = torch.cat([torch.tensor(net["W_a.weight"]), torch.tensor(net["U_a.weight"])], 1)
    own = {"W_a.weight": joined, "v_a": net["v_a"]} if name == "concat" else PARAMETERS.get(name, {})
    score = build_attention(config_of(name).attention, 2, 2, 2).score
    score.load_state_dict({path: torch.as_tensor(values) for path, values in own.items()})
    keys = torch.tensor([where(page, f"key {s}") for s in range(len(START["keys"]))])
    with torch.inference_mode():
        scores = score(torch.tensor([where(page, "query h_t")]), score.keys(keys))[0]
    return list(zip(scores.tolist(), scores.softmax(-1).tolist(), strict=True))


def test_dragging_moves_a_point_and_every_score_with_it(lab):
    page = lab()
    assert where(page, "query h_t") == START["query"]
    side = page.locator(".al-square").evaluate("square => square.clientWidth")
    sent = len(page.sent)
    pull(grip(page, "query h_t"), -90, 120)
    unit = 4.8 / side  # the plane shows -2.4 .. 2.4
    moved = [START["query"][0] - 90 * unit, START["query"][1] - 120 * unit]
    assert where(page, "query h_t") == pytest.approx(moved, abs=0.02)
    pull(grip(page, "key 2"), 40, -30)
    assert where(page, "key 2") == pytest.approx(
        [START["keys"][2][0] + 40 * unit, START["keys"][2][1] + 30 * unit], abs=0.02
    )
    for name in SCORES:
        assert board(page, name) == [pytest.approx(pair, abs=2e-4) for pair in wanted(page, name)], name
    assert len(page.sent) == sent
    pull(grip(page, "key 2"), 4000, 0)  # nothing can be lost beyond the edge
    assert where(page, "key 2")[0] == pytest.approx(2.3)


def test_arrow_keys_move_a_point(lab):
    page = lab()
    grip(page, "key 0").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowUp")
    settle(page)
    x, y = START["keys"][0]
    assert where(page, "key 0") == pytest.approx([x - 0.1, y + 1.0])
    expect(page.locator(".al [aria-live]")).to_contain_text("dot: largest weight on key")


def test_a_finger_drags_on_a_phone(lab):
    page = lab(width=390, height=844, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    target = grip(page, "query h_t")
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    swipe(page, (x, y), (x - 30, y + 20), (x - 60, y + 40))
    settle(page)
    moved = where(page, "query h_t")
    assert moved[0] < START["query"][0] - 0.5
    assert moved[1] < START["query"][1] - 0.3


def test_parameters_change_what_they_belong_to_and_concat_is_additive(lab):
    page = lab()
    before = {name: board(page, name) for name in SCORES}
    page.get_by_role("radio", name="additive", exact=True).check()
    field = page.get_by_label("v_a, entry 0")
    field.fill("0")
    settle(page)
    after = {name: board(page, name) for name in SCORES}
    assert after["additive"] != before["additive"]
    assert after["additive"] == after["concat"]
    assert all(after[name] == before[name] for name in SCORES if name not in ("additive", "concat"))
    page.get_by_title("v_a, entry 1").fill("2.5")  # the slider below the field
    expect(page.get_by_label("v_a, entry 1")).to_have_value("2.5")
    page.get_by_role("radio", name="concat", exact=True).check()
    expect(page.get_by_label("v_a, entry 1")).to_have_value("2.5")
    page.get_by_label("W_a row 1, column 3").fill("-1.7")
    page.get_by_role("radio", name="additive", exact=True).check()
    expect(page.get_by_label("U_a row 1, column 1")).to_have_value("-1.7")
    page.get_by_role("button", name="Reset").click()
    settle(page)
    assert {name: board(page, name) for name in SCORES} == before
    expect(page.get_by_label("v_a, entry 0")).to_have_value("1.8")


def test_the_parts_of_an_additive_score_sum_to_it(lab):
    page = lab()
    page.get_by_role("radio", name="additive", exact=True).check()
    page.locator("tr[data-score=additive] [data-key='4']").click()
    parts = page.locator(".al-parts .no-table tbody .no-value").all_inner_texts()
    total = page.locator(".al-line b").get_attribute("title")
    assert len(parts) == 3
    assert sum(number(part) for part in parts) == pytest.approx(number(total), abs=0.02)
    assert page.locator(".al-parts .no-table tfoot .no-value").inner_text() == f"{number(total):.3}".replace("-", "−")
    assert number(total) == pytest.approx(board(page, "additive")[4][0], abs=1e-4)


def test_hard_reads_take_one_value_and_values_can_stand_apart(lab):
    page = lab()
    expect(grip(page, "value 1")).to_have_count(0)
    page.get_by_label("separate values and keys").check()
    pull(grip(page, "value 1"), 20, 20)
    assert where(page, "value 1") != START["values"][1]
    assert where(page, "key 1") == START["keys"][1]
    page.get_by_role("radio", name="hard (argmax)").check(force=True)
    x, y = where(page, "value 1")
    sign = str.maketrans("-", "−")
    expect(page.locator(".al-read")).to_contain_text(f"({x:.2f}, {y:.2f})".translate(sign))
    page.get_by_role("radio", name="hard (sampled)").check(force=True)
    page.get_by_role("button", name="Draw 100").click()
    expect(page.locator(".al-read")).to_contain_text(re.compile(r"Draws so far: [\d· ]+ \(101\);"))
    counts = re.search(r"Draws so far: ([\d· ]+) \(101\);", page.locator(".al-read").inner_text()).group(1)
    assert sum(map(int, counts.split(" · "))) == 101
    pull(grip(page, "query h_t"), 10, 0)
    expect(page.locator(".al-read")).to_contain_text(re.compile(r"Draws so far: [\d· ]+ \(1\);"))


def test_the_slider_for_d_shows_what_attn_core_computed(lab):
    page = lab()
    slider = page.get_by_label("Dimensions d")
    sent = len(page.sent)
    for key, at in (("End", -1), ("Home", 0)):
        slider.press(key)
        expect(page.locator(".al-size output")).to_have_text(f"d = {sizes()[at]}")
        texts = page.locator(".al-panels p").all_inner_texts()
        for text, kind in zip(texts, ("dot", "scaled_dot"), strict=True):
            found = saturation()["rows"][kind]
            assert f"standard deviation of the scores {found['spread'][at]:.2f};" in text
            assert f"{found['entropy'][at]:.2f} on average" in text
    assert len(page.sent) == sent


def test_a_link_opens_the_page_at_its_card(lab):
    page = lab(query={"card": "root-d"})
    expect(page.locator(".st-key-card_claim")).to_contain_text("The square root of d is cosmetic")
    expect(page.locator(".st-key-card_claim")).to_be_in_viewport()
    page.get_by_text("“Scores are probabilities”").click()
    page.wait_for_url("**/score-lab?card=probabilities")


def test_the_explorer_is_found_as_it_was_left(visit):
    page = visit(query={"text": "Zwei Hunde spielen.", "model": "bahdanau", "beam": "3"})
    page.get_by_role("link", name="Score lab").click()
    page.locator(".al-square").wait_for()
    page.get_by_role("link", name="Explorer").click()
    page.locator(".ap-count").wait_for()
    expect(page.get_by_label("German sentence")).to_have_value("Zwei Hunde spielen.")
    page.wait_for_function("new URLSearchParams(location.search).get('beam') === '3'")
    page.goto(page.url.partition("?")[0])  # a bare address that is typed starts afresh
    page.locator(".ap-count").wait_for()
    expect(page.get_by_label("German sentence")).not_to_have_value("Zwei Hunde spielen.")
    page.wait_for_function("location.search && !new URLSearchParams(location.search).has('beam')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_stage_follows_the_theme(lab, scheme):
    page = lab(color_scheme=scheme)
    expect(page.locator(".ap-root:has(.al)")).to_have_attribute("data-theme", scheme)
