"""A score function of a script on the Score lab's stage: in its menu, with plane, table and breakdown."""

import re

import pytest
import torch
from playwright.sync_api import expect
from torch.nn.functional import normalize

from app.lab.score.data import START, score_lab, translated
from attn_core.models import scripts
from tests.helpers.engine import unchecked
from tests.helpers.javascript import call_in_page, settle
from tests.helpers.numbers import number
from tests.helpers.scripts import COSINE, forgotten, script


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """The data of the stage, with README's cosine."""
    with forgotten(), unchecked():
        scripts.load_script(script(tmp_path_factory.mktemp("scripts"), COSINE, "cosine.py"))
        yield translated(score_lab())


def test_cosine_of_a_script_has_plane_table_and_breakdown(lab, data):
    page = lab("score", data)
    page.get_by_role("radio", name="cosine", exact=True).check()
    page.locator("tr[data-score=cosine] [data-key='1']").click()
    settle(page)
    query, keys = torch.tensor(START["query"]), torch.tensor(START["keys"])
    scores = normalize(keys, dim=-1) @ normalize(query, dim=-1)
    titles = [cell.get_attribute("title") for cell in page.locator("tr[data-score=cosine] [data-key]").all()]
    shown = [[number(one) for one in re.search(r"score (\S+), weight (\S+)$", title).groups()] for title in titles]
    assert shown == [
        pytest.approx(pair, abs=1e-4) for pair in zip(scores.tolist(), scores.softmax(-1).tolist(), strict=True)
    ]

    points = (
        [1.0, 2.0],
        [2.0, 1.1],
        [-1.1, -1.9],
    )  # from the least to the largest brightness: by the angle to the query
    cosines = [float(normalize(torch.tensor(point), dim=0) @ normalize(query, dim=0)) for point in points]
    places = [((x + 2.4) / 4.8, (2.4 - y) / 4.8) for x, y in points]
    brightness = [sum(call_in_page(page, "colorAt", ".al-square canvas", *place)[:3]) for place in places]
    order = sorted(range(3), key=lambda i: -cosines[i])
    assert sorted(range(3), key=lambda i: brightness[i]) == order
    assert brightness[order[0]] < brightness[order[2]] - 100

    parts = page.locator(".al-parts")
    expect(parts).to_contain_text("query / ‖query‖ times key / ‖key‖")
    assert number(parts.locator("tfoot .no-value").inner_text()) == pytest.approx(scores[1].item(), abs=1e-3)
    expect(page.locator(".al-detail h3")).to_contain_text("cosine: Cosine similarity (Graves 2014")

    parts.locator(".no-cell").first.click()  # the query's first number, divided by its norm
    panel = page.locator(".no-main")
    assert number(panel.inner_text()) == pytest.approx(1.4 / 2.96**0.5, abs=1e-3)
    page.get_by_role("button", name="query h_t").focus()
    page.keyboard.press("ArrowLeft")  # 1.3, 1.0: the open number follows
    expect(panel).to_have_text(f"{1.3 / 2.69**0.5:.3f}")
