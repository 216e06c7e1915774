"""A table of texts in HTML whose rows become cards on a narrow screen, on the dashboard and on the site."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

SHEET = Path(__file__).with_suffix(".css")


def stacked(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows of texts, one for each column; the first cell of a row is its heading."""
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(_row(columns, row) for row in rows)
    # A keyboard can scroll what has a tabindex.
    inside = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="table stacked" tabindex="0"><table>{inside}</table></div>'


def _row(columns: Sequence[str], row: Sequence[str]) -> str:
    first, *others = row
    cells = "".join(
        f'<td data-column="{escape(column)}">{escape(cell)}</td>'
        for column, cell in zip(columns[1:], others, strict=True)
    )
    return f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>'
