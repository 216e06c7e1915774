"""Numbers taken apart: what they are called, and the panel in a browser; clicks are tested in numbers.test.js."""

import itertools
import re
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import expect

from attn_core.explain.step_graph import step_graph
from attn_core.models.config import ModelConfig
from attn_core.models.presets import PRESETS, configure
from tests.helpers.described import EVERY_TENSOR, described, in_mathml
from tests.helpers.numbers import number
from tests.helpers.support import VARIANTS, tiny

APP = Path(__file__).parents[2] / "app"
GAUSSIAN = "looks.0.focus.gaussian"
LOCAL_P = "luong-general-local-p"
PRESS = 100  # ms for which a reader holds the mouse button


@pytest.fixture(scope="module")
def names(open_script):
    """The names of numbers and their equations, as `said` gives them."""
    return open_script(APP / "shell" / "numbers" / "names.js")


TRACE = {
    "source": ["ein", "fisch", "&quot;"],
    "target": ["a", "fish"],
    "steps": [{"looks": [{"layer": 0, "head": 0, "weights": [0.2, 0.7, 0.1]}]}] * 2,
}
CONFIG = tiny(order="update-then-attend", window="local-p", half_width=4).config
GRAPHS = described([CONFIG], ["hidden", *(name for name in EVERY_TENSOR if name != "named.state")])


def around(graphs: dict, how: dict | None = None) -> dict:
    """The translation whose numbers are named."""
    return {"trace": TRACE, "graphs": graphs, "how": how or {}}


def leaf(names: list[tuple] = (), **more) -> dict:
    found = [{"name": name, "frame": frame, "index": index} for name, frame, index in names]
    return {"ref": {"frame": "step.1", "node": 3, "index": [0, 5]}, "value": 1, "shape": [1, 9], "names": found, **more}


def times(weight: str, *ends: dict) -> dict:
    """A product with a matrix, in the name of a number."""
    return {"op": "linear", "weight": weight, "terms": [{"ends": list(ends)}]}


NEW, STATE = leaf([("hidden", "step.1", [0, 5])]), leaf([("named.memory", "finish", [0, 1, 5])])
CONTEXT = leaf([("looks.0.context", "step.1", [0, 0, 5])])


@pytest.mark.parametrize(
    ("one", "name", "where"),
    [
        (
            leaf([("looks.0.weights", "step.1", [0, 0, 2])]),
            "attention weight",
            'step 2 of 2, “fish” · “"”, position 2 (from 0)',
        ),
        (leaf([("hidden", "step.0", [0, 5])]), "new state", "step 1 of 2, “a” · unit 5"),
        (leaf([("next.state.1", "cell.0.1.1", [0, 5])]), "cell state", "at “fisch”, backward · unit 5"),
        (
            leaf(
                [("memory.keys", "finish", [0, 1, 5])],
                op="linear",
                weight="U_a.weight",
                spelt=times("U_a.weight", STATE),
            ),
            "U_a × encoder state",
            "“fisch”, position 1 (from 0) · unit 5",
        ),
        (
            leaf(
                op="tanh",
                spelt={
                    "op": "tanh",
                    "terms": [{"op": "add", "terms": [times("W_a.weight", NEW), times("U_a.weight", STATE)]}],
                },
            ),
            "tanh(W_a × new state + U_a × encoder state)",
            "step 2 of 2, “fish” · unit 5",
        ),
        (
            leaf(op="linear", weight="W_c.weight", spelt=times("W_c.weight", CONTEXT, NEW)),
            "W_c × [context vector; new state]",
            "step 2 of 2, “fish” · unit 5",
        ),
        (leaf(op="linear", weight="decoder.output.weight"), "logit of a word", "step 2 of 2, “fish” · unit 5"),
        (leaf(given="sigma"), "σ", "step 2 of 2, “fish” · unit 5"),
        (leaf() | {"ref": {"weight": "decoder.W_c.weight", "index": [1, 2]}}, "W_c", "learned"),
    ],
)
def test_a_number_has_the_name_of_its_quantity_and_its_place(names, one, name, where):
    found = names("describeNumber", one, around(GRAPHS))
    assert (found["name"], found["where"]) == (name, where)


