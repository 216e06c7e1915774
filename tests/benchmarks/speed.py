"""Compare training and translation speed with JoeyNMT 2.3 and OpenNMT-py 3.5 on the same machine in the same minutes.

python -m tests.benchmarks speed DATA_DIR       (make bench DATA=folder)
    DATA_DIR holds Multi30k: train, val and test_2016_flickr.lc.norm.tok.de and .en, plain or .gz
    --quick             little text and few updates, as a check that everything runs
    --only train        or translate
    --cases ab          some of (a) additive attention, GRU; (b) general, LSTM, input feeding; (c) b without feeding
    --repeats N         of every measurement; the table has their medians
    --table             measure nothing; print the tables of all stored runs

Each toolkit runs its own training loop and search in a separate process (peers/), and waits while the others are
measured; the repeats of all toolkits alternate. Greedy search decodes 320 sentences together, and a beam of 5 decodes
64; JoeyNMT, which is slower with 320, always has 64. Our beam search stops early, as in OpenNMT-py but not in JoeyNMT
(`early` of beam_search; `translate` and `evaluate` do not use it). The other toolkits are installed into a cache folder
at the first run; if an installation fails, a line above the table gives the reason. For the translations each toolkit
first trains a model for one epoch, which is kept in the cache. The target ratios are for two otherwise idle cores.

The table of a whole run is appended, with processor, date and commit, to speed.jsonl beside this file; commit that
file. The results of all repeats, with hardware and versions, are written to results/speed-TIME.json, which git ignores;
a run with --quick, of some cases, or with other repeats or threads writes only that file.
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

from attn_core.data.corpus import CorpusError
from attn_core.evaluation.bleu import bleu
from attn_core.files import replacing
from attn_core.processor import computes_bf16
from tests.benchmarks.circumstances import circumstances
from tests.benchmarks.peers import cases
from tests.benchmarks.peers.contestants import CONTESTANTS, Contestant, Runner
from tests.benchmarks.peers.install import MissingError, cache
from tests.benchmarks.peers.table import (
    BEAMS,
    Found,
    Row,
    number,
    printed,
    rows,
    sanity,
    sentences_per_second,
    words_per_second,
)
from tests.benchmarks.peers.text import Text, prepare
from tests.benchmarks.records import RESULTS, ROOT, append, commit, finished, made

OUT = Path(__file__).with_suffix(".jsonl")
TITLES = {contestant.key: contestant.title for contestant in CONTESTANTS}
PAUSE = 0.3  # seconds between turns: threads of the previous process may still be spinning


def left_out() -> dict[str, str]:
    """Those of ours that this processor cannot run, and why."""
    return {} if computes_bf16() else {"best": "this processor cannot compute in bf16"}


class Bench:
    """State of one run: its options, the toolkits that dropped out, and the results so far."""

    def __init__(self, text: Text, options: argparse.Namespace):
        self.text = text
        self.repeats = options.repeats or (2 if options.quick else 5)
        self.updates, self.warm_up = (2, 1) if options.quick else (40, 8)
        self.epoch = 3 if options.quick else math.ceil(text.pairs / cases.BATCH)
        self.threads = options.threads
        self.missing: dict[str, str] = left_out()
        self.found: dict[str, Found] = {}

    def lose(self, contestant: Contestant, error: MissingError) -> None:
        """Continue without this toolkit."""
        self.missing[contestant.key] = str(error)
        print(f"{contestant.title} is skipped: {error}", flush=True)

    @contextmanager
    def running(self, case: str, training: bool = False) -> Iterator[list[Runner]]:
        """Processes of all toolkits still in the run; they end with the block."""
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
        """Send `command` to each toolkit in turn; a toolkit that fails leaves the run, and its earlier results stay."""
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
        """Measure words per second and peak memory in training."""
        print(f"\n({case}) {cases.CASES[case].text}: training, {self.repeats} x {self.updates} updates", flush=True)
        with self.running(case, training=True) as runners:
            self.everyone(runners, f"train {self.warm_up}")
            for _ in range(self.repeats):
                answers = self.everyone(runners, f"train {self.updates}")
                self.note(case, "train", answers)
                print_rates("words/s", {who: words_per_second(answer) for who, answer in answers.items()})
            for who, answer in self.everyone(runners, "memory").items():
                self.found[case][who]["megabytes"] = answer["megabytes"]

    def translate(self, case: str) -> None:
        """Measure sentences per second, greedy and with a beam, of models trained for one epoch."""
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
                    rates = {who: sentences_per_second(answer) for who, answer in answers.items()}
                    print_rates(f"sentences/s, {name}", rates)

    def one_epoch(self, case: str, runner: Runner) -> dict[str, Any]:
        """Load the toolkit's one-epoch model from the cache folder, or train it and store it there."""
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


