"""The Training page opens with its question: at the first snapshot, without the curves of the later ones."""

from playwright.sync_api import expect

from tests.lab.training.test_training_page import EXAMPLE


def test_a_recorded_training_opens_at_its_beginning_and_its_curves_grow_with_it(visit):
    page = visit("training", ready=".tr-map canvas", query={"training": EXAMPLE}, cards=False)
    expect(page.locator(".tr-at")).to_have_text("after update 1 of 1,000")
    dots = page.locator(".tr-dot.tr-focus")
    expect(dots).to_have_count(1)  # the curves do not give the answer away
    page.get_by_role("slider", name="Snapshot").press("ArrowRight")
    expect(dots).to_have_count(2)
    page.get_by_role("slider", name="Snapshot").press("Home")
    expect(dots).to_have_count(2)
