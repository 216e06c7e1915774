"""Read checklist.toml and check that the tests, pages and notebooks it names exist.

`python -m tests.project.checklist` prints the list.

Nothing is run: a test is found by its `def`, a page and a card in the dashboard's lists, a notebook by its file name.
"""

import logging
import re
import sys
import tomllib
from pathlib import Path

from rich.console import Console
from rich.table import Table

from app.lab.kit.described import page_of
from app.shell.pages import EXPLORER, labs

TESTS = Path(__file__).parents[1]
NOTEBOOKS = TESTS.parent / "notebooks"
WIDE = 180  # columns when the output is a file or a pipe


def rows() -> list[dict]:
    """The rows of checklist.toml."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["row"]


def addresses() -> set[str]:
    """The links of all pages of the dashboard and of all their cards."""
    cards = {f"{place.path}?card={card.slug}" for place in labs() for card in page_of(place).cards}
    return cards | {place.path for place in labs()} | {EXPLORER.path or "explorer"}


def has_test(name: str) -> bool:
    """Whether the test `file::function`, or the test file `file`, exists."""
    file, _, function = name.partition("::")
    path = TESTS / file
    return path.is_file() and bool(re.search(rf"^def {function or 'test_'}", path.read_text("utf-8"), re.MULTILINE))


def has_notebook(number: str) -> bool:
    return len(list(NOTEBOOKS.glob(f"{number}-*.ipynb"))) == 1


def missing() -> list[str]:
    """Tests, pages and notebooks that the rows name and the project does not have."""
    known = addresses()
    found = []
    for row in rows():
        found += [f"{row['what']}: test {name}" for name in row["tests"] if not has_test(name)]
        found += [f"{row['what']}: page {name}" for name in row["pages"] if name not in known]
        found += [f"{row['what']}: notebook {name}" for name in row["notebooks"] if not has_notebook(name)]
    return found


def main() -> int:
    logging.disable(logging.WARNING)  # Streamlit warns when pages are imported without its server
    table = Table(show_lines=True)
    for title in ("", "Source", "Tests", "Pages", "Notebooks"):
        table.add_column(title, overflow="fold")  # a truncated name cannot be searched for
    for row in rows():
        table.add_row(row["what"], row["source"], *("\n".join(row[key]) for key in ("tests", "pages", "notebooks")))
    Console(width=None if sys.stdout.isatty() else WIDE).print(table)
    for name in missing():
        print(f"missing: {name}", file=sys.stderr)
    return int(bool(missing()))


if __name__ == "__main__":
    sys.exit(main())