def print_rates(unit: str, rates: dict[str, float]) -> None:
    print("  " + ", ".join(f"{TITLES[who]} {number(rate)}" for who, rate in rates.items()) + f"  {unit}", flush=True)


def conditions(bench: Bench) -> dict[str, Any]:
    """The settings that are equal for all toolkits."""
    return {
        "cases": {case: cases.CASES[case].text for case in bench.found},
        "threads": bench.threads,
        "batch": cases.BATCH,
        "translation_rows": cases.ROWS,
        "embedding": cases.LARGE.embedding,
        "encoder": f"2 x {cases.LARGE.encoder}",
        "decoder": cases.LARGE.decoder,
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
    """The raw answers without the translations."""
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


def stored(records: list[dict[str, Any]]) -> str:
    """The tables of all stored runs, each with its circumstances below it."""
    tables = []
    for record in records:
        lines = [printed([Row(**row) for row in record["rows"]], TITLES), made(record)]
        lines += [f"{TITLES[who]} is missing: {reason}" for who, reason in record["missing"].items()]
        tables.append("\n".join(lines))
    return "\n\n".join(tables) or "No run is stored yet."


def arguments() -> argparse.Namespace:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("data", nargs="?", type=Path, metavar="DATA_DIR", help="the folder with Multi30k")
    reader.add_argument("--only", choices=("train", "translate"), help="measure only this")
    reader.add_argument("--cases", default="".join(cases.CASES), help="some of abc")
    reader.add_argument("--repeats", type=int, help="of every measurement (5)")
    reader.add_argument("--threads", type=int, default=cases.THREADS, help="threads of every toolkit (2)")
    reader.add_argument("--quick", action="store_true", help="little text, few updates: a check that everything runs")
    reader.add_argument("--table", action="store_true", help="measure nothing; print the tables of all stored runs")
    options = reader.parse_args()
    if not options.cases or set(options.cases) - set(cases.CASES):
        reader.error(f"--cases takes letters of {''.join(cases.CASES)}, not {options.cases!r}")
    for name in ("repeats", "threads"):
        if (value := getattr(options, name)) is not None and value < 1:
            reader.error(f"--{name} must be at least 1, not {value}")
    return options


def main() -> int:
    options = arguments()
    if options.table:
        print(stored(finished(OUT)))
        return 0
    if options.data is None:
        print("Skipped the comparison of toolkits: it needs the folder of Multi30k (make bench DATA=folder).")
        return 0
    try:
        text = prepare(options.data, options.quick)
    except CorpusError as error:
        print(f"{error}\n{options.data} should hold Multi30k's *.lc.norm.tok files", file=sys.stderr)
        return 2
    about = circumstances(("torch",)) | {"commit": commit()}
    bench = Bench(text, options)
    for case in sorted(set(options.cases)):
        for part in ("train", "translate"):
            if options.only in (None, part):
                getattr(bench, part)(case)
    lines = [row for case, found in bench.found.items() for row in rows(case, found)]
    for title, reason in ((TITLES[who], reason) for who, reason in bench.missing.items()):
        print(f"\n{title} is skipped: {reason}")
    print(f"\n{printed(lines, TITLES)}\n{made(about)}\n")
    for case, found in bench.found.items():
        print(sanity(case, found, TITLES, lambda lines: bleu(lines, text.references).score))
    whole = options.only is None and set(options.cases) == set(cases.CASES)
    whole &= options.repeats is None and bench.threads == cases.THREADS
    kind = "-quick" if options.quick else "" if whole else "-part"
    path = RESULTS / f"speed-{about['date'][:19].replace(':', '-')}{kind}.json"
    record = about | {"quick": options.quick, "conditions": conditions(bench), "missing": bench.missing}
    record |= {"measures": [row.to_json() for row in lines], "answers": without_lines(bench.found)}
    with replacing(path) as new:
        new.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    print(f"\nAll answers are in {path.relative_to(ROOT)}")
    if whole and not options.quick:
        names = ("date", "processor", "cores", "load_before", "commit")
        table = {"threads": bench.threads, "repeats": bench.repeats, "missing": bench.missing}
        append(OUT, {name: about[name] for name in names} | table | {"rows": record["measures"]})
        print(f"The table is in {OUT.relative_to(ROOT)}; commit this file")
    return 1 if {"fp32", "best"} & bench.missing.keys() - left_out().keys() else 0
