"""The beam search on the page: the places of its nodes, and the panel in a browser."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.service import first
from attn_core import load, translate
from attn_core.decoding.beam import beam_search
from tests.helpers.javascript import evaluator
from tests.helpers.visits import address_says, query, unfold

BEAM = Path(__file__).parents[2] / "app" / "explorer" / "beam"
GLOBAL = "luong-general-global"


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    return evaluator(node, tmp_path_factory.mktemp("beam"), (BEAM / "placed.js",))


def node_of(token: str, parent: int | None, total: float, score: float | None = None, best: bool = False) -> dict:
    return {"token": token, "parent": parent, "total": total, "score": score, "best": best}


TREE = {
    "steps": [
        {"nodes": [node_of("a", None, -1, best=True), node_of("the", None, -2), node_of("dog", None, -3)]},
        {"nodes": [node_of("dog", 0, -2, best=True), node_of("cat", 1, -4), node_of("</s>", 0, -5, -2.5)]},
        {"nodes": [node_of("</s>", 0, -3, -1, best=True), node_of("</s>", 1, -6, -2)]},
    ]
}


def test_each_step_is_a_column_with_the_most_probable_at_the_top(run_js):
    placed = """(({ columns, width, height }) => ({ width, height, nodes: columns.map((column) => column.map(
        ({ node, t, x, y, width, parent, grows }) => [node.token, t, x, y, width, parent && parent.node.token, grows]
    )) })
    )(js.place(input, ({ token }) => 10 * token.length))"""
    found = run_js(placed, TREE)
    words = [[node[0] for node in column] for column in found["nodes"]]
    assert words == [["a", "the", "dog"], ["dog", "cat", "</s>"], ["</s>", "</s>"]]
    for t, column in enumerate(found["nodes"]):
        wide = 10 * max(len(node[0]) for node in column) + 16
        assert [node[1:5] for node in column] == [[t, column[0][2], 42 * i, wide] for i in range(len(column))]
    starts = [column[0][2] for column in found["nodes"]]
    assert starts == [0, 46 + 26, 46 + 26 + 56 + 26]
    assert (found["width"], found["height"]) == (starts[-1] + 56, 2 * 42 + 36)
    assert [node[5] for node in found["nodes"][1]] == ["a", "the", "a"]
    assert [node[6] for node in found["nodes"][0]] == [True, True, False]  # "dog" died
    assert [node[6] for node in found["nodes"][1]] == [True, True, False]


def test_the_finished_hypotheses_are_ranked(run_js):
    ranked = "js.finished(js.place(input, () => 1).columns).map((one) => [js.wordsOf(one).join(' '), one.node.score])"
    assert run_js(ranked, TREE) == [["a dog </s>", -1], ["the cat </s>", -2], ["a </s>", -2.5]]


@pytest.mark.browser
@pytest.mark.slow
def test_a_beam_is_shown_with_its_tree_and_its_hypotheses(visit_live, live_models):
    page = visit_live(query={"model": GLOBAL})
    panel = page.get_by_role("region", name="Beam search")
    expect(panel).to_be_hidden()
    unfold(page)
    page.get_by_label("Beam", exact=True).select_option("3")
    expect(panel).to_be_visible()
    model = load(live_models / GLOBAL)
    tokens = list(translate(model, first.example()).source)
    for rule in ("length", "none"):
        panel.get_by_label("Rank by").select_option(rule)
        wanted = beam_search(model, [model.source.ids(tokens)], 3, normalise=rule).hypotheses[0]
        rows = panel.locator("tbody tr")
        expect(rows).to_have_count(len(wanted))
        expect(rows.first.locator("td").last).to_have_text(f"{wanted[0].score:.3f}".replace("-", "−"))
        expect(panel.locator("tbody tr.bm-best")).to_have_count(1)
    address_says(page, beam="3", normalise="none")
    expect(panel.locator(".bm-node.bm-best")).to_have_count(len(wanted[0].words))
    page.locator(".ap").press("Home")
    page.locator(".ap").press("ArrowRight")
    frame, second = (panel.locator(one).bounding_box() for one in (".bm-frame", ".bm-node.bm-best >> nth=1"))
    assert frame["x"] < second["x"] < second["x"] + second["width"] < frame["x"] + frame["width"]
    panel.locator(".bm-node").nth(1).hover()
    expect(panel.locator(".bm-read")).to_contain_text("log p =")
    expect(panel.locator(".bm-source span")).to_have_count(len(tokens))

    again = visit_live(query=query(page))
    expect(again.get_by_role("region", name="Beam search").get_by_label("Rank by")).to_have_value("none")
    again.get_by_label("Beam", exact=True).select_option("1")
    expect(again.get_by_role("region", name="Beam search")).to_be_hidden()
