"""The beam search on the page, in a browser; the places of its nodes are tested in beam.test.js."""

import pytest
from playwright.sync_api import expect

from app.service import first
from attn_core import load, translate
from attn_core.decoding.beam import beam_search
from tests.helpers.visits import address_says, query, unfold

GLOBAL = "luong-general-global"


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
    tokens = list(translate(model, first.TEXT).source)
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
