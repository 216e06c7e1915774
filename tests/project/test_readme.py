"""The README's table of pages."""

import re

from app.lab.kit.described import page_of
from app.shell.pages import labs
from tests.project.rooms import ROOT


def test_the_readme_asks_the_questions_of_the_pages():
    table = dict(re.findall(r"^\| \*\*(.+)\*\* \| (.+) \|$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE))
    pages = [page_of(place) for place in labs() if place.path != "quiz"]
    assert table == {page.title: page.question for page in pages if page.title in table}
    assert list(table) == [page.title for page in pages if page.title in table]
    assert len(table) >= 10
