"""A table of texts in HTML, the same on the dashboard and on the site.

Streamlit's own tables need pandas and Arrow, which take a server one and a half seconds to import and a browser a
megabyte to fetch.
"""

from collections.abc import Sequence
from html import escape
from pathlib import Path

SHEET = Path(__file__).with_suffix(".css")


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, stacked: bool = False) -> str:
    """A table with a text for each column in every row.

    Where it is `stacked`, its rows become cards on a narrow screen, each headed by its first text.
    """
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(f"<tr>{''.join(_cells(columns, row, stacked))}</tr>" for row in rows)
    # tabindex lets people scroll the table with the keyboard.
    return (
        f'<div class="table{" stacked" if stacked else ""}" tabindex="0">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cells(columns: Sequence[str], row: Sequence[str], stacked: bool) -> list[str]:
    if not stacked:
        return [f"<td>{escape(cell)}</td>" for cell in row]
    first, *others = (escape(cell) for cell in row)
    named = zip(columns[1:], others, strict=True)
    return [f'<th scope="row">{first}</th>', *(f'<td data-column="{escape(name)}">{cell}</td>' for name, cell in named)]
