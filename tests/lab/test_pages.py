"""The menu: every page is listed, and a page is imported only when it is opened."""

import subprocess
import sys
from importlib import import_module

import pytest

from app.shell.pages import EXPLORER, LAB
from tests.app.test_explorer import ROOT
from tests.lab.apptest import visit

OPENED = """
import sys
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("app/dashboard.py", default_timeout=120).run()
assert not app.exception and not app.error
print(*sorted(name for name in sys.modules if name.startswith("app.")))
"""


def test_the_explorer_opens_first_and_brings_nothing_of_the_lab():
    done = subprocess.run([sys.executable, "-c", OPENED], cwd=ROOT, capture_output=True, text=True, check=True)
    modules = done.stdout.split()
    assert "app.explorer.page" in modules
    assert [name for name in modules if name.startswith("app.lab")] == []


def test_every_page_has_an_address_of_its_own():
    assert EXPLORER.path == ""
    paths = [place.path for place in LAB]
    assert all(paths)
    assert len(set(paths)) == len(paths)


@pytest.mark.parametrize("place", LAB, ids=[place.path for place in LAB])
def test_every_page_of_the_lab_has_a_page_and_cards(place):
    module = import_module(place.module)
    assert callable(module.page)
    assert module.CARDS


@pytest.mark.quick(1)
@pytest.mark.parametrize(("page", "key"), [("variants", "variant"), ("score", "card")])
def test_what_a_link_asks_in_vain_is_said_in_one_style(page, key):
    app = visit(f"app.lab.{page}.page", **{key: "nobody"})
    (said,) = app.warning
    assert said.icon == ":material/info:"
    assert "“nobody”" in said.value
