"""Half of a file that arrives once with status 200 breaks nothing for good, and is never kept.

The server below sends half of what it is told to, a number of times, as a web server does while a file is uploaded.
"""

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from mimetypes import guess_type
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from attn_core.export.model_files import sized
from tests.helpers.serving import Files, Quiet
from tests.helpers.visits import patience


class HalfServer(Files):
    """A server of `folder` that may send halves, with `max_age` as GitHub Pages does.

    No answer says when a file was changed.
    """

    def __init__(self, folder: Path, max_age: int = 0):
        self.folder, self.max_age = folder, max_age
        self.halves: Counter[str] = Counter()  # how often half of a file whose name ends so is still sent
        outer = self

        class Handler(Quiet):
            def do_GET(self) -> None:
                path = Path(self.translate_path(self.path))
                path = path / "index.html" if path.is_dir() else path
                if not path.is_file():
                    self.send_error(404)
                    return
                content = path.read_bytes()
                for end in outer.halves:
                    if path.name.endswith(end) and path.name != "files.json" and outer.halves[end] > 0:
                        outer.halves[end] -= 1
                        content = content[: len(content) // 2]
                        break
                self.send_response(200)
                self.send_header("Content-Type", guess_type(path.name)[0] or "application/octet-stream")
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", f"max-age={outer.max_age}")
                self.end_headers()
                self.wfile.write(content)

        super().__init__(folder, Handler)
        self.address += "/"


@contextmanager
def served(site: Path, tmp_path: Path, max_age: int) -> Iterator[HalfServer]:
    shutil.copytree(site, tmp_path / "site")
    server = HalfServer(tmp_path / "site", max_age)
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(params=[0, 600], ids=["revalidated", "max-age"])
def server(request, written_site, tmp_path) -> Iterator[HalfServer]:
    with served(written_site, tmp_path, request.param) as running:
        yield running


@pytest.fixture
def tab(browser) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(patience())
    yield page
    context.close()


def translates(tab: Page) -> None:
    expect(tab.locator(".live-output")).not_to_be_empty()
    expect(tab.get_by_label("German sentence")).to_be_visible()
    expect(tab.locator(".live-note").first).not_to_contain_text(re.compile("failed|damaged"))


def kept_offline(tab: Page) -> None:
    """Wait until the worker of the site has kept the page."""
    tab.evaluate("navigator.serviceWorker.ready.then(() => true)")


def without_a_network(tab: Page, check: Callable[[Page], None]) -> None:
    tab.context.set_offline(True)
    tab.reload()
    check(tab)
    tab.context.set_offline(False)


@pytest.mark.parametrize("ending", [".json", ".safetensors", "app.js", "engine.js", "index.html", "style.css", "sw.js"])
def test_after_half_of_a_file_a_reload_finds_the_page_and_its_offline_copy_whole(ending, server, tab):
    server.halves[ending] = 1
    tab.goto(server.address)
    tab.wait_for_load_state("networkidle")
    tab.reload()
    translates(tab)
    assert server.halves[ending] == 0
    kept_offline(tab)
    tab.reload()
    translates(tab)
    without_a_network(tab, translates)


@pytest.mark.parametrize("ending", [".json", ".safetensors"])
def test_half_of_a_model_that_comes_for_longer_is_never_kept(ending, server, tab):
    server.halves[ending] = 1000
    tab.goto(server.address)
    expect(tab.locator(".live-note").first).to_contain_text("damaged")
    server.halves[ending] = 0
    tab.reload()
    translates(tab)


@pytest.mark.parametrize("ending", ["heads.html", "style.css"])
def test_half_of_a_file_is_not_part_of_the_offline_copy(ending, server, tab):
    """The page has come whole; while the worker keeps its copy, half of one file arrives again and again."""
    tab.goto(server.address, wait_until="commit")
    server.halves[ending] = 3
    translates(tab)
    tab.wait_for_load_state("networkidle")
    server.halves[ending] = 0
    tab.reload()
    translates(tab)
    kept_offline(tab)
    without_a_network(tab, translates)
    tab.context.set_offline(True)
    tab.goto(f"{server.address}heads.html")
    expect(tab.get_by_role("heading", level=1)).to_be_visible()
    expect(tab.locator("article").last).to_be_attached()


def test_half_of_a_page_that_was_kept_leaves_the_kept_page(server, tab):
    tab.goto(server.address)
    translates(tab)
    kept_offline(tab)
    tab.reload()
    translates(tab)
    for ending in ("index.html", "app.js", "engine.js"):
        server.halves[ending] = 1000
    tab.reload()
    translates(tab)


def test_a_new_build_is_kept_whole_although_the_old_one_may_be_used_for_ten_minutes(written_site, tmp_path, tab):
    with served(written_site, tmp_path, 600) as server:
        tab.goto(server.address)
        translates(tab)
        kept_offline(tab)
        build = server.folder
        old = (build / "sw.js").read_text("utf-8")
        names = set()
        for path in (build / "app.js", build / "index.html", build / "heads.html"):
            text = path.read_text("utf-8").replace("<title>", "<title>New: ")
            path.write_text(f"{text}// new\n" if path.suffix == ".js" else text, "utf-8")
            names.add("./" if path.stem == "index" else path.name)
        (build / "sw.js").write_text(relisted(old, build, names), "utf-8")
        tab.reload()
        tab.wait_for_load_state("networkidle")
        until_kept(tab, "app.js", "// new")
        without_a_network(tab, translates)
        expect(tab).to_have_title(re.compile("^New: "))


def relisted(worker: str, build: Path, names: set[str]) -> str:
    """The worker of a build in which some files have changed."""
    found = re.search(r"`(\{.*\})`", worker)
    record = json.loads(found[1])
    for name in names:
        record["files"][name] = sized((build / ("index.html" if name == "./" else name)).read_bytes())
    record["name"] = "shell-second"
    return worker.replace(found[1], json.dumps(record))


def until_kept(tab: Page, name: str, text: str) -> None:
    """Wait until the only offline copy of the page has the text in the file of this name."""
    for _ in range(patience() // 100):
        found = tab.evaluate(
            """async (name) => {
              const names = (await caches.keys()).filter((one) => one.startsWith("shell-"));
              if (names.length !== 1) return "";
              const caught = await caches.match(new URL(name, location.href), { cacheName: names[0] });
              return caught ? caught.text() : "";
            }""",
            name,
        )
        if text in found:
            return
        tab.wait_for_timeout(100)
    raise AssertionError(f"no copy of {name} has {text!r}")
