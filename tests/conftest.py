"""Fixtures and settings of all tests: one thread, fixed seeds, no network, browser, dashboard and node."""

import gc
import os
import random
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

# The Hugging Face libraries read these variables when they are imported.
os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
os.environ["ATTN_EXPORT"] = "0"  # training ends without an export, which takes seconds, unless a test says --export

import hypothesis
import jaxtyping
import numpy as np
import playwright
import pytest
import torch
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from attn_core.models import folders
from tests.helpers import quick, shared
from tests.helpers.browser import launched_by
from tests.helpers.javascript import Script
from tests.helpers.serving import ROOT, serving
from tests.helpers.shipped import ship, ship_live
from tests.helpers.visits import patience, visits

torch.set_num_threads(1)
# Off while tests are collected, which takes a third less time; on again in pytest_runtest_protocol and
# pytest_collection_finish.
jaxtyping.config.update("jaxtyping_disable", True)
gc.disable()
hypothesis.settings.register_profile("project", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("project")

# Rooms whose tests only use models.
UNCHECKED = {"app", "benchmarks", "browser", "cli", "export", "lab", "notebooks", "project", "training"}
CHROMIUMS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


@pytest.fixture(autouse=True)
def seeds() -> None:
    """Each test draws the same random numbers, whatever ran before it."""
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002  libraries draw from the global generator
    torch.manual_seed(0)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Reset the number of threads after each test."""
    yield
    torch.set_num_threads(1)


@pytest.fixture(scope="session", autouse=True)
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give all workers the folder in which `shared.once` keeps its files."""
    own = tmp_path_factory.getbasetemp()
    shared.folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    """Playwright for all tests; its synchronous API can run only once at a time."""
    expect.set_options(timeout=patience())
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="module")
def browser(driver: Playwright, chromium: str) -> Iterator[Browser]:
    """A headless browser for the tests of one file, so that neither its memory nor a crash outlives the file."""
    with launched_by(driver, chromium) as launched:
        yield launched


@pytest.fixture(scope="session")
def untrained_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of small untrained translators without files for the browser."""
    return ship(tmp_path_factory.mktemp("pretrained"))


@pytest.fixture(scope="session")
def dashboard(untrained_models: Path) -> Iterator[str]:
    """The address of a dashboard with these models, for which the server decodes."""
    with serving(ROOT / "app" / "streamlit_app.py", {"ATTN_PRETRAINED": str(untrained_models)}) as server:
        yield server.address


@pytest.fixture(scope="session")
def live_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of small untrained translators, the shipped pointer networks and the forecaster, which pages can run."""
    folder = ship_live(tmp_path_factory.mktemp("live"))
    for name in (*folders.shipped("pointer"), *folders.shipped("series")):
        (folder / name).symlink_to(folders.find(name))
    return folder


@pytest.fixture(scope="session")
def live_dashboard(live_models: Path) -> Iterator[str]:
    """The address of a dashboard with these models."""
    with serving(ROOT / "app" / "streamlit_app.py", {"ATTN_PRETRAINED": str(live_models)}) as server:
        yield server.address


@pytest.fixture
def visit_live(browser: Browser, live_dashboard: str) -> Iterator[Callable[..., Page]]:
    """Open pages of the dashboard whose models run in the page; see visits.py."""
    with visits(browser, live_dashboard) as open_page:
        yield open_page


@pytest.fixture
def visit(browser: Browser, dashboard: str) -> Iterator[Callable[..., Page]]:
    """Open pages of the dashboard; see visits.py."""
    with visits(browser, dashboard) as open_page:
        yield open_page


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium or Chrome (or CHROMIUM=...). Tests that use it are marked `browser` (helpers/quick.py)."""
    for name in (os.environ.get("CHROMIUM", ""), *CHROMIUMS):
        if found := shutil.which(name):
            return found
    pytest.skip("Chromium or Chrome not found: install one, or set CHROMIUM to its path")


@pytest.fixture(scope="session")
def node() -> str:
    """The path of node: the installed one, or the one bundled with playwright.

    Without it the tests that use it are skipped, or fail if REQUIRE_BROWSER=1.
    """
    if path := shutil.which("node") or shutil.which(Path(playwright.__file__).parent / "driver" / "node"):
        return path
    missing = pytest.fail if os.environ.get("REQUIRE_BROWSER") == "1" else pytest.skip
    return missing("node not found, neither installed nor in playwright")


@pytest.fixture(scope="session")
def js_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder JS_DATA, from which scripts read what comes from Python (tests/helpers/modules.mjs, data.js)."""
    from tests.helpers import page_data  # imports the figures, which takes seconds

    folder = tmp_path_factory.mktemp("js-data")
    page_data.write(folder)
    return folder


@pytest.fixture(scope="session")
def open_script(node: str, js_data: Path) -> Callable[[Path], Script]:
    """Open a script, whose functions can be called: `open_script(PROBE)("steps", value)`."""
    return partial(Script, node, js_data)


@pytest.fixture(scope="session")
def page_probe(open_script: Callable[[Path], Script]) -> Script:
    """The functions of page_probe.js."""
    return open_script(Path(__file__).parent / "helpers" / "page_probe.js")


@pytest.fixture(scope="session")
def lab_probe(open_script: Callable[[Path], Script]) -> Script:
    """The functions of lab_probe.js."""
    return open_script(Path(__file__).parent / "helpers" / "lab_probe.js")


@pytest.hookimpl(tryfirst=True)  # before -m 'not slow' is applied
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    quick.mark_browser_tests(items)
    quick.mark_other_cases(items)


def pytest_collection_finish() -> None:
    """Leave the modules and the collected tests, which stay to the end, out of every later garbage collection."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item):
    """Check the annotations of attn_core in the quick tests of its own rooms.

    The checks make training take four times as long, and every update and every slow case repeats the same ones.
    """
    room = item.path.relative_to(ROOT / "tests").parts[0]
    unchecked = room in UNCHECKED or item.get_closest_marker("slow")  # item.keywords has the names of folders too
    jaxtyping.config.update("jaxtyping_disable", bool(unchecked) and not item.get_closest_marker("checked"))
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    """With REQUIRE_BROWSER=1 or REQUIRE_EXTRAS=1 (set by .ci/run) a skipped test with this mark counts as failed."""
    report = yield
    for mark, variable in (("browser", "REQUIRE_BROWSER"), ("extras", "REQUIRE_EXTRAS")):
        if report.skipped and mark in item.keywords and os.environ.get(variable) == "1":
            report.outcome = "failed"
            report.longrepr = f"skipped, though {variable}=1: {call.excinfo.value if call.excinfo else report.longrepr}"
    return report


def pytest_report_header() -> str:
    return f"torch {torch.__version__}, one thread, python {sys.version.split()[0]}"
