"""Training and translating side by side with JoeyNMT 2.3 and OpenNMT-py 3.5, on the same machine in the same minutes.

python tests/benchmarks/bench.py DATA_DIR       (make bench DATA=folder)
    DATA_DIR holds Multi30k: train, val and test_2016_flickr.lc.norm.tok.de and .en, plain or .gz
    --quick             little text and few updates, to see that it works
    --only train        or translate
    --cases ab          some of (a) additive attention, GRU; (b) general, LSTM, input feeding; (c) b without feeding
    --repeats N         of every measure; the table has their medians

Every contestant is a process of its own that runs its own training loop and its own search (peers/) and waits while
the others are measured; they take turns, repeat by repeat. Our beam stops early, as OpenNMT-py's does and JoeyNMT's
does not (`early` of beam_search; `translate` and `evaluate` do not). The peers are installed into a cache folder at the
first run; one that cannot be is left out, and a line above the table says why. For the translations each contestant
first trains a model for one epoch and keeps it there. The table goes with date, hardware and versions to
tests/benchmarks/results/bench-DATE.json. The ratios to reach are for two cores with nothing else to do.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from attn_core.data.corpus import CorpusError  # noqa: E402
from attn_core.evaluation.bleu import bleu  # noqa: E402
from attn_core.files import replacing  # noqa: E402
from tests.benchmarks.circumstances import circumstances  # noqa: E402
from tests.benchmarks.peers import cases  # noqa: E402
from tests.benchmarks.peers.contestants import CONTESTANTS, Contestant, Runner  # noqa: E402
from tests.benchmarks.peers.install import MissingError, cache  # noqa: E402
from tests.benchmarks.peers.table import (  # noqa: E402
    BEAMS,
    Found,
    number,
    printed,
    rows,
    sanity,
    sentences_per_second,
    words_per_second,
)
from tests.benchmarks.peers.text import Text, prepare  # noqa: E402

RESULTS = Path(__file__).with_name("results")
TITLES = {contestant.key: contestant.title for contestant in CONTESTANTS}
PAUSE = 0.3  # seconds between turns: threads of the one before may still be spinning


class Bench:
    """One run: who still takes part, and what was found so far."""

    def __init__(self, text: Text, options: argparse.Namespace):
        self.text = text
        self.repeats = options.repeats or (2 if options.quick else 5)
        self.updates, self.warm_up = (2, 1) if options.quick else (40, 8)
        self.epoch = 3 if options.quick else math.ceil(text.pairs / cases.BATCH)
        self.threads = options.threads
        self.missing: dict[str, str] = {}
        self.found: dict[str, Found] = {}

    def lose(self, contestant: Contestant, error: MissingError) -> None:
        """Go on without this one."""
        self.missing[contestant.key] = str(error)
        print(f"{contestant.title} is left out: {error}", flush=True)

    @contextmanager
    def running(self, case: str, training: bool = False) -> Iterator[list[Runner]]:
        """A process each for all who still take part; they end with the block."""
        runners: list[Runner] = []
        try:
            for contestant in CONTESTANTS:
                if contestant.key in self.missing:
                    continue
                try:
                    runners.append(Runner(contestant, case, self.text.folder, self.threads, training))
                except MissingError as error:
                    self.lose(contestant, error)
                else:
                    about = self.found.setdefault(case, {}).setdefault(contestant.key, {})
                    about["about"] = runners[-1].about
            yield runners
        finally:
            for runner in runners:
                runner.close()

    def everyone(self, runners: list[Runner], command: str) -> dict[str, dict[str, Any]]:
        """One turn for each; who fails is out of the run, and what it did before stands."""
        answers = {}
        for runner in list(runners):
            time.sleep(PAUSE)
            try:
                answers[runner.contestant.key] = runner.ask(command)
            except MissingError as error:
                self.lose(runner.contestant, error)
                runners.remove(runner)
        return answers

    def train(self, case: str) -> None:
        """Words a second, and the memory it took."""
        print(f"\n({case}) {cases.CASES[case].text}: training, {self.repeats} x {self.updates} updates", flush=True)
        with self.running(case, training=True) as runners:
            self.everyone(runners, f"train {self.warm_up}")
            for _ in range(self.repeats):
                answers = self.everyone(runners, f"train {self.updates}")
                self.note(case, "train", answers)
                say("words/s", {who: words_per_second(answer) for who, answer in answers.items()})
            for who, answer in self.everyone(runners, "memory").items():
                self.found[case][who]["megabytes"] = answer["megabytes"]

    def translate(self, case: str) -> None:
        """Sentences a second, greedy and with a beam, of models that were trained for one epoch."""
        print(f"\n({case}) {cases.CASES[case].text}: translating, {self.repeats} times", flush=True)
        with self.running(case) as runners:
            for runner in list(runners):
                try:
                    self.found[case][runner.contestant.key]["epoch"] = self.one_epoch(case, runner)
                except MissingError as error:
                    self.lose(runner.contestant, error)
                    runners.remove(runner)
            self.everyone(runners, "translate 1")  # warm-up
            for _ in range(self.repeats):
                for name, beam in BEAMS.items():
                    answers = self.everyone(runners, f"translate {beam}")
                    self.note(case, name, answers)
                    said = {who: sentences_per_second(answer) for who, answer in answers.items()}
                    say(f"sentences/s, {name}", said)

    def one_epoch(self, case: str, runner: Runner) -> dict[str, Any]:
        """Give the contestant its model of one epoch: from the cache folder, or trained now and put there."""
        contestant = runner.contestant
        name = f"{contestant.key}-{case}-{self.epoch}-{contestant.fingerprint()}"
        folder = cache() / f"models-{self.text.key}"
        weights, record = folder / f"{name}.pt", folder / f"{name}.json"
        if weights.exists() and record.exists():
            runner.ask(f"load {weights}")
            return json.loads(record.read_text("utf-8"))
        print(f"{contestant.title} trains for one epoch of {self.epoch} updates", flush=True)
        answer = runner.ask(f"train {self.epoch}")
        with replacing(weights) as part:
            runner.ask(f"save {part}")
        with replacing(record) as part:
            part.write_text(json.dumps(answer), "utf-8")
        return answer

    def note(self, case: str, name: str, answers: dict[str, dict[str, Any]]) -> None:
        for who, answer in answers.items():
            self.found[case][who].setdefault(name, []).append(answer)


def say(unit: str, rates: dict[str, float]) -> None:
    print("  " + ", ".join(f"{TITLES[who]} {number(rate)}" for who, rate in rates.items()) + f"  {unit}", flush=True)


def conditions(bench: Bench) -> dict[str, Any]:
    """What was equal for all."""
    return {
        "cases": {case: cases.CASES[case].text for case in bench.found},
        "threads": bench.threads,
        "batch": cases.BATCH,
        "embedding": cases.EMBEDDING,
        "encoder": f"2 x {cases.ENCODER}",
        "decoder": cases.DECODER,
        "tied": False,
        "dropout": 0.0,
        "optimizer": f"Adam, rate {cases.RATE}, gradient norm at most {cases.CLIP}",
        "vocabulary": f"words seen {cases.MIN_FREQUENCY} times",
        "translation_limit": cases.LIMIT,
        "text": {"key": bench.text.key, "pairs": bench.text.pairs, "target_words": bench.text.words},
        "repeats": bench.repeats,
        "updates": bench.updates,
        "epoch": bench.epoch,
    }


def without_lines(found: dict[str, Found]) -> dict[str, Any]:
    """The answers as they came, but for the translations."""
    return {
        case: {
            who: {
                name: [{key: value for key, value in answer.items() if key != "lines"} for answer in part]
                if isinstance(part, list)
                else part
                for name, part in parts.items()
            }
            for who, parts in contestants.items()
        }
        for case, contestants in found.items()
    }


def arguments() -> argparse.Namespace:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("data", nargs="?", type=Path, metavar="DATA_DIR", help="the folder with Multi30k")
    reader.add_argument("--only", choices=("train", "translate"), help="measure only this")
    reader.add_argument("--cases", default="".join(cases.CASES), help="some of abc")
    reader.add_argument("--repeats", type=int, help="of every measure (5)")
    reader.add_argument("--threads", type=int, default=cases.THREADS, help="of every contestant (2)")
    reader.add_argument("--quick", action="store_true", help="little text, few updates: to see that it works")
    options = reader.parse_args()
    if not options.cases or set(options.cases) - set(cases.CASES):
        reader.error(f"--cases takes letters of {''.join(cases.CASES)}, not {options.cases!r}")
    for name in ("repeats", "threads"):
        if (value := getattr(options, name)) is not None and value < 1:
            reader.error(f"--{name} must be 1 or more, not {value}")
    return options


def main() -> int:
    options = arguments()
    if options.data is None:
        print("No folder with Multi30k was named (make bench DATA=folder): nothing to train and translate with.")
        return 0
    try:
        text = prepare(options.data, options.quick)
    except CorpusError as error:
        print(f"{error}\n{options.data} should hold Multi30k's *.lc.norm.tok files", file=sys.stderr)
        return 2
    about = circumstances(("torch",))
    bench = Bench(text, options)
    for case in sorted(set(options.cases)):
        for part in ("train", "translate"):
            if options.only in (None, part):
                getattr(bench, part)(case)
    lines = [row for case, found in bench.found.items() for row in rows(case, found)]
    for title, reason in ((TITLES[who], reason) for who, reason in bench.missing.items()):
        print(f"\n{title} is left out: {reason}")
    print(f"\n{printed(lines, TITLES)}\n")
    for case, found in bench.found.items():
        print(sanity(case, found, TITLES, lambda said: bleu(said, text.references).score))
    whole = options.only is None and set(options.cases) == set(cases.CASES)
    kind = "-quick" if options.quick else "" if whole else "-part"
    path = RESULTS / f"bench-{about['date'][:10]}{kind}.json"
    record = about | {"quick": options.quick, "conditions": conditions(bench), "missing": bench.missing}
    record |= {"measures": [row.to_json() for row in lines], "answers": without_lines(bench.found)}
    with replacing(path) as part:
        part.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    print(f"\nload before: {about['load_before'][0]} on {about['cores']} cores; written to {path.relative_to(ROOT)}")
    return 1 if {"fp32", "best"} & bench.missing.keys() else 0


if __name__ == "__main__":
    sys.exit(main())
