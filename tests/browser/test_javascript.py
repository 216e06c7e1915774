"""The JavaScript tests of all rooms (`*.test.js`), each file run by node's own runner: `pytest -k reducer` runs one.

They import the modules of pages as they are (tests/helpers/modules.mjs). The folder JS_DATA has what comes from Python:
the modules that the bundler generates, and the data of tests/helpers/page_data.py.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.javascript import Script

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("script", sorted(str(path.relative_to(TESTS)) for path in TESTS.rglob("*.test.js")))
def test_javascript(script: str, open_script: Callable[[Path], Script]):
    path = TESTS / script
    done = open_script(path).run("--test-reporter=spec", str(path))
    if done.returncode:
        pytest.fail(done.stdout + done.stderr, pytrace=False)
