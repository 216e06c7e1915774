"""Tables of numbers and words as CSV that a spreadsheet opens without running it; app/shell/csv.js writes the same."""

import re
from collections.abc import Iterable, Sequence

MARK = "\ufeff"  # at the start of a file, it tells Excel that the text is UTF-8
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # what a formula begins with
_SPECIAL = re.compile(r'[",\n\r]')  # the csv module writes a carriage return without quotation marks
Cell = str | int | float | None


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """The rows as CSV. Numbers have at most 9 digits, the precision of float32; None is an empty cell.

    A text that a spreadsheet would run as a formula gets a leading apostrophe.
    """
    return "".join(f"{','.join(map(_written, row))}\n" for row in rows)


def _written(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        text = f"'{cell}" if cell.startswith(FORMULA) else cell
        return '"{}"'.format(text.replace('"', '""')) if _SPECIAL.search(text) else text
    return str(int(cell)) if isinstance(cell, int) else f"{cell:.9g}"
