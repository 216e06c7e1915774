"""The layouts of the step and of the heatmap beside it."""

import math
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from attn_core.web import bundle
from tests.helpers.javascript import evaluator, settle
from tests.web import traces

CORE = bundle.PLAYER / "core"

# A letter is 0.55 of the font size wide; the rows are those of local-p.
SENTENCES = """
  const measure = (text, size) => 0.55 * size * text.length;
  const source = Array.from({ length: n }, (_, i) => "Straßenbahn".slice(0, 2 + i % 9));
  const target = Array.from({ length: words }, (_, i) => "sidewalks".slice(0, 1 + i % 8));
"""
MAP = f"""(() => {{
  const [n, words, width, height] = input;
  {SENTENCES}
  const g = js.layOutMap({{ width, height, u: 1, source, target, measure }});
  const middle = (row) => g.y + (row + 0.5) * g.rowHeight;
  return {{
    cells: [g.left(0), g.left(n)], cell: g.col, row: g.rowHeight, height: g.height, hasWords: g.words !== null,
    label: g.targets.right - g.targets.most,
    inMap: target.map((_, row) => js.hitMap(g, g.x(n - 1), middle(row))),
    labels: target.map((_, row) => js.hitMap(g, g.targets.right, middle(row))),
    outside: [[g.left(n) + 1, middle(0)], [g.x(0), middle(words)], [g.x(0), g.y - 2]].map((at) => js.hitMap(g, ...at)),
  }};
}})()"""
STAGE = f"""(() => {{
  const [n, width, farthest, vectors] = input, words = 1;
  {SENTENCES}
  const rows = js.barRows({{ bell: true, mode: "after_softmax" }});
  const g = js.layOut({{ width, u: 1, v: 1, source, rows, farthest, measure, vectors, flow: true }});
  const parts = [g.words, g.states, g.query, ...g.bars, g.ruler, g.flow].filter(Boolean);
  return {{
    columns: [g.left(0), g.left(n)], zone: [g.zone.left, g.zone.right], content: g.content, gutter: g.gutter,
    parts: parts.map((part) => [part.y, part.y + part.h]), height: g.height,
    places: source.map((_, s) => g.place(g.x(s))),
  }};
}})()"""


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    return evaluator(node, tmp_path_factory.mktemp("layouts"), (CORE / "layout.js", CORE / "map-layout.js"))


@pytest.mark.parametrize("n", [1, 12, 30])
@pytest.mark.parametrize("width", [240, 900])
def test_labels_and_cells_of_the_heatmap_are_within_its_width(run_js, n, width):
    g = run_js(MAP, [n, 12, width, 300])
    assert 0 <= g["label"] < g["cells"][0] < g["cells"][1] <= width
    assert g["row"] >= 9
    assert g["hasWords"] == (g["cell"] >= 9)


def test_the_heatmap_is_as_high_as_there_is_room(run_js):
    low, high = (run_js(MAP, [12, 12, 900, height]) for height in (300, 600))
    assert low["height"] <= 300 < high["height"] <= 600


def test_a_point_of_the_heatmap_belongs_to_a_target_word_or_a_cell(run_js):
    g = run_js(MAP, [12, 9, 300, 300])
    assert g["inMap"] == [{"part": "map", "row": row, "column": 11} for row in range(9)]
    assert g["labels"] == [{"part": "target", "row": row} for row in range(9)]
    assert g["outside"] == [None, None, None]


@pytest.mark.parametrize("vectors", [False, True])
@pytest.mark.parametrize("n", [1, 12, 40])
@pytest.mark.parametrize("width", [340, 960])
def test_the_parts_of_a_step_follow_each_other_and_end_in_the_context_vector(run_js, width, n, vectors):
    for farthest in (0, n + 0.4):
        g = run_js(STAGE, [n, width, farthest, vectors])
        ends = [end for part in g["parts"] for end in part]
        assert ends == sorted(ends)
        assert len(g["parts"]) == (9 if vectors else 7)
        assert ends[-1] <= g["height"]
        assert 0 < g["columns"][0] < g["columns"][1] <= g["zone"][0] < g["zone"][1] == g["content"]
        assert g["content"] >= width - g["gutter"]
        assert g["places"] == pytest.approx(list(range(n)))


def test_labels_do_not_touch_and_the_strongest_is_among_them(run_js):
    labels = """(() => {
      const [n, every, strongest] = input;
      return Array.from({ length: n }, (_, at) => at).filter((at) => js.isLabelled(at, strongest, every));
    })()"""
    for every, strongest in ((1, 4), (2, -1), (2, 5), (3, 4), (3, 9)):
        labelled = run_js(labels, [10, every, strongest])
        assert strongest == -1 or strongest in labelled
        assert all(after - before >= every for before, after in pairwise(labelled))
        assert len(labelled) >= 10 / every - 1


