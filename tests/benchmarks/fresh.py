"""From a fresh clone to the first page: `make app` in a new folder with empty caches, once with each installer.

python tests/benchmarks/fresh.py          (make bench-fresh)
python tests/benchmarks/fresh.py uv       with uv only

Clones the last commit into a temporary folder, which takes about 4 GB for each installer. Prints the seconds from the
start of the clone until the packages are installed, the dashboard answers, and the first page is complete; and the MB
received from the network and the size of .venv. The target is for two idle cores and PyTorch's CPU build.
"""

import argparse
import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ROOT = Path(__file__).resolve().parents[2]
INSTALLERS = ("uv", "pip")
TARGET = 45  # seconds until the dashboard answers, with uv
PATIENCE = 1800  # seconds


@dataclass(frozen=True)
class Measured:
    """Seconds from the start of the clone, and megabytes."""

    installed: float
    answered: float
    complete: float
    received: float
    size: float

    def line(self, installer: str) -> str:
        """The numbers as a row under HEADING."""
        seconds = f"{self.installed:11.1f}{self.answered:11.1f}{self.complete:11.1f}"
        return f"{installer:10}{seconds}{self.received:13.0f}{self.size:9.0f}"


HEADING = "            installed   answered   complete  MB received  MB .venv"


def measure(installer: str, folder: Path) -> Measured:
    """Clone into `folder` and start the dashboard there. Raises RuntimeError when `make app` ends before it answers."""
    clone, log, before, start = folder / "clone", folder / "log", received(), time.monotonic()
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with log.open("wb") as output:
        make = subprocess.Popen(
            ["make", "app", f"PORT={port}"],
            cwd=clone,
            env=environment(installer, folder),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that the server can be stopped with it
        )
        try:
            installed = until((clone / ".venv" / "installed.txt").exists, make, log) - start
            answered = until(lambda: answers(address), make, log) - start
            asyncio.run(asyncio.wait_for(first_page(address), PATIENCE))
            complete = time.monotonic() - start
        finally:
            os.killpg(make.pid, signal.SIGKILL)
            make.wait()
    if installer == "uv" and "with pip." in log.read_text(errors="replace"):
        raise RuntimeError(f"uv was not used:\n{tail(log)}")
    return Measured(installed, answered, complete, received() - before, megabytes(clone / ".venv"))


def environment(installer: str, folder: Path) -> dict[str, str]:
    """The environment of this process without the variables of make and virtual environments, and with empty caches."""
    left_out = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHONPATH", "VIRTUAL_ENV"}
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    caches = {name: str(folder / name) for name in ("PIP_CACHE_DIR", "UV_CACHE_DIR")}
    return kept | caches | {"INSTALLER": installer}


def until(done: Callable[[], bool], make: subprocess.Popen, log: Path) -> float:
    """The time at which `done` is true."""
    limit = time.monotonic() + PATIENCE
    while not done():
        if make.poll() is not None or time.monotonic() > limit:
            raise RuntimeError(f"make app did not start the dashboard:\n{tail(log)}")
        time.sleep(0.02)
    return time.monotonic()


def tail(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-20:])


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=1) as page:
            return page.status == 200
    except OSError:
        return False


async def first_page(address: str) -> None:
    """Open the first page as a browser does, and wait until all of it has been sent."""
    stream = f"{address.replace('http', 'ws')}/_stcore/stream"
    async with websockets.connect(stream, subprotocols=["streamlit"], max_size=None) as connection:
        message = BackMsg()
        message.rerun_script.query_string = ""
        await connection.send(message.SerializeToString())
        while ForwardMsg.FromString(await connection.recv()).WhichOneof("type") != "script_finished":
            pass


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def received() -> float:
    """MB received from the network since the machine started."""
    cards = psutil.net_io_counters(pernic=True)
    return sum(card.bytes_recv for name, card in cards.items() if name != "lo") / 1e6


def megabytes(folder: Path) -> float:
    """The size of a folder in MB; a file with several links is counted once."""
    files = {(status.st_dev, status.st_ino): status.st_size for path in folder.rglob("*") for status in [path.lstat()]}
    return sum(files.values()) / 1e6


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("installers", nargs="*", choices=INSTALLERS, default=INSTALLERS, metavar="uv|pip")
    chosen = parser.parse_args(words).installers
    print(HEADING, flush=True)
    for installer in chosen:
        with tempfile.TemporaryDirectory(prefix="fresh-") as folder:
            found = measure(installer, Path(folder))
            print(found.line(installer), flush=True)  # before the folder is removed, which can take long
        if installer == "uv":
            print(f"Target: answered in {TARGET} s: {'reached' if found.answered <= TARGET else 'missed'}.", flush=True)


if __name__ == "__main__":
    sys.exit(main())
