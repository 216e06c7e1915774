"""What axe-core finds on the pages: nothing serious, in light and in dark."""

import pytest
from playwright.sync_api import Page

from app.shell.pages import EXPLORER, labs
from tests.benchmarks.dashboard.opening import PICTURES

pytestmark = pytest.mark.extras

OTHERS = tuple(place.path for place in labs() if place.path != "training")
VIEWS = {
    **{path: {} for path in OTHERS},
    EXPLORER.path: {"model": "luong-general-local-p"},
    "several heads": {"model": "transformer"},
    "tour": {"tour": "2", "level": "workbench"},
    "beam": {"model": "luong-general-local-p", "beam": "3"},
    "comparison": {"model": "luong-general-local-p", "with": "luong-general-global"},
}


def serious(page: Page) -> list[str]:
    """Each serious violation and where it is."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python").Axe()
    found = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{one['id']}: {node['html']:.200}"
        for one in found
        for node in one["nodes"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_a_page_has_no_serious_violation(visit_live, view, scheme):
    path = view if view in OTHERS else ""
    page = visit_live(path, PICTURES.get(path, ".ap-count"), VIEWS[view], color_scheme=scheme)
    if not path:
        page.get_by_role("tab", name="Tables").click()
        page.locator(".ap-table table").first.wait_for()
        page.locator(".ap").first.press("Enter")  # a number taken apart
        page.locator(".no-main").wait_for()
    if path == "corpus":
        page.get_by_text("measured in").wait_for()
        page.locator('[data-figure="kinds"] .co-bar').nth(1).click()
    found = serious(page)
    for _ in range(20):
        if not found:
            break
        page.wait_for_timeout(500)  # Streamlit may not have drawn the text of its buttons yet
        found = serious(page)
    assert found == []


def test_a_violation_would_be_found(visit_live):
    page = visit_live()
    page.evaluate("document.body.append(document.createElement('button'))")
    assert serious(page) == ["button-name: <button></button>"]
