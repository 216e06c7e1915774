"""The example of app/lab/README.md: four files are a page of the dashboard and of the site, with a quiz card."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.service import catalogue, first
from attn_core.models import folders
from tests.helpers.serving import ROOT, Files

README = (ROOT / "app" / "lab" / "README.md").read_text("utf-8")
FILES = dict(re.findall(r"^`([\w.]+)`\n\n```\w+\n(.*?)^```$", README, re.MULTILINE | re.DOTALL))
# The site has this page and the quiz alone, since the evidence for all cards takes half a minute.
OPENED = """
import json, sys
from collections import defaultdict
from pathlib import Path
from unittest import mock
import app.lab
app.lab.__path__.append(sys.argv[1])
from streamlit.testing.v1 import AppTest
from app.lab.kit import described
from app.lab.quiz.data import decks
from app.shell import pages
from app.site import lab, page as site
place, = [place for place in pages.labs() if place.path == "temperature"]
cards = described.page_of(place).cards
shown = AppTest.from_string("from app.shell.pages import lab, _opening; _opening(lab('temperature'))()").run(timeout=60)
assert not shown.exception and not shown.error
components = [one.proto for one in shown.get("bidi_component")]
known = defaultdict(str, {card.slug: lab._card(card, {}) for card in cards})
only = mock.patch.object(described, "pages", return_value=[(place, described.page_of(place))])
with only, mock.patch.object(lab, "all_cards", return_value=known):
    site.write(Path(sys.argv[2]))
print(json.dumps({
    "menu": [place.path for place in pages.labs()],
    "lecture": pages.lecture_pages(),
    "header": shown.header[0].value,
    "data": [json.loads(one.bytes) for one in components if one.component_name.endswith("lab_temperature")],
    "quiz": [card.slug for _title, some in decks() for card in some],
}))
"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory) -> tuple[dict, Path]:
    """What the dashboard has of the new page, and the folder of a site with it."""
    checkout = tmp_path_factory.mktemp("checkout")
    lab = checkout / "app" / "lab" / "temperature"
    lab.mkdir(parents=True)
    for name, text in FILES.items():
        (lab / name).write_text(text, "utf-8")
    for shared in ("attn_core", "app/shell", "app/lab/kit"):  # which the script imports by relative paths
        (checkout / shared).symlink_to(ROOT / shared)
    models = tmp_path_factory.mktemp("pretrained")
    for name in (catalogue.FIRST, first.NAME):
        (models / name).symlink_to(folders.PRETRAINED / name)
    command = [sys.executable, "-c", OPENED, str(lab.parent), str(checkout / "site")]
    environment = os.environ | {"ATTN_PRETRAINED": str(models), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1]), checkout / "site"


def test_a_lab_is_four_files():
    assert set(FILES) == {"page.py", "data.py", "cards.py", "temperature.js"}


@pytest.mark.slow
def test_a_new_lab_is_in_the_menu_and_the_quiz(opened):
    found, _site = opened
    menu = found["menu"]
    assert menu[menu.index("temperature") - 1] == "series"
    assert menu[menu.index("temperature") + 1] == "variants"
    assert "temperature" not in found["lecture"]  # it has no notes
    assert found["header"] == "What does a temperature do to attention weights?"
    assert found["data"] == [{"scores": [2, 1, 0]}]
    assert "colder" in found["quiz"]


def test_a_new_lab_works_on_the_site(opened, browser):
    _found, site = opened
    assert '<article id="colder"' in (site / "quiz.html").read_text("utf-8")
    assert '"lab_temperature.js"' in (site / "sw.js").read_text("utf-8")
    server = Files(site)
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{server.address}/index.html")
    page.get_by_role("link", name="Temperature").click()
    expect(page.locator("output")).to_have_text("0.67, 0.24, 0.09")  # e², e and 1, divided by their sum
    page.get_by_role("slider").press("Home")
    expect(page.locator("output")).to_have_text("0.87, 0.12, 0.02")  # of e⁴, e² and 1
    page.get_by_role("link", name="A low temperature").click()
    card = page.locator("article#colder")
    card.get_by_role("button", name="It grows").click()
    expect(card).to_contain_text("At T = 0.5 the largest weight is 0.87.", use_inner_text=True)
    context.close()
    server.stop()
    assert errors == []
