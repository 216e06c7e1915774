"""Editing a translation in the Explorer: rows that a reader paints, edits in links, undo, and the page in a browser."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as some
from playwright.sync_api import Locator, Page, expect

from tests.helpers.javascript import evaluator

SURGERY = Path(__file__).parents[2] / "app" / "explorer" / "surgery"
WEB = Path(__file__).parents[2] / "attn_core" / "web"
LOCAL_P = "luong-general-local-p"
TEXT = "Ein Hund läuft durch den Schnee."


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    modules = (
        *(SURGERY / f"{name}.js" for name in ("edits", "history-keys")),
        *(WEB / "state" / f"{name}.js" for name in ("edits", "editing", "history", "weight-rows")),
        WEB / "player/core/view.js",
    )
    return evaluator(node, tmp_path_factory.mktemp("surgery"), modules)


ROWS = some.lists(some.integers(0, 1000), min_size=2, max_size=9).map(
    lambda row: [one / max(sum(row), 1) for one in row]
)


def test_the_other_weights_keep_their_ratios_and_the_row_its_total(run_js):
    cases = []

    @given(row=ROWS, place=some.integers(0, 8), weight=some.floats(0, 1))
    def collect(row, place, weight):
        cases.append([row, place % len(row), weight])

    collect()
    for (row, place, weight), found in zip(
        cases, run_js("input.map((one) => js.repainted(...one))", cases), strict=True
    ):
        assert sum(found) == pytest.approx(sum(row), abs=5e-5)
        assert found[place] == pytest.approx(min(weight, sum(row)), abs=1e-4)
        assert min(found) >= 0
        assert all(round(one * 10_000) == pytest.approx(one * 10_000) for one in found)
        others = sum(row) - row[place]
        if others > 0:
            scale = (sum(row) - found[place]) / others
            for s, one in enumerate(found):
                assert s == place or one == pytest.approx(row[s] * scale, abs=1e-3)


def test_a_row_can_be_uniform_in_view_and_of_one_word(run_js):
    row = [0.1, 0.2, 0.3, 0.2]  # a Gaussian took the rest
    assert run_js("js.alone(input, 1)", row) == [0, 0.8, 0, 0]
    assert run_js("js.even(input, (s) => s > 1)", row) == [0, 0, 0.4, 0.4]
    assert run_js("js.even(input, () => false)", row) == [0.2] * 4
    assert sum(run_js("js.even(input, () => true)", [1, 0, 0])) == pytest.approx(1)
    assert run_js("js.repainted(input, 0, 0.5)", [1, 0, 0]) == [0.5, 0.25, 0.25]


ALL = {"layer": None, "head": None}
HEADS = some.sampled_from([ALL, {"layer": 0, "head": 0}, {"layer": 1, "head": 3}])
STEPS = some.integers(0, 60)


def of_heads(fields: dict[str, some.SearchStrategy], heads=HEADS) -> some.SearchStrategy:
    """Edits with these fields and a layer and head."""
    return some.tuples(some.fixed_dictionaries(fields), heads).map(lambda parts: parts[0] | parts[1])


EDITS = some.lists(
    of_heads(
        {
            "kind": some.just("weights"),
            "step": STEPS,
            "weights": some.lists(some.integers(0, 10_000).map(lambda one: one / 10_000), min_size=1, max_size=6),
        }
    )
    | of_heads({"kind": some.just("context"), "step": STEPS, "from": STEPS})
    | of_heads({"kind": some.just("off")}, HEADS.filter(lambda head: head != ALL))
    | some.fixed_dictionaries(
        {
            "kind": some.just("word"),
            "step": STEPS,
            "word": some.sampled_from(["dog", "</s>", "-", "3-x", "▁a", "&amp;"]),
        }
    ),
    max_size=6,
    unique_by=lambda edit: (edit["kind"], edit.get("step"), edit.get("layer"), edit.get("head")),
)


def test_a_link_holds_every_edit(run_js):
    found: list[list] = []

    @given(edits=EDITS)
    def collect(edits):
        found.append(edits)

    collect()
    again = run_js("input.map((edits) => js.readEdits(js.writeEdits(edits)))", found)
    assert again == [{"edits": edits, "bad": []} for edits in found]


@pytest.mark.parametrize(
    "text",
    [
        "w3",
        "w3-",
        "w3-1.5",
        "w3-0.5_x",
        "w3.1-0.5",
        "w99999-1",
        "c1-x",
        "c1-",
        "o1",
        "o",
        "n3",
        "x3-1",
        "n1.1.1-dog",
        "o1.2.3",
        "w3.1.-1-1",
        "W1-1",
    ],
)
def test_what_is_no_edit_is_left_out(run_js, text):
    assert run_js("js.readEdits(input)", f"n1-dog {text}") == {
        "edits": [{"kind": "word", "step": 1, "word": "dog"}],
        "bad": [text],
    }


def test_a_new_edit_takes_the_place_of_that_for_the_same_numbers(run_js):
    row = {"kind": "weights", "step": 1, **ALL, "weights": [1]}
    other = row | {"weights": [0.5]}
    head, later = row | {"layer": 0, "head": 0}, row | {"step": 2}
    both = [row, head, later]
    assert run_js("js.withEdit(...input)", [both, other]) == [other, head, later]
    assert run_js("js.withEdit(...input)", [[row], head]) == [row, head]
    assert run_js("js.withoutEdit(...input)", [both, other]) == [head, later]


def test_edits_in_words(run_js):
    trace = {"source": ["ein", "hund"], "model": "m"}
    said = {
        "step 4: weights, 75% on “hund”": {"kind": "weights", "step": 3, **ALL, "weights": [0.25, 0.75]},
        "step 4: uniform weights": {"kind": "weights", "step": 3, **ALL, "weights": [0.5, 0.5]},
        "step 4: context of step 6": {"kind": "context", "step": 3, **ALL, "from": 5},
        "layer 1, head 3: off": {"kind": "off", "layer": 1, "head": 3},
        "step 4: word “a”": {"kind": "word", "step": 3, "word": "▁a"},
    }
    assert run_js("input[0].map((edit) => js.inWords(edit, input[1]))", [[*said.values()], trace]) == [*said]
    many = run_js("js.inWords(input[0], input[1], true)", [{"kind": "context", "step": 3, **ALL, "from": 5}, trace])
    assert many == "step 4: context of step 6 (all heads)"
    one = run_js(
        "js.inWords(input[0], input[1], true)",
        [{"kind": "context", "step": 3, "layer": 1, "head": 3, "from": 5}, trace],
    )
    assert one == "step 4: context of step 6 (layer 1, head 3)"
    unfit = {"edit": {"kind": "off", "layer": 9, "head": 2}, "why": "head"}
    assert run_js("js.leftOut(...input)", [unfit, trace]) == "An edit was removed: m has no layer 9, head 2."
    unfit["edit"] = {"kind": "weights", "step": 3, **ALL, "weights": [0.5, 0.5]}
    assert run_js("js.leftOut(...input)", [unfit, trace]) == "An edit was removed: m has no attention."
    unfit = {"edit": {"kind": "word", "step": 3, "word": "a"}, "why": "word"}
    assert run_js("js.leftOut(...input)", [unfit, trace]).startswith("The edit of step 4 was removed")


def test_undo_and_redo(run_js):
    steps = """(() => {
      let [edits, history] = [["a"], js.NO_HISTORY];
      const change = (list) => { [edits, history] = [list, js.keepEdits(history, edits)]; };
      const restore = (move) => {
        const restored = move(history, edits);
        if (restored) ({ edits, history } = restored);
        return restored && edits;
      };
      const lists = [];
      change(["b"]); change(["c"]);
      lists.push(restore(js.undoEdits), restore(js.undoEdits), restore(js.undoEdits), restore(js.redoEdits));
      change(["d"]);
      lists.push(restore(js.redoEdits), restore(js.undoEdits), history);
      return lists;
    })()"""
    history = {"past": [["a"]], "future": [["d"]]}
    assert run_js(steps, None) == [["b"], ["a"], None, ["b"], None, ["b"], history]


def test_two_hundred_lists_of_edits_are_kept(run_js):
    kept = "input.reduce((history, edits) => js.keepEdits(history, edits), js.NO_HISTORY)"
    assert run_js(kept, list(range(205))) == {"past": list(range(5, 205)), "future": []}


def test_the_keys_of_undo_and_redo(run_js):
    def action(key: str, tag: str = "DIV", kind: str = "", **pressed: bool | int) -> str | None:
        event = {"key": key, "ctrlKey": False, "metaKey": False, "shiftKey": False} | pressed
        script = "js.historyKey({ ...input[0], composedPath: () => [input[1]] })"
        return run_js(script, [event, {"tagName": tag, "type": kind}])

    assert action("z", ctrlKey=True) == action("z", metaKey=True) == "edits undone"
    assert action("Z", ctrlKey=True, shiftKey=True) == "edits redone"
    assert action("z") is None
    assert action("y", ctrlKey=True) is None
    assert action("z", ctrlKey=True, isComposing=True) is None
    assert action("z", "INPUT", "text", ctrlKey=True) is None  # which has a history of its own
    assert action("z", "INPUT", "range", ctrlKey=True) == "edits undone"


ROW = {"kind": "weights", "step": 1, **ALL, "weights": [0.5, 0.5]}
CONTEXT = {"kind": "context", "step": 1, **ALL, "from": 0}
FIRST = ROW | {"layer": 0, "head": 0}
OFF = {"kind": "off", "layer": 0, "head": 1}


@pytest.mark.parametrize(
    ("edits", "heads", "look", "step", "edited"),
    [
        ([ROW], 1, None, 1, "weights"),
        ([ROW], 1, None, 0, None),
        ([FIRST], 1, None, 1, "weights"),
        ([ROW, CONTEXT], 1, None, 1, "context"),  # the weights that were set are not used
        ([ROW], 2, 1, 1, "weights"),
        ([FIRST], 2, 1, 1, None),
        ([FIRST], 2, None, 1, None),  # the mean over heads
        ([ROW, OFF], 2, 1, 1, "off"),
        ([ROW, OFF], 2, 0, 1, "weights"),
        ([OFF], 2, 1, 0, "off"),
        ([{"kind": "word", "step": 1, "word": "a"}], 1, None, 1, None),
    ],
)
def test_the_player_says_what_was_set_at_a_step(run_js, edits, heads, look, step, edited):
    parts = {key: [0.5, 0.5] for key in ("scores", "alignment", "gaussian", "weights")}
    looks = [{"layer": 0, "head": head} | parts for head in range(heads)]
    steps = [{"t": t, "token": "a", "center": None, "window": [0, 1], "looks": looks} for t in range(2)]
    trace = {"settings": {"edits": edits}, "source": ["x", "y"], "target": ["a", "a"], "steps": steps, "unknown": []}
    state = {"look": look, "heat": "weights", "eos": True, "step": step}
    shown = "js.viewOf(input[0], input[1], js.rowsOf(input[0], input[1].look), 'light', { paint: true }).look"
    found = run_js(shown, [trace, state])
    assert (found["edited"], found["scale"]) == (edited, 1)


def surgery(page: Page) -> Locator:
    return page.get_by_role("region", name="Edit the attention")


def editing(visit_live) -> tuple[Page, Locator]:
    """The second step of a translation, with the open panel in which its attention is edited."""
    page = visit_live(query={"model": LOCAL_P, "text": TEXT, "step": "1"})
    page.get_by_role("button", name="Edit attention").click()
    return page, surgery(page)


@pytest.mark.browser
@pytest.mark.slow
def test_a_row_is_painted_undone_and_reopened_by_its_link(visit_live):
    page: Page = visit_live(query={"model": LOCAL_P, "text": TEXT, "step": "1"})
    panel, badge = surgery(page), page.locator(".ap-badge")
    expect(panel).to_be_hidden()
    page.get_by_role("button", name="Edit attention").click()
    expect(panel).to_be_visible()
    expect(badge).to_have_text("decoded")
    before = page.locator(".live-output").inner_text()
    plot = page.locator(".ap-plot")
    place = _point(page, ".ap-plot", ".ap-plot-paint")
    page.mouse.move(*place)
    expect(plot).to_have_class(r"ap-plot ap-plot-paint")
    page.mouse.down()
    page.mouse.move(place[0], place[1] - 20, steps=3)
    page.mouse.up()
    expect(badge).to_have_text("edited by hand")
    expect(panel.get_by_role("listitem")).to_have_count(1)
    expect(panel.get_by_role("listitem")).to_contain_text("step 2: weights")
    page.wait_for_url(lambda url: "edit=w1-" in url)
    link, after = page.url, page.locator(".live-output").inner_text()
    row = [float(one) for one in parse_qs(urlsplit(link).query)["edit"][0].removeprefix("w1-").split("_")]
    assert row[0] > 0.05
    expect(page.get_by_role("region", name="Before and after the edits")).to_be_visible()

    # The number says that it was set.
    page.locator(".ap").first.press("Enter")
    numbers = page.get_by_role("region", name="Where a number comes from")
    expect(numbers).to_contain_text("Set by hand")
    assert float(numbers.locator(".no-main").inner_text()) == pytest.approx(max(row), abs=1e-3)
    numbers.press("Escape")

    panel.get_by_role("button", name="Undo").click()
    expect(badge).to_have_text("decoded")
    expect(page.locator(".live-output")).to_have_text(before)
    page.wait_for_url(lambda url: "edit=" not in url)
    panel.get_by_role("button", name="Redo").press("Enter")
    expect(page.locator(".live-output")).to_have_text(after)
    expect(panel.get_by_role("button", name="Redo")).to_be_focused()  # there is nothing more to redo

    page.goto(link)
    expect(badge).to_have_text("edited by hand")
    expect(panel.get_by_role("listitem")).to_contain_text("step 2: weights")
    expect(page.locator(".live-output")).to_have_text(after)
    panel.get_by_role("button", name="Remove: ").press("Enter")
    expect(page.locator(".live-output")).to_have_text(before)
    expect(panel.get_by_role("button", name="Undo")).to_be_focused()  # the list is empty
    panel.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator(".live-output")).to_have_text(after)
    panel.get_by_role("button", name="End editing").press("Enter")
    expect(page.get_by_role("button", name="Edit attention")).to_be_focused()
    expect(page.locator(".live-output")).to_have_text(before)
    page.get_by_role("button", name="Edit attention").press("Enter")
    panel.get_by_role("button", name="Undo").press("Enter")  # the edits that ended with the editing
    expect(page.locator(".live-output")).to_have_text(after)


@pytest.mark.browser
@pytest.mark.slow
def test_a_drag_across_cells_of_the_row_shares_the_weight(visit_live):
    page, panel = editing(visit_live)
    plot, (x, y) = page.locator(".ap-map-plot"), _point(page, ".ap-map-plot", ".ap-plot-brush", 0.4)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 40, steps=4)  # the pointer may leave the row
    page.mouse.up()
    expect(panel.get_by_role("listitem")).to_have_count(1)
    expect(panel.get_by_role("listitem")).to_contain_text(re.compile(r"step 2: equal weights on [3-9] words"))
    page.wait_for_url(lambda url: "edit=w1-" in url)
    row = [float(one) for one in parse_qs(urlsplit(page.url).query)["edit"][0].removeprefix("w1-").split("_")]
    painted = [s for s, weight in enumerate(row) if weight]
    assert len(painted) > 2
    assert painted == list(range(painted[0], painted[-1] + 1))
    assert max(row) - min(row[s] for s in painted) < 1e-3
    panel.get_by_role("button", name="Undo").click()  # the whole drag is one entry of the history
    expect(panel.get_by_role("listitem")).to_have_count(0)
    plot.click(position={"x": 5, "y": 5})  # a later click is not swallowed


@pytest.mark.browser
@pytest.mark.slow
def test_the_slider_of_a_weight_moves_on_before_the_translation_is_there(visit_live):
    page, panel = editing(visit_live)
    slider = panel.get_by_role("slider", name="Weight")
    before = float(slider.input_value())
    # A held key is faster than the model.
    moves = """(slider, by) => {
      for (let i = 0; i < 5; i++) {
        slider.value = String(Number(slider.value) + by);
        for (const name of ["input", "change"]) slider.dispatchEvent(new Event(name, { bubbles: true }));
      }
      return Number(slider.value);
    }"""
    by = 0.01 if before < 0.5 else -0.01
    assert slider.evaluate(moves, by) == pytest.approx(before + 5 * by, abs=1e-6)
    expect(panel.locator(".su-value")).to_have_text(f"{before + 5 * by:.2f}")
    page.wait_for_url(lambda url: "edit=w1-" in url)
    assert float(slider.input_value()) == pytest.approx(before + 5 * by, abs=1e-6)


def _point(page: Page, plot: str, form: str, across: float = 0.0) -> tuple[float, float]:
    """A point that can be painted at this share of the width; it is found as a reader finds it, by the pointer's form.

    At the left edge that is the track of the first word's weight.
    """
    # The untrained models here never write </s>, so what is above the bars is taller than on a real page.
    page.locator(plot).evaluate("plot => plot.scrollIntoView({ block: 'end' })")
    box, before = page.locator(plot).bounding_box(), None
    while box != before:  # editing scrolls the bars into sight
        page.wait_for_timeout(300)
        box, before = page.locator(plot).bounding_box(), box
    assert box
    x, y, inside = box["x"] + 55 + across * box["width"], box["y"], []
    while y < box["y"] + box["height"] and (not inside or inside[-1] > y - 8):
        page.mouse.move(x, y)
        if page.locator(form).count():
            inside.append(y)
        y += 5
    return x, sum(inside) / len(inside)