def test_the_equations_are_those_of_the_run(names):
    """With the live settings of the run, of which sigma follows D."""
    one = leaf([(GAUSSIAN, "step.1", [0, 0, 2])])
    for how, sigma in (({}, 2), ({"half_width": 3}, 1.5), ({"sigma": 0.7}, 0.7)):
        (line,) = names("describeNumber", one, around(GRAPHS, how))["lines"]
        assert line["values"] == {"half_width": how.get("half_width", 4), "sigma": sigma}
        assert '<mn data-live="sigma">' in line["markup"]


def markups(names, calls) -> list[list[str]]:
    """The equations of each number, in MathML."""
    return [[line["markup"] for line in said["lines"]] for said in names.each("describeNumber", calls)]


@cache
def every_config() -> list[ModelConfig]:
    """The models of the presets and of the variants of this test suite."""
    return [model for model, _recipe in PRESETS.values()] + [tiny(**settings).config for settings in VARIANTS.values()]


@pytest.mark.parametrize("order", ["attend-then-update", "update-then-attend", "gnmt", "transformer"])
def test_the_equation_of_a_first_value_is_shown_at_the_first_step_only(names, order):
    """In every variant of each order: later steps show the general equations, which name no first index."""
    configs = [config for config in every_config() if config.decoder.name == order]
    assert configs
    cases = []
    for config in configs:
        quantities = step_graph(config).quantities
        graphs = described([config], [*(f"named.{one.id}" for one in quantities), *EVERY_TENSOR])
        asked = [leaf([(f"named.{one.id}", f"step.{t}", [0])]) for t in (0, 1) for one in quantities]
        cases.append([[one, around(graphs)] for one in asked])
    found = iter(markups(names, itertools.chain(*cases)))
    for config in configs:
        quantities = step_graph(config).quantities
        lines = list(itertools.islice(found, 2 * len(quantities)))
        for one, at_first, later in zip(quantities, lines, lines[len(quantities) :], strict=False):
            assert at_first == in_mathml(one.first or one.marked)
            assert later == in_mathml(one.marked)
            assert not any(re.match(r"\S*_(0|\{-1\}) =|E\\,y_0", line) for line in one.lines), (one.id, one.lines)


def test_each_order_has_its_first_values():
    """E y_0, s_0 (Bahdanau), h_{-1} and h~_{-1} (Luong), h^k_{-1} and c_{-1} (GNMT)."""
    found = {}
    for config in every_config():
        for one in step_graph(config).quantities:
            found.setdefault((config.decoder.name, one.id), set()).update(line.split(" = ")[0] for line in one.first)
    assert {key: symbols for key, symbols in found.items() if symbols} == {
        ("attend-then-update", "word"): {r"E\,y_0"},
        ("attend-then-update", "previous"): {"s_0"},
        ("update-then-attend", "previous"): {"h_{-1}"},
        ("update-then-attend", "fed"): {r"\tilde h_{-1}"},
        ("gnmt", "previous"): {"h^k_{-1}"},
        ("gnmt", "above"): {"h^k_{-1}"},
        ("gnmt", "fed"): {"c_{-1}"},
    }


def test_a_state_that_is_updated_late_has_the_equation_of_its_update(names):
    """In GroundHog's program the next step computes s_i, which is its previous state."""
    config = configure("groundhog", {})[0]
    graphs = described([config], [name for name in EVERY_TENSOR if name != "named.next"])
    leaves = [leaf([(f"named.{id}", f"step.{t}", [0, 0])]) for id in ("previous", "word") for t in (0, 1)]
    leaves.append(leaf([("named.previous", "finish", [0, 0])]))
    begin, after, word, later_word, encoder = markups(names, [[one, around(graphs)] for one in leaves])
    assert begin == encoder == in_mathml([r"s_0 = \tanh(W_s \overleftarrow{h}_{0})"])
    assert after == in_mathml(["s_i = f(s_{i-1}, y_i, c_i)"])
    assert (word, later_word) == (in_mathml([r"E\,y_0 = 0"]), [])


