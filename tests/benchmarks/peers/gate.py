"""The door in front of a training loop's next batch: it counts what passes, and waits there for commands.

A contestant's own loop runs in its own process and asks the gate for batches. The gate stands between the loop and its
data, so everything the loop does for an update lies between two visits. Commands come one a line on standard input,
and one line of JSON answers each:

    train N         N more updates: {"updates", "words", "padded", "loss", "seconds"}
    translate W     the test set, greedy for W = 1 or with a beam of W: {"seconds", "lines"}
    save PATH       the weights, written: {"seconds"}
    load PATH       the weights, read: {"seconds"}
    memory          the most memory that the process has held so far: {"seconds", "megabytes"}
    quit            no answer; the end of standard input does the same

Standard library only, as in cases.py: the peers' environments import this.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks.peers.cases import CASES, Case

Answer = dict[str, Any]


class Gate:
    def __init__(self, commands: dict[str, Callable[[str], Answer]]):
        """`commands` are those that the contestant itself answers; each takes the rest of its line."""
        self.commands = {"memory": lambda _: {"megabytes": peak_megabytes()}} | commands
        # Standard output is for answers only; whatever else a toolkit prints goes to the log.
        self.answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        self.asked = 0
        self._clear(0)

    def _clear(self, updates: int) -> None:
        self.asked = self.left = updates
        self.words = self.padded = 0
        self.loss = 0.0
        self.began = time.perf_counter()

    def wait(self, about: Answer | None = None) -> None:
        """Answer what was asked (at first: `about`), then obey until told to train. Ends the process on `quit`."""
        if about is not None:
            self._say(about)
        elif self.asked:
            seconds = time.perf_counter() - self.began
            found = {"words": self.words, "padded": self.padded, "loss": self.loss}
            self._say({"updates": self.asked, "seconds": seconds} | found)
        for line in iter(sys.stdin.readline, ""):
            name, _, rest = line.strip().partition(" ")
            if name == "quit":
                break
            if name == "train":
                return self._clear(int(rest))
            began = time.perf_counter()
            answer = self.commands[name](rest)
            self._say({"seconds": time.perf_counter() - began} | answer)
        raise SystemExit(0)

    def _say(self, answer: Answer) -> None:
        self.answers.write(json.dumps(answer) + "\n")
        self.answers.flush()

    def passed(self, words: int, padded: int) -> None:
        """An update was given a batch of `words` real target words, </s> included, in `padded` target positions."""
        self.left -= 1
        self.words += words
        self.padded += padded

    def lost(self, loss: float) -> None:
        """The update's loss in nats, summed over its words."""
        self.loss += loss

    def through(self, batches: Iterable[Any], measure: Callable[[Any], tuple[int, int]]) -> Iterator[Any]:
        """The batches, each after the door; `measure` tells a batch's words and positions."""
        iterator = iter(batches)
        while True:
            if self.left == 0:
                self.wait()
            try:
                batch = next(iterator)
            except StopIteration:
                return
            self.passed(*measure(batch))
            yield batch


class Toolkit:
    """Base of the contestants' programs: `python -m tests.benchmarks.peers.NAME CASE DATA THREADS [MORE ...]`.

    Each has a gate, a model whose weights it writes and reads, and the `torch` of its environment.
    """

    torch: Any
    model: Any  # a torch.nn.Module; there once the training loop has begun

    def __init__(self, case: Case, data: Path):
        self.case, self.data = case, data
        self.gate = Gate({"translate": self.translate, "save": self.save, "load": self.load})

    @classmethod
    def main(cls) -> None:
        case, data, threads, *more = sys.argv[1:]
        cls.torch.set_num_threads(int(threads))
        cls(CASES[case], Path(data), *more).train()

    def train(self) -> None:
        """The toolkit's own training loop, with the gate before its batches."""
        raise NotImplementedError

    def ready(self, version: str, source: int, target: int) -> None:
        """Say who is here, with vocabularies of how many words, and obey until told to train."""
        parameters = sum(weight.numel() for weight in self.model.parameters())
        self.gate.wait({"parameters": parameters, "vocabulary": [source, target], "version": version})

    def translate(self, beam: str) -> Answer:
        """The test set's translations, greedy for a beam of 1."""
        raise NotImplementedError

    def save(self, path: str) -> Answer:
        self.torch.save(self.model.state_dict(), path)
        return {}

    def load(self, path: str) -> Answer:
        # torch's own load_state_dict: OpenNMT-py's wants one of its checkpoints.
        self.torch.nn.Module.load_state_dict(self.model, self.torch.load(path, weights_only=True))
        return {}


def peak_megabytes() -> float:
    """The largest resident size of this process, in 10^6 bytes."""
    try:
        # Not getrusage where this exists: that also counts what the process held before it became this program.
        lines = Path("/proc/self/status").read_text("utf-8").splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("VmHWM:"))) * 1024 / 1e6
    except (OSError, StopIteration):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most * (1 if sys.platform == "darwin" else 1024) / 1e6
