"""The toolkits of the comparison, and the process that runs each of them."""

import hashlib
import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from attn_core.training.speed.cpu_tuning import CACHES
from tests.benchmarks.peers.install import PEERS, MissingError, python_of

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 3 * 3600  # seconds; an epoch of the slowest on a busy machine


@dataclass(frozen=True)
class Contestant:
    """A column of the table."""

    key: str
    title: str
    module: str  # its runner in this folder
    conditions: Mapping[str, Any] = field(default_factory=dict)  # those of cases.py that are not the defaults
    training: tuple[tuple[str, str], ...] = ()  # environment variables that its own program sets before training

    def python(self) -> Path:
        """The interpreter of its environment. Raises MissingError when the installation fails."""
        return python_of(self.module) if self.module in PEERS else Path(sys.executable)

    def fingerprint(self) -> str:
        """A hash that changes when training would give another model than before."""
        files = [ROOT / "tests" / "benchmarks" / "peers" / name for name in ("cases.py", f"{self.module}.py")]
        if self.module not in PEERS:
            files.append(files[0].with_name("settings.py"))
            files += sorted((ROOT / "attn_core").rglob("*.py"))
        word = PEERS[self.module].package if self.module in PEERS else json.dumps(self.conditions)
        content = b"\0".join([word.encode(), *(path.read_bytes() for path in files)])
        return hashlib.sha256(content).hexdigest()[:12]


# In the order of the table's columns: the ratios' base comes before ours.
CONTESTANTS = (
    Contestant("joeynmt", PEERS["joeynmt"].title, "joeynmt"),
    Contestant("onmt", PEERS["onmt"].title, "onmt"),
    Contestant("fp32", "ours, fp32", "ours", {"options": {"precision": "fp32"}}, tuple(CACHES.items())),
    Contestant("best", "ours, bf16", "ours", {"options": {"precision": "bf16"}}, tuple(CACHES.items())),
)


class Runner:
    """The process of a toolkit; its Gate executes commands from this process (see gate.py)."""

    def __init__(self, contestant: Contestant, case: str, text: Path, threads: int, training: bool = False):
        """Raises MissingError when the toolkit cannot be installed, or its process ends before it is ready."""
        self.contestant = contestant
        self.log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        # Equal for all: CPU only, and the number of threads. gate.py and cases.py are imported from the checkout.
        world = {"OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads), "CUDA_VISIBLE_DEVICES": ""}
        self.process = subprocess.Popen(
            [
                str(contestant.python()),
                *("-m", f"tests.benchmarks.peers.{contestant.module}"),
                *(case, str(text), str(threads), json.dumps(contestant.conditions)),
            ],
            cwd=ROOT,
            env=os.environ | dict(contestant.training if training else ()) | world | {"PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
        )
        self.about = self._answer("start")

    def ask(self, command: str) -> dict[str, Any]:
        """The answer to a command of gate.py. Raises MissingError when there is none."""
        try:
            self.process.stdin.write(f"{command}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the process has ended; `_answer` reports its log
        return self._answer(command)

    def _answer(self, command: str) -> dict[str, Any]:
        if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
            self.close()
            raise MissingError(f"{self.contestant.title} did not answer {command!r}")
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            self.log.seek(0)
            lines = self.log.read().decode("utf-8", "replace").split("\n")
            messages = [line.strip() for line in lines if line.strip()] or ["no message"]
            self.close()
            raise MissingError(f"{self.contestant.title} ended during {command!r}: {messages[-1]}")
        return json.loads(line)

    def close(self) -> None:
        """End the process; kill it if it does not end by itself."""
        self.process.stdin.close()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.log.close()