def test_the_probability_of_a_next_word_opens_by_key(visit_live):
    page = visit_live(query={"model": LOCAL_P})
    panel, row = page.get_by_role("region", name="Where a number comes from"), page.locator(".ap-next-row").first
    word, share = row.locator(".ap-next-word").inner_text(), row.locator(".ap-next-p").inner_text()
    button = page.get_by_role("button", name=f"{word} {share}", exact=True)
    for key in ("Enter", "Space"):
        button.press(key)
        expect(panel.locator(".no-title")).to_contain_text(f"probability of “{word}”")
        panel.press("Escape")
        expect(panel).to_be_hidden()
    expect(page.get_by_role("button", name="Play", exact=True)).to_have_count(1)  # the space bar played nothing
    rest = page.locator(".ap-next-row.ap-rest")  # the sum of all other words, which has no number to open
    assert [rest.get_attribute(name) for name in ("role", "tabindex", "aria-label")] == [None] * 3


def test_the_panel_is_as_legible_as_lecture_layout(visit_live):
    page = visit_live(query={"model": LOCAL_P})
    page.get_by_role("button", name="Lecture layout").click()
    page.locator(".ap").first.press("Enter")
    panel = page.get_by_role("region", name="Where a number comes from")
    expect(panel).to_be_visible()
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        sizes = [
            one.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
            for one in (panel, page.locator(".ap").first)
        ]
        assert sizes[0] > 0.75 * sizes[1]
        assert panel.bounding_box()["width"] <= width / 2 + 1


@pytest.mark.parametrize(("path", "ready"), [("", ".ap-count"), ("paths", ".pl-node")])
def test_a_reader_who_types_is_not_taken_out_of_the_box(visit_live, path, ready):
    """On Paths the panel closes with the next translation; in the Explorer, when the sentence is removed."""
    page = visit_live(path, ready, query={"model": LOCAL_P} if not path else {})
    panel = page.get_by_role("region", name="Where a number comes from")
    if path:
        page.locator('.pl .pl-node[data-node="context"]').first.click()
        page.get_by_role("button", name="Show how its largest number was computed").first.click()
    else:
        page.locator(".ap").first.press("Enter")
    expect(panel).to_be_visible()
    box = page.get_by_label("German sentence").first
    box.fill("")
    box.press_sequentially("Ein Hund.", delay=40)
    expect(box).to_have_value("Ein Hund.")
    expect(box).to_be_focused()


def test_the_boxes_of_paths_open_their_numbers(visit_live):
    """Also when a frame is drawn while the mouse button is down, which may not replace the page's button."""
    page = visit_live("paths", ".pl-node")
    panel = page.get_by_role("region", name="Where a number comes from")
    diagram = page.locator(".pl").last
    names = {
        "context": "context vector",
        "state": "new state",
        "output": "probability of",
        "previous": "previous state",
    }
    for box, name in names.items():
        diagram.locator(f'.pl-node[data-node="{box}"]').click()
        diagram.get_by_role("button", name="Show how its largest number was computed").click(delay=PRESS)
        expect(panel.locator(".no-title")).to_contain_text(name)
        panel.get_by_role("button", name="Close").click()
        expect(panel).to_be_hidden()


def test_the_weights_and_scores_of_each_kind_of_head_can_be_opened(visit_live):
    page = visit_live("heads", ".hd-big td")
    panel = page.get_by_role("region", name="Where a number comes from")
    for kind, name in enumerate(("of the encoder", "of the decoder", "attention weight")):
        chosen = page.locator("label:has(input[name^=hd-kind])").nth(kind)
        chosen.locator("input").check(force=True)
        title = page.locator(".hd-large .ap-title")
        expect(title).to_contain_text(chosen.inner_text().lower())  # drawn in the next frame
        button = page.locator("button.no-cell:visible").nth(1)
        shown = number(button.inner_text())
        button.press("Enter")
        expect(panel.locator(".no-title")).to_contain_text(name)
        assert number(panel.locator(".no-main").inner_text()) == pytest.approx(shown, abs=6e-4)
        panel.get_by_role("button", name="Close").click()
