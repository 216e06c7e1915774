"""The README: its length, its table of pages, and its code, which runs as it stands."""

import re
import subprocess
import sys

import pytest

from app.lab.kit.described import page_of
from app.shell.pages import labs
from tests.project.rooms import ROOT

README = (ROOT / "README.md").read_text("utf-8")
CODE = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 150


def test_the_readme_asks_the_questions_of_the_pages():
    table = dict(re.findall(r"^\| \*\*(.+)\*\* \| (.+) \|$", README, re.MULTILINE))
    pages = [page_of(place) for place in labs() if place.path != "quiz"]
    assert table == {page.title: page.question for page in pages if page.title in table}
    assert list(table) == [page.title for page in pages if page.title in table]
    assert len(table) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("number", range(2))
def test_the_code_of_the_readme_runs_as_it_stands(number, tmp_path):
    assert len(CODE) == 2
    found = subprocess.run(
        [sys.executable, "-c", CODE[number]],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, "")
    if number == 0:
        assert found.stdout.startswith("a ")
    else:
        caption, edited, *table = found.stdout.splitlines()
        assert caption.startswith("Attention weights (luong-general-local-p · score general · local-p · D = 4 · σ = 2")
        assert caption.endswith("“ein hund läuft durch den schnee .” → “a dog running through the snow .”.")
        words, _mark, link = edited.partition("?")
        assert words == "a dog running through the dog . </s> "
        assert link.startswith("text=Ein+Hund")
        assert link.endswith("&edit=w5-0_1_0_0_0_0_0")
        assert [line.split()[0] for line in table[1:]] == ["ein", "hund", "läuft", "durch", "den", "schnee", "."]
        assert (tmp_path / "map.pdf").read_bytes()[:5] == b"%PDF-"
