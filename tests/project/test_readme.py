"""The README's table of pages."""

import re

from app.shell.pages import LAB, TRAINING
from tests.project.rooms import ROOT


def test_the_readme_asks_the_questions_of_the_pages():
    table = dict(re.findall(r"^\| \*\*(.+)\*\* \| (.+) \|$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE))
    assert list(table) == [place.title for place in (*LAB, TRAINING)]
    for place in (*LAB, TRAINING):
        source = (ROOT / f"{place.module.replace('.', '/')}.py").read_text("utf-8")
        assert table[place.title] in source, place.title
