"""How long pages take to open, and what they hold in memory: a part of the benchmark of the dashboard."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
from playwright.sync_api import Browser, Page

from attn_core import load, translate
from attn_core.browser import html
from tests.helpers.browser import launch_browser
from tests.helpers.serving import Server
from tests.helpers.serving import serving as server_of

MODEL = "luong-general-local-p"
TEXT = "Ein Mädchen versucht, mit der Hand einen Fisch zu fangen."  # 12 words with the comma and the full stop
# Runs first in the page: records when pictures are drawn, and how long after the key or button that requested them. A
# task posted from a frame's callback runs after that frame is painted. `wanted`: the number of decodes that a requested
# picture comes after; null: none is requested.
PROBE = """
window.bench = { first: 0, pictures: 0, decodes: 0, asked: 0, waits: [], wanted: null };
const done = new MessageChannel();
done.port1.onmessage = () => {
  if (bench.asked) bench.waits.push(performance.now() - bench.asked);
  bench.asked = 0;
};
const clear = CanvasRenderingContext2D.prototype.clearRect;
CanvasRenderingContext2D.prototype.clearRect = function (...box) {
  clear.apply(this, box);
  if (!this.canvas.classList.contains("ap-bars")) return; // cleared once for each picture of the player
  bench.pictures += 1;
  bench.first ||= Date.now();
  if (!bench.asked || bench.wanted === null || bench.decodes < bench.wanted) return;
  bench.wanted = null;
  done.port2.postMessage(0);
};
const ask = (event) => { if (bench.wanted !== null && !bench.asked) bench.asked = event.timeStamp; };
for (const type of ["keydown", "pointerdown"]) addEventListener(type, ask, true);
window.Worker = class extends Worker {
  constructor(address) {
    super(address);
    this.addEventListener("message", () => { bench.decodes += 1; });
  }
};
"""
OWN = """window.own = (async (text) => {
  const frame = () => new Promise(requestAnimationFrame);
  const found = (selector) => document.querySelector(selector);
  while (!found(".live input")) await frame();
  found(".live input").value = text;
  while (!found(".live-output").textContent) await frame();
  await frame();
  await new Promise((done) => setTimeout(done)); // that frame is painted
  return performance.now();
})(TEXT);"""
PICTURES = {  # something in the first picture of each page
    "score-lab": ".al-square",
    "window-lab": ".wl-words .ap-word",
    "heads": ".hd-small",
    "corpus": ".co-figure",
    "paths": ".pl-node",
    "pointer": ".pt-square",
    "series": ".sr-finding:not(:empty)",
    "variants": ".vt-group",
    "results": ".table td",
    "quiz": ".st-key-card_answers button",
}


class Dashboard(Server):
    """The dashboard in a separate process."""

    def __init__(self) -> None:
        self.started = time.time()
        super().__init__("streamlit", "run", "app/streamlit_app.py", "--server.port")

    @property
    def megabytes(self) -> float:
        return psutil.Process(self.process.pid).memory_info().rss / 2**20


@contextmanager
def serving() -> Iterator[Dashboard]:
    server = Dashboard()
    try:
        yield server
    finally:
        server.stop()


def opened(browser: Browser, address: str) -> Page:
    """Open the page with the probe; `page.sent` collects the messages that it sends."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.add_init_script(PROBE)
    page.set_default_timeout(120_000)
    sent: list[Any] = []
    page.sent = sent  # type: ignore[attr-defined]

    def count(frame: bytes | str) -> None:
        sent.append(frame)

    page.on("websocket", lambda made: made.on("framesent", count))
    page.goto(address)
    page.wait_for_function("window.bench?.first > 0")
    return page


def cold_start(browser: Browser) -> float:
    """Seconds from starting the server to the first picture, with the browser already open."""
    with serving() as server:
        server.wait()
        page = opened(browser, server.address)
        found = page.evaluate("bench.first") / 1000 - server.started
        page.context.close()
    return found


