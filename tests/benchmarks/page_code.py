"""Measure how the code of the Explorer hangs together: modules on the way of a sentence, long functions, mutable state.

python -m tests.benchmarks.page_code                  this checkout (python -m tests.benchmarks page_code)
python -m tests.benchmarks.page_code BEFORE AFTER     other checkouts, a column each
python -m tests.benchmarks.page_code --way            also every visit of a module, and what breaks each rule

Prints a table in Markdown. The command writes the site of the checkout and opens it in Chromium. When the first model
has translated a sentence, a second one is typed, and the calls between modules are recorded from the event `input`
until the translation is painted. entries.py defines what counts, and lists the modules that are set aside. The other
rows are read from the syntax trees of all modules outside labs and vendored libraries.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Locator

from tests.benchmarks.entries import Visit, acts, entered_again, ran_again, tree, visited, with_recorder
from tests.conftest import CHROMIUMS
from tests.helpers.browser import launch_browser
from tests.helpers.explorer import ExplorerPage
from tests.helpers.page_rules import modules, offenders
from tests.helpers.serving import Files

SENTENCES = ("zwei hunde spielen im schnee .", "ein mann fährt mit dem fahrrad durch die stadt .")

AGAIN = {
    "modules entered twice (returns)": entered_again,
    "the same with listeners, callbacks and continuations": ran_again,
}

# Run with the code of the checkout, which knows how its site is written and in which order its modules are bundled.
_WRITE = """
import json, logging, sys
from functools import partial
from pathlib import Path
from app.site import page
from attn_core.web import bundle
logging.disable(logging.WARNING)  # Streamlit's caches report that no dashboard runs
page.write(Path(sys.argv[1]))
root = Path.cwd().resolve()
print(json.dumps([path.relative_to(root).as_posix() for path in bundle.modules(root / "app" / "site" / "site.js")]))
"""


def write_recording_site(checkout: Path, folder: Path) -> None:
    """Write the site of a checkout with a recorder in the script of the Explorer.

    Raises subprocess.CalledProcessError if the checkout cannot write it, ValueError as `with_recorder` does.
    """
    environment = os.environ | {"PYTHONPATH": str(checkout)}
    command = [sys.executable, "-c", _WRITE, str(folder)]
    done = subprocess.run(command, cwd=checkout, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    script = folder / "app.js"
    paths = json.loads(done.stdout.splitlines()[-1])
    script.write_text(with_recorder(script.read_text(encoding="utf-8"), paths), encoding="utf-8")


def way_of_a_sentence(browser: Browser, address: str) -> list[Visit]:
    """The visits from the event `input` of a sentence to the paint of its translation, on a recording site."""
    context = browser.new_context(service_workers="block", viewport={"width": 1280, "height": 720})
    explorer = ExplorerPage(context.new_page(), address)
    explorer.open()
    opening = explorer.translation.inner_text()
    explorer.sentence.fill(SENTENCES[0])
    explorer.eventually(lambda: _assert_other(explorer.translation, opening))
    explorer.settle()
    explorer.page.wait_for_timeout(1000)  # what the page does later, such as writing the link
    recording = explorer.translation.evaluate_handle("(element) => ({ visits: entries.record(element) })")
    explorer.sentence.fill(SENTENCES[1])
    visits = recording.evaluate("({ visits }) => visits")
    context.close()
    return [Visit(**visit) for visit in visits]


def _assert_other(output: Locator, before: str) -> None:
    assert output.inner_text() not in ("", before)


def _acts(checkout: Path, module: str) -> bool:
    return acts((checkout / module).read_text(encoding="utf-8"))


def rows(visits: list[Visit], bad: dict[str, list[str]], acting: Callable[[str], bool]) -> dict[str, str]:
    """The rows of the table for one checkout; `acting`: whether a module acts."""
    again = {row: found(visits) for row, found in AGAIN.items()}
    twice = {module: n for module, n in entered_again(visits).items() if acting(module)}
    return {
        "modules from `input` to paint, outside the engine": str(len(visited(visits))),
        "of these no pure functions": str(sum(map(acting, visited(visits)))),
        **{row: f"{len(found)} ({sum(found.values())})" for row, found in again.items()},
        "modules entered twice that are no pure functions": f"{len(twice)} ({sum(twice.values())})",
        **{row: str(len(names)) for row, names in bad.items()},
    }


def table(columns: dict[str, dict[str, str]]) -> str:
    """The rows of several checkouts as a table in Markdown."""
    first = next(iter(columns.values()))
    lines = [["", *columns], ["---"] * (len(columns) + 1)]
    lines += [[row, *(column[row] for column in columns.values())] for row in first]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def details(visits: list[Visit], bad: dict[str, list[str]]) -> str:
    """The tree of visits, the modules entered twice with their returns, and what breaks each rule."""
    lines = ["From `input` to paint:", "", *tree(visits)]
    lists = {row: [f"{name} ({n})" for name, n in found(visits).items()] for row, found in AGAIN.items()} | bad
    for row, names in lists.items():
        lines += ["", f"{row}:", "", *(f"- {name}" for name in names)]
    return "\n".join(lines)


def main() -> None:
    reader = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    reader.add_argument("checkouts", nargs="*", type=Path, metavar="CHECKOUT", help="default: .")
    reader.add_argument(
        "--way", action="store_true", help="also print every visit of a module, and what breaks each rule"
    )
    given = reader.parse_args()
    chromium = next((at for name in (os.environ.get("CHROMIUM", ""), *CHROMIUMS) if (at := shutil.which(name))), None)
    if chromium is None:
        raise SystemExit("Chromium or Chrome not found: install one, or set CHROMIUM to its path")
    columns, lists = {}, []
    for checkout in given.checkouts or [Path()]:
        with TemporaryDirectory() as place, launch_browser(chromium) as browser:
            write_recording_site(checkout.resolve(), Path(place) / "site")
            served = Files(Path(place) / "site")
            visits = way_of_a_sentence(browser, served.address)
            served.stop()
        bad = offenders(modules(checkout))
        columns[str(checkout)] = rows(visits, bad, partial(_acts, checkout))
        lists.append(f"## {checkout}\n\n{details(visits, bad)}")
    print("\n\n".join([table(columns), *(lists if given.way else [])]))


if __name__ == "__main__":
    main()
