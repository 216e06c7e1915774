"""Start and stop a Streamlit server, or a server of plain files, for tests and benchmarks."""

import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Server:
    """A process of Streamlit: `words` with a free port. `wait` returns when it answers requests."""

    def __init__(self, *words: str, cwd: Path = ROOT, environment: dict[str, str] | None = None):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", *words, str(port)]
        inherited = {**os.environ, "PYTHONPATH": str(ROOT)}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, cwd=cwd, env=inherited | (environment or {}), **quiet)

    def wait(self, seconds: float = 120) -> None:
        """Wait until the server answers. Raises RuntimeError when the process has ended or does not answer in time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if (status := self.process.poll()) is not None:
                raise RuntimeError(f"the Streamlit server ended with status {status} before it answered")
            try:
                urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError(f"the Streamlit server did not answer at {self.address} within {seconds:g} s")

    def stop(self) -> None:
        self.process.kill()  # it has no state to save
        self.process.wait(timeout=60)


@contextmanager
def serving(script: Path, environment: dict[str, str] | None = None) -> Iterator[Server]:
    """A server that answers requests; it is stopped at the end."""
    # Started in the project's folder, so that Streamlit finds .streamlit/config.toml.
    server = Server("streamlit", "run", str(script), "--server.port", environment=environment)
    try:
        server.wait()
        yield server
    finally:
        server.stop()


class Quiet(SimpleHTTPRequestHandler):
    """Answers requests without a log."""

    def log_message(self, *_args: object) -> None:
        pass


class Files:
    """A server of the files in `folder`, as `python -m http.server` is; `stop` may be called twice."""

    def __init__(self, folder: Path, handler: type[SimpleHTTPRequestHandler] = Quiet):
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
