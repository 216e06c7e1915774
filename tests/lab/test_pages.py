"""The menu: every page is listed, and a page is imported only when it is opened."""

import re
import subprocess
import sys

import pytest

from app.lab.kit.described import page_of
from app.shell.pages import EXPLORER, labs
from tests.app.test_explorer import ROOT
from tests.helpers.page_rules import LONGEST
from tests.helpers.syntax import parsed
from tests.lab.apptest import visit

OPENED = """
import sys
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("app/dashboard.py", default_timeout=120).run()
assert not app.exception and not app.error
print(*sorted(sys.modules))
"""


def test_the_explorer_opens_first_and_brings_only_descriptions_of_the_lab():
    done = subprocess.run([sys.executable, "-c", OPENED], cwd=ROOT, capture_output=True, text=True, check=True)
    modules = done.stdout.split()
    assert "app.explorer.page" in modules
    assert "app.lab.window.page" in modules
    described = re.compile(r"app\.lab(\.kit.*|\.\w+(\.(page|cards))?)?")
    assert [name for name in modules if name.startswith("app.lab") and not described.fullmatch(name)] == []
    assert not {"torch", "altair", "pandas", "app.lab.kit.dashboard"} & set(modules)


def test_every_page_has_an_address_and_a_place_of_its_own():
    assert EXPLORER.path == ""
    paths = [place.path for place in labs()]
    assert all(paths)
    assert len(set(paths)) == len(paths)
    assert len({page_of(place).order for place in labs()}) == len(labs())


@pytest.mark.quick(1)
@pytest.mark.parametrize(("page", "key"), [("variants", "variant"), ("score", "card")])
def test_what_a_link_asks_in_vain_is_said_in_one_style(page, key):
    app = visit(f"app.lab.{page}.page", **{key: "nobody"})
    (said,) = app.warning
    assert said.icon == ":material/info:"
    assert "“nobody”" in said.value


def test_no_function_of_a_stage_is_longer_than_80_lines():
    files = [*sorted((ROOT / "app" / "lab").rglob("*.js")), ROOT / "app" / "site" / "lab.js"]
    syntax = {path.relative_to(ROOT).as_posix(): facts for path, facts in parsed(files).items()}
    long = {f"{path} {one.name}" for path, facts in syntax.items() for one in facts.functions if one.lines > LONGEST}
    assert long == set()
