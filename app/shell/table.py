"""A table of texts in HTML, the same on the dashboard and on the site.

Streamlit's own tables need pandas and Arrow, which take a server one and a half seconds to import and a browser a
megabyte to fetch.
"""

from collections.abc import Sequence
from html import escape
from pathlib import Path

SHEET = Path(__file__).with_suffix(".css")


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows of texts, one for each column, shown as they are."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    # A keyboard can scroll what has a tabindex.
    return f'<div class="table" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