def test_slanted_words_do_not_touch_each_other(run_js):
    widths = {"word": 6, "gloss": 0}
    lengths = widths | {"column": widths, "each": [widths | {"count": 1, "after": 0.5}]}
    cases = [[col, lengths, u, False] for col in (12, 15, 19, 23, 30, 60) for u in (1, 1.6)]
    for (col, *_), words in zip(cases, run_js("input.map((one) => js.wordsIn(...one))", cases), strict=True):
        assert words["font"] >= 14
        assert words["every"] * col * math.sin(words["angle"]) > 0.88 * words["font"]
        assert words["every"] == 1 or (words["every"] - 1) * col < words["font"]


@pytest.mark.browser
def test_all_of_a_step_is_on_a_projector_without_scrolling(hosted):
    page = hosted(traces.make("global"), width=1280, height=720)
    page.evaluate("""() => {
        const { top } = document.querySelector(".ap-plots").getBoundingClientRect();
        document.body.style.paddingTop = `${285 - top}px`;  // as in the Explorer
    }""")
    page.locator(".ap").press("End")
    settle(page)
    parts = (".ap-play", ".ap-word >> nth=-1", ".ap-bars", ".ap-row", ".ap-map", ".ap-next-row >> nth=2")
    for part in parts:
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= 720, part


@pytest.mark.browser
def test_a_click_in_the_heatmap_chooses_its_step(hosted):
    page = hosted(traces.make(), width=1280, height=720)
    page.locator(".ap").press("End")
    settle(page)
    row = page.locator(".ap-row").bounding_box()
    page.mouse.click(row["x"] - 20, row["y"] - 2.5 * row["height"])  # a target word, three rows above
    expect(page.locator(".ap-count")).to_have_text("step 4 of 7")
    page.mouse.click(row["x"] + row["width"] - 6, row["y"] - 1.5 * row["height"])
    expect(page.locator(".ap-count")).to_have_text("step 5 of 7")
    expect(page.locator(".ap-tip-pair")).to_have_text("the ← schnee")


@pytest.mark.browser
def test_the_heatmap_grows_on_demand(hosted):
    page = hosted(traces.make(), width=1280, height=720)
    small = page.locator(".ap-row").bounding_box()
    page.get_by_role("button", name="Larger").click()
    settle(page)
    large = page.locator(".ap-row").bounding_box()
    assert large["width"] > 1.5 * small["width"]
    assert large["height"] > small["height"]
    page.get_by_role("button", name="Smaller").click()
    settle(page)
    assert page.locator(".ap-row").bounding_box()["width"] == pytest.approx(small["width"])


def test_slanted_words_end_before_the_edge(run_js):
    """The room beyond the last column is what its words need: a long one before a final full stop, but no first one."""

    def lean(*words: float) -> float:
        widths = {"word": max(words), "gloss": 0}
        each = [{"word": word, "gloss": 0, "after": len(words) - s - 0.5} for s, word in enumerate(words)]
        lengths = widths | {"column": widths, "each": each}
        found = run_js("js.wordsIn(...input)", [30, lengths, 1, False])
        by_hand = max(
            min(word * found["font"], found["most"]) * math.cos(found["angle"]) - (len(words) - s - 0.5) * 30 + 4
            for s, word in enumerate(words)
        )
        assert found["lean"] == pytest.approx(max(by_hand, 0))
        return found["lean"]

    assert lean(1, 1, 5, 0.3) > lean(5, 1, 1, 0.3) == 0
    assert lean(1, 1, 0.3, 5) > lean(1, 1, 5, 0.3)


def test_a_word_of_several_pieces_has_the_room_of_its_columns(run_js):
    """Three columns of 40 pixels hold a word over two of them upright if it fits into both."""
    lay_out = """input.map((text) => {
        const words = [{ text: "am", first: 0, count: 1 }, { text, first: 1, count: 2 }];
        const measure = (word, size) => 0.5 * size * word.length;
        const lengths = js.lengthsOf(["am", "kirch", "platz"], ["", "", ""], 1, measure, words);
        return [js.wordsIn(40, lengths, 1, false).angle, lengths.each[1].after];
    })"""
    # At 14 pixels a letter is 7 wide; each column has 40 - 6 = 34: up to 68 pixels, 9 letters.
    (fits, after), (slants, _) = run_js(lay_out, ["kirchplat", "kirchplatz"])
    assert fits == 0 < slants
    assert after == 1  # its middle is between the two last columns
