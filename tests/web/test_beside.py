"""The stage on a wide and low screen: the heatmap beside the bars."""

import math

import pytest
from playwright.sync_api import expect

from attn_core.web import bundle
from tests.helpers.javascript import evaluator, settle
from tests.web import traces

CORE = bundle.PLAYER / "core"

# A letter is 0.55 of the font size wide; the rows are those of local-p.
LAY_OUT = """(() => {
  const [n, words, width, height, farthest] = input;
  const measure = (text, size) => 0.55 * size * text.length;
  const source = Array.from({ length: n }, (_, i) => "Straßenbahn".slice(0, 2 + i % 9));
  const target = Array.from({ length: words }, (_, i) => "sidewalks".slice(0, 1 + i % 8));
  const rows = js.barRows({ bell: true, mode: "after_softmax" });
  const g = js.layOutBeside({ width, height, u: 1, source, target, rows, farthest, measure });
  if (!g) return null;
  const found = (x, y) => js.hit(g, x, y);
  const middle = (row) => g.map.y + (row + 0.5) * g.map.rowHeight;
  return {
    col: g.col, cell: g.map.col, row: g.map.rowHeight, height: g.height, words: g.words.y + g.words.h,
    bars: [g.left(0), g.left(n)], map: [g.map.left(0), g.map.left(n)], label: g.targets.right - g.targets.most,
    places: source.map((_, s) => g.place(g.x(s))),
    inBars: source.map((_, s) => found(g.x(s), g.bars[0].y + 1)),
    inMap: target.map((_, row) => found(g.map.x(n - 1), middle(row))),
    overMap: found(g.map.x(0), g.map.words.y),
    labels: target.map((_, row) => found(g.targets.right, middle(row))),
    outside: [found(g.map.left(n) + 1, middle(0)), found(g.map.x(0), middle(words)), found(-5, 10)],
  };
})()"""


@pytest.fixture(scope="module")
def lay_out(node, tmp_path_factory):
    run_js = evaluator(node, tmp_path_factory.mktemp("beside"), (CORE / "layout.js", CORE / "beside.js"))
    return lambda *given: run_js(LAY_OUT, given)


@pytest.mark.parametrize("n", [1, 2, 12])
@pytest.mark.parametrize("width", [960, 1400])
def test_bars_labels_and_heatmap_are_side_by_side_and_as_high_as_there_is_room(lay_out, n, width):
    words = 12
    for farthest in (0, n + 0.4):
        g = lay_out(n, words, width, 430, farthest)
        assert g["bars"][0] < g["bars"][1] < g["label"] < g["map"][0] < g["map"][1] <= width - 126
        assert g["col"] >= 26
        assert g["cell"] >= 15
        assert max(g["words"], g["row"] * words) < g["height"] <= 430
        assert g["places"] == pytest.approx(list(range(n)))


def test_a_point_belongs_to_a_bar_a_target_word_or_a_cell(lay_out):
    g = lay_out(12, 9, 930, 430, 0)
    assert g["inBars"] == [{"part": "column", "column": s} for s in range(12)]
    assert g["inMap"] == [{"part": "map", "row": row, "column": 11} for row in range(9)]
    assert g["overMap"] == {"part": "column", "column": 0}
    assert g["labels"] == [{"part": "target", "row": row} for row in range(9)]
    assert g["outside"] == [None, None, None]


def test_slanted_words_do_not_touch_each_other(node, tmp_path):
    run_js = evaluator(node, tmp_path, (CORE / "layout.js",))
    lengths = {"word": 6, "gloss": 0, "each": [{"word": 6, "gloss": 0}]}
    cases = [[col, lengths, u, False] for col in (12, 15, 19, 23, 30, 60) for u in (1, 1.6)]
    for (col, *_), words in zip(cases, run_js("input.map((one) => js.wordsIn(...one))", cases), strict=True):
        assert words["font"] >= 12
        assert col * math.sin(words["angle"]) > 0.88 * words["font"]


def test_with_too_many_words_or_too_little_width_it_is_below(lay_out):
    assert lay_out(30, 12, 930, 430, 0) is None
    assert lay_out(12, 12, 560, 430, 0) is None


@pytest.mark.browser
def test_all_of_a_step_is_on_a_projector_without_scrolling(hosted):
    page = hosted(traces.make(), width=1280, height=720)
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
    row, bars = page.locator(".ap-row").bounding_box(), page.locator(".ap-bars").bounding_box()
    assert row["x"] > bars["x"] + bars["width"] / 2, "beside the bars"

    page.mouse.click(row["x"] - 20, row["y"] - 2.5 * row["height"])  # a target word, three rows above
    expect(page.locator(".ap-count")).to_have_text("step 4 of 7")
    page.mouse.click(row["x"] + row["width"] - 6, row["y"] - 1.5 * row["height"])
    expect(page.locator(".ap-count")).to_have_text("step 5 of 7")
    expect(page.locator(".ap-tip-pair")).to_have_text("the ← schnee")

    page.set_viewport_size({"width": 1280, "height": 1500})
    settle(page)
    row, bars = page.locator(".ap-row").bounding_box(), page.locator(".ap-bars").bounding_box()
    assert row["y"] > bars["y"] + bars["height"] - 20, "below the bars, in their columns"
    assert abs(row["x"] - bars["x"]) < 10


def test_slanted_words_end_before_the_edge(node, tmp_path):
    """The room beyond the last column is what its words need: a long one before a final full stop, but no first one."""
    run_js = evaluator(node, tmp_path, (CORE / "layout.js",))

    def lean(*words: float) -> float:
        lengths = {"word": max(words), "gloss": 0, "each": [{"word": word, "gloss": 0} for word in words]}
        found = run_js("js.wordsIn(...input)", [30, lengths, 1, False])
        by_hand = max(
            min(word * found["font"], found["most"]) * math.cos(found["angle"]) - (len(words) - s - 0.5) * 30 + 4
            for s, word in enumerate(words)
        )
        assert found["lean"] == pytest.approx(max(by_hand, 0))
        return found["lean"]

    assert lean(1, 1, 5, 0.3) > lean(5, 1, 1, 0.3) == 0
    assert lean(1, 1, 0.3, 5) > lean(1, 1, 5, 0.3)
