"""A headless Firefox, driven by WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/)."""

import base64
import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.helpers.visits import patience


class Tab:
    """One tab of Firefox."""

    def __init__(self, socket: ClientConnection):
        self.errors: list[str] = []  # what the page has logged as errors, and errors that it did not catch
        self._socket = socket
        self._count = 0
        self._call("session.new", capabilities={})
        self._call("session.subscribe", events=["log.entryAdded"])
        self._context = self._call("browsingContext.getTree")["contexts"][0]["context"]

    def goto(self, address: str) -> None:
        """Open `address` and wait until it is loaded."""
        self._call("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def size(self, width: int, height: int) -> None:
        viewport = {"width": width, "height": height}
        self._call("browsingContext.setViewport", context=self._context, viewport=viewport)

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, sent as JSON. Raises RuntimeError with the text of an exception."""
        found = self._call(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self._context},
            awaitPromise=True,
        )
        if found["type"] == "exception":
            raise RuntimeError(found["exceptionDetails"]["text"])
        return json.loads(found["result"].get("value", "null"))

    def until(self, expression: str, wanted: Any) -> None:
        """Wait until the expression has this value. Raises AssertionError with the last value otherwise."""
        end = time.monotonic() + patience() / 1000
        while (value := self.evaluate(expression)) != wanted:
            if time.monotonic() > end:
                raise AssertionError(f"{expression}: {value!r} instead of {wanted!r}")
            time.sleep(0.05)

    def screenshot(self) -> bytes:
        """A picture of the visible part of the page, as PNG."""
        return base64.b64decode(self._call("browsingContext.captureScreenshot", context=self._context)["data"])

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv(timeout=patience() / 1000))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.errors.append(answer["params"]["text"])
            if answer.get("id") == self._count:
                if answer["type"] == "error":
                    raise RuntimeError(f"{method}: {answer['message']}")
                return answer["result"]


@contextmanager
def firefox(executable: str, profile: Path) -> Iterator[Tab]:
    """A tab of the Firefox at `executable`, with a new profile in the folder `profile`; it is closed at the end.

    Raises RuntimeError if Firefox ends or does not offer WebDriver BiDi.
    """
    command = [executable, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0"]
    log = profile.with_suffix(".log")
    with log.open("w") as errors:
        process = subprocess.Popen([*command, "about:blank"], stdout=subprocess.DEVNULL, stderr=errors)
    try:
        with connect(f"{_address(log, process)}/session", max_size=None, compression=None) as socket:
            yield Tab(socket)
    finally:
        process.terminate()
        process.wait(timeout=60)


def _address(log: Path, process: subprocess.Popen[bytes]) -> str:
    end = time.monotonic() + 3 * patience() / 1000
    while time.monotonic() < end and process.poll() is None:
        if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text("utf-8", "replace")):
            return found[1]
        time.sleep(0.1)
    raise RuntimeError(f"Firefox offers no WebDriver BiDi: {log.read_text('utf-8', 'replace')[-500:]}")
