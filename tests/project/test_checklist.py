"""The checklist names only existing tests, pages and notebooks."""

import pytest

from tests.project import checklist


def test_every_row_has_a_test_and_a_page_or_notebook():
    for row in checklist.rows():
        assert row["tests"], row["what"]
        assert row["pages"] + row["notebooks"], row["what"]


def test_everything_named_exists():
    assert checklist.missing() == []


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("tests", "test_scores.py::test_of_nothing"),
        ("tests", "test_nothing.py"),
        ("pages", "nowhere"),
        ("pages", "score-lab?card=nothing"),
        ("notebooks", "00"),
    ],
)
def test_a_missing_name_is_reported(monkeypatch, key, name):
    row = {"what": "this", "tests": [], "pages": [], "notebooks": []} | {key: [name]}
    monkeypatch.setattr(checklist, "rows", lambda: [row])
    assert len(checklist.missing()) == 1
    assert checklist.missing()[0].endswith(name)
