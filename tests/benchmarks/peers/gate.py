"""A gate in front of a training loop's batches: it counts batches and waits for commands.

A toolkit's own training loop runs in a separate process and gets its batches through the gate, so that all work of an
update happens between two batches. Each line of standard input is a command, answered by one line of JSON:

    train N         N more updates: {"updates", "words", "padded", "loss", "seconds", "cpu_seconds"}; fewer updates
                    if the toolkit's own training ends
    score           the test set's references: {"seconds", "loss", "words"}, the loss in nats, without smoothing
    translate W     translate the test set, greedily for W = 1 or with a beam of W: {"seconds", "lines"}
    save PATH       write the weights: {"seconds"}
    load PATH       read the weights: {"seconds"}
    memory          peak memory of the process so far: {"seconds", "megabytes"}
    quit            no answer; the end of standard input has the same effect

Standard library only, as in cases.py: the toolkits' environments import this file.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.benchmarks.peers.cases import CASES, Case, Conditions

Answer = dict[str, Any]


class Gate:
    def __init__(self, commands: dict[str, Callable[[str], Answer]]):
        """`commands` are answered by the toolkit; each function gets the rest of the line."""
        self.commands = {"memory": lambda _: {"megabytes": peak_megabytes()}} | commands
        # Standard output is for answers only; other output of a toolkit goes to the log.
        self.answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        self._clear(0)

    def _clear(self, updates: int) -> None:
        self.asked = self.left = updates
        self.words = self.padded = 0
        self.loss = 0.0
        self.began, self.cpu_began = time.perf_counter(), time.process_time()

    def wait(self, about: Answer | None = None) -> None:
        """Answer the last `train` (at first: `about`), then run commands until the next `train`; exits on `quit`."""
        if about is not None:
            self._answer(about)
        else:
            seconds = {"seconds": time.perf_counter() - self.began, "cpu_seconds": time.process_time() - self.cpu_began}
            found = {"words": self.words, "padded": self.padded, "loss": self.loss}
            self._answer({"updates": self.asked - self.left} | seconds | found)
        for line in iter(sys.stdin.readline, ""):
            name, _, rest = line.strip().partition(" ")
            if name == "quit":
                break
            if name == "train":
                return self._clear(int(rest))
            began = time.perf_counter()
            answer = self.commands[name](rest)
            self._answer({"seconds": time.perf_counter() - began} | answer)
        raise SystemExit(0)

    def ended(self) -> None:
        """Answer the last `train`, whose training has ended by itself; later ones take no updates. Does not return."""
        while True:
            self.wait()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the clocks for the block: the toolkit's own validation."""
        began, cpu_began = time.perf_counter(), time.process_time()
        yield
        self.began += time.perf_counter() - began
        self.cpu_began += time.process_time() - cpu_began

    def _answer(self, answer: Answer) -> None:
        self.answers.write(json.dumps(answer) + "\n")
        self.answers.flush()

    def passed(self, words: int, padded: int) -> None:
        """Count an update with `words` real target words, </s> included, in `padded` target positions."""
        self.left -= 1
        self.words += words
        self.padded += padded

    def lost(self, loss: float) -> None:
        """Add the loss of an update in nats, summed over its words."""
        self.loss += loss

    def through(self, batches: Iterable[Any], measure: Callable[[Any], tuple[int, int]]) -> Iterator[Any]:
        """Yield the batches through the gate; `measure` returns the words and positions of a batch."""
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
    """Base class of the toolkits' programs: `python -m tests.benchmarks.peers.NAME CASE DATA THREADS [CONDITIONS]`.

    CONDITIONS are those of cases.py, as a JSON object. Each has a gate, a model whose weights can be saved and loaded,
    and the `torch` of its environment.
    """

    torch: Any
    model: Any  # a torch.nn.Module; set when the training loop starts

    def __init__(self, case: Case, data: Path, conditions: Conditions):
        self.case, self.data, self.conditions = case, data, conditions
        commands = {"score": self.score, "translate": self.translate, "save": self.save, "load": self.load}
        self.gate = Gate(commands)

    @classmethod
    def main(cls) -> None:
        case, data, threads, *more = sys.argv[1:]
        cls.torch.set_num_threads(int(threads))
        toolkit = cls(CASES[case], Path(data), Conditions(**json.loads(more[0] if more else "{}")))
        toolkit.train()
        toolkit.gate.ended()

    def train(self) -> None:
        """Run the toolkit's own training loop, with the gate in front of its batches."""
        raise NotImplementedError

    def ready(self, version: str, source: int, target: int, precision: str = "fp32", **more: Any) -> None:
        """Answer with version, precision, parameters and vocabulary sizes, and `more`; and wait for `train`."""
        parameters = sum(weight.numel() for weight in self.model.parameters())
        about = {"parameters": parameters, "vocabulary": [source, target], "version": version, "precision": precision}
        self.gate.wait(about | more)

    def score(self, rest: str) -> Answer:
        """The loss of the test set's references."""
        raise NotImplementedError

    def translate(self, beam: str) -> Answer:
        """Translate the test set; a beam of 1 is greedy search."""
        raise NotImplementedError

    def save(self, path: str) -> Answer:
        self.torch.save(self.model.state_dict(), path)
        return {}

    def load(self, path: str) -> Answer:
        # torch's load_state_dict, since OpenNMT-py's expects one of its own checkpoints.
        self.torch.nn.Module.load_state_dict(self.model, self.torch.load(path, weights_only=True))
        return {}


def peak_megabytes() -> float:
    """Peak resident memory of this process, in 10^6 bytes."""
    try:
        # Preferred to getrusage, which also counts the memory of the process before it executed this program.
        lines = Path("/proc/self/status").read_text("utf-8").splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("VmHWM:"))) * 1024 / 1e6
    except (OSError, StopIteration):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most * (1 if sys.platform == "darwin" else 1024) / 1e6
