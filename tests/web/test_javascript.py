"""The JavaScript tests of all rooms (`*.test.js`), each file run by node's own runner: `pytest -k reducer` runs one.

They import the modules of pages as they are (tests/helpers/modules.mjs). The folder JS_DATA has what comes from Python:
the modules that the bundler generates, and the data of tests/helpers/page_data.py.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

from attn_core.models.folders import find
from attn_core.web import bundle
from attn_core.web.model_files import model_files
from tests.helpers import page_data, shared

TESTS = Path(__file__).parents[1]
MODULES = TESTS / "helpers" / "modules.mjs"


@pytest.fixture(scope="session")
def js_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder JS_DATA."""
    folder = tmp_path_factory.mktemp("js-data")
    model = model_files(find("luong-general-local-p"))
    data = shared.once("js-data", lambda: json.dumps(page_data.collected()))
    files = bundle.generated() | {"data.json": data, "model.json": json.dumps(model.record)}
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    (folder / "weights").write_bytes(model.weights)
    return folder


@pytest.mark.parametrize("script", sorted(str(path.relative_to(TESTS)) for path in TESTS.rglob("*.test.js")))
def test_javascript(script: str, node: str, js_data: Path):
    command = [node, "--import", MODULES.as_uri(), "--test-reporter=spec", str(TESTS / script)]
    environment = os.environ | {"JS_DATA": str(js_data)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.fail(done.stdout + done.stderr, pytrace=False)