def empty_page(browser: Browser) -> float:
    """Seconds from starting a server to a page of Streamlit's with one word: what Streamlit itself takes."""
    with TemporaryDirectory() as place:
        script = Path(place) / "empty.py"
        script.write_text("import streamlit\nstreamlit.text('empty')\n", "utf-8")
        begin = time.time()
        with server_of(script) as server:
            page = browser.new_context().new_page()
            page.goto(server.address, wait_until="commit")
            page.get_by_text("empty").wait_for()
            found = time.time() - begin
            page.context.close()
    return found


def cold_page(browser: Browser, path: str) -> float:
    """Seconds from starting the server to the first picture of another page than the Explorer."""
    with serving() as server:
        server.wait()
        page = browser.new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{server.address}/{path}", wait_until="commit")
        page.locator(PICTURES[path]).first.wait_for()
        found = time.time() - server.started
        page.close()
    return found


def first_visit(browser: Browser, address: str) -> float:
    """Seconds from opening the site, with nothing cached, to the translation of a sentence of one's own."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(OWN.replace("TEXT", json.dumps("Ein Hund spielt mit einem Kind.")))
    page.goto(address, wait_until="commit")
    found = page.evaluate("window.own") / 1000
    context.close()
    return found


def page_memory(chromium: str, translates: bool) -> tuple[float, float]:
    """MB of an open handout, after decoding if it translates: its JavaScript heaps, buffers and WebAssembly memory, and
    the whole process."""
    trace = translate(load(MODEL), TEXT)
    with launch_browser(chromium) as browser, TemporaryDirectory() as place:
        path = Path(place) / "page.html"
        path.write_text(html(trace, models=[MODEL] if translates else [], text=TEXT), "utf-8")
        page = browser.new_page()
        runtimes = Runtimes(page)
        page.goto(path.as_uri())
        page.locator(".ap-count").wait_for()
        if translates:
            page.locator(".live-output:not(:empty)").wait_for()
            for width in ("0", "3", "8"):
                page.get_by_label("Half-width D").fill(width)
                page.wait_for_timeout(300)
        page.wait_for_timeout(2000)
        ours = (
            one for one in psutil.Process().children(recursive=True) if "--type=renderer" in " ".join(one.cmdline())
        )
        process = sum(one.memory_full_info().uss for one in ours) / 2**20
        return runtimes.megabytes(), process


class Runtimes:
    """The JavaScript runtimes of a page and its workers, through the browser's debugging protocol."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)
        self.workers: list[str] = []
        self.answers: dict[int, Any] = {}
        self.session.on("Target.attachedToTarget", lambda event: self.workers.append(event["sessionId"]))
        self.session.on("Target.receivedMessageFromTarget", self._receive)
        self.session.send(
            "Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": False}
        )

    def megabytes(self) -> float:
        """JavaScript and DOM objects, array buffers, and the memories of WebAssembly."""
        total = 0
        for worker in (None, *self.workers):
            self.send(worker, "HeapProfiler.collectGarbage")
            heap = self.send(worker, "Runtime.getHeapUsage")
            total += heap["usedSize"] + heap["embedderHeapUsedSize"] + heap["backingStorageSize"]
            kind = self.send(worker, "Runtime.evaluate", expression="WebAssembly.Memory.prototype")["result"]
            found = self.send(worker, "Runtime.queryObjects", prototypeObjectId=kind["objectId"])["objects"]
            script = "function () { return this.reduce((sum, { buffer }) => sum + buffer.byteLength, 0); }"
            given = {"functionDeclaration": script, "objectId": found["objectId"], "returnByValue": True}
            total += self.send(worker, "Runtime.callFunctionOn", **given)["result"]["value"]
        return total / 2**20

    def send(self, worker: str | None, method: str, **given: Any) -> Any:
        """The answer to a command, of the page or of one of its workers."""
        if worker is None:
            return self.session.send(method, given)
        number = len(self.answers) + 1
        self.answers[number] = None
        message = json.dumps({"id": number, "method": method, "params": given})
        self.session.send("Target.sendMessageToTarget", {"sessionId": worker, "message": message})
        while self.answers[number] is None:
            self.page.wait_for_timeout(20)  # lets the answer arrive
        return self.answers[number]

    def _receive(self, event: dict[str, Any]) -> None:
        message = json.loads(event["message"])
        if "id" in message:
            self.answers[message["id"]] = message["result"]
