"""Train the missing models of a table of the papers, then print the table and write its numbers for the pages.

python -m tests.benchmarks tables TABLE DATA
    TABLE is ladder, grid, aer or length; DATA holds Multi30k: train, val and test_2016_flickr (.lc.norm.tok.de and .en)
    --table          train nothing; print the table from the finished runs
    --only a,b       only runs of these models, and of an ensemble's members
    --minutes N      start no run after N minutes
    --jobs 2         runs at the same time, each on one thread
    --work FOLDER    where models are trained and kept (default: runs/tables)
    --runs FILE      finished runs, one JSON object per line (default: runs.jsonl beside this file, which is tracked)
    --out FOLDER     where the table's numbers are written (default: attn_core/evaluation/paper_tables)

Each finished run is appended to the file of runs at once, with what all tables need of it, and only runs that are not
in it are started; commit it after a session. Ctrl-C saves the state of the runs under way, and the same command goes
on with them. No run takes more than two hours: it is then stopped with its state saved.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from attn_core.data.corpus import CorpusError
from attn_core.evaluation.paper_tables import TABLES, Table, measured
from attn_core.files import replacing
from tests.benchmarks.peers.install import MissingError
from tests.benchmarks.records import ROOT, finished
from tests.benchmarks.tables import aligner
from tests.benchmarks.tables.bootstrap import Numbers, computed
from tests.benchmarks.tables.models import MODELS, fingerprint
from tests.benchmarks.tables.printed import printed
from tests.benchmarks.tables.queue import Job, Record, current, left, missing, queue
from tests.benchmarks.tables.store import about, alone, collect, keep_about
from tests.benchmarks.tables.text import sentences

RUNS = Path(__file__).with_name("runs.jsonl")
OUT = ROOT / "attn_core" / "evaluation" / "paper_tables"
LIMIT = 2 * 60 * 60  # seconds that a run may take
POLL = 1.0  # seconds between looks at the runs under way


@dataclass
class Session:
    """The runs of a table that are started here."""

    table: Table
    options: argparse.Namespace

    def __post_init__(self) -> None:
        only = [name for name in self.options.only.split(",") if name]
        everything = queue(self.table)
        if unknown := set(only) - {job.model for job in everything}:
            known = ", ".join(dict.fromkeys(job.model for job in everything))
            raise SystemExit(f"--only {', '.join(sorted(unknown))}: expected models of this table, which are {known}")
        wanted = [job for job in everything if not only or job.model in only]
        members = {member for job in wanted for member in job.members}
        self.jobs = [job for job in everything if job in members or job in wanted]
        self.prints = {job.model: fingerprint(job.model) for job in everything}
        self.running: dict[Job, tuple[subprocess.Popen[bytes], float]] = {}
        self.failed: set[Job] = set()

    def done(self) -> dict[Job, Record]:
        return current(finished(self.options.runs), self.prints)

    def weights(self) -> list[Job]:
        """The runs whose training has ended in the work folder."""
        return [job for job in self.jobs if job.model in MODELS and self._trained(job)]

    def _trained(self, job: Job) -> bool:
        lines = self.options.work / job.name / "metrics.jsonl"
        epochs = MODELS[job.model].settings["epochs"]
        return lines.exists() and len(lines.read_text("utf-8").splitlines()) == epochs

    def collect(self, job: Job) -> bool:
        options = self.options
        return collect(job, options.work, options.runs, self.prints[job.model], job in self.done()) is not None

    def next(self) -> Job | None:
        """The first missing run that can start."""
        here = self.weights()
        for job in missing(self.jobs, self.done(), here):
            if job not in self.running and job not in self.failed and set(job.members) <= set(here):
                return job
        return None

    def command(self, job: Job) -> list[str]:
        place = [job.model, str(job.seed), str(self.options.data.resolve()), str(self.options.work.resolve())]
        return [sys.executable, "-m", "tests.benchmarks.tables.one", *place]

    def start(self, job: Job) -> None:
        print(f"{job.name} starts.", flush=True)
        env = os.environ | {"OMP_NUM_THREADS": "1"}
        self.running[job] = subprocess.Popen(self.command(job), cwd=ROOT, env=env), time.monotonic()

    def end(self, job: Job, code: int) -> None:
        del self.running[job]
        if code or not self.collect(job):
            self.failed.add(job)
            print(f"{job.name} did not finish (exit status {code}).", file=sys.stderr, flush=True)
        else:
            done = self.done()
            print(f"{job.name} is finished. {left(missing(self.jobs, done, self.weights()), done)}", flush=True)

    def work(self) -> None:
        """Start the missing runs in their order, until all are finished or the time is over."""
        for job in self.jobs:
            self.collect(job)
        done = self.done()
        print(left(missing(self.jobs, done, self.weights()), done), flush=True)
        until = time.monotonic() + 60 * self.options.minutes
        try:
            while True:
                while len(self.running) < self.options.jobs and time.monotonic() < until and (job := self.next()):
                    self.start(job)
                if not self.running:
                    return
                for job, (process, began) in list(self.running.items()):
                    if (code := process.poll()) is not None:
                        self.end(job, code)
                    elif time.monotonic() - began > LIMIT:
                        process.terminate()  # training saves its state
                time.sleep(POLL)
        finally:
            for process, _ in self.running.values():
                process.terminate()
                process.wait()


def train(session: Session) -> None:
    options = session.options
    options.work.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with alone(options.work / "queue.lock"):
        keep_about(options.runs, sentences(options.data))
        if not (options.work / "dictionary.json").exists():
            print("Aligning the training text for the dictionary.", flush=True)
            aligner.write_dictionary(options.data, options.work)
        session.work()


def report(table: Table, done: dict[Job, Record], options: argparse.Namespace) -> str:
    """The table as text; writes its numbers for the pages if there are any."""
    if not done:
        return printed(table, None)
    by_model: dict[str, list[Record]] = {}
    for job, record in sorted(done.items(), key=lambda one: one[0].seed):
        by_model.setdefault(job.model, []).append(record)
    found = computed(Numbers(by_model, about(options.runs)), table)
    # The tables hold no times, so the instructions in a processor's name say nothing.
    found["processors"] = sorted({record["processor"].split(" (")[0] for record in done.values()})
    found["last"] = max(record["date"] for record in done.values())
    with replacing(options.out / f"{table.name}.json") as part:
        part.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return printed(table, measured(table, options.out))


def main(arguments: Sequence[str] | None = None) -> int:
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS
    )
    reader.add_argument("name", choices=TABLES, metavar="TABLE")
    reader.add_argument("data", nargs="?", type=Path, metavar="DATA")
    reader.add_argument("--table", action="store_true")
    reader.add_argument("--only", default="")
    reader.add_argument("--minutes", type=float, default=float("inf"))
    reader.add_argument("--jobs", type=int, default=2)
    reader.add_argument("--work", type=Path, default=ROOT / "runs" / "tables")
    reader.add_argument("--runs", type=Path, default=RUNS)
    reader.add_argument("--out", type=Path, default=OUT)
    options = reader.parse_args(arguments)
    if options.data is None and not options.table:
        reader.error("DATA is missing: the folder of Multi30k (only --table needs none)")
    session = Session(TABLES[options.name], options)
    try:
        if not options.table:
            train(session)
    except (CorpusError, MissingError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped; the same command goes on.", file=sys.stderr)
    print(report(session.table, session.done(), options))
    return 1 if session.failed else 0
